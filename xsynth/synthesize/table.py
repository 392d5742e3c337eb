"""Rows of leaves that are not written out: runs, expanded a block at a time.

A generator is a concatenation of runs (`model/expand.py`).  Cut where any column of a piece
begins a run, its rows are blocks `first, first + step, ...` in every column at once, and
a block is one line of a `Table`.  Blocks that are the same line are the same rows, so
each is kept once and counted: a clause that does not depend on a loop is not expanded
over that loop.  The lines of a table are found the same way, from the argument sequences of
all its generators taken together, so that repetition on any level is left out there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from xsynth.model.expand import Runs, expand, runs
from xsynth.model.isg import Const, Incre, Isg
from xsynth.scale import Scale
from xsynth.synthesize.rows import Array, row_keys

BLOCK = 1 << 20
"""Rows that are expanded at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Line k stands for `count[k]` rows, row r of which is `first[k] + r * step[k]`.

    `times[k]`: how often the line occurs in the sequence that it was made from.
    """

    first: Array
    step: Array
    count: Array
    times: Array

    def __len__(self) -> int:
        return int(self.count.sum())

    @property
    def width(self) -> int:
        return int(self.first.shape[1])

    @property
    def total(self) -> int:
        """How many rows there would be with every repetition."""
        return int((self.count * self.times).sum())

    def columns(self, start: int, stop: int) -> Table:
        return Table(self.first[:, start:stop], self.step[:, start:stop], self.count, self.times)

    def blocks(self, most: int = BLOCK) -> Iterator[Array]:
        """All rows, in order, as matrices of at most `most` rows."""
        ends = np.cumsum(self.count)
        rows = len(self)
        for low in range(0, rows, most):
            high = min(low + most, rows)
            lines = slice(
                int(np.searchsorted(ends, low, side="right")),
                int(np.searchsorted(ends, high, side="left")) + 1,
            )
            yield self._between(lines, (ends - self.count)[lines], ends[lines], low, high)

    def whole(self) -> Array:
        """All rows at once."""
        parts = list(self.blocks(max(len(self), 1)))
        return parts[0] if parts else np.zeros((0, self.width), dtype=np.int64)

    def _between(self, lines: slice, begin: Array, end: Array, low: int, high: int) -> Array:
        """Rows `low` to `high`; these lines have them, from row `begin` to row `end`."""
        count = np.minimum(end, high) - np.maximum(begin, low)
        matrix = np.empty((self.width, high - low), dtype=np.int64)
        position = np.arange(low, high)
        for number, (first, step) in enumerate(
            zip(self.first[lines].T, self.step[lines].T, strict=True)
        ):
            matrix[number] = np.repeat(first - begin * step, count)
            if len(step) and (step == step[0]).all():
                if step[0]:
                    matrix[number] += step[0] * position
            else:
                matrix[number] += np.repeat(step, count) * position
        return matrix.T


def table(isgs: Sequence[Isg], scale: Scale) -> Table:
    """The rows that these generators, one a column, have at that scale; ValueError if none."""
    joint = _joint(isgs, scale)
    return joint if joint is not None else _aligned([_runs(isg, scale) for isg in isgs])


def _runs(isg: Isg, scale: Scale) -> Runs:
    match isg:
        case Incre() | Const():
            return runs(isg, scale)
        case _:
            values = expand(isg, scale)
            return Runs(values, np.zeros(1, dtype=np.int64), np.ones_like(values))


def _joint(isgs: Sequence[Isg], scale: Scale) -> Table | None:
    """The table from the different rows of all argument sequences taken together.

    None where the generators do not begin their runs at the same rows (or mean nothing).
    """
    arguments: list[Isg] = []
    for isg in isgs:
        match isg:
            case Incre(start=start, stop=stop, step=step):
                arguments += [start, stop, step] if _is_sequence(step) else [start, stop]
            case Const(value=value, count=count):
                arguments += [value, count]
            case _:
                return None
    try:
        inner = table(arguments, scale)
    except ValueError:
        return None
    rows, times = _different(inner)
    columns = iter(rows.T)
    firsts, steps, counts = [], [], []
    for isg in isgs:
        first = next(columns)
        if isinstance(isg, Incre):
            stop = next(columns)
            one = next(columns) if _is_sequence(isg.step) else expand(isg.step, scale)
            by = np.broadcast_to(one, first.shape)
            if not by.all():
                return None
            counts.append(np.maximum((stop - first) // by + 1, 0))
        else:
            by = np.zeros_like(first)
            counts.append(next(columns))
        firsts.append(first)
        steps.append(by)
    count = counts[0]
    if (count < 0).any() or any((other != count).any() for other in counts[1:]):
        return None
    used = count > 0
    first, step = np.stack(firsts, axis=1)[used], np.stack(steps, axis=1)[used]
    return _without_still(first, step, count[used], times[used])


def _is_sequence(isg: Isg) -> bool:
    return isinstance(isg, Incre | Const)


def _different(inner: Table) -> tuple[Array, Array]:
    """The different rows, in the order in which they first occur, and how often they do."""
    rows = inner.whole()
    times = np.repeat(inner.times, inner.count)
    key = row_keys(list(rows.T), len(rows))
    order = np.argsort(key, kind="stable")
    if not len(order):
        return rows, times
    begin = np.flatnonzero(np.concatenate(([True], key[order][1:] != key[order][:-1])))
    first = order[begin]
    again = np.argsort(first)
    return rows[first[again]], np.add.reduceat(times[order], begin)[again]


def _aligned(columns: Sequence[Runs]) -> Table:
    """Runs of several columns cut so that all begin together."""
    ends = [np.cumsum(column.count) for column in columns]
    if len({int(e[-1]) if len(e) else 0 for e in ends}) > 1:
        raise ValueError("the generators of one point give columns of different lengths")
    cuts = np.unique(np.concatenate(ends))
    cuts = cuts[cuts > 0]
    count = np.diff(cuts, prepend=0)
    begin = cuts - count
    firsts, steps = [], []
    for column, end in zip(columns, ends, strict=True):
        line = np.searchsorted(end, begin, side="right")
        step = np.broadcast_to(column.step, column.first.shape)[line]
        firsts.append(column.first[line] + (begin - (end - column.count)[line]) * step)
        steps.append(step)
    first, step = np.stack(firsts, axis=1), np.stack(steps, axis=1)
    return _without_still(first, step, count, np.ones_like(count))


def _without_still(first: Array, step: Array, count: Array, times: Array) -> Table:
    """A line in which no column moves is one row, as often."""
    still = ~step.any(axis=1)
    return Table(first, step, np.where(still, 1, count), np.where(still, times * count, times))
