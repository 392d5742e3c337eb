"""Values that must all differ and are too many for their range.

Solvers are slow to see that 100 different characters cannot be chosen from 95: they try.  Here
a set of variables is gathered greedily in which every two must differ; more of them than there
are values between the lowest and the highest bound is a contradiction.
"""

from __future__ import annotations

import numpy as np

from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import LT, NE, Rows
from xsynth.synthesize.rows import occurring

_FAR = 2**61


def crowded(rows: Rows) -> str | None:
    """In words what cannot be, if such a set is found; None says nothing."""
    apart = np.flatnonzero((rows.width == 2) & (rows.relation == NE) & (rows.constant == 0))
    if not len(apart):
        return None
    first, second = rows.variable[rows.start[apart]], rows.variable[rows.start[apart] + 1]
    names = occurring(np.concatenate((first, second)))
    lower, upper = _bounds(rows, names)
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
            return f"more values would have to differ than the {space} that there are"
    return None


def _bounds(rows: Rows, names: Array) -> tuple[Array, Array]:
    """The bounds of these variables that rows of their own give."""
    lower = np.full(len(names), -_FAR, dtype=np.int64)
    upper = np.full(len(names), _FAR, dtype=np.int64)
    single = np.flatnonzero((rows.width == 1) & (rows.relation <= LT))
    variable = rows.variable[rows.start[single]]
    place = np.minimum(np.searchsorted(names, variable), len(names) - 1)
    single, place = single[names[place] == variable], place[names[place] == variable]
    factor = rows.coefficient[rows.start[single]]
    limit = rows.constant[single] - (rows.relation[single] == LT)
    up, down = factor == 1, factor == -1
    np.minimum.at(upper, place[up], limit[up])
    np.maximum.at(lower, place[down], -limit[down])
    return lower, upper
