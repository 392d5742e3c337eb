"""Formulas for the costs of amortised structures, as combinations of the functions of
`structures.py`.

There are a dozen functions and more than a hundred structures, so this is for costs that are
known at many scales and have no simpler formula: there are many scales to spare, and other
structures that explain the costs about as shortly must agree further on.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from xsynth.model.algebra import linear_combination
from xsynth.model.isg import evaluate
from xsynth.model.solution import PRIME, FittedExpr, contradictory, solve
from xsynth.model.structures import Part, Structure, function, structures, values

FEWEST_LEVELS = 3
"""How many different numbers of levels the scales must have had."""
SPARE = 8
"""How many more scales than coefficients are wanted, besides one for each that is left out; and
as many as coefficients, where these are more."""
MOST_EXCEPTIONS = 6
AGREED = 8
"""How many times as far as the largest scale formulas must agree."""

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
    expr = linear_combination([(c, function(best, which)) for which, c in factors.items()])
    known = points[len(points) - left - len(factors) :]
    if any(evaluate(expr, {"n": n}) != value for n, value in known):
        return None
    return FittedExpr(expr, left)


def _fit_one(
    one: Structure, points: Sequence[tuple[int, int]]
) -> tuple[dict[Part, Fraction], int] | None:
    """The factors of the functions that matter, and the scales to spare."""
    for first in range(MOST_EXCEPTIONS + 1):
        kept = [(n, value) for n, value in points[first:] if one.elements(n) > 0]
        rows = [values(one, n) for n, _ in kept]
        if first == 0:
            # What contradicts the largest scales does so whatever is left out.
            tail = list(zip(rows, kept, strict=True))[MOST_EXCEPTIONS:]
            if not tail or contradictory(
                [[*(row[i] % PRIME for i in one.parts), value % PRIME] for row, (_, value) in tail]
            ):
                return None
        if len(kept) < len(points) - first:
            continue
        if len({row[Part.LEVELS] for row in rows}) < FEWEST_LEVELS:
            return None
        for parts in _PARTS:
            which = [part for part in parts if part in one.parts]
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
