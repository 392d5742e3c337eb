"""Conformance: did the run on the generated input meet just the predicted constraints?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from xsynth.model.model import GeneratorPoint
from xsynth.model.order import INPUT, ORDER, WRITTEN, by_order, without_comparisons
from xsynth.model.patterns import arity
from xsynth.model.points import PointKey, rows_of
from xsynth.program.places import Places
from xsynth.scale import Scale
from xsynth.synthesize.expand import piece_table
from xsynth.trace.events import Trace

Rows = npt.NDArray[np.int64]
NOWHERE = Places("line")


def unpredicted(
    points: Sequence[GeneratorPoint], trace: Trace, places: Places = NOWHERE
) -> str | None:
    """Where trace and model differ first, or None where they agree.

    Rows are compared as sets: a constraint that is met twice constrains once.
    """
    predicted = _predicted(points, trace.scale)
    modelled = {point.place for point in points}
    if WRITTEN in modelled:
        return None  # every element has the value that was asked for, which decides everything
    if INPUT in modelled:
        # The input has the order that was asked for, which decides every comparison.
        predicted = {key: rows for key, rows in predicted.items() if key.place != INPUT}
        trace = without_comparisons(trace)
    seen = by_order(trace) if ORDER in modelled else trace
    if seen is None:
        return "the path does not compare elements as the model says"
    for key, rows in rows_of(seen).items():
        observed = np.array(
            [(*row.at, *row.leaves) if key.is_definition else row.leaves for row in rows],
            dtype=np.int64,
        )
        if key not in predicted:
            return f"{places.words(key.place)} met a constraint that the model does not have"
        if not np.array_equal(np.unique(observed, axis=0), predicted.pop(key)):
            return f"{places.words(key.place)} met other constraints than predicted"
    for key, table in predicted.items():
        if len(table):
            return f"{places.words(key.place)} did not meet the predicted constraints"
    return None


def _predicted(points: Sequence[GeneratorPoint], scale: Scale) -> dict[PointKey, Rows]:
    tables: dict[PointKey, list[Rows]] = defaultdict(list)
    for point in points:
        key = PointKey(point.place, point.taken, point.pattern)
        for piece in point.pieces:
            tables[key].append(piece_table(piece, arity(point.pattern), scale).whole())
    return {key: np.unique(np.concatenate(parts), axis=0) for key, parts in tables.items()}
