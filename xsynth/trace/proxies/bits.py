"""`&`, `|` and `^` of integers of any size, as arithmetic.

With a constant mask: a run of ones from bit `low` to bit `high` keeps
`x // 2**low % 2**(high - low) * 2**low`, and `x & c` is the sum over the runs of
`c`; a negative mask keeps what its complement does not.  The others follow, for
all integers: `x | y == x + y - (x & y)` and `x ^ y == x + y - 2 * (x & y)`.

Between two symbolic integers one of them must be a single bit (`x & 1`,
`(x >> 3) & 1`, a Boolean): then `&` is a choice.
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
from xsynth.trace.proxies.current import unsupported
from xsynth.trace.terms import Apply, Const, Op, Term

TWO = integer(2)


def bit_and(left: Term, right: Term) -> Term:
    if same(left, right):
        return left
    if type(left) is Const:
        left, right = right, left
    if type(right) is Const:
        return _masked(left, int(right.value))
    if _is_bit(left):
        left, right = right, left
    if _is_bit(right):
        return ite(compare(Op.EQ, right, ONE), _last_bit(left), ZERO)
    raise unsupported(
        "a bit operation between two symbolic integers",
        "Use arithmetic instead, take single bits first ((x >> k) & 1), or --fix one of them.",
    )


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
    match term:
        case Const(value=value):
            return value in (0, 1)
        case Apply(op=Op.MOD, args=(_, Const(value=2))):
            return True
        case Apply(op=Op.ITE, args=(_, then, otherwise)):
            return _is_bit(then) and _is_bit(otherwise)
        case _:
            return False


def _last_bit(term: Term) -> Term:
    return term if _is_bit(term) else mod(term, TWO)
