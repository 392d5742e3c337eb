"""Branch policies: what the worst paths do where both sides are feasible.

The simplest of WISE's: at each place one side is always taken (the other only where
that one is not feasible), or nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable

from xsynth.explore.feasibility.chain import Chain
from xsynth.explore.feasibility.outcome import Feasible, Unknown
from xsynth.explore.paths import chain_for
from xsynth.model.model import BranchPolicy
from xsynth.program.program import Program
from xsynth.trace.events import Clause, Trace
from xsynth.trace.terms import Place, negate
from xsynth.trace.tracer import Deadline

MOST_UNKNOWN = 3
MOST_ASKED = 600


def learn_policies(
    program: Program, traces: Iterable[Trace], deadline: float | None = None
) -> tuple[BranchPolicy, ...]:
    """The policy at every place where some trace had a choice.

    Where the solver cannot tell, there may have been one; and once it could not a few times,
    it is not asked any more, since each time costs all of its time limit.
    """
    sides: dict[Place, set[bool]] = {}
    unknown = asked = 0
    for trace in traces:
        # The larger traces say what the smaller ones have said, and each question costs more.
        if asked and asked + len(trace.events) > MOST_ASKED:
            break
        chain = chain_for(program, trace.scale, deadline)
        for event in trace.events:
            if not isinstance(event, Clause):
                continue
            if asked > 2 * MOST_ASKED:  # and so does the rest of a trace that is very long
                break
            try:
                choice = _had_choice(chain, event) if unknown < MOST_UNKNOWN else None
            except Deadline:
                choice, unknown = None, MOST_UNKNOWN
            asked += 1
            unknown += choice is None
            if choice is not False:
                sides.setdefault(event.place, set()).add(event.taken)
    return tuple(
        BranchPolicy(place, next(iter(taken)) if len(taken) == 1 else None)
        for place, taken in sides.items()
    )


def _had_choice(chain: Chain, clause: Clause) -> bool | None:
    """None where that is not known; then this trace's condition is not pushed either."""
    condition = clause.condition
    other = chain.check(negate(condition))
    if isinstance(other, Unknown):
        return None
    found = chain.check(condition)
    if isinstance(found, Feasible):
        chain.push(condition, found.witness)
    return isinstance(other, Feasible)
