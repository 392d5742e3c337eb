"""Formulas in several variables: as `fit.py`, over the points of a grid.

    polynomial    monomials up to a degree in each variable and in all together; of those
                  that explain the values, one with the fewest coefficients
    with a bend   besides, one of min(n, m), max(n, m), floor(n/2), or floor(log2 n) if
                  exotic forms are asked for, and its products with the variables

A formula needs scales to spare: more points than coefficients, and in every variable that
it depends on more levels (different values of the variable) than its degree there, both by
at least `spare`; with one variable the two are the same.  A bend needs one point more, and
a logarithm must have had three values.

Points need not fill the grid: some are unknown, or lie outside the region of interest.
Then formulas with equally many coefficients can explain all points and differ elsewhere.
That is no formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import TypeAlias

from xsynth.model.algebra import linear_combination, power
from xsynth.model.isg import (
    Div,
    Expr,
    Floor,
    Log2,
    Max,
    Min,
    Mul,
    Name,
    Num,
    evaluate,
)
from xsynth.model.solution import FittedExpr, NoFit, solvable, solve
from xsynth.scale import Scale, Sizes, corner, grown, grown_in

HIGHEST_DEGREE = 4
"""In all variables together."""
HIGHEST_BENT_DEGREE = 2
LARGEST_PART = 2
"""Counts of degree two are made of halves; thirds beside a bend are an accident."""
FEWEST_STEPS = 3
"""How many values a logarithm must have had."""

Points: TypeAlias = tuple[tuple[Sizes, int], ...]
Monomial: TypeAlias = tuple[int, ...]
"""The exponents of the variables."""


@lru_cache(maxsize=4096)
def fit_several(points: Points, spare: int, exotic: bool, max_degree: int) -> FittedExpr | NoFit:
    """The simplest formula for the values at these points."""
    highest = min(max_degree, HIGHEST_DEGREE)
    fitted = _simplest(_fit_bases(points, spare, _polynomials(points, spare, highest)), points)
    if fitted is None and spare:
        bent = _bent(points, spare, exotic)
        fitted = _simplest(_fit_bases(points, spare + 1, bent, parts=LARGEST_PART), points)
    if fitted is not None:
        return fitted
    shown = ", ".join(f"{value} ({scale})" for scale, value in points[:8])
    return NoFit(f"no formula with {spare} to spare gives {shown}")


def _simplest(found: Iterator[tuple[int, FittedExpr]], points: Points) -> FittedExpr | NoFit | None:
    """One with the fewest coefficients, if all of those are the same function."""
    fewest, first = next(found, (0, None))
    for count, other in found:
        if first is None or count > fewest:
            break
        if not _same(first.expr, other.expr, points):
            return NoFit("two formulas explain the values: more scales would tell")
        if len(str(other.expr)) < len(str(first.expr)):
            first = other
    return first


def _same(one: Expr, other: Expr, points: Points) -> bool:
    last = corner([scale for scale, _ in points])
    assert isinstance(last, Sizes)
    trial: list[Scale] = [grown(last, 1), grown(last, 6, 3)]
    trial += [grown_in(last, name, by, times) for name in last for by, times in ((1, 1), (6, 3))]
    return all(
        isinstance(scale, Sizes) and evaluate(one, scale) == evaluate(other, scale)
        for scale in trial
    )


def _fit_bases(
    points: Points,
    spare: int,
    bases: Sequence[tuple[tuple[Expr, ...], int]],
    parts: int | None = None,
) -> Iterator[tuple[int, FittedExpr]]:
    """What every basis that serves gives, with its size, those with few expressions first.

    A basis comes with what its degrees leave to spare.  `parts` is the largest denominator.
    """
    values = [Fraction(value) for _, value in points]
    known: dict[Expr, list[Fraction]] = {}
    for basis, levels_left in sorted(bases, key=lambda one: len(one[0])):
        left = len(points) - len(basis)
        if left < spare:
            continue
        for expr in basis:
            if expr not in known:
                known[expr] = [evaluate(expr, scale) for scale, _ in points]
        solution = solve(list(zip(*(known[expr] for expr in basis), strict=True)), values)
        if solution is None:
            continue
        if parts is None or all(factor.denominator <= parts for factor in solution):
            total = linear_combination(list(zip(solution, basis, strict=True)))
            yield len(basis), FittedExpr(total, min(left, levels_left))


# ------------------------------------------------------------------ polynomials


def _polynomials(points: Points, spare: int, highest: int) -> list[tuple[tuple[Expr, ...], int]]:
    """Monomials by their degrees; none at all where no polynomial serves."""
    names = list(points[0][0])
    levels = [len({scale[name] for scale, _ in points}) for name in names]
    most = [max(0, min(highest, count - 1 - spare)) for count in levels]
    every = _monomials(most, highest)
    rows = [[_value(monomial, scale) for monomial in every] for scale, _ in points]
    if not solvable(rows, [Fraction(value) for _, value in points]):
        return []
    found: dict[tuple[Monomial, ...], int] = {}
    for degrees in product(*(range(top + 1) for top in most)):
        for total in range(max(degrees), min(highest, sum(degrees)) + 1):
            used = zip(degrees, levels, strict=True)
            left = min([count - 1 - d for d, count in used if d], default=len(points))
            found.setdefault(_monomials(degrees, total), left)
    return [
        (tuple(_expr(monomial, names) for monomial in basis), left) for basis, left in found.items()
    ]


def _monomials(degrees: Sequence[int], total: int) -> tuple[Monomial, ...]:
    """In the order in which people write them: the highest first, the constant last."""
    found = [m for m in product(*(range(d + 1) for d in degrees)) if sum(m) <= total]
    return tuple(sorted(found, key=lambda m: (-sum(m), tuple(-exponent for exponent in m))))


def _value(monomial: Monomial, scale: Sizes) -> Fraction:
    found = 1
    for exponent, (_, value) in zip(monomial, scale.pairs, strict=True):
        found *= value**exponent
    return Fraction(found)


def _expr(monomial: Monomial, names: Sequence[str]) -> Expr:
    found: Expr | None = None
    for exponent, name in zip(monomial, names, strict=True):
        if exponent:
            factor = power(Name(name), exponent)
            found = factor if found is None else Mul(found, factor)
    return Num(1) if found is None else found


# ------------------------------------------------------------------ bends


def _bent(points: Points, spare: int, exotic: bool) -> list[tuple[tuple[Expr, ...], int]]:
    names = list(points[0][0])
    levels = [len({scale[name] for scale, _ in points}) for name in names]
    plain = [(basis, left) for basis, left in _bases(names, levels, spare) if left >= spare]
    found: list[tuple[tuple[Expr, ...], int]] = []
    for bend in _bends(points, names, exotic):
        for count in range(len(names) + 1):
            for factors in combinations(names, count):
                extra = (bend, *(Mul(Name(name), bend) for name in factors))
                found += [((*extra, *basis), left) for basis, left in plain]
    return found


def _bases(
    names: Sequence[str], levels: Sequence[int], spare: int
) -> Iterator[tuple[tuple[Expr, ...], int]]:
    most = [max(0, min(1, count - 1 - spare)) for count in levels]
    for degrees in product(*(range(top + 1) for top in most)):
        for total in range(max(degrees), min(HIGHEST_BENT_DEGREE, sum(degrees)) + 1):
            used = zip(degrees, levels, strict=True)
            left = min([count - 1 - d for d, count in used if d], default=10**6)
            yield tuple(_expr(m, names) for m in _monomials(degrees, total)), left


def _bends(points: Points, names: Sequence[str], exotic: bool) -> Iterator[Expr]:
    for one, other in combinations(names, 2):
        sides = {(scale[one] > scale[other]) - (scale[one] < scale[other]) for scale, _ in points}
        if {-1, 1} <= sides:  # else it is one of the two
            yield Min(Name(one), Name(other))
            yield Max(Name(one), Name(other))
    for name in names:
        levels = {scale[name] for scale, _ in points}
        if len(levels) > FEWEST_STEPS:
            yield Floor(Div(Name(name), Num(2)))
        logarithms = {value.bit_length() for value in levels}
        if exotic and len(logarithms) >= FEWEST_STEPS:
            yield Floor(Log2(Name(name)))
