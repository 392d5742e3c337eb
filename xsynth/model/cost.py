"""The worst-case cost as an exact function of the scale.

First the forms of `fit.py` with all that `bases.py` has.  Where the costs have none of these but
their differences from scale to scale do, the cost is the sum of the differences: what a loop
over rounds of shrinking or growing size costs in all.  Last come the sums over the levels of an
amortised structure (`levels.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from xsynth.model.algebra import polynomial
from xsynth.model.fit import fit_values
from xsynth.model.isg import Add, Expr, Name, Num, Sum, renamed
from xsynth.model.levels import fit_levels
from xsynth.model.solution import FittedExpr
from xsynth.scale import Scale, tails

FEWEST_SCALES = 3
"""Two scales give a line through anything; the third is the spare one."""
MOST_EXCEPTIONS = 6
"""How many of the smallest scales may not follow the formula."""
FEWEST_DIFFERENCES = 9
_J = Name("j")


def fit_cost(costs: Mapping[Scale, int]) -> Expr | None:
    """The cost formula, with a spare scale.

    The smallest scales may be exceptions, but each that is left out asks for one scale more
    to spare: three values of anything have a straight line nearby.
    """
    for first, kept in enumerate(tails(sorted(costs))):
        if first and (len(kept) < FEWEST_SCALES or first > MOST_EXCEPTIONS):
            break
        own = {n: costs[n] for n in kept}
        fitted = fit_values(own, spare=1 + first, exotic=True)
        if isinstance(fitted, FittedExpr):
            return fitted.expr
    summed = _summed(costs)
    if summed is not None:
        return summed
    levels = fit_levels([(n, cost) for n, cost in costs.items() if isinstance(n, int)])
    return None if levels is None else levels.expr


def _summed(costs: Mapping[Scale, int]) -> Expr | None:
    """A first cost, and the sum of what every further scale adds to it."""
    scales = [n for n in sorted(costs) if isinstance(n, int)]
    run = [n for n, other in pairwise(scales) if other == n + 1]
    for first in range(min(MOST_EXCEPTIONS, len(run)) + 1):
        steps: dict[Scale, int] = {n + 1: costs[n + 1] - costs[n] for n in run[first:]}
        if len(steps) < FEWEST_DIFFERENCES:
            return None
        fitted = fit_values(steps, spare=3, exotic=True)
        if isinstance(fitted, FittedExpr):
            begin = run[first] + 1
            body = renamed(fitted.expr, "n", _J)
            total = Sum(body, _J, Num(begin), polynomial([0, 1]))
            start = costs[begin - 1]
            return Add(total, Num(start)) if start else total
    return None
