"""A challenge to a supposed worst case: turn each of its decisions once.

A path is a local maximum if no input that leaves it at some decision costs more.  That
proves nothing, but it refutes much, and it is cheap at scales that cannot be exhausted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from xsynth.explore.feasibility.outcome import Feasible
from xsynth.explore.paths import chain_for
from xsynth.explore.worst import concrete
from xsynth.program.program import Program
from xsynth.trace.events import Clause, Trace
from xsynth.trace.terms import Term, negate

TURNED = 400
MOST_ASKED = 1000
"""How many decisions of a path are turned, as long as Z3 is asked no more often than this."""


def costlier_neighbour(
    program: Program, trace: Trace, cost: int, preconditions: Sequence[Term], deadline: float
) -> int | None:
    """The cost of an input that leaves the path somewhere and costs more, if one is found."""
    chain = chain_for(program, trace.scale, deadline)
    clauses = [event.condition for event in trace.events if isinstance(event, Clause)]
    for term in preconditions:
        found = chain.check(term)
        if isinstance(found, Feasible):
            chain.push(term, found.witness)
    for condition in clauses[:TURNED]:
        asked = chain.stats["z3"] + 100 * chain.stats["unknown"]
        if asked > MOST_ASKED or time.monotonic() > deadline:
            return None
        other = chain.check(negate(condition))
        if isinstance(other, Feasible):
            replay = program.replay(concrete(program, trace.scale, other.witness))
            if replay.cost is not None and replay.cost > cost:
                return replay.cost
        found = chain.check(condition)
        if isinstance(found, Feasible):
            chain.push(condition, found.witness)
    return None
