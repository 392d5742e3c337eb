"""From the traces of one family to generators for all of its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xsynth.model.allowance import Allowance
from xsynth.model.columns import learn_rows
from xsynth.model.model import GeneratorPoint
from xsynth.model.points import PointKey, by_scale
from xsynth.trace.events import Trace

IRREGULAR = "what the worst paths compare follows no pattern from scale to scale"


@dataclass(frozen=True, slots=True)
class LearnedPoints:
    """`spare` is by how many scales the least supported generator is over-determined."""

    points: tuple[GeneratorPoint, ...]
    spare: int


@dataclass(frozen=True, slots=True)
class NotLearned:
    key: PointKey
    reason: str


def learn_points(
    traces: Sequence[Trace], spare: int, allowance: Allowance | None = None
) -> LearnedPoints | NotLearned:
    """Generators that reproduce every clause of these traces, or the first point without."""
    scales = tuple(sorted(trace.scale for trace in traces))
    points: list[GeneratorPoint] = []
    least = len(scales)
    for key, rows in by_scale(traces).items():
        learned = learn_rows(
            rows, scales, counters=key.is_definition, spare=spare, allowance=allowance
        )
        if learned is None:
            return NotLearned(key, IRREGULAR)
        least = min(least, learned.spare)
        points.append(GeneratorPoint(key.place, key.taken, key.pattern, learned.pieces))
    return LearnedPoints(tuple(points), least)
