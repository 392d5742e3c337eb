"""Ranges that are too small for what must differ, or rise, within them.

Solvers are slow to see that 100 different characters cannot be chosen from 95: they try.  Here
a set of variables is gathered greedily in which every two must differ; more of them than there
are values between the lowest and the highest bound is a contradiction.  So is a chain of rising
values that is longer than its range; where sums stand beside it, solvers are slow there too.
"""

from __future__ import annotations

import numpy as np

from xsynth.synthesize.columns import INT
from xsynth.synthesize.condition import Array
from xsynth.synthesize.least import exhausted, limits
from xsynth.synthesize.linear import NE, Rows, is_difference
from xsynth.synthesize.rows import occurring

_FAR = 2**61


def crowded(rows: Rows, sorts: Array) -> str | None:
    """In words what cannot be, if such a set or chain is found; None says nothing."""
    whole = np.ones(len(rows), dtype=bool)
    whole[rows.row[sorts[rows.variable] != INT]] = False
    # Of reals there is no end between two bounds, and 2x != 3y says nothing of x != y.
    rows = rows.take(whole & is_difference(rows, sorts))
    over = exhausted(rows)
    if over is not None:
        low, high = over
        return f"values that must rise run out of numbers between {low} and {high}"
    return _all_different(rows)


def _all_different(rows: Rows) -> str | None:
    apart = np.flatnonzero((rows.width == 2) & (rows.relation == NE) & (rows.constant == 0))
    if not len(apart):
        return None
    first, second = rows.variable[rows.start[apart]], rows.variable[rows.start[apart] + 1]
    names = occurring(np.concatenate((first, second)))
    lower, upper = limits(rows, names)
    room = upper - lower + 1
    bounded = (lower > -_FAR) & (upper < _FAR)
    if not bounded.any() or len(names) <= room[bounded].min():
        return None
    one, two = np.searchsorted(names, first), np.searchsorted(names, second)
    both = bounded[one] & bounded[two]
    source = np.concatenate((one[both], two[both]))
    target = np.concatenate((two[both], one[both]))
    order = np.argsort(source, kind="stable")
    target = target[order]
    starts = np.searchsorted(source[order], np.arange(len(names) + 1))
    degree = np.diff(starts)
    left = degree > 0
    members: list[int] = []
    while left.any():
        # The one with the most to differ from, the first of them where there are several.
        chosen = int(np.argmax(np.where(left, degree, -1)))
        members.append(chosen)
        near = np.zeros(len(names), dtype=bool)
        near[target[starts[chosen] : starts[chosen + 1]]] = True
        left &= near
        space = int(upper[members].max() - lower[members].min()) + 1
        if len(members) > space:
            return f"values that must differ run out: there are only {space}"
    return None
