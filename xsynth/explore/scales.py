"""Scale by scale, as far as the time goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from xsynth.explore.worst import Report, WorstCase, explore
from xsynth.program.program import Program
from xsynth.scale import Scale, at_least, named, only_differs


def explore_alone(
    program: Program,
    scales: Sequence[Scale],
    deadline: float,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
) -> tuple[WorstCase, ...]:
    """`explore_scales` in this process."""
    return explore_scales(
        lambda scale: explore(program, scale, deadline, report), scales, deadline, explored
    )


def explore_scales(
    one: Callable[[Scale], WorstCase],
    scales: Sequence[Scale],
    deadline: float,
    explored: Callable[[WorstCase], None] | None = None,
) -> tuple[WorstCase, ...]:
    """One scale after the other, until the time is used up or the next would take too long."""
    found: list[WorstCase] = []
    beyond: list[Scale] = []
    for scale in scales:
        # What is larger than a scale that could not be exhausted will not be either.
        if any(at_least(scale, other) for other in beyond):
            continue
        if _hopeless(scale, found, deadline):
            beyond.append(scale)
            continue
        case = one(scale)
        found.append(case)
        if explored is not None:
            explored(case)
        if not case.exhaustive:
            beyond.append(scale)
    return tuple(found)


def _hopeless(scale: Scale, found: Sequence[WorstCase], deadline: float) -> bool:
    """Whether the scale would clearly use up the time: paths grow by the same factor.

    With several variables, from the last two scales that differ from it in one of them.
    """
    left = 2 * (deadline - time.monotonic())
    for name in named(scale):
        line = [case for case in found if only_differs(case.scale, scale, name)]
        if len(line) >= 2 and line[-1].seconds >= 1.0:
            growth = line[-1].paths / max(1, line[-2].paths)
            if line[-1].seconds * growth > left:
                return True
    return False
