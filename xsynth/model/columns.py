"""Learning the rows of one point: a generator for every column.

The rows are bracketed by the loops around them and each column is learned on its own
(infer, fit, expand again).  Which loops the brackets follow is part of the search: a loop
that is left out is read through, as one longer sequence.

Where a column has no generator the rows are parted and the parts learned for themselves
(the path condition is a conjunction, so any partition will do): the first or last turn
of a loop (or two of them) is peeled off, a loop with a fixed number of turns is unrolled, odd
and even turns, every third or fourth, are told apart, an inner loop is split at the turn of an
outer one, or the rows are told apart by how far their leaves are from the counters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, groupby
from typing import TypeAlias

from xsynth.model.allowance import Allowance, unlimited
from xsynth.model.fit import Fitted, learn_column
from xsynth.model.model import Piece
from xsynth.model.offsets import offset_parting
from xsynth.model.points import Row
from xsynth.scale import Scale, at_least

Rows: TypeAlias = Mapping[Scale, tuple[Row, ...]]
"""Rows by scale."""
Tree: TypeAlias = "int | tuple[Tree, ...]"
Column: TypeAlias = Callable[[Row], int]
"""What a row has in a column."""

PARTINGS = 2
"""How often rows are parted within parts."""
UNROLLED = 8
"""Loops of up to so many turns at every scale are unrolled."""
MOST_PHASES = 4
"""More stretches than this are no phases but a pattern of another kind."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The pieces, and by how many scales the least supported of them is over-determined."""

    pieces: tuple[Piece, ...]
    spare: int


@dataclass(frozen=True, slots=True)
class _Task:
    """What every part is learned for; once the allowance is spent nothing more is parted."""

    scales: tuple[Scale, ...]
    counters: bool
    spare: int
    allowance: Allowance
    hardest: list[int] = field(default_factory=lambda: [0])
    """The column that had no generator last time: it is looked at first."""


def learn_rows(
    rows: Rows,
    scales: tuple[Scale, ...],
    *,
    counters: bool,
    spare: int,
    allowance: Allowance | None = None,
) -> Learned | None:
    """Generators for all columns; None where there are none that explain every scale.

    A point may be missing at the smallest of the scales (a loop is still empty there), but
    what has appeared must stay.
    """
    return _learn(rows, _Task(scales, counters, spare, allowance or unlimited()), PARTINGS)


def _learn(rows: Rows, task: _Task, partings: int) -> Learned | None:
    if not all(n in rows for n in task.scales if any(at_least(n, own) for own in rows)):
        return None
    whole = _learn_piece(rows, task)
    if whole is not None:
        return whole
    if partings:
        learned = _learn_by_offsets(rows, task)
        if learned is not None:
            return learned
    # The fewest partings first: one that serves is worth more than two within each other.
    for within in range(partings):
        for parting in _partings(rows):
            if task.allowance.spent:
                return None
            learned = _learn_parts(_part(rows, parting), task, within)
            if learned is not None:
                return learned
    return None


def _learn_by_offsets(rows: Rows, task: _Task) -> Learned | None:
    """What the leaves themselves tell apart, before all that may be guessed is tried.

    A part may be parted so again: with fewer rows other columns have few offsets.
    """
    parting = offset_parting(rows, _active_levels(rows))
    return None if parting is None else _learn_parts(_part(rows, parting), task, 1)


def _learn_parts(parts: Sequence[Rows], task: _Task, partings: int) -> Learned | None:
    if len(parts) < 2:
        return None
    pieces: list[Piece] = []
    least = _MANY
    for part in parts:
        found = _learn(part, task, partings)
        if found is None:
            return None
        pieces += found.pieces
        least = min(least, found.spare)
    return Learned(tuple(pieces), least)


