"""The path condition at scale N: every generator of the model expanded to a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from xsynth.model.expand import expand
from xsynth.model.isg import Isg
from xsynth.model.model import GeneratorPoint, Piece
from xsynth.model.patterns import arity
from xsynth.model.points import rows_of
from xsynth.program.inputs import InputSpec
from xsynth.scale import Scale
from xsynth.synthesize.condition import ClauseColumn, DefColumn, PathCondition
from xsynth.synthesize.table import Table, table
from xsynth.trace.events import Trace
from xsynth.trace.terms import Term

Columns = npt.NDArray[np.int64]


def synthesize(
    points: Sequence[GeneratorPoint], spec: InputSpec, scale: Scale, extra: tuple[Term, ...]
) -> PathCondition:
    """The path condition that the model predicts; `extra` are the preconditions there."""
    clauses: list[ClauseColumn] = []
    definitions: list[DefColumn] = []
    for point in points:
        for piece in point.pieces:
            rows = piece_table(piece, arity(point.pattern), scale)
            if point.taken is None:
                split = len(piece.counters)
                counters = rows.columns(0, split).whole()
                leaves = rows.columns(split, rows.width).whole()
                definitions.append(DefColumn(point.place, counters, point.pattern, leaves))
            else:
                clauses.append(ClauseColumn(point.pattern, rows))
    return PathCondition(scale, spec.layouts(scale), tuple(clauses), tuple(definitions), extra)


def piece_table(piece: Piece, width: int, scale: Scale) -> Table:
    """The different rows of a piece: the counters (of a definition), then `width` leaves.

    A pattern without leaves has a generator that only counts.
    """
    rows = table((*piece.counters, *piece.leaves), scale)
    return rows.columns(0, len(piece.counters) + width)


def expand_point(point: GeneratorPoint, scale: Scale) -> Iterator[tuple[Columns, Columns]]:
    """For each piece of a point: the counters (of a definition) and the leaves."""
    width = arity(point.pattern)
    for piece in point.pieces:
        yield (
            _table(piece.counters, scale, len(piece.counters), piece.leaves),
            _table(piece.leaves, scale, width, piece.leaves),
        )


def _table(generators: Sequence[Isg], scale: Scale, width: int, rows: Sequence[Isg]) -> Columns:
    """One column a generator.  A pattern without leaves has a generator that only counts."""
    columns = [expand(generator, scale) for generator in generators or rows[:1]]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the generators of one point give columns of different lengths")
    return np.stack(columns, axis=1)[:, :width]


def recorded(trace: Trace, spec: InputSpec, extra: tuple[Term, ...]) -> PathCondition:
    """The path condition that a run wrote down."""
    clauses: list[ClauseColumn] = []
    definitions: list[DefColumn] = []
    for key, rows in rows_of(trace).items():
        leaves = _array([row.leaves for row in rows])
        if key.is_definition:
            at = _array([row.at for row in rows])
            definitions.append(DefColumn(key.place, at, key.pattern, leaves))
        else:
            clauses.append(ClauseColumn(key.pattern, leaves))
    layouts = spec.layouts(trace.scale)
    return PathCondition(trace.scale, layouts, tuple(clauses), tuple(definitions), extra)


def _array(rows: Iterable[tuple[int, ...]]) -> Columns:
    own = list(rows)
    return np.array(own, dtype=np.int64).reshape(len(own), len(own[0]))
