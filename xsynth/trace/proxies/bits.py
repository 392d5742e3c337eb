"""`&`, `|` and `^` of integers of any size, as arithmetic.

With a constant mask: a run of ones from bit `low` to bit `high` keeps
`x // 2**low % 2**(high - low) * 2**low`, and `x & c` is the sum over the runs of
`c`; a negative mask keeps what its complement does not.  The others follow, for
all integers: `x | y == x + y - (x & y)` and `x ^ y == x + y - 2 * (x & y)`.

Between two symbolic integers one must lie in 0 .. 2**k - 1 for some small k, by the range
of the input or by what it was computed from (`x & 1`, `x % 256`, a Boolean): then `&` is the
sum, over those k bits, of a choice for each.  If both may be negative, both must be bounded;
the highest bit then counts as a sign, since `//` and `%` round down.
"""

from __future__ import annotations

from xsynth.trace.proxies.build import (
    ONE,
    ZERO,
    add,
    compare,
    floordiv,
    integer,
    ite,
    mod,
    mul,
    same,
    sub,
)
from xsynth.trace.proxies.current import bounds, unsupported
from xsynth.trace.terms import Const, Op, Term

TWO = integer(2)
WIDEST = 64
"""The most bits of which an operation is written out."""


def bit_and(left: Term, right: Term) -> Term:
    if same(left, right):
        return left
    if type(left) is Const:
        left, right = right, left
    if type(right) is Const:
        return _masked(left, int(right.value))
    ranges = [bounds(left), bounds(right)]
    widths = [_width(*r) for r in ranges]
    natural = [
        w for w, (low, _) in zip(widths, ranges, strict=True) if low is not None and low >= 0
    ]
    sizes = [w for w in natural if w is not None]
    if sizes and min(sizes) <= WIDEST:
        return _bit_by_bit(left, right, min(sizes))
    if widths[0] is not None and widths[1] is not None and max(widths[0], widths[1]) < WIDEST:
        sign = max(widths[0], widths[1])
        high = mul(_bit_by_bit(left, right, 1, sign), integer(1 << sign))
        return sub(_bit_by_bit(left, right, sign), high)
    raise unsupported(
        "a bit operation between two symbolic integers, neither of which is bounded",
        "Bound one of them (--range NAME=0..255), take single bits ((x >> k) & 1), or --fix one.",
    )


def _width(low: int | None, high: int | None) -> int | None:
    """How many bits hold every value of a range, besides the sign."""
    if low is None or high is None:
        return None
    return max(low.bit_length() if low >= 0 else (~low).bit_length(), max(high, 0).bit_length())


def _bit_by_bit(left: Term, right: Term, size: int, first: int = 0) -> Term:
    """The bits that both have, of so many from the first on, as a number from 0."""
    result: Term = ZERO
    for i in range(size):
        both = ite(compare(Op.EQ, _bit(right, first + i), ONE), _bit(left, first + i), ZERO)
        result = add(mul(both, integer(1 << i)), result)
    return result


def _bit(term: Term, i: int) -> Term:
    shifted = floordiv(term, integer(1 << i))
    return shifted if _is_bit(shifted) else mod(shifted, TWO)


def bit_or(left: Term, right: Term) -> Term:
    if _is_bit(left) and _is_bit(right):
        return ite(compare(Op.EQ, right, ONE), ONE, left)
    both = bit_and(left, right)
    return sub(add(left, right), both)


def bit_xor(left: Term, right: Term) -> Term:
    if same(left, right):
        return ZERO
    if _is_bit(left) and _is_bit(right):
        return ite(compare(Op.EQ, left, right), ZERO, ONE)
    both = bit_and(left, right)
    return sub(add(left, right), mul(both, TWO))


def _masked(term: Term, mask: int) -> Term:
    if type(term) is Const:
        return integer(int(term.value) & mask)
    if mask < 0:
        return sub(term, _masked(term, ~mask))
    result: Term = ZERO
    for low, high in _runs(mask):
        kept = mod(floordiv(term, integer(1 << low)), integer(1 << (high - low)))
        result = add(result, mul(kept, integer(1 << low)))
    return result


def _runs(mask: int) -> list[tuple[int, int]]:
    """The maximal runs of ones, each from its lowest bit to just past its highest."""
    runs = []
    low = 0
    while mask >> low:
        if mask >> low & 1:
            high = low
            while mask >> high & 1:
                high += 1
            runs.append((low, high))
            low = high
        else:
            low += 1
    return runs


def _is_bit(term: Term) -> bool:
    low, high = bounds(term)
    return low is not None and high is not None and low >= 0 and high <= 1
