"""Costs of amortised structures: what grows a level at a time, added up over its levels.

A structure of x elements has level k once x - d*k >= c*b**k: a counter its next digit, an array
its next capacity, a tree its next height (`base` b, `lead` c; with `delay` d a level hears of
what happened below one element later).  Of x = n + `shift` elements there are

    digits      the sum of digit k of x - d*k, for all numbers of elements so far
    depths      the levels there are, for all numbers of elements so far: n log n
    places      b**k * floor((x - d*k)/b**k): what an update of a prefix table touches
    carries     floor((x - d*k)/b**k), less what a level begins with: splits, carries, merges
    sizes       b**k for each level that there is: what all copies to twice the room cost
    levels      how many there are
    first       floor((x - d)/b): what happens on the lowest level, where it differs
    wholes      as the depths, where a level counts from b**(k + 1) on (if c > 1): a root has
                fewer keys than the other nodes

and the same for one element more, since one step may look before and the next after a change;
besides n and 1.  That is a dozen functions and a hundred structures, so this is for costs that
are known at many scales and have no simpler formula; there are many scales to spare, and other
structures that explain the costs about as shortly must agree further on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache

from xsynth.model.algebra import linear_combination, polynomial, scaled
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
    evaluate,
)
from xsynth.model.solution import PRIME, FittedExpr, contradictory, solve

FEWEST_LEVELS = 3
"""How many different numbers of levels the scales must have had."""
SPARE = 8
"""How many more scales than coefficients are wanted, besides one for each that is left out; and
as many as coefficients, where these are more."""
MOST_EXCEPTIONS = 6
AGREED = 8
"""How many times as far as the largest scale formulas must agree."""

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
    FIRST = 10
    SCALE = 11
    ONE = 12


_ALL = tuple(Part)
_PARTS: tuple[tuple[Part, ...], ...] = (
    _ALL,
    tuple(one for one in _ALL if one is not Part.DIGITS_NEXT),
    tuple(one for one in _ALL if one not in (Part.DIGITS_NEXT, Part.PLACES)),
    tuple(one for one in _ALL if one not in (Part.DIGITS_NEXT, Part.PLACES, Part.CARRIES_NEXT)),
    (Part.SIZES, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.CARRIES, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.DIGITS, Part.SCALE, Part.ONE),
    (Part.DEPTHS, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.SIZES, Part.LEVELS, Part.LEVELS_NEXT, Part.SCALE, Part.ONE),
    (Part.CARRIES, Part.SIZES, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.DEPTHS, Part.SIZES, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.DIGITS, Part.CARRIES, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.DEPTHS, Part.CARRIES, Part.SIZES, Part.LEVELS, Part.SCALE, Part.ONE),
    (Part.DIGITS, Part.DEPTHS, Part.CARRIES, Part.SIZES, Part.LEVELS, Part.SCALE, Part.ONE),
)
"""What is asked for in turn, since the scales may not tell all of the functions apart."""


@dataclass(frozen=True, slots=True)
class Structure:
    base: int
    lead: int
    delay: int
    shift: int


def structures() -> Iterator[Structure]:
    for delay in (0, 1):
        for base, lead in _STRUCTURES:
            for shift in _SHIFTS:
                yield Structure(base, lead, delay, shift)


def fit_levels(points: Sequence[tuple[int, int]]) -> FittedExpr | None:
    """The formula with the fewest terms, if all that have up to twice as many agree further on."""
    points = sorted(points)
    if len(points) < SPARE + FEWEST_LEVELS:
        return None
    return _fit(tuple(points))


@lru_cache(maxsize=256)
def _fit(points: tuple[tuple[int, int], ...]) -> FittedExpr | None:
    found = []
    for one in structures():
        fitted = _fit_one(one, points)
        if fitted is not None:
            found.append((len(fitted[0]), one, *fitted))
    if not found:
        return None
    fewest, best, factors, left = min(found, key=lambda each: each[0])
    last = points[-1][0]
    for terms, one, others, _ in found:
        for n in range(last + 1, AGREED * last + 1) if terms <= 2 * fewest else ():
            if _value(one, others, n) != _value(best, factors, n):
                return None
    expr = linear_combination([(c, _function(best, which)) for which, c in factors.items()])
    known = points[len(points) - left - len(factors) :]
    if any(evaluate(expr, {"n": n}) != value for n, value in known):
        return None
    return FittedExpr(expr, left)


def _fit_one(
    one: Structure, points: Sequence[tuple[int, int]]
) -> tuple[dict[Part, Fraction], int] | None:
    """The factors of the functions that matter, and the scales to spare."""
    for first in range(MOST_EXCEPTIONS + 1):
        kept = [(n, value) for n, value in points[first:] if n + one.shift > 0]
        rows = [values(one, n) for n, _ in kept]
        if first == 0:
            # What contradicts the largest scales does so whatever is left out.
            tail = list(zip(rows, kept, strict=True))[MOST_EXCEPTIONS:]
            if not tail or contradictory(
                [[*(entry % PRIME for entry in row), value % PRIME] for row, (_, value) in tail]
            ):
                return None
        if len(kept) < len(points) - first:
            continue
        if len({row[Part.LEVELS] for row in rows}) < FEWEST_LEVELS:
            return None
        for parts in _PARTS:
            which = [part for part in parts if one.lead > 1 or part is not Part.DEPTHS_WHOLE]
            if len(kept) < len(which) + max(SPARE, len(which)) + first:
                continue
            exact = [[Fraction(row[i]) for i in which] for row in rows]
            solution = solve(exact, [Fraction(value) for _, value in kept])
            if solution is not None:
                factors = {i: c for i, c in zip(which, solution, strict=True) if c}
                return factors, len(kept) - len(factors)
    return None


def _value(one: Structure, factors: dict[Part, Fraction], n: int) -> Fraction:
    row = values(one, n)
    return sum((factor * row[i] for i, factor in factors.items()), Fraction(0))


# ------------------------------------------------------------------ values


@cache
def values(one: Structure, n: int) -> tuple[int, ...]:
    """The functions at n, in the order of their names above."""
    own, following = _sums(one, n + one.shift), _sums(one, n + one.shift + 1)
    digits, depths, places, carries, sizes, levels, wholes = own
    first = (n + one.shift - one.delay) // one.base
    large = (digits, following[0], depths, wholes, places, carries, following[3])
    return (*large, sizes, levels, following[5], first, n, 1)


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
    return tuple(_function(one, which) for which in _ALL)


def _function(one: Structure, which: Part) -> Expr:
    shift = one.shift + (which in (Part.DIGITS_NEXT, Part.CARRIES_NEXT, Part.LEVELS_NEXT))
    elements = polynomial([shift, 1])
    size = Pow(Num(one.base), _K)
    whole = Floor(Div(_late(one, shift), size))
    plain = one.base == 2 and one.lead == 1 and one.delay == 0
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
            if plain:
                return Floor(Log2(elements))
            return _over(elements, _low(one), _there(one, shift, Num(1), always=True))
        case Part.FIRST:
            return Floor(Div(polynomial([shift - one.delay, 1]), Num(one.base)))
        case Part.SCALE:
            return N
        case _:
            return Num(1)


def _over(elements: Expr, low: int, body: Expr) -> Expr:
    return Sum(body, _K, Num(low), Floor(Log2(elements)))


def _late(one: Structure, shift: int) -> Expr:
    """`x - d*k`: how many elements level k has heard of."""
    elements = polynomial([shift, 1])
    return Sub(elements, scaled(Fraction(one.delay), _K)) if one.delay else elements


def _there(one: Structure, shift: int, body: Expr, *, always: bool = False) -> Expr:
    """The body where level k is there, and else 0."""
    if one.lead == 1 and not always:
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
