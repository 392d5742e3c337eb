"""Structures that grow a level at a time, and what their levels amount to.

A structure of x elements has level k once x - d*k >= c*b**k: a counter its next digit, an array
its next capacity, a tree its next height (`base` b, `lead` c; with `delay` d a level hears of
what happened below one element later).  Of x = e*n + `shift` elements (e is `times`: a table that
is full at two thirds grows where 3*n is a power of two) there are

    digits      the sum of digit k of x - d*k, for all numbers of elements so far
    depths      the levels there are, for all numbers of elements so far: n log n
    wholes      the same, where a level counts from b**(k + 1) on (if c > 1): a root has fewer
                keys than the other nodes
    places      b**k * floor((x - d*k)/b**k): what an update of a prefix table touches
    carries     floor((x - d*k)/b**k), less what a level begins with: splits, carries, merges
    sizes       b**k for each level that there is: what all copies to twice the room cost
    levels      how many there are
    pairs       half as many, rounded down (if e > 1): powers of two are in turn 1 and 2 more
                than a multiple of three
    first       floor((x - d)/b): what happens on the lowest level, where it differs

and the same for one element more, since one step may look before and the next after a change;
besides n and 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache

from xsynth.model.algebra import polynomial, scaled
from xsynth.model.isg import (
    Add,
    Div,
    Expr,
    Floor,
    Log2,
    Max,
    Min,
    Mul,
    N,
    Name,
    Num,
    Pow,
    Sub,
    Sum,
)

_STRUCTURES = ((2, 1), (3, 1), (3, 2), (2, 3), (4, 1), (4, 2), (4, 3), (2, 5), (2, 7))
_SHIFTS = (0, 1, -1, 2, -2, 3, -3, -4)


class Part(IntEnum):
    """The functions; a formula tells them in this order."""

    DIGITS = 0
    DIGITS_NEXT = 1
    DEPTHS = 2
    DEPTHS_WHOLE = 3
    PLACES = 4
    CARRIES = 5
    CARRIES_NEXT = 6
    SIZES = 7
    LEVELS = 8
    LEVELS_NEXT = 9
    PAIRS = 10
    FIRST = 11
    SCALE = 12
    ONE = 13


@dataclass(frozen=True, slots=True)
class Structure:
    base: int
    lead: int
    delay: int
    shift: int
    times: int = 1

    @property
    def plain(self) -> bool:
        """Whether it has level k from 2**k on."""
        return self.base == 2 and self.lead == 1 and self.delay == 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """The functions that mean something, and are not combinations of others."""
        if self.times > 1:
            return Part.SIZES, Part.LEVELS, Part.LEVELS_NEXT, Part.PAIRS, Part.SCALE, Part.ONE
        without = {Part.PAIRS} if self.lead > 1 else {Part.PAIRS, Part.DEPTHS_WHOLE}
        return tuple(part for part in Part if part not in without)

    def elements(self, n: int) -> int:
        return self.times * n + self.shift


def structures() -> Iterator[Structure]:
    for delay in (0, 1):
        for base, lead in _STRUCTURES:
            for shift in _SHIFTS:
                yield Structure(base, lead, delay, shift)
    for shift in _SHIFTS:
        yield Structure(2, 1, 0, shift, times=3)


# ------------------------------------------------------------------ values


@cache
def values(one: Structure, n: int) -> tuple[int, ...]:
    """The functions at n, in the order of their names above."""
    x = one.elements(n)
    own, following = _sums(one, x), _sums(one, x + 1)
    digits, depths, places, carries, sizes, levels, wholes = own
    first = (x - one.delay) // one.base
    large = (digits, following[0], depths, wholes, places, carries, following[3])
    return (*large, sizes, levels, following[5], levels // 2, first, n, 1)


def _sums(one: Structure, x: int) -> tuple[int, ...]:
    digits = depths = places = carries = sizes = levels = wholes = 0
    for k in range(x.bit_length()):
        size, rest = one.base**k, x - one.delay * k
        there = rest >= one.lead * size
        turns, over = divmod(rest + 1, size * one.base)
        if there:
            digits += size * turns * (one.base * (one.base - 1) // 2)
            digits += sum(max(0, over - i * size) for i in range(1, one.base))
        wholes += max(0, rest + 1 - one.base * size)
        if k:
            places += size * (rest // size)
            carries += max(0, rest // size - one.lead + 1)
        if there and k >= _low(one):
            depths += rest + 1 - one.lead * size
            sizes += size
            levels += 1
    return digits, depths, places, carries, sizes, levels, wholes


def _low(one: Structure) -> int:
    """The lowest level that is not there from the first element on."""
    return 1 if one.lead == 1 else 0


# ------------------------------------------------------------------ expressions

_K = Name("k")


def functions(one: Structure) -> tuple[Expr, ...]:
    """The functions as expressions."""
    return tuple(function(one, which) for which in Part)


def function(one: Structure, which: Part) -> Expr:
    shift = one.shift + (which in (Part.DIGITS_NEXT, Part.CARRIES_NEXT, Part.LEVELS_NEXT))
    elements = polynomial([shift, one.times])
    size = Pow(Num(one.base), _K)
    whole = Floor(Div(_late(one, shift), size))
    match which:
        case Part.DIGITS | Part.DIGITS_NEXT:
            return _over(elements, 0, _there(one, shift, _digits(one, shift)))
        case Part.DEPTHS:
            begun = Sub(_late(one, shift + 1), scaled(Fraction(one.lead), size))
            return _over(elements, _low(one), Max(Num(0), begun))
        case Part.DEPTHS_WHOLE:
            begun = Sub(_late(one, shift + 1), Pow(Num(one.base), Add(_K, Num(1))))
            return _over(elements, 0, Max(Num(0), begun))
        case Part.PLACES:
            return _over(elements, 1, Mul(size, whole))
        case Part.CARRIES | Part.CARRIES_NEXT:
            if one.lead > 1:
                return _over(elements, 1, Max(Num(0), Sub(whole, Num(one.lead - 1))))
            return _over(elements, 1, whole)
        case Part.SIZES:
            return _over(elements, _low(one), _there(one, shift, size, always=True))
        case Part.LEVELS | Part.LEVELS_NEXT:
            if one.plain:
                return Floor(Log2(elements))
            return _over(elements, _low(one), _there(one, shift, Num(1), always=True))
        case Part.PAIRS:
            return Floor(Div(function(one, Part.LEVELS), Num(2)))
        case Part.FIRST:
            return Floor(Div(polynomial([shift - one.delay, one.times]), Num(one.base)))
        case Part.SCALE:
            return N
        case _:
            return Num(1)


def _over(elements: Expr, low: int, body: Expr) -> Expr:
    return Sum(body, _K, Num(low), Floor(Log2(elements)))


def _late(one: Structure, shift: int) -> Expr:
    """`x - d*k`: how many elements level k has heard of."""
    elements = polynomial([shift, one.times])
    return Sub(elements, scaled(Fraction(one.delay), _K)) if one.delay else elements


def _there(one: Structure, shift: int, body: Expr, *, always: bool = False) -> Expr:
    """The body where level k is there, and else 0."""
    if one.plain or (one.lead == 1 and not always):
        return body
    size = scaled(Fraction(one.lead), Pow(Num(one.base), _K))
    there = Min(Num(1), Floor(Div(_late(one, shift), size)))
    return there if body == Num(1) else Mul(body, there)


def _digits(one: Structure, shift: int) -> Expr:
    """Digit k of all numbers up to x - d*k: whole turns of b digits, and what is over."""
    size, turn = Pow(Num(one.base), _K), Pow(Num(one.base), Add(_K, Num(1)))
    numbers = _late(one, shift + 1)
    turns = Floor(Div(numbers, turn))
    over = Sub(numbers, Mul(turn, turns))
    total = scaled(Fraction(one.base * (one.base - 1) // 2), Mul(size, turns))
    for i in range(1, one.base):
        total = Add(total, Max(Num(0), Sub(over, scaled(Fraction(i), size))))
    return total
