"""Model fitting: parameters as exact functions of n (section IV-C and algorithm 3).

A formula is accepted if it gives every known value exactly and there are scales to
spare: more known values than the formula has coefficients, by at least `spare`.  The
forms are tried from the simplest on:

    polynomial              the lowest degree that explains the values
    parity                  polynomial + b * (n mod 2), often written floor(P(n) / d)
    residue                 floor((p*n + q) / r), r = 3 or 4
    exotic, if asked for    combinations of 2**n, floor(log2(n + a)), n!, ... (`bases.py`)

Parity and residue forms bend easily, so they need one spare scale more, and residues
must see a whole period and three scales besides.  Even so floor((n + 4)/4) and
floor(log2 n) are the same from 2 to 9, so a residue form is not taken where a logarithm
explains the values too: then the logarithm is, if exotic forms were asked for.

Exotic forms are many, so a few small values may have two of them, or one and a parity:
the height of a balanced tree is floor(n/2) + 1 up to n = 7.  Where forms with equally
many coefficients explain the values and differ further on, there is no formula: more
scales will tell.

With `spare=0` the answer is a hypothesis that someone else will test: a constant from
one scale, or a straight line from two, and never more than that unless `max_degree`
asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import assert_never

import numpy as np

from xsynth.model.algebra import linear_combination, polynomial
from xsynth.model.bases import (
    LOGARITHMS,
    Points,
    agree,
    combinations,
    fit_bases,
    fit_batches,
    fit_periodic,
)
from xsynth.model.expand import expand
from xsynth.model.fit_several import fit_several
from xsynth.model.infer import (
    ConstFamily,
    Given,
    IncreFamily,
    IsgFamily,
    NoGenerator,
    Parameter,
    RecurFamily,
    infer,
)
from xsynth.model.isg import (
    Const,
    Div,
    Expr,
    Floor,
    Incre,
    Isg,
    N,
    Num,
    Recur,
)
from xsynth.model.recurrence import affine_within
from xsynth.model.sequence import Tree, leaves
from xsynth.model.solution import FittedExpr as FittedExpr
from xsynth.model.solution import NoFit as NoFit
from xsynth.model.solution import solve as solve
from xsynth.scale import Scale, Sizes

HIGHEST_DEGREE = 8
HIGHEST_PARITY_DEGREE = 3
_SURE = 10**6


@dataclass(frozen=True, slots=True)
class Fitted:
    isg: Isg
    spare: int
    """The smallest spare over the parameters."""


def learn_column(
    trees: Mapping[Scale, Tree], spare: int = 1, *, exotic: bool = False
) -> Fitted | NoFit | NoGenerator:
    """Algorithm 3: the generator of a leaf sequence that is known at several scales.

    It is believed only if it gives back every sequence that it was learned from.
    """
    family = infer(trees)
    if isinstance(family, NoGenerator):
        return family
    fitted = fit(family, spare, exotic=exotic)
    if isinstance(fitted, NoFit):
        return fitted
    for scale, tree in sorted(trees.items()):
        try:
            same = np.array_equal(expand(fitted.isg, scale), np.array(leaves(tree), dtype=np.int64))
        except ValueError as error:
            return NoFit(f"{fitted.isg} means nothing at scale {scale}: {error}")
        if not same:
            return NoFit(f"{fitted.isg} is wrong at scale {scale}")
    return fitted


def fit(family: IsgFamily, spare: int = 1, *, exotic: bool = False) -> Fitted | NoFit:
    """The generator for every scale, if each parameter has a formula."""
    match family:
        case Parameter(values=values):
            fitted = fit_values(values, spare)
            if isinstance(fitted, NoFit) and exotic:
                fitted = fit_values(values, spare, exotic=True)
            if isinstance(fitted, NoFit):
                return fitted
            return Fitted(fitted.expr, fitted.spare)
        case IncreFamily(start=start, stop=stop, step=step):
            parts = _fit_all((start, stop, step), spare, exotic)
            bound = _bounded(stop, step, spare) if isinstance(parts, NoFit) else None
            if bound is not None:
                parts = _fit_all((start, bound, step), spare, exotic)
            if isinstance(parts, NoFit):
                return parts
            first, last, by = parts
            return Fitted(Incre(first.isg, last.isg, by.isg), min(p.spare for p in parts))
        case ConstFamily(value=value, count=count):
            parts = _fit_all((value, count), spare, exotic)
            if isinstance(parts, NoFit):
                return parts
            which, times = parts
            return Fitted(Const(which.isg, times.isg), min(p.spare for p in parts))
        case RecurFamily(start=start, stop=stop, times=by_times, offset=offset, parts=by_parts):
            parts = _fit_all((start, stop), spare, exotic)
            if isinstance(parts, NoFit):
                return parts
            first, last = parts
            isg = Recur(first.isg, last.isg, Num(by_times), offset, Num(by_parts))
            return Fitted(isg, min(p.spare for p in parts))
        case Given(expr=expr):
            return Fitted(expr, _SURE)
        case _:
            assert_never(family)


def _bounded(stop: IsgFamily, step: IsgFamily, spare: int) -> Given | None:
    """A bound instead of the last element, where steps are wider than 1.

    `range(0, n, 3)` ends at 3*floor((n - 1)/3), but what it says is n - 1.
    """
    if not isinstance(stop, Parameter) or not isinstance(step, Parameter):
        return None
    ranges: dict[Scale, tuple[int, int]] = {}
    for scale, last in stop.values.items():
        by = step.values.get(scale)
        if last is not None and by is not None:
            ranges[scale] = (last, last + by - 1) if by > 0 else (last + by + 1, last)
    if len(ranges) < 2 + spare or all(low == high for low, high in ranges.values()):
        return None
    found = affine_within(ranges)
    if found is None:
        return None
    rises = any((by or 0) > 0 for by in step.values.values())
    return Given(polynomial([found.least if rises else found.most, found.slope]))


def _fit_all(families: Sequence[IsgFamily], spare: int, exotic: bool) -> list[Fitted] | NoFit:
    found = []
    for family in families:
        fitted = fit(family, spare, exotic=exotic)
        if isinstance(fitted, NoFit):
            return fitted
        found.append(fitted)
    return found


def fit_values(
    values: Mapping[Scale, int | None],
    spare: int = 1,
    *,
    exotic: bool = False,
    max_degree: int | None = None,
) -> FittedExpr | NoFit:
    """The simplest formula for the known values (None is unknown).

    Where nothing is known nothing matters, and the formula is 0.
    """
    known = [(scale, value) for scale, value in values.items() if value is not None]
    if not known:
        return FittedExpr(Num(0), max(len(values) - 1, 0))
    if max_degree is None:
        max_degree = HIGHEST_DEGREE if spare else 1
    several = tuple(sorted((s, value) for s, value in known if isinstance(s, Sizes)))
    if several:
        return fit_several(several, spare, exotic, max_degree)
    points = tuple(sorted((n, value) for n, value in known if isinstance(n, int)))
    return _fit_points(points, spare, exotic, max_degree)


@lru_cache(maxsize=4096)
def _fit_points(
    points: tuple[tuple[int, int], ...], spare: int, exotic: bool, max_degree: int
) -> FittedExpr | NoFit:
    """Remembered: the search over brackets and parts asks for the same values many times."""
    fitted = _fit_polynomial(points, spare, max_degree)
    if fitted is None and spare:
        fitted = _fit_parity(points, spare + 1, min(max_degree, HIGHEST_PARITY_DEGREE))
        if fitted is not None and exotic:
            rivals = list(fit_bases(points, max(spare, 1), len(points) - fitted.spare))
            if not agree([fitted, *rivals], points):
                return NoFit("two formulas explain the values: more scales would tell")
    if fitted is None and spare and next(combinations(points, spare, LOGARITHMS), None) is None:
        fitted = _fit_residue(points, spare + 1)
    if fitted is None and exotic:
        found = list(fit_bases(points, max(spare, 1)))
        equals = [one for one in found if one.spare == found[0].spare]
        if not agree(equals, points):
            return NoFit("two formulas explain the values: more scales would tell")
        fitted = found[0] if found else None
    if fitted is None and spare:
        fitted = fit_periodic(points, spare + 1, max_degree)
    if fitted is None and spare and exotic:
        fitted = fit_batches(points, spare + 1)
    if fitted is not None:
        return fitted
    shown = ", ".join(f"{value} (n = {scale})" for scale, value in points[:8])
    return NoFit(f"no formula with {_scales(spare)} to spare gives {shown}")


def _scales(count: int) -> str:
    return "1 scale" if count == 1 else f"{count} scales"


# ------------------------------------------------------------------ polynomials


def interpolate(points: Points) -> list[Fraction]:
    """The coefficients of the lowest polynomial through the points, the constant one first."""
    scales = [Fraction(scale) for scale, _ in points]
    newton = [Fraction(value) for _, value in points]
    for order in range(1, len(points)):
        for i in range(len(points) - 1, order - 1, -1):
            newton[i] = (newton[i] - newton[i - 1]) / (scales[i] - scales[i - order])
    while len(newton) > 1 and not newton[-1]:
        newton.pop()
    coefficients: list[Fraction] = []
    for i in range(len(newton) - 1, -1, -1):  # Horner: coefficients * (n - scales[i]) + newton[i]
        shifted = [newton[i], *coefficients]
        for k, c in enumerate(coefficients):
            shifted[k] -= scales[i] * c
        coefficients = shifted
    return coefficients


def _fit_polynomial(points: Points, spare: int, max_degree: int) -> FittedExpr | None:
    coefficients = interpolate(points)
    left = len(points) - len(coefficients)
    if left < spare or len(coefficients) - 1 > max_degree:
        return None
    return FittedExpr(polynomial(coefficients), left)


def quasi_polynomial(
    values: Mapping[int, int], spare: int, degree: int, *, parity: bool = True
) -> Expr | None:
    """The lowest polynomial for the values, or one with the parity of n, with so many to spare."""
    points = tuple(sorted(values.items()))
    found = _fit_polynomial(points, spare, degree)
    if found is None and parity:
        found = _fit_parity(points, spare, degree)
    return None if found is None else found.expr


# ------------------------------------------------------------------ floors


def _fit_parity(points: Points, spare: int, max_degree: int) -> FittedExpr | None:
    """`P(n) + b * (n mod 2)`, by the lowest degree of P."""
    for degree in range(max_degree + 1):
        left = len(points) - degree - 2
        if left < spare:
            return None
        rows = [
            [*(Fraction(n) ** k for k in range(degree + 1)), Fraction(n % 2)] for n, _ in points
        ]
        solution = solve(rows, [Fraction(value) for _, value in points])
        if solution is not None:
            return FittedExpr(_parity_expr(solution[:-1], solution[-1]), left)
    return None


def _parity_expr(coefficients: list[Fraction], odd: Fraction) -> Expr:
    """With |odd| < 1 the rounding of a floor makes up for the parity exactly.

    At even n the polynomial is the (integral) value; at odd n it lacks `odd`.
    """
    if abs(odd) < 1:
        raised = [coefficients[0] + max(odd, Fraction(0)), *coefficients[1:]]
        return floor_of(raised)
    # n mod 2 is n - 2*floor(n/2), and the n joins the polynomial.
    whole = [*coefficients, *[Fraction(0)] * (2 - len(coefficients))]
    whole[1] += odd
    powers = [(c, polynomial([0] * k + [1])) for k, c in enumerate(whole)]
    half = Floor(Div(N, Num(2)))
    return linear_combination([*powers[:0:-1], (-2 * odd, half), powers[0]])


def floor_of(coefficients: Sequence[Fraction]) -> Expr:
    """The floor of a polynomial as one fraction: `floor((n**2 - 1)/4)`."""
    bottom = math.lcm(*(c.denominator for c in coefficients))
    return Floor(Div(polynomial([c * bottom for c in coefficients]), Num(bottom)))


def _fit_residue(points: Points, spare: int) -> FittedExpr | None:
    """`floor((p*n + q) / r)` for the least r, if p and q are the only ones there."""
    left = len(points) - 3
    (first, low), (last, high) = points[0], points[-1]
    for r in (3, 4):
        if left < max(spare, r):
            return None
        # Over the whole span the floors can hide less than 1 of the slope p/r.
        slope_from = math.floor(Fraction(r * (high - low - 1), last - first))
        slope_to = math.ceil(Fraction(r * (high - low + 1), last - first))
        found = []
        for p in range(slope_from, slope_to + 1):
            least = max(r * value - p * n for n, value in points)
            most = min(r * value - p * n + r - 1 for n, value in points)
            if math.gcd(p, r) == 1:
                found += [(p, q) for q in range(least, most + 1)]
        if len(found) == 1:
            p, q = found[0]
            return FittedExpr(floor_of([Fraction(q, r), Fraction(p, r)]), left)
    return None
