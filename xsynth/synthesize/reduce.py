"""Equalities solved out, as arrays (section 7 of the design: 173 s became 5 s).

Two moves.  *Rename*: x == y + c makes x another name for y, shifted; x == c is the
same with the number zero as y.  *Eliminate*: where a variable with coefficient 1 or -1
occurs in exactly one equality, that equality is its value; no two such values mention
each other's variables, so all are put in at once.  Given D' == D + w, eliminating w
turns `D + w < E` into `D' < E` and `w >= 0` into `D <= D'`: differences.  Of the
candidates in an equality the one is taken that leaves the fewest rows which are no
differences, and none if that is more than before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from xsynth.synthesize.columns import SAFE, magnitude
from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import EQ, Rows, is_difference, join_rows, normal, strongest
from xsynth.synthesize.rows import occurring

_ROUNDS = 4
_WIDEST = 8
"""Longer equalities are left alone: putting them in would make the rest dense."""


@dataclass(frozen=True, slots=True, eq=False)
class Renamed:
    """Variable `ids[k]` is variable `names[k]`, or zero where that is -1, plus `shift[k]`."""

    ids: Array
    names: Array
    shift: Array


@dataclass(frozen=True, slots=True, eq=False)
class Eliminated:
    """Variable `ids[k]` is the sum of row k plus its constant."""

    ids: Array
    rows: Rows


Step: TypeAlias = Renamed | Eliminated


def solve_equalities(rows: Rows, sorts: Array, protected: Array) -> tuple[Rows, list[Step]]:
    """Rows without the equalities that could be solved out; raises `Contradiction`.

    `protected` variables occur elsewhere too; they may be renamed, but not eliminated.
    """
    steps: list[Step] = []
    for _ in range(_ROUNDS):
        rows, renamed = _rename(rows, sorts)
        if renamed is not None:
            steps.append(renamed)
            protected = protected.copy()
            names = renamed.names[protected[renamed.ids]]
            protected[names[names >= 0]] = True
        rows, eliminated = _eliminate(rows, sorts, protected)
        if eliminated is not None:
            steps.append(eliminated)
        if renamed is None and eliminated is None:
            break
    return rows, steps


def restore(values: Array, steps: list[Step]) -> Array:
    """The values of all variables, from those that were left."""
    for step in reversed(steps):
        match step:
            case Renamed(ids=ids, names=names, shift=shift):
                if values.dtype != object and magnitude(values) + magnitude(shift) >= SAFE:
                    values = values.astype(object)
                values[ids] = np.where(names < 0, 0, values[names]) + shift
            case Eliminated(ids=ids, rows=rows):
                widest = int(rows.width.max()) if len(rows) else 0
                most = magnitude(values) if values.dtype != object else 0
                room = magnitude(rows.coefficient) * most * widest + magnitude(rows.constant)
                if values.dtype != object and room >= SAFE:
                    values = values.astype(object)
                products = values[rows.variable] * rows.coefficient
                total = np.zeros(len(rows), dtype=values.dtype) + rows.constant
                filled = rows.width > 0
                if filled.any():
                    total[filled] += np.add.reduceat(products, rows.start[:-1][filled])
                values[ids] = total
    return values


def _rename(rows: Rows, sorts: Array) -> tuple[Rows, Renamed | None]:
    plain = (rows.relation == EQ) & is_difference(rows, sorts)
    if not plain.any():
        return rows, None
    equalities = rows.take(plain)
    if np.abs(equalities.constant).sum(dtype=float) >= SAFE:
        return rows, None
    renamed = classes(equalities)
    name = np.arange(len(sorts))
    shift = np.zeros(len(sorts), dtype=np.int64)
    name[renamed.ids] = renamed.names
    shift[renamed.ids] = renamed.shift
    widest = int(rows.width.max())
    if magnitude(shift) * magnitude(rows.coefficient) * widest + magnitude(rows.constant) >= SAFE:
        return rows, None
    moved = rows.coefficient * shift[rows.variable]
    constant = rows.constant.copy()
    filled = rows.width > 0
    constant[filled] -= np.add.reduceat(moved, rows.start[:-1][filled])
    variable = name[rows.variable]
    kept = variable >= 0
    width = np.bincount(rows.row[kept], minlength=len(rows))
    result = Rows(
        np.concatenate(([0], np.cumsum(width))),
        variable[kept],
        rows.coefficient[kept],
        rows.relation,
        constant,
    )
    return strongest(normal(result, sorts)), renamed


def classes(equalities: Rows) -> Renamed:
    """One name for each class of variables that are equal up to a constant.

    A forest in two arrays: node v is `parent[v]` plus `shift[v]`; node 0 is the number zero,
    node v + 1 the variable v.  In each round every root that an equality ties to a lower one
    is hung below the lowest of these, and all paths are made short; lower roots only, so
    there are no cycles, and few rounds.  Rows that contradict each other do so after renaming
    as well, and are found there.
    """
    first = equalities.start[:-1]
    paired = equalities.width == 2
    left = equalities.variable[first] + 1
    second = np.minimum(first + 1, len(equalities.variable) - 1)
    right = np.where(paired, equalities.variable[second] + 1, 0)
    apart = equalities.constant
    size = int(equalities.variable.max()) + 2
    parent = np.arange(size)
    shift = np.zeros(size, dtype=np.int64)
    while True:
        top, other = parent[left], parent[right]
        open_edges = top != other
        if not open_edges.any():
            break
        left, right, apart = left[open_edges], right[open_edges], apart[open_edges]
        top, other = top[open_edges], other[open_edges]
        gap = shift[right] + apart - shift[left]  # top is other plus gap
        high, low = np.maximum(top, other), np.minimum(top, other)
        np.minimum.at(parent, high, low)
        chosen = parent[high] == low
        shift[high[chosen]] = np.where(top > other, gap, -gap)[chosen]
        _shorten(parent, shift, high)
    ids = np.flatnonzero(parent != np.arange(size))
    return Renamed(ids - 1, parent[ids] - 1, shift[ids])


def _shorten(parent: Array, shift: Array, moved: Array) -> None:
    """Makes every node's parent a root, where only the roots `moved` have parents of theirs."""
    moved = occurring(moved)
    while True:
        up = parent[moved]
        if (parent[up] == up).all():
            break
        shift[moved] += shift[up]
        parent[moved] = parent[up]
    below = np.flatnonzero(parent[parent] != parent)
    up = parent[below]
    shift[below] += shift[up]
    parent[below] = parent[up]


