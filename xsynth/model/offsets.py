"""Parting rows by how far their leaves are from the counters of the loops around them.

What an array access reads is nearly always a counter, or the size, and a few units more or
less: `a[j]`, `a[j + 1]`, the version that the turn before wrote.  Where it is now one of these
and now another (the turn before, or the one before that where a turn is skipped) no generator
explains the column as a whole, but every offset has a simple set of turns.  So each column gets
the counter (or the size, or nothing) from which its leaves have the fewest different offsets,
and rows whose offsets are the same in all columns make one part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xsynth.model.points import Row
from xsynth.scale import Scale, named

MOST_OFFSETS = 3
"""A column with more offsets than this says nothing: its leaves follow something else."""
MOST_PARTS = 10


def offset_parting(
    rows: Mapping[Scale, tuple[Row, ...]], levels: Sequence[int]
) -> Callable[[Scale, tuple[Row, ...]], list[object]] | None:
    """The parting, or None where it would not part the rows or leave too many parts."""
    width = len(next(iter(rows.values()))[0].leaves)
    sizes = tuple(named(next(iter(rows))))
    told = [
        (column, base)
        for column in range(width)
        if (base := _base(rows, column, levels, sizes)) is not None
    ]
    if not told:
        return None

    def names(scale: Scale, own: tuple[Row, ...]) -> list[object]:
        given = named(scale)
        return [
            tuple([row.leaves[column] - _value(base, row, given) for column, base in told])
            for row in own
        ]

    parts = {name for scale, own in rows.items() for name in names(scale, own)}
    return names if 1 < len(parts) <= MOST_PARTS else None


def _base(
    rows: Mapping[Scale, tuple[Row, ...]],
    column: int,
    levels: Sequence[int],
    sizes: Sequence[str],
) -> int | str | None:
    """The level or size with the fewest offsets, if these are few but more than one.

    Nothing (the empty name) is a base too: then the offsets are the leaves themselves.
    """
    best: int | str | None = None
    fewest = MOST_OFFSETS + 1
    bases: list[int | str] = [*levels, "", *sizes]
    for base in bases:
        offsets: set[int] = set()
        for scale, own in rows.items():
            given = named(scale)
            offsets.update(row.leaves[column] - _value(base, row, given) for row in own)
            if len(offsets) >= fewest:
                break
        else:
            best, fewest = base, len(offsets)
    return best if fewest > 1 else None


def _value(base: int | str, row: Row, sizes: Mapping[str, int]) -> int:
    if isinstance(base, int):
        return row.at[base]
    return sizes[base] if base else 0
