"""Doubts about a formula that exhausted scales raise, though it is right at the largest of them.

a rival      where the formula leaves the smallest scales out, and a polynomial (with parity)
             explains all of them, the larger scales may follow the one by chance; only a
             further scale tells
outgrown     paths that are not the worst are explored too.  Those that run the same blocks
             are one kind; where the greatest costs of a kind, scale after scale, have a
             polynomial that will exceed the formula, the worst path changes later
outdone      a small input, repeated over a large one, costs more than the formula says
few scales   a formula that leaves scales out needs three that it explains
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from xsynth.explore.motifs import outdone
from xsynth.explore.worst import WorstCase
from xsynth.model.fit import quasi_polynomial
from xsynth.model.isg import Expr, evaluate
from xsynth.program.program import Program

FEWEST_EXPLAINED = 3
FEWEST_OF_A_KIND = 5
SPARE_OF_A_KIND = 2
"""How many scales a kind of path must be seen at, and how many beyond its coefficients."""
HIGHEST_DEGREE = 3
FAR_OFF = 1 << 20


def rival(cases: Sequence[WorstCase], formula: Expr) -> Expr | None:
    """A polynomial for all exhausted scales where the formula explains only the larger ones."""
    costs = _costs(cases)
    if all(_value(formula, n) == cost for n, cost in costs.items()):
        return None
    other = quasi_polynomial(costs, 1, HIGHEST_DEGREE - 1)
    last = max(costs)
    if other is None or all(
        _value(other, n) == _value(formula, n) for n in range(last + 1, last + 9)
    ):
        return None
    return other


def undecided(cases: Sequence[WorstCase], formula: Expr) -> bool:
    """Whether a further scale would tell more than the cost of exploring it."""
    return _few(cases, formula) is not None or rival(cases, formula) is not None


def _few(cases: Sequence[WorstCase], formula: Expr) -> str | None:
    # Where there is one path only none is chosen, and the formula may well begin later.
    chosen = [case for case in cases if case.paths > 1]
    costs = _costs(chosen or cases)
    right = sum(_value(formula, n) == cost for n, cost in costs.items())
    if right >= min(FEWEST_EXPLAINED, len(costs)):
        return None
    return (
        f"{formula} is the worst cost at {right} of the explored scales only: "
        "more --scales would tell"
    )


def doubt(program: Program, cases: Sequence[WorstCase], formula: Expr) -> str | None:
    """Why the formula should not be believed, if there is a reason."""
    costs = _costs(cases)
    if len(costs) < len(cases):
        return None
    few = _few(cases, formula)
    if few is not None:
        return few
    other = rival(cases, formula)
    if other is not None:
        return (
            f"two formulas explain the worst costs, {formula} and {other}: "
            f"a scale beyond {max(costs)} would tell"
        )
    return _outgrown(program, cases, formula) or outdone(program, cases, formula)


def _costs(cases: Sequence[WorstCase]) -> dict[int, int]:
    return {
        case.scale: case.cost
        for case in sorted(cases, key=lambda case: case.scale)
        if isinstance(case.scale, int) and case.exhaustive and case.cost is not None
    }


def _outgrown(program: Program, cases: Sequence[WorstCase], formula: Expr) -> str | None:
    ordered = sorted(cases, key=lambda case: case.scale)
    if any(case.kinds is None for case in ordered):
        return None
    last = ordered[-1]
    for kind in sorted(last.kinds or {}):
        costs = _of_a_kind(ordered, kind)
        if len(costs) < FEWEST_OF_A_KIND:
            continue
        grows = quasi_polynomial(costs, SPARE_OF_A_KIND, HIGHEST_DEGREE, parity=False)
        if grows is None:
            continue
        at = _overtakes(grows, formula, max(costs))
        if at is not None:
            line = _line(program, kind, last)
            return (
                f"paths{line} cost {grows} at the explored scales, less than the worst, and would "
                f"overtake it at n = {at}: the worst path changes beyond scale {max(costs)}"
            )
    return None


def _of_a_kind(ordered: Sequence[WorstCase], kind: bytes) -> dict[int, int]:
    """The greatest costs of a kind, as far down from the largest scale as it is found."""
    found: dict[int, int] = {}
    for case in reversed(ordered):
        cost = (case.kinds or {}).get(kind)
        if cost is None or not isinstance(case.scale, int):
            break
        found[case.scale] = cost
    return found


def _overtakes(grows: Expr, formula: Expr, last: int) -> int | None:
    """The first size found, by doubling and then halving, at which one exceeds the other."""
    high = last
    while not _exceeds(grows, formula, high):
        high *= 2
        if high > FAR_OFF:
            return None
    low = last
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _exceeds(grows, formula, middle) else (middle, high)
    return high


def _exceeds(one: Expr, other: Expr, n: int) -> bool:
    first, second = _value(one, n), _value(other, n)
    return first is not None and second is not None and first > second


def _value(expr: Expr, n: int) -> Fraction | None:
    try:
        return evaluate(expr, {"n": n})
    except ValueError:  # a sum of too many terms, a logarithm of nothing
        return None


def _line(program: Program, kind: bytes, case: WorstCase) -> str:
    """Through which line such paths go and the worst one does not, if there is one."""
    worst = [own for own, cost in (case.kinds or {}).items() if cost == case.cost]
    for number, runs in enumerate(kind[: program.counting.own]):
        lines = sorted(program.blocks[number].lines)
        if runs and lines and not any(own[number] for own in worst):
            return f" through line {lines[0]}"
    return ""