def _eliminate(rows: Rows, sorts: Array, protected: Array) -> tuple[Rows, Eliminated | None]:
    is_equality = rows.relation == EQ
    if not is_equality.any():
        return rows, None
    equalities, others = rows.take(is_equality), rows.take(~is_equality)
    occurrences = np.bincount(equalities.variable, minlength=len(sorts))
    row = equalities.row
    kind = sorts[equalities.variable]
    same = np.ones(len(equalities), dtype=bool)
    same[row[kind != kind[equalities.start[:-1]][row]]] = False
    candidate = (
        (np.abs(equalities.coefficient) == 1)
        & (occurrences[equalities.variable] == 1)
        & ~protected[equalities.variable]
        & (same & (equalities.width <= _WIDEST))[row]
    )
    if not candidate.any():
        return rows, None
    entries = np.flatnonzero(candidate)
    values = _values(equalities, entries)
    score = _scores(others, values, sorts)
    score -= ~is_difference(equalities, sorts)[row[entries]]
    best = entries[np.lexsort((values.ids, score, row[entries]))]
    _, first = np.unique(row[best], return_index=True)
    chosen = np.isin(entries, best[first]) & (score <= 0)
    if not chosen.any():
        return rows, None
    values = Eliminated(values.ids[chosen], values.rows.take(chosen))
    after = _put_in(others, values, len(sorts))
    if after is None:
        return rows, None
    solved = np.zeros(len(equalities), dtype=bool)
    solved[row[entries[chosen]]] = True
    result = join_rows((equalities.take(~solved), after))
    result = strongest(normal(result, sorts))
    worse = (~is_difference(result, sorts)).sum() > (~is_difference(rows, sorts)).sum()
    return (rows, None) if worse else (result, values)