def _learn_piece(rows: Rows, task: _Task) -> Learned | None:
    levels = _active_levels(rows)
    columns, counters = _columns(rows, counters=task.counters)
    fitted: dict[int, Fitted] = {}
    for index in sorted(range(len(columns)), key=lambda one: one != task.hardest[0]):
        found = _learn_one(rows, levels, columns[index], task)
        if found is None:
            task.hardest[0] = index
            return None
        fitted[index] = found
    isgs = tuple(fitted[index].isg for index in range(len(columns)))
    spare = min((one.spare for one in fitted.values()), default=_MANY)
    return Learned((Piece(isgs[:counters], isgs[counters:]),), spare)


_MANY = 10**6


def _columns(rows: Rows, *, counters: bool) -> tuple[list[Column], int]:
    """Every column of counters and of leaves, and how many are counters."""
    first = next(iter(rows.values()))[0]
    width = len(first.at) if counters else 0
    columns: list[Column] = [partial(_counter, level=level) for level in range(width)]
    # Where there is no leaf at all one column of zeros says how many rows there are.
    if first.leaves:
        columns += [partial(_leaf, column=column) for column in range(len(first.leaves))]
    else:
        columns.append(lambda row: 0)
    return columns, width


def _counter(row: Row, level: int) -> int:
    return row.at[level]


def _leaf(row: Row, column: int) -> int:
    return row.leaves[column]


def _learn_one(
    rows: Rows,
    levels: tuple[int, ...],
    column: Column,
    task: _Task,
) -> Fitted | None:
    size = sum(len(own) for own in rows.values())
    for count in range(len(levels), -1, -1):
        for chosen in combinations(levels, count):
            trees = {n: _tree(own, chosen, column) for n, own in rows.items()}
            trees = _without_single_turns(trees, len(chosen))
            task.allowance.spend(size)
            found = learn_column(trees, task.spare, exotic=task.spare > 0)
            if isinstance(found, Fitted):
                return found
    return None


def _tree(
    rows: Iterable[Row],
    levels: tuple[int, ...],
    column: Column,
) -> Tree:
    """Nested by the counters of these levels; the innermost tuples hold the values."""
    if not levels:
        return tuple([column(row) for row in rows])
    first, *rest = levels
    return tuple(
        [
            _tree(list(group), tuple(rest), column)
            for _, group in groupby(rows, key=lambda row: row.at[first])
        ]
    )


def _without_single_turns(trees: Mapping[Scale, Tree], depth: int) -> dict[Scale, Tree]:
    """Without the innermost brackets where each holds just one row, at every scale."""
    while depth > 0 and all(_singles(tree, depth) for tree in trees.values()):
        trees = {n: _unwrap(tree, depth) for n, tree in trees.items()}
        depth -= 1
    return dict(trees)


def _singles(tree: Tree, depth: int) -> bool:
    assert isinstance(tree, tuple)
    if depth == 0:
        return len(tree) == 1
    return all(_singles(child, depth - 1) for child in tree)


def _unwrap(tree: Tree, depth: int) -> Tree:
    assert isinstance(tree, tuple)
    if depth == 0:
        return tree[0]
    return tuple([_unwrap(child, depth - 1) for child in tree])


def _active_levels(rows: Rows) -> tuple[int, ...]:
    """The loops whose counter is not the same in all rows of all scales."""
    width = len(next(iter(rows.values()))[0].at)
    return tuple(
        level
        for level in range(width)
        if len({row.at[level] for own in rows.values() for row in own}) > 1
    )


# -- parting

Parting: TypeAlias = Callable[[Scale, tuple[Row, ...]], list[object]]
"""Gives each of a scale's rows the name of the part that it belongs to."""


