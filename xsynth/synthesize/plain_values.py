"""Plain values that may satisfy a linear path condition: tried before a solver is asked.

Sums along paths are what a linear solver is slow at (the rows of a search over all tours took
Z3 minutes), and what plain inputs often satisfy: all weights 1, or all -1.  A candidate is
first tried on the rows that have no definitions left, which is one pass over arrays, and what
passes is checked against every clause as it was given.  So an answer is exact, and a failure
says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor

import numpy as np

from xsynth.synthesize.check import violations
from xsynth.synthesize.columns import Space
from xsynth.synthesize.condition import Array, ClauseColumn, Layout, PathCondition
from xsynth.synthesize.linear import EQ, LE, LT, NE, Rows
from xsynth.trace.terms import Sort

CANDIDATES: tuple[tuple[str, Callable[[int], Array]], ...] = (
    ("all 0", lambda size: np.zeros(size, dtype=np.int64)),
    ("all 1", lambda size: np.ones(size, dtype=np.int64)),
    ("all -1", lambda size: np.full(size, -1, dtype=np.int64)),
    ("rising", lambda size: np.arange(size, dtype=np.int64)),
    ("falling", lambda size: np.arange(size, dtype=np.int64)[::-1]),
)


def plain_solution(
    condition: PathCondition, space: Space, rows: Rows, assumptions: Sequence[ClauseColumn]
) -> tuple[str, Mapping[str, Array]] | None:
    """The first candidate that satisfies the condition, with its name."""
    over_cells = _over_cells(rows, space)
    for name, arrays in _candidates(condition.layouts):
        values = np.zeros(space.cells, dtype=np.int64)
        for layout in condition.layouts:
            values[space.layout_slice(layout)] = arrays[layout.name].ravel()
        if not _hold(over_cells, values):
            continue
        if not violations(condition, arrays, space=space, assumptions=assumptions):
            return name, arrays
    return None


def _candidates(layouts: Sequence[Layout]) -> Iterator[tuple[str, dict[str, Array]]]:
    for name, values in CANDIDATES:
        yield name, {layout.name: _within(layout, values) for layout in layouts}


def _within(layout: Layout, values: Callable[[int], Array]) -> Array:
    found = values(int(np.prod(layout.dims, dtype=np.int64)))
    if layout.sort is Sort.BOOL:
        return found.astype(bool).reshape(layout.dims)
    lo = None if layout.lo is None else ceil(layout.lo)
    hi = None if layout.hi is None else floor(layout.hi)
    if lo is not None or hi is not None:
        found = np.clip(found, lo, hi)
    if layout.sort is Sort.INT:
        return found.reshape(layout.dims)
    exact = np.empty(layout.dims, dtype=object)
    exact.ravel()[:] = [Fraction(value) for value in found.tolist()]
    return exact


def _over_cells(rows: Rows, space: Space) -> Rows:
    """The rows that mention inputs only: these can be tried without any definition."""
    own = np.ones(len(rows), dtype=bool)
    own[rows.row[rows.variable >= space.cells]] = False
    return rows.take(own)


def _hold(rows: Rows, values: Array) -> bool:
    if not len(rows):
        return True
    total = np.add.reduceat(rows.coefficient * values[rows.variable], rows.start[:-1])
    apart = total - rows.constant
    wrong = [apart > 0, apart >= 0, apart != 0, apart == 0]
    return not np.select([rows.relation == kind for kind in (LE, LT, EQ, NE)], wrong).any()
