"""The path condition at scale N: every generator of the model expanded to a column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from xsynth.model.expand import expand
from xsynth.model.isg import Isg
from xsynth.model.model import GeneratorPoint
from xsynth.model.patterns import arity
from xsynth.program.inputs import InputSpec
from xsynth.synthesize.condition import ClauseColumn, DefColumn, PathCondition
from xsynth.trace.terms import Term

Columns = npt.NDArray[np.int64]


def synthesize(
    points: Sequence[GeneratorPoint], spec: InputSpec, scale: int, extra: tuple[Term, ...]
) -> PathCondition:
    """The path condition that the model predicts; `extra` are the preconditions there."""
    clauses: list[ClauseColumn] = []
    definitions: list[DefColumn] = []
    for point in points:
        width = arity(point.pattern)
        for piece in point.pieces:
            leaves = _table(piece.leaves, scale, width)
            if point.taken is None:
                counters = _table(piece.counters, scale, len(piece.counters))
                definitions.append(DefColumn(point.place, counters, point.pattern, leaves))
            else:
                clauses.append(ClauseColumn(point.pattern, leaves))
    return PathCondition(
        scale=scale,
        layouts=spec.layouts(scale),
        clauses=tuple(clauses),
        defs=tuple(definitions),
        extra=extra,
    )


def _table(generators: Sequence[Isg], scale: int, width: int) -> Columns:
    """One column a generator.  A pattern without leaves has a generator that only counts."""
    columns = [expand(generator, scale) for generator in generators]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the generators of one point give columns of different lengths")
    return np.stack(columns, axis=1)[:, :width]
