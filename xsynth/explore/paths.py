"""The paths of a search, one run after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from xsynth import interrupts
from xsynth.explore.feasibility.chain import Chain, Domain
from xsynth.explore.guide import Pruned
from xsynth.explore.search import Cut, Search
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.run import Excluded, Outcome, run
from xsynth.trace.terms import Cell, Value
from xsynth.trace.tracer import Deadline


@dataclass(frozen=True, slots=True)
class Path:
    """A feasible path: what was decided, an input that takes it, and what it cost."""

    answers: tuple[int, ...]
    witness: Mapping[Cell, Value]
    outcome: Outcome

    @property
    def cost(self) -> int:
        return self.outcome.cost


def chain_for(program: Program, scale: Scale, deadline: float | None = None) -> Chain:
    domains = [Domain(cell, lo, hi) for cell, lo, hi in program.spec.domains(scale)]
    return Chain(domains, deadline=deadline)


def paths(search: Search, program: Program, scale: Scale, deadline: float | None) -> Iterator[Path]:
    """Every feasible path, in order.  Raises `Deadline` when the time is up."""
    while True:
        # A run looks at the clock now and then; many runs may be too short for that.
        if deadline is not None and time.monotonic() > deadline:
            raise Deadline
        interrupts.demand()
        search.begin()
        outcome: Outcome | Excluded
        try:
            outcome = run(
                program, scale, search, record=False, deadline=deadline, memory=search.memory
            )
        except Pruned:
            outcome = Excluded()
        if not isinstance(outcome, Excluded):
            yield Path(search.answers(), search.chain.witness, outcome)
        if not search.turn_back():
            return


def from_scratch(program: Program, scale: Scale, path: Path, deadline: float | None) -> Path:
    """The path with the witness that is found when nothing else was searched before.

    What Z3 answers depends on what it was asked, and so on how a search is shared out.
    """
    search = Search(chain_for(program, scale, deadline), prefix=path.answers)
    again = next(paths(search, program, scale, deadline), None)
    if again is None or again.answers != path.answers or search.incomplete is not None:
        return path
    return again


def prefixes(
    program: Program, scale: Scale, cut: int, deadline: float | None = None
) -> list[tuple[int, ...]]:
    """The beginnings of all paths, in order: each to its end, or to where it is cut."""
    search = Search(chain_for(program, scale, deadline), cut=cut)
    found: list[tuple[int, ...]] = []
    while True:
        interrupts.demand()
        search.begin()
        with suppress(Cut):
            run(program, scale, search, record=False, deadline=deadline, memory=search.memory)
        found.append(search.answers())
        if not search.turn_back():
            return found
