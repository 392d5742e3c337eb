"""From traces to constraint generator points (definitions 3 and 4 of XSTRESSOR).

A point is a place, the direction of the branch (none for an assignment) and the pattern
of the constraint.  Its rows are the leaf vectors that one run produced there, each with
the counters of the loops around it: the brackets of the leaf sequence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from xsynth.model.patterns import Pattern, leaves_of, split
from xsynth.scale import Scale
from xsynth.trace.events import Assign, Clause, Trace
from xsynth.trace.terms import Place, Term


@dataclass(frozen=True, slots=True)
class PointKey:
    place: Place
    taken: bool | None
    pattern: Pattern

    @property
    def is_definition(self) -> bool:
        return self.taken is None


class Row(NamedTuple):
    """One constraint: the counters around it, and its leaves."""

    at: tuple[int, ...]
    leaves: tuple[int, ...]


def rows_of(trace: Trace) -> dict[PointKey, tuple[Row, ...]]:
    """The rows of every point of one run, in the order of their counters.

    The path condition is a conjunction, so order across rows does not matter; that of the
    counters is the one that recursion (which ends calls in another order) keeps regular.
    """
    known: dict[tuple[int, bool | None], list[tuple[PointKey, list[Row]]]] = {}
    for event in trace.events:
        match event:
            case Clause(place=place, at=at, taken=taken):
                _add(known, place, taken, event.condition, at)
            case Assign(target=target):
                _add(known, target.place, None, target.value, target.at)
            case _:
                assert_never(event)
    return {
        key: tuple(sorted(rows, key=lambda row: row.at))
        for points in known.values()
        for key, rows in points
    }


def _add(
    known: dict[tuple[int, bool | None], list[tuple[PointKey, list[Row]]]],
    place: Place,
    taken: bool | None,
    term: Term,
    at: tuple[int, ...],
) -> None:
    """Places are shared objects, so their identity finds the point without hashing it."""
    points = known.setdefault((id(place), taken), [])
    for key, rows in points:
        leaves = leaves_of(key.pattern, term)
        if leaves is not None:
            rows.append(Row(at, leaves))
            return
    pattern, leaves = split(term)
    points.append((PointKey(place, taken, pattern), [Row(at, leaves)]))


def by_scale(traces: Iterable[Trace]) -> dict[PointKey, Mapping[Scale, tuple[Row, ...]]]:
    """The rows of every point at every scale where it has any."""
    found: dict[PointKey, dict[Scale, tuple[Row, ...]]] = {}
    for trace in traces:
        for key, rows in rows_of(trace).items():
            found.setdefault(key, {})[trace.scale] = rows
    return dict(found)
