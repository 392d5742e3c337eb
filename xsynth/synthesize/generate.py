"""A worst-case input at scale N, three ways, cheapest first (see `Strategy`).

Every way ends in a replay: the function itself runs on the plain input, and its cost is
compared with the formula's.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING

from xsynth.errors import InputSpecError
from xsynth.explore.probes import beaten_by
from xsynth.program.cells import cells_of
from xsynth.program.program import Program, Raised, TimeUp
from xsynth.scale import Scale
from xsynth.synthesize.arguments import plain_arguments
from xsynth.synthesize.condition import PathCondition, Sat, Stats, Unsat
from xsynth.synthesize.condition import Unknown as Undecided
from xsynth.synthesize.conform import unpredicted
from xsynth.synthesize.expand import recorded, synthesize
from xsynth.synthesize.preconditions import preconditions
from xsynth.synthesize.recipe import Clock, Failed, Found, Recipe, Strategy
from xsynth.synthesize.solve import solve
from xsynth.trace.events import Trace
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness
from xsynth.trace.tracer import Deadline

if TYPE_CHECKING:
    from xsynth.explore.effort import Effort

PROBE_STEPS = 2_000_000
"""How many steps the program may take in all on plain inputs that try to beat the one made."""
MOST_DECISIONS = 2_000_000
"""A directed run with so many more decisions than its cost explains is running in circles."""
OTHER_CHARACTERS = "more than the printable ASCII characters are needed, so others are used too"
NO_PROMISE = "nothing was learned of this function: this is a dear input, and may not be the worst"
CONFORMANCE_LIMIT = 100_000
"""Paths with more clauses than this are not traced again at scale N: that takes more than a
second for 100,000 of them, more than all the rest; the cost is compared at any scale.
"""
MOST_PROXIES = 250_000
"""Nor are inputs with more cells than this: a proxy for each takes 10 us to make.
"""
FASTEST_STEP = 2e-9
FASTEST_TRACED = 5e-8
"""Seconds that a statement takes at least, so that a replay that cannot end is not begun; and a
run that decides as it goes, with symbolic values."""
LONG_RUN = 200_000_000
PACE_SECONDS = 1.0
PACE_VARIES = 1.5
"""From how many steps on a replay is first begun to see how fast it is, and for how long; and by
how much the rest of it may be faster."""


@dataclass(frozen=True, slots=True)
class Generated:
    """An input, what it was predicted to cost, and what it costs.

    `verified` is None where the replay was left out or took too long; `conforms` is None
    where the path was not traced.
    """

    strategy: Strategy
    scale: Scale
    arguments: Mapping[str, object]
    predicted: int | None
    observed: int | None
    verified: bool | None
    conforms: bool | None
    notes: tuple[str, ...]
    stats: Stats | None
    seconds: Mapping[str, float]
    failed: tuple[Failed, ...] = ()
    raised: Raised | None = None
    beaten: bool = False
    """Whether a plain input of the same scale costs more than this one."""
    effort: Effort | None = None
    """What a directed run or a guided search did."""
    megabytes: Mapping[str, float] = field(default_factory=dict)
    """The most memory that the process had used by the end of each phase."""


def generate(
    recipe: Recipe,
    scale: Scale,
    strategies: Sequence[Strategy] = tuple(Strategy),
    *,
    verify: bool = True,
    timeout: float | None = None,
) -> Generated | tuple[Failed, ...]:
    """Down the list of strategies until one is verified; what failed is told with it."""
    deadline = None if timeout is None else time.monotonic() + timeout
    failed: list[Failed] = []
    unverified: Generated | None = None
    for strategy in strategies:
        made = _attempt(recipe, scale, strategy, verify=verify, deadline=deadline)
        if isinstance(made, Failed):
            failed.append(made)
            if made.final:
                break
            continue
        if made.verified is not False or made.beaten:
            return _with_failures(made, failed)
        failed.append(Failed(strategy, _mismatch(made)))
        if unverified is None or (made.observed or 0) > (unverified.observed or 0):
            unverified = made
    if unverified is not None:
        return _with_failures(unverified, failed)
    return tuple(failed)


def _with_failures(made: Generated, failed: Sequence[Failed]) -> Generated:
    return replace(made, failed=tuple(failed))


def _mismatch(made: Generated) -> str:
    if made.raised is not None:
        return f"the function raised {made.raised.kind} on the input"
    if made.predicted is None:
        return f"the input costs {made.observed}; there is no formula to compare it with"
    return f"the input costs {made.observed}, not {made.predicted} as predicted"


def _attempt(
    recipe: Recipe, scale: Scale, strategy: Strategy, *, verify: bool, deadline: float | None
) -> Generated | Failed:
    clock = Clock(deadline)
    try:
        match strategy:
            case Strategy.SYNTHESIZE:
                found = _synthesized(recipe, scale, clock)
            case Strategy.DIRECT:
                found = _directed(recipe, scale, clock)
            case Strategy.GUIDED:
                found = _searched(recipe, scale, clock)
    except (Deadline, TimeUp):
        return Failed(strategy, "it took longer than the time limit")
    if isinstance(found, Failed):
        return found
    return _replayed(recipe, scale, strategy, found, clock, verify=verify)


def _synthesized(recipe: Recipe, scale: Scale, clock: Clock) -> Found | Failed:
    if not recipe.points and not recipe.free:
        return Failed(Strategy.SYNTHESIZE, "the model has no generators")
    try:
        extra = preconditions(recipe.program, scale)
        condition = synthesize(recipe.points, recipe.program.spec, scale, extra)
        clock.phase("expand")
        return _solved(recipe, condition, Strategy.SYNTHESIZE, clock)
    except InputSpecError as error:
        return Failed(Strategy.SYNTHESIZE, error.found)
    except ValueError:  # a count below 0, a cell outside: the generators mean nothing there
        return Failed(Strategy.SYNTHESIZE, f"the generators found do not go on at scale {scale}")


def _solved(
    recipe: Recipe, condition: PathCondition, strategy: Strategy, clock: Clock
) -> Found | Failed:
    spec, resources = recipe.program.spec, recipe.resources
    outcome = solve(condition, timeout=clock.left(), resources=resources)
    notes: tuple[str, ...] = ()
    if isinstance(outcome, Unsat) and outcome.reason is not None:
        layouts = spec.roomy_layouts(condition.scale)
        if layouts != condition.layouts:
            roomy = replace(condition, layouts=layouts)
            outcome = solve(roomy, timeout=clock.left(), resources=resources)
            notes = (OTHER_CHARACTERS,)
    clock.phase("solve")
    match outcome:
        case Sat(values=values, stats=stats):
            arguments = plain_arguments(spec, condition.scale, values)
            clock.phase("input")
            return Found(arguments, stats, notes)
        case Unsat(reason=reason):
            why = "" if reason is None else f": {reason}"
            none = f"no input satisfies the path condition{why}"
            if reason is not None:
                none += " (a larger --range may help; --strategy guided looks for other paths)"
            return Failed(strategy, none, final=reason is not None)
        case Undecided(reason=reason):
            return Failed(strategy, f"the solver gave up: {reason}")


def _endless(recipe: Recipe, scale: Scale, strategy: Strategy, clock: Clock) -> Failed | None:
    """Whether the path is too long to follow it step by step in the time that is left."""
    predicted = recipe.predicted(scale)
    if not _is_too_long(recipe.program, predicted, clock.left(), FASTEST_TRACED):
        return None
    return Failed(
        strategy, f"the predicted cost is {predicted}: such a run takes longer than the time limit"
    )


def _searched(recipe: Recipe, scale: Scale, clock: Clock) -> Found | Failed:
    from xsynth.synthesize.searched import searched  # what synthesis has no use for

    endless = _endless(recipe, scale, Strategy.GUIDED, clock)
    return searched(recipe, scale, clock) if endless is None else endless


def _directed(recipe: Recipe, scale: Scale, clock: Clock) -> Found | Failed:
    from xsynth.synthesize.direct import Undirected, direct, preferences

    program = recipe.program
    if not (recipe.decisions or recipe.policies or recipe.guide):
        return Failed(Strategy.DIRECT, "the model has neither decision sequences nor policies")
    endless = _endless(recipe, scale, Strategy.DIRECT, clock)
    if endless is not None:
        return endless
    # The cost may be that of a part of the program only.
    most = 10 * (recipe.predicted(scale) or 0) + MOST_DECISIONS
    # A guide that was asked for by name decides alone.
    decisions = recipe.decisions if recipe.guide is None else ()
    guide = recipe.guide or preferences(recipe.policies)
    try:
        directed = direct(program, scale, decisions, guide, most=most, deadline=clock.deadline)
    except ValueError:
        return Failed(Strategy.DIRECT, f"the decisions found do not go on at scale {scale}")
    clock.phase("run")
    if isinstance(directed, Undirected):
        return Failed(Strategy.DIRECT, directed.reason)
    try:
        condition = recorded(directed.trace, program.spec, preconditions(program, scale))
    except InputSpecError as error:
        return Failed(Strategy.DIRECT, error.found)
    found = _solved(recipe, condition, Strategy.DIRECT, clock)
    if isinstance(found, Failed) or found.stats is None:
        return found
    notes = found.notes
    if recipe.last_resort:
        notes = (*notes, "found by one run along the branch policies")
    return replace(found, notes=notes, effort=directed.effort(found.stats.solver_calls))


def _replayed(
    recipe: Recipe, scale: Scale, strategy: Strategy, found: Found, clock: Clock, *, verify: bool
) -> Generated:
    predicted = recipe.predicted(scale) if found.proved is None else found.proved
    observed = conforms = verified = raised = None
    beaten = False
    notes = [*([NO_PROMISE] if recipe.last_resort else []), *found.notes]
    if verify and _is_replayed_too_long(recipe.program, found, predicted, clock):
        notes.append(
            f"a replay of {predicted} steps takes longer than the time limit: not verified"
        )
    elif verify:
        try:
            replay = recipe.program.replay(found.arguments, clock.left())
            observed, raised = replay.cost, replay.raised
            verified = observed is not None and observed == predicted
        except TimeUp:
            notes.append("the replay took longer than the time limit: not verified")
        clock.phase("replay")
        beaten = bool(verified) and _is_beaten(recipe.program, scale, observed, notes)
        verified = False if beaten else verified
        clock.phase("probes")
        if verified and strategy is Strategy.SYNTHESIZE:
            conforms = _conforms(recipe, scale, found, notes, clock)
    return Generated(
        strategy=strategy,
        scale=scale,
        arguments=found.arguments,
        predicted=predicted,
        observed=observed,
        verified=verified,
        conforms=conforms,
        notes=tuple(notes),
        stats=found.stats,
        seconds=clock.seconds,
        megabytes=clock.megabytes,
        raised=raised,
        effort=found.effort,
        beaten=beaten,
    )


def _is_replayed_too_long(
    program: Program, found: Found, predicted: int | None, clock: Clock
) -> bool:
    if _is_too_long(program, predicted, clock.left(), FASTEST_STEP):
        return True
    left = clock.left()
    if predicted is None or left is None or predicted < LONG_RUN:
        return False
    if program.measure.name != "steps":
        return False
    pace = program.pace(found.arguments, min(PACE_SECONDS, left))
    return predicted > PACE_VARIES * pace * left


def _is_too_long(
    program: Program, predicted: int | None, left: float | None, fastest: float
) -> bool:
    """Whether so many steps cannot be over in the time that is left."""
    if predicted is None or left is None or program.measure.name != "steps":
        return False
    return predicted * fastest > left


def _is_beaten(program: Program, scale: Scale, cost: int | None, notes: list[str]) -> bool:
    """Whether a plain input of that scale costs more: then this one is no worst case."""
    better = None
    if cost is not None:
        better = beaten_by(program, scale, cost, steps=PROBE_STEPS, climb=False)
    if better is None:
        return False
    what = "does not end" if better.cost is None else f"costs {better.cost}"
    notes.append(f"not a worst case: another input of this scale {what}; learn from larger scales")
    return True


def _conforms(
    recipe: Recipe, scale: Scale, found: Found, notes: list[str], clock: Clock
) -> bool | None:
    if found.stats is not None and found.stats.clauses["given"] > CONFORMANCE_LIMIT:
        notes.append(f"conformance was not checked: more than {CONFORMANCE_LIMIT} clauses")
        return None
    if _cells(recipe.program, scale) > MOST_PROXIES:
        notes.append(f"conformance was not checked: more than {MOST_PROXIES} cells")
        return None
    try:
        with _no_collection():
            trace = traced(recipe.program, scale, found.arguments, clock.deadline)
            difference = (
                None if trace is None else unpredicted(recipe.points, trace, recipe.program.places)
            )
    except Deadline:
        notes.append("conformance was not checked: the time limit")
        return None
    clock.phase("conformance")
    if trace is None or difference is not None:
        notes.append(f"the path is not the predicted one: {difference or 'it was excluded'}")
        return False
    return True


def _cells(program: Program, scale: Scale) -> int:
    return sum(prod(layout.dims) for layout in program.spec.layouts(scale))


@contextmanager
def _no_collection() -> Iterator[None]:
    """A trace is a million small objects and no cycles: collecting would only look at them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def traced(
    program: Program, scale: Scale, arguments: Mapping[str, object], deadline: float | None = None
) -> Trace | None:
    """The trace of the run on these plain arguments."""
    cells = cells_of(program.spec, scale, arguments)
    outcome = run(program, scale, Witness(cells), deadline=deadline)
    return None if isinstance(outcome, Excluded) else outcome.trace
