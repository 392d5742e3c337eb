"""From traces to constraint generator points (definitions 3 and 4 of XSTRESSOR).

A point is a place, the direction of the branch (none for an assignment) and the pattern
of the constraint.  Its rows are the leaf vectors that one run produced there, each with
the counters of the loops around it: the brackets of the leaf sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from xsynth.model.patterns import Pattern, split
from xsynth.trace.events import Assign, Clause, Trace
from xsynth.trace.terms import Place


@dataclass(frozen=True, slots=True)
class PointKey:
    place: Place
    taken: bool | None
    pattern: Pattern

    @property
    def is_definition(self) -> bool:
        return self.taken is None


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint: the counters around it, and its leaves."""

    at: tuple[int, ...]
    leaves: tuple[int, ...]


def rows_of(trace: Trace) -> dict[PointKey, tuple[Row, ...]]:
    """The rows of every point of one run, in the order of their counters.

    The path condition is a conjunction, so order across rows does not matter; that of the
    counters is the one that recursion (which ends calls in another order) keeps regular.
    """
    found: dict[PointKey, list[Row]] = {}
    for event in trace.events:
        match event:
            case Clause(place=place, at=at, taken=taken):
                pattern, leaves = split(event.condition)
                found.setdefault(PointKey(place, taken, pattern), []).append(Row(at, leaves))
            case Assign(target=target):
                pattern, leaves = split(target.value)
                key = PointKey(target.place, None, pattern)
                found.setdefault(key, []).append(Row(target.at, leaves))
            case _:
                assert_never(event)
    return {key: tuple(sorted(rows, key=lambda r: r.at)) for key, rows in found.items()}


def by_scale(traces: Iterable[Trace]) -> dict[PointKey, Mapping[int, tuple[Row, ...]]]:
    """The rows of every point at every scale where it has any."""
    found: dict[PointKey, dict[int, tuple[Row, ...]]] = {}
    for trace in traces:
        for key, rows in rows_of(trace).items():
            found.setdefault(key, {})[trace.scale] = rows
    return dict(found)
