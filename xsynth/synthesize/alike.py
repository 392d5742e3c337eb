"""Parts of a condition that say the same about different variables: one is solved for all.

Rows fall into parts that share no variable.  Where two parts are the same rows but for the
numbers of their variables, a solution of one is a solution of the other.  So the solver sees
each kind once, and inputs look alike where nothing tells them apart.
"""

from __future__ import annotations

import numpy as np

from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import Rows, dense_rows
from xsynth.synthesize.reduce import Renamed, classes
from xsynth.synthesize.rows import occurring, row_keys

_WIDEST, _LONGEST = 8, 64
"""Parts with longer rows, or with more of them, are hardly ever alike."""


def without_copies(rows: Rows, sorts: Array) -> tuple[Rows, Renamed | None]:
    """The rows of one part of each kind; and the variables of the others as theirs."""
    if not len(rows) or int(rows.width.max()) > _WIDEST:
        return rows, None
    names = occurring(rows.variable)
    part = _parts(rows, names)
    order = np.argsort(part, kind="stable")
    begin = np.concatenate(([0], np.cumsum(np.bincount(part))))
    local = np.empty(len(names), dtype=np.int64)
    local[order] = np.arange(len(names)) - begin[part[order]]
    node = np.searchsorted(names, rows.variable)
    owner = part[node[rows.start[:-1]]]
    like = _first_alike(_row_kinds(rows, local[node], sorts), owner, len(begin) - 1)
    copied = like != np.arange(len(like))
    if not copied.any():
        return rows, None
    moved = np.flatnonzero(copied[part])
    model = order[begin[like[part[moved]]] + local[moved]]
    shift = np.zeros(len(moved), dtype=np.int64)
    return rows.take(~copied[owner]), Renamed(names[moved], names[model], shift)


def _parts(rows: Rows, names: Array) -> Array:
    """The number of the part that each of these variables belongs to, without gaps."""
    entry = np.arange(len(rows.variable))
    first = np.repeat(rows.start[:-1], rows.width)
    linked = entry != first
    root = np.arange(len(names))
    if linked.any():
        pair = np.stack((rows.variable[first[linked]], rows.variable[linked]), axis=1)
        signs = np.tile(np.array([1, -1]), (len(pair), 1))
        same = classes(dense_rows(pair, signs, 0, np.zeros(len(pair), dtype=np.int64)))
        root[np.searchsorted(names, same.ids)] = np.searchsorted(names, same.names)
    _, part = np.unique(root, return_inverse=True)
    return np.asarray(part)


def _row_kinds(rows: Rows, local: Array, sorts: Array) -> Array:
    """A number for each row that is the same where all but the names of variables is."""
    columns = [rows.width, rows.relation.astype(np.int64), rows.constant]
    last = len(rows.variable) - 1
    for position in range(int(rows.width.max())):
        entry = np.minimum(rows.start[:-1] + position, last)
        there = position < rows.width
        for values in (local, rows.coefficient, sorts[rows.variable].astype(np.int64)):
            columns.append(np.where(there, values[entry], 0))
    return row_keys(columns, len(rows))


def _first_alike(kinds: Array, owner: Array, parts: int) -> Array:
    """For each part the first one with the same kinds of rows in the same order."""
    like = np.arange(parts)
    order = np.argsort(owner, kind="stable")
    count = np.bincount(owner, minlength=parts)
    begin = np.cumsum(count) - count
    for length in occurring(count).tolist():
        same = np.flatnonzero(count == length)
        if length == 0 or length > _LONGEST or len(same) == 1:
            continue
        table = kinds[order[begin[same][:, None] + np.arange(length)]]
        _, first, inverse = np.unique(
            row_keys(list(table.T), len(table)), return_index=True, return_inverse=True
        )
        like[same] = same[first[inverse]]
    return like