def _partings(rows: Rows) -> Iterator[Parting]:
    levels = _active_levels(rows)
    for level in levels:
        counters = {frozenset(row.at[level] for row in own) for own in rows.values()}
        if len(counters) == 1 and len(next(iter(counters))) <= UNROLLED:
            yield partial(_turns, level=level)
    for level in reversed(levels):
        for first, last in ((1, 0), (0, 1), (1, 1)):
            yield partial(_ends, level=level, first=first, last=last)
    for level in reversed(levels):
        yield partial(_residues, level=level, period=2)
    for outer, inner in combinations(levels, 2):
        yield partial(_sides, outer=outer, inner=inner)
    yield _phases
    for level in reversed(levels):
        for first, last in ((2, 0), (0, 2), (2, 1), (1, 2), (2, 2)):
            yield partial(_ends, level=level, first=first, last=last)
    for period in (3, 4):
        for level in reversed(levels):
            yield partial(_residues, level=level, period=period)
    for level in levels:
        least = min(row.at[level] for own in rows.values() for row in own)
        start = partial(_start, level=level, least=least)
        yield start
        for outer, inner in combinations(levels, 2):
            yield partial(_both, one=start, other=partial(_sides, outer=outer, inner=inner))


def _turns(_: Scale, rows: tuple[Row, ...], level: int) -> list[object]:
    return [row.at[level] for row in rows]


def _residues(_: Scale, rows: tuple[Row, ...], level: int, period: int) -> list[object]:
    return [row.at[level] % period for row in rows]


def _sides(_: Scale, rows: tuple[Row, ...], outer: int, inner: int) -> list[object]:
    """Splits a loop where it meets the turn of a loop around it.

    What `for j` does before, at and after j = i differs wherever `if i == j` skips a turn,
    or where element i is rewritten on the way: afterwards another version is read.
    """
    return [
        "before"
        if row.at[inner] < row.at[outer]
        else "after"
        if row.at[inner] > row.at[outer]
        else "meets"
        for row in rows
    ]


def _start(_: Scale, rows: tuple[Row, ...], level: int, least: int) -> list[object]:
    """Tells the very first turn apart, which some runs of the loop (or some scales) skip."""
    return [row.at[level] == least for row in rows]


def _both(scale: Scale, rows: tuple[Row, ...], one: Parting, other: Parting) -> list[object]:
    return list(zip(one(scale, rows), other(scale, rows), strict=True))


def _phases(_: Scale, rows: tuple[Row, ...]) -> list[object]:
    """Tells apart the stretches within which every leaf moves in equal steps.

    A loop that first walks along one side and then along another has two.
    """
    names: list[object] = []
    phase = 0
    begin = 0
    for i, row in enumerate(rows):
        if i - begin >= 2 and _steps(rows[i - 1], row) != _steps(rows[i - 2], rows[i - 1]):
            phase += 1
            begin = i
        names.append(phase)
    return names if phase < MOST_PHASES else [0] * len(rows)


def _steps(before: Row, after: Row) -> list[int]:
    return [b - a for a, b in zip(before.leaves, after.leaves, strict=True)]


def _ends(_: Scale, rows: tuple[Row, ...], level: int, first: int, last: int) -> list[object]:
    """Tells the first and last turns of each run of a loop from those between."""
    names: dict[tuple[int, ...], object] = {}
    for prefix, group in groupby(rows, key=lambda row: row.at[:level]):
        turns = sorted({row.at[level] for row in group})
        for position, turn in enumerate(turns):
            if position < first:
                names[*prefix, turn] = f"first {position}"
            elif len(turns) - 1 - position < last:
                names[*prefix, turn] = f"last {len(turns) - 1 - position}"
            else:
                names[*prefix, turn] = "between"
    return [names[row.at[: level + 1]] for row in rows]


def _part(rows: Rows, parting: Parting) -> list[Rows]:
    parts: dict[object, dict[Scale, list[Row]]] = {}
    for scale, own in rows.items():
        for row, name in zip(own, parting(scale, own), strict=True):
            parts.setdefault(name, {}).setdefault(scale, []).append(row)
    return [
        {scale: tuple(own) for scale, own in part.items()}
        for _, part in sorted(parts.items(), key=lambda item: str(item[0]))
    ]
