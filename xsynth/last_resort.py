"""What is left where nothing was learned: a search for dear inputs that promises nothing.

The dearest of the paths that the branch policies of the worst ones lead to, or of plain inputs
and a climb from the best of them.  There is no formula to compare it with, so it is never
called verified; a person who wants to stress their function has something to begin with.
"""

from __future__ import annotations

from collections.abc import Sequence

from xsynth.explore.families import families
from xsynth.explore.policy import learn_policies
from xsynth.explore.worst import WorstCase
from xsynth.model.model import NOT_LEARNED, BranchPolicy, Model, ScaleRecord
from xsynth.program.program import Program


def last_resort(
    program: Program, worst: Sequence[WorstCase], deadline: float | None = None
) -> Model | None:
    """A model that knows no cost; None where no path came to its end."""
    usable = [case for case in worst if case.cost is not None]
    if not usable:
        return None
    traces = next(iter(families(program, usable).values()))
    return without_formula(program, usable, NOT_LEARNED, learn_policies(program, traces, deadline))


def without_formula(
    program: Program,
    worst: Sequence[WorstCase],
    family: str,
    policies: tuple[BranchPolicy, ...] = (),
) -> Model:
    """A model that a search begins with, and no prediction."""
    return Model(
        program=program.place,
        function=program.function,
        digest=program.digest,
        spec=program.spec,
        measure=program.measure.name,
        formula=None,
        scales=records(worst),
        guided=(),
        family=family,
        points=(),
        policies=policies,
    )


def records(worst: Sequence[WorstCase]) -> tuple[ScaleRecord, ...]:
    return tuple(
        ScaleRecord(c.scale, c.paths, c.exhaustive, c.cost, c.ties)
        for c in worst
        if c.cost is not None
    )