def _values(equalities: Rows, entries: Array) -> Eliminated:
    """Each of these entries' variables, as its equality gives it."""
    row = equalities.row[entries]
    copies = equalities.take(row)
    sign = equalities.coefficient[entries]
    ids = equalities.variable[entries]
    kept = copies.variable != np.repeat(ids, copies.width)
    coefficient = (-copies.coefficient * np.repeat(sign, copies.width))[kept]
    width = np.bincount(copies.row[kept], minlength=len(copies))
    start = np.concatenate(([0], np.cumsum(width)))
    rows = Rows(start, copies.variable[kept], coefficient, copies.relation, copies.constant * sign)
    return Eliminated(ids, rows)


def _scores(rows: Rows, values: Eliminated, sorts: Array) -> Array:
    """For each value: how many more rows are no differences once it alone is put in."""
    position = np.full(len(sorts), -1, dtype=np.int64)
    position[values.ids] = np.arange(len(values.ids))
    entries = np.flatnonzero(position[rows.variable] >= 0)
    score = np.zeros(len(values.ids), dtype=np.int64)
    if not len(entries):
        return score
    row = rows.row[entries]
    copies = rows.take(row)
    mine = copies.variable == np.repeat(rows.variable[entries], copies.width)
    after = _put_in(copies, values, len(sorts), mine)
    if after is None:
        return score + len(rows)
    # A row that becomes trivial or contradictory counts as a difference here.
    bad_after = ~_two_apart(after, sorts)
    bad_before = ~is_difference(rows, sorts)[row]
    np.add.at(score, position[rows.variable[entries]], bad_after.astype(np.int64) - bad_before)
    return score


def _two_apart(rows: Rows, sorts: Array) -> Array:
    """`is_difference` of each row once it is brought to normal form, without doing so."""
    row = rows.row
    key = row * max(len(sorts), 1) + rows.variable
    order = np.argsort(key, kind="stable")
    key, coefficient = key[order], rows.coefficient[order]
    if not len(key):
        return np.ones(len(rows), dtype=bool)
    new = np.concatenate(([True], key[1:] != key[:-1]))
    total = np.add.reduceat(coefficient, np.flatnonzero(new))
    owner = row[order][new]
    some = total != 0
    total, owner = total[some], owner[some]
    width = np.bincount(owner, minlength=len(rows))
    unit = np.bincount(owner[np.abs(total) != 1], minlength=len(rows)) == 0
    balance = np.bincount(owner, weights=total.astype(float), minlength=len(rows))
    result: Array = unit & ((width < 2) | ((width == 2) & (balance == 0)))
    return result


def _put_in(
    rows: Rows, values: Eliminated, variables: int, where: Array | None = None
) -> Rows | None:
    """Rows with the values in place of their variables; None where int64 might not do."""
    position = np.full(variables, -1, dtype=np.int64)
    position[values.ids] = np.arange(len(values.ids))
    value = position[rows.variable]
    if where is not None:
        value = np.where(where, value, -1)
    hit = value >= 0
    source = values.rows
    widest = int(rows.width.max()) if len(rows) else 0
    room = magnitude(rows.coefficient) * max(
        magnitude(source.coefficient), magnitude(source.constant)
    )
    if room * max(widest, 1) * _WIDEST + magnitude(rows.constant) >= SAFE:
        return None
    counts = np.where(hit, source.width[value], 1)
    first = np.concatenate(([0], np.cumsum(counts)))
    old = np.repeat(np.arange(len(value)), counts)
    within = np.arange(first[-1]) - first[:-1][old]
    was_hit = hit[old]
    taken = np.where(was_hit, source.start[:-1][value[old]] + within, 0)
    variable, coefficient = rows.variable[old], rows.coefficient[old]
    if len(source.variable):
        variable = np.where(was_hit, source.variable[taken], variable)
        coefficient = coefficient * np.where(was_hit, source.coefficient[taken], 1)
    moved = np.where(hit, rows.coefficient * source.constant[value], 0)
    constant = rows.constant.copy()
    filled = rows.width > 0
    if filled.any():
        constant[filled] -= np.add.reduceat(moved, rows.start[:-1][filled])
    start = first[rows.start]
    return Rows(start, variable, coefficient, rows.relation, constant)
