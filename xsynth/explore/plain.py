"""Plain inputs that happen to be worst cases: families that need no rule among the ties.

Where many paths share the worst cost, one of them is often taken by an input that anyone
would write down: rising, falling, all equal, the halves exchanged.  Such an input is the same
at every scale by construction, while the tied path that a rule picks may not be, and the order
of its elements has a generator even where the comparisons that the path makes have none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xsynth.explore.probes import plain_arguments, plain_cost, plain_inputs
from xsynth.explore.worst import WorstCase
from xsynth.model.order import as_input
from xsynth.program.cells import cells_of
from xsynth.program.program import Program
from xsynth.trace.events import Trace
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness

FEWEST_SCALES = 3
MOST_FAMILIES = 6


@dataclass(frozen=True, slots=True)
class PlainFamily:
    """The traces of one plain input by scale, and the same with the order of the whole input."""

    name: str
    traces: tuple[Trace, ...]
    ordered: tuple[Trace, ...]


def plain_families(
    program: Program, cases: Sequence[WorstCase], deadline: float = math.inf
) -> Iterator[PlainFamily]:
    """Those that are worst cases at every scale, or at all but the smallest ones."""
    known: set[tuple[Trace, ...]] = set()
    for name in _worst_names(program, cases, deadline):
        if time.monotonic() > deadline:
            return
        pairs = [pair for case in cases if (pair := _traced(program, case, name)) is not None]
        family = PlainFamily(name, tuple(t for t, _ in pairs), tuple(o for _, o in pairs))
        if len(pairs) >= FEWEST_SCALES and family.ordered not in known:
            known.add(family.ordered)
            yield family
        if len(known) == MOST_FAMILIES:
            return


def _worst_names(program: Program, cases: Sequence[WorstCase], deadline: float) -> list[str]:
    """The names of inputs with the worst cost from some scale on, the longest reach first."""
    reach = reach_of(program, cases, deadline)
    order = sorted(reach, key=lambda name: -reach[name])
    return [name for name in order if reach[name] >= min(len(cases), FEWEST_SCALES)]


def reach_of(
    program: Program, cases: Sequence[WorstCase], deadline: float = math.inf
) -> dict[str, int]:
    """At how many of the largest scales, without a gap, each plain input has the worst cost."""
    reach: dict[str, int] = {}
    for back, case in enumerate(sorted(cases, key=lambda case: case.scale, reverse=True)):
        layouts = program.spec.layouts(case.scale)
        for name, blocks in plain_inputs(program, case.scale):
            if time.monotonic() > deadline:
                return {}
            if reach.setdefault(name, 0) == back:
                cost = plain_cost(program, case.scale, layouts, blocks)
                reach[name] = back + (cost == case.cost)
    return reach


def _traced(program: Program, case: WorstCase, name: str) -> tuple[Trace, Trace] | None:
    layouts = program.spec.layouts(case.scale)
    blocks = next(b for own, b in plain_inputs(program, case.scale) if own == name)
    if plain_cost(program, case.scale, layouts, blocks) != case.cost:
        return None
    arguments = plain_arguments(program, case.scale, layouts, blocks)
    cells = cells_of(program.spec, case.scale, arguments)
    outcome = run(program, case.scale, Witness(cells))
    if isinstance(outcome, Excluded) or outcome.raised is not None:
        return None
    ordered = as_input(outcome.trace, cells)
    return None if ordered is None else (outcome.trace, ordered)
