"""Branch policies: what the worst paths do where both sides are feasible.

The simplest of WISE's: at each place one side is always taken (the other only where
that one is not feasible), or nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable

from xsynth.explore.feasibility.chain import Chain
from xsynth.explore.feasibility.outcome import Feasible
from xsynth.explore.search import chain_for
from xsynth.model.model import BranchPolicy
from xsynth.program.program import Program
from xsynth.trace.events import Clause, Trace
from xsynth.trace.terms import Place, negate


def learn_policies(program: Program, traces: Iterable[Trace]) -> tuple[BranchPolicy, ...]:
    """The policy at every place where some trace had a choice."""
    sides: dict[Place, set[bool]] = {}
    for trace in traces:
        chain = chain_for(program, trace.scale)
        for event in trace.events:
            if isinstance(event, Clause) and _had_choice(chain, event):
                sides.setdefault(event.place, set()).add(event.taken)
    return tuple(
        BranchPolicy(place, next(iter(taken)) if len(taken) == 1 else None)
        for place, taken in sides.items()
    )


def _had_choice(chain: Chain, clause: Clause) -> bool:
    condition = clause.condition
    choice = isinstance(chain.check(negate(condition)), Feasible)
    found = chain.check(condition)
    if isinstance(found, Feasible):
        chain.push(condition, found.witness)
    return choice
