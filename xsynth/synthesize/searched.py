"""Guided search at scale N, and the last resort where nothing was learned."""

from __future__ import annotations

from xsynth.explore.guided import Guided, guided_test_gen
from xsynth.explore.probes import dearest
from xsynth.explore.worst import concrete
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.synthesize.direct import preferences
from xsynth.synthesize.recipe import Clock, Failed, Found, Recipe, Strategy
from xsynth.trace.tracer import Deadline

LAST_WORK = 150_000
LAST_STEPS = 10_000_000
"""What a search may decide and ask where nothing was learned, and how many steps the function
may take on plain inputs and a climb from the best of them."""


def searched(recipe: Recipe, scale: Scale, clock: Clock) -> Found | Failed:
    """Every path that the policies allow, until one has the predicted cost."""
    program = recipe.program
    guide = recipe.guide or preferences(recipe.policies)
    goal = recipe.predicted(scale)
    search = guided_test_gen(
        program,
        scale,
        guide,
        deadline=clock.deadline,
        goal=goal,
        most=recipe.most,
        work=LAST_WORK if recipe.last_resort else recipe.work,
    )
    clock.phase("search")
    if recipe.last_resort:
        return _dearest(program, scale, search, clock)
    if search.best is None:
        if search.late:
            raise Deadline
        if search.spent:
            return Failed(Strategy.GUIDED, "the policies leave too much open")
        return Failed(Strategy.GUIDED, "no path follows the policies")
    notes: tuple[str, ...] = ()
    if search.late:
        notes = ("the search was not finished: the time limit",)
    elif search.spent:
        notes = ("the search was not finished: it asked too much",)
    elif recipe.most is not None and search.paths >= recipe.most:
        notes = (f"the search was not finished: it looked at {recipe.most} paths",)
    arguments = concrete(program, scale, search.best.witness)
    proved = search.cost if recipe.every_path and search.exhaustive else None
    if proved is not None:
        notes = (f"no path at scale {scale} costs more: all {search.paths} were looked at",)
    return Found(arguments, None, notes, search.effort, proved)


def _dearest(program: Program, scale: Scale, search: Guided, clock: Clock) -> Found | Failed:
    """Where nothing is known: what the search found, or a plain input that costs more."""
    other = dearest(program, scale, steps=LAST_STEPS)
    clock.phase("climb")
    seen = f"{search.paths} path{'' if search.paths == 1 else 's'}"
    best = search.best
    if other is not None and (best is None or other.cost is None or other.cost > best.cost):
        told = f"a climb from plain inputs; the best of {seen} costs less"
        return Found(other.arguments, None, (f"found by {told}",), search.effort)
    if best is None:
        return Failed(Strategy.GUIDED, "no path came to its end")
    told = f"the dearest of {seen}; a climb from plain inputs costs less"
    arguments = concrete(program, scale, best.witness)
    return Found(arguments, None, (f"found as {told}",), search.effort)
