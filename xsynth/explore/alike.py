"""Families of tied worst paths whose decisions say the same: phase (i) of SPF-WCA.

Of the tied paths of a scale the one is taken whose decisions, after the last h of the same
call, contradict those chosen at the larger scales least: ties broken apart at each scale
would contradict each other.  Unlike the policies of `history.py` these histories hold every
decision, also those that could go only one way: a directed run does not ask which could.

Where a scale has more ties than were kept, the right one may be among those that were not;
there the choices of the smaller scales guide a short search for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xsynth.explore.guide import BOTH, PREFER, Permits, SidesOnly
from xsynth.explore.guided import guided_test_gen
from xsynth.explore.paths import Path
from xsynth.explore.worst import WorstCase
from xsynth.model.decisions import Histories, decided
from xsynth.model.model import History
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.events import Trace
from xsynth.trace.proxies.current import current
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness
from xsynth.trace.terms import Place
from xsynth.trace.tracer import Tracer

TIES_SEEN = 400
"""Scales with more tied paths than this are searched instead."""
PATHS_SEARCHED = 400
SIZES = (1, 2, 3)

Choices = dict[tuple[Place, History], int]
"""What is decided after a history, as bits: 1 for False, 2 for True."""


def alike(
    program: Program, cases: Sequence[WorstCase], deadline: float
) -> Iterator[tuple[str, tuple[Trace, ...]]]:
    """A family for each size of history that leaves no decision of the chosen paths open."""
    known = [case for case in cases if case.ties <= min(TIES_SEEN, len(case.kept))]
    ties: list[list[Trace]] = []
    for case in sorted(known, key=lambda case: case.scale, reverse=True):
        traces: list[Trace] = []
        for path in case.kept:
            if time.monotonic() > deadline:
                return
            found = _trace(program, case.scale, path)
            if found is not None:
                traces.append(found)
        ties.append(traces)
    for size in SIZES:
        chosen = _chosen(ties, size)
        if chosen is None:
            continue
        choices, family = chosen
        for case in cases:
            if case not in known:
                found = _searched(program, case, choices, size, deadline)
                if found is None:
                    break
                family.append(found)
        else:
            if len(family) == len(cases):
                yield f"decisions alike after {size}", tuple(sorted(family, key=lambda t: t.scale))


def _trace(program: Program, scale: Scale, path: Path) -> Trace | None:
    outcome = run(program, scale, Witness(path.witness))
    return None if isinstance(outcome, Excluded) else outcome.trace


def _chosen(ties: Sequence[Sequence[Trace]], size: int) -> tuple[Choices, list[Trace]] | None:
    """Greedily, from the largest scale down; None where some decision stays open."""
    united: Choices = {}
    chosen: list[Trace] = []
    for tied in ties:
        best: tuple[tuple[int, int], Choices, Trace] | None = None
        for trace in tied:
            joined = dict(united)
            for one in decided(trace):
                if not one.plain:
                    key = (one.place, one.history[:size])
                    joined[key] = joined.get(key, 0) | (1 << one.answer)
            rank = (sum(sides == 3 for sides in joined.values()), len(joined))
            if best is None or rank < best[0]:
                best = (rank, joined, trace)
        if best is None or best[0][0]:
            return None
        _, united, trace = best
        chosen.append(trace)
    return (united, chosen) if chosen else None


@dataclass
class _Alike(SidesOnly):
    """Guides a search by what is decided after a history."""

    choices: Choices
    size: int
    _histories: Histories = field(default_factory=Histories)

    def begin(self) -> None:
        self._histories = Histories()

    def permits(self, place: Place) -> Permits:
        history = tuple(self._histories.of(place, _at()))[: self.size]
        match self.choices.get((place, history)):
            case 1:
                return PREFER[False]
            case 2:
                return PREFER[True]
        return BOTH

    def took(self, place: Place, side: bool, free: bool) -> None:
        self._histories.of(place, _at()).appendleft((place, side))


def _at() -> tuple[int, ...]:
    recorder = current()
    assert isinstance(recorder, Tracer)
    return recorder.at


def _searched(
    program: Program, case: WorstCase, choices: Choices, size: int, deadline: float
) -> Trace | None:
    """A worst path of a scale that decides as the smaller scales did."""
    guide = _Alike(choices, size)
    found = guided_test_gen(
        program, case.scale, guide, deadline=deadline, goal=case.cost, most=PATHS_SEARCHED
    )
    if found.best is None or found.cost != case.cost:
        return None
    return _trace(program, case.scale, found.best)
