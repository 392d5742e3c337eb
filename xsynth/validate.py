"""Validation: what was learned at the explored scales is tried beyond them.

With a formula that the explored scales over-determine, every input generated beyond them
must cost what it says, on the path that was predicted.

Without one (too few scales could be exhausted, two formulas explain them, or an input
that was generated costs more than the formula says is the worst) generation comes first:
its costs, scale after scale, join those of the explored ones until one
formula explains all of them with scales to spare.  It is believed if it is right at two
scales more, which it was not fitted on (at one, where the other would take too long), and if
no neighbouring path costs more.

Last, plain inputs that follow no model try to beat the formula (`probes.py`): a path that is
the worst at all small scales may be overtaken beyond them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from xsynth.explore.beyond import afar, between, challenged, distant, near, outward
from xsynth.explore.beyond import far as far_beyond
from xsynth.explore.challenge import costlier_neighbour
from xsynth.explore.probes import beaten_by
from xsynth.model.cost import fit_cost as fit_cost
from xsynth.model.isg import Expr, Log2, evaluate, evaluate_int, parts
from xsynth.model.learn import LearnedPoints
from xsynth.model.model import BranchPolicy, Decision
from xsynth.model.region import Region
from xsynth.program.program import Program
from xsynth.reasons import OUT_OF_TIME
from xsynth.scale import Scale, corner, grown, named
from xsynth.synthesize.conform import unpredicted
from xsynth.synthesize.generate import generate, traced
from xsynth.synthesize.preconditions import has_input, preconditions
from xsynth.synthesize.recipe import Recipe, Strategy
from xsynth.trace.events import Trace
from xsynth.trace.tracer import Deadline

PROBE_SECONDS = 60.0
"""How long one attempt to confirm a hypothesis beyond the explored scales may take.

Far off: what is dear is bounded by work, so that a busy machine finds the same.
"""
PROBE_RESOURCES = 6_000_000
"""What Z3 may spend on one input there, in its own units: up to 10 s."""
LAST_EXPLORED = 4
"""How many of the largest explored scales a formula must explain that replaces another."""
FAR_STEPS = 100_000
"""Up to which cost the model is tried at a scale much further on."""
LONGEST_RUN = 1_000_000
"""What a formula says costs more than this is not generated to see whether it is right."""
GUIDED_PATHS = 5000
GUIDED_WORK = 400_000
"""How many paths that the branch policies allow are looked at, at one scale; and how much is
decided and asked on the way."""
PROBE_STEPS = 150_000
DISTANT_STEPS = 600_000
"""How many steps the program may take in all, at one scale, on inputs that try to beat it."""
REACH = 8
"""How far, besides twice the size, the next scale is sought that has inputs."""
STRETCHED = 4
"""By how many scales policies lengthen a family whose decisions are not clear yet."""
ATTEMPTS = frozenset({3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 26, 30, 35, 40})
"""After how many generated scales a formula is sought again."""

LATE = 8
"""A formula that is found only after so many generated scales is tried much further on too."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The formula, and the traces of the inputs generated beyond the explored scales."""

    formula: Expr
    beyond: tuple[Trace, ...]

    @property
    def guided(self) -> tuple[Scale, ...]:
        return tuple(trace.scale for trace in self.beyond)


def _probe_seconds(deadline: float) -> float:
    return max(0.0, min(PROBE_SECONDS, deadline - time.monotonic()))


Generate: TypeAlias = "Callable[[Scale], tuple[Trace, int] | str]"
"""An input at a scale: its trace and its cost, or why there is none."""


def confirm(
    program: Program,
    learned: LearnedPoints,
    traces: Sequence[Trace],
    formula: Expr | None,
    deadline: float,
    region: Region | None = None,
) -> Confirmed | str:
    """Generators are believed if inputs synthesized beyond the explored scales are right."""

    def synthesized(scale: Scale) -> tuple[Trace, int] | str:
        # Where nothing is constrained only the cost is to be confirmed: it has to be known.
        free = not learned.points and formula is not None
        recipe = Recipe(program, learned.points, (), None, free=free, resources=PROBE_RESOURCES)
        made = generate(recipe, scale, [Strategy.SYNTHESIZE], timeout=_probe_seconds(deadline))
        if isinstance(made, tuple):
            return made[0].reason
        if made.raised is not None or made.observed is None:
            return "the generated input could not be run"
        trace = traced(program, scale, made.arguments, deadline)
        if trace is None or unpredicted(learned.points, trace) is not None:
            return "the run leaves the predicted path"
        return trace, made.observed

    beyond = _Beyond(program, synthesized, deadline, _costs(program, traces), region)
    return _confirm(beyond, traces, formula)


def confirm_policies(
    program: Program,
    policies: Sequence[BranchPolicy],
    traces: Sequence[Trace],
    formula: Expr | None,
    deadline: float,
) -> Confirmed | str:
    """Policies are believed if the best of all paths that they allow are right."""
    beyond = _Beyond(
        program, _guided(program, policies, deadline), deadline, _costs(program, traces)
    )
    found = _confirm(beyond, traces, formula, far=False)
    if isinstance(found, str):
        return found
    largest = corner(trace.scale for trace in traces)
    return _out_of_reach(program, policies, found, largest, deadline) or found


def _guided(program: Program, policies: Sequence[BranchPolicy], deadline: float) -> Generate:
    def guided(scale: Scale) -> tuple[Trace, int] | str:
        # With no formula to stop at, the search looks at all that the policies allow.
        recipe = Recipe(program, (), policies, None, most=GUIDED_PATHS, work=GUIDED_WORK)
        made = generate(recipe, scale, [Strategy.GUIDED], timeout=_probe_seconds(deadline))
        if isinstance(made, tuple):
            return made[0].reason
        if made.observed is None or made.notes:
            return "too many paths are left open"
        trace = traced(program, scale, made.arguments, deadline)
        return "the input is excluded" if trace is None else (trace, made.observed)

    return guided


def stretched(
    program: Program, policies: Sequence[BranchPolicy], traces: tuple[Trace, ...], deadline: float
) -> tuple[Trace, ...]:
    """The family, and the best paths that its policies allow at a few scales beyond."""
    make = _guided(program, policies, deadline)
    beyond: list[Trace] = []
    largest = corner(trace.scale for trace in traces)
    for scale in islice(outward(largest), STRETCHED):
        try:
            made = make(scale) if time.monotonic() < deadline else OUT_OF_TIME
        except Deadline:
            break
        if isinstance(made, str):
            break
        beyond.append(made[0])
    return (*traces, *beyond)


def confirm_decisions(
    program: Program,
    decisions: Sequence[Decision],
    policies: Sequence[BranchPolicy],
    traces: Sequence[Trace],
    formula: Expr | None,
    deadline: float,
    region: Region | None = None,
) -> Confirmed | str:
    """Decision sequences are believed if directed runs beyond the explored scales are right."""

    def directed(scale: Scale) -> tuple[Trace, int] | str:
        recipe = Recipe(program, (), policies, None, decisions=decisions, resources=PROBE_RESOURCES)
        made = generate(recipe, scale, [Strategy.DIRECT], timeout=_probe_seconds(deadline))
        if isinstance(made, tuple):
            return made[0].reason
        if made.raised is not None or made.observed is None:
            return "the input of a directed run could not be run"
        trace = traced(program, scale, made.arguments, deadline)
        return "the input is excluded" if trace is None else (trace, made.observed)

    beyond = _Beyond(program, directed, deadline, _costs(program, traces), region)
    return _confirm(beyond, traces, formula)


def _out_of_reach(
    program: Program,
    policies: Sequence[BranchPolicy],
    found: Confirmed,
    largest: Scale,
    deadline: float,
) -> str | None:
    """Further out one input of the predicted cost is enough, but there must be one."""
    scale = far_beyond(largest)[-1]
    recipe = Recipe(program, (), policies, found.formula, most=GUIDED_PATHS, work=GUIDED_WORK)
    made = generate(recipe, scale, [Strategy.GUIDED], timeout=_probe_seconds(deadline))
    if isinstance(made, tuple):
        return _at(scale, made[0].reason)
    if made.verified:
        return None
    return f"at scale {scale} no input of the predicted cost {made.predicted} was found"


@dataclass
class _Beyond:
    """The explored scales, and what was generated beyond them."""

    program: Program
    make: Generate
    deadline: float
    costs: dict[Scale, int]
    region: Region | None = None
    traces: list[Trace] = field(default_factory=list)
    refuted: bool = False
    """Whether an input cost more than the formula says is the worst."""
    missed: bool = False
    """Whether one cost less."""

    @property
    def late(self) -> bool:
        return time.monotonic() >= self.deadline

    def look_at(self, scales: Sequence[Scale], formula: Expr) -> str | None:
        inside = self.from_each(scales)
        return next((w for n in inside if (w := self.look(n, formula)) is not None), None)

    def has(self, scale: Scale) -> bool:
        """Whether the scale is one to look at: in the region, and with inputs."""
        return (self.region is None or self.region.has(scale)) and has_input(self.program, scale)

    def from_each(self, scales: Sequence[Scale]) -> list[Scale]:
        """These scales; for one without inputs, where the sizes have gaps, the next that has."""
        found: dict[Scale, None] = {}
        for scale in scales:
            further = range(scale, 2 * scale + REACH) if isinstance(scale, int) else (scale,)
            at = next((n for n in further if n not in found and self.has(n)), None)
            if at is not None:
                found[at] = None
        return list(found)

    def look(self, scale: Scale, formula: Expr) -> str | None:
        """Generates at a scale; says what is wrong, if anything is."""
        wrong = self.generate(scale)
        if wrong is not None:
            return wrong
        cost, predicted = self.costs[scale], evaluate_int(formula, named(scale))
        if cost == predicted:
            return None
        self.refuted, self.missed = cost > predicted, cost < predicted
        if predicted < 0:
            return f"the formula for the cost does not hold at scale {scale}, where it is below 0"
        return f"at scale {scale} the input costs {cost}, not {predicted}"

    def generate(self, scale: Scale) -> str | None:
        """The cost at a scale joins the others; says why if there is none."""
        if scale in self.costs:
            return None
        if self.late:
            return OUT_OF_TIME
        made = self.make(scale)
        if isinstance(made, str):
            return OUT_OF_TIME if self.late else _at(scale, made)
        trace, self.costs[scale] = made
        self.traces.append(trace)
        return None

    @property
    def explodes(self) -> bool:
        """Whether the next path will be so long that it is not worth while, by the last two."""
        if len(self.traces) < 2:
            return False
        before, last = (max(len(t.events), self.costs[t.scale]) for t in self.traces[-2:])
        return last * last > FAR_STEPS * max(before, 1)

    def surpassed(self, trace: Trace) -> str | None:
        cost = self.costs[trace.scale]
        extra = preconditions(self.program, trace.scale)
        better = costlier_neighbour(self.program, trace, cost, extra, self.deadline)
        if better is None:
            return None
        return f"at scale {trace.scale} another input costs {better}, more than predicted"


def _at(scale: Scale, wrong: str) -> str:
    return wrong if wrong.endswith(f"at scale {scale}") else f"at scale {scale}: {wrong}"


def _costs(program: Program, traces: Sequence[Trace]) -> dict[Scale, int]:
    return {trace.scale: program.cost(trace.counts) for trace in traces}


def _confirm(
    beyond: _Beyond, traces: Sequence[Trace], formula: Expr | None, *, far: bool = True
) -> Confirmed | str:
    """`far` is whether a scale of twice the size is looked at too: too dear for a search."""
    largest = corner(trace.scale for trace in traces)
    try:
        found = _unchallenged(beyond, largest, formula, far=far)
        if isinstance(found, str):
            return found
        ended = _ended(beyond, found.formula, afar(largest)) if far else None
        return ended or _beaten(beyond, found.formula, largest) or found
    except Deadline:
        return OUT_OF_TIME
    except ValueError:  # a cost that is no whole number further on is no cost
        return "the formula for the cost is none further on"


def _ended(beyond: _Beyond, formula: Expr, scale: Scale) -> str | None:
    """Whether the model is wrong much further on, as far as that can be told without effort."""
    scale = next(iter(beyond.from_each([scale])), scale)
    if not beyond.has(scale) or evaluate(formula, named(scale)) > FAR_STEPS:
        return None
    made = beyond.make(scale)
    if isinstance(made, str):
        if beyond.late:
            return OUT_OF_TIME
        late = "time limit" in made or "gave up" in made
        return None if late else _at(scale, made)
    cost, predicted = made[1], evaluate_int(formula, named(scale))
    if cost == predicted:
        return None
    return f"at scale {scale} the input costs {cost}, not {predicted}"


def _beaten(beyond: _Beyond, formula: Expr, largest: Scale) -> str | None:
    """Whether a plain input beyond the explored scales costs more than the formula says."""
    program = beyond.program
    tries = [(scale, PROBE_STEPS, True) for scale in beyond.from_each(challenged(largest))]
    tries += [(scale, DISTANT_STEPS, False) for scale in beyond.from_each(distant(largest))]
    for scale, steps, climb in tries:
        if not climb and evaluate(formula, named(scale)) > FAR_STEPS:
            continue
        predicted = evaluate_int(formula, named(scale))
        if predicted < 0:
            return f"the formula for the cost does not hold at scale {scale}, where it is below 0"
        better = beaten_by(
            program, scale, predicted, steps=steps, climb=climb, deadline=beyond.deadline
        )
        if better is not None:
            cost = "has no end" if better.cost is None else f"costs {better.cost}"
            return (
                f"at scale {scale} another input {cost}, not {predicted} as the worst path so far: "
                f"the worst path changes beyond scale {largest}"
            )
    return None


def _unchallenged(
    beyond: _Beyond, largest: Scale, formula: Expr | None, *, far: bool
) -> Confirmed | str:
    explored = sorted(beyond.costs)
    if formula is not None:
        scales = near(largest)
        if far:
            scales = (*scales, *_affordable(formula, scales[-1], far_beyond(largest)))
        wrong = beyond.look_at(scales, formula)
        if wrong is None:
            return Confirmed(formula, tuple(beyond.traces))
        if beyond.missed:
            return _in_place_of(beyond, explored, wrong, far=far)
        if not beyond.refuted:
            return wrong
    return _with_formula_to_find(beyond, largest, far=far)


def _affordable(formula: Expr, last: Scale, scales: Sequence[Scale]) -> Iterator[Scale]:
    """Those of the scales that do not cost too much; in place of one that does, a nearer one.

    What doubles with each element cannot be tried at twice the size.
    """
    for scale in scales:
        if not (isinstance(scale, int) and isinstance(last, int)):
            yield scale
            continue
        nearer = range(scale, last, -1)
        yield from islice((n for n in nearer if evaluate(formula, named(n)) <= FAR_STEPS), 1)


def _in_place_of(
    beyond: _Beyond, explored: Sequence[Scale], wrong: str, *, far: bool
) -> Confirmed | str:
    """Another formula, where inputs cost less than the first one says.

    Either the inputs are not the worst or the formula is a chance one; it was if another
    explains the largest explored scales and what was generated together.
    """
    found = _with_formula_to_find(beyond, corner(explored), far=far)
    last = explored[-LAST_EXPLORED:]
    if isinstance(found, str) or len(last) < LAST_EXPLORED:
        return wrong
    agrees = all(_is_value(found.formula, scale, beyond.costs[scale]) for scale in last)
    return found if agrees else wrong


def _with_formula_to_find(beyond: _Beyond, largest: Scale, *, far: bool) -> Confirmed | str:
    """Scale after scale until a formula explains them all, and some more besides.

    A formula that fails there is dropped; the costs that refuted it count from then on.
    """
    challenged = False
    for scale in filter(beyond.has, outward(largest)):
        if beyond.explodes:
            break
        wrong = beyond.generate(scale)
        if wrong is None and not challenged:
            wrong = beyond.surpassed(beyond.traces[0])
            challenged = True
        if wrong is not None:
            return wrong
        formula = fit_cost(beyond.costs) if len(beyond.traces) in ATTEMPTS else None
        if formula is None:
            continue
        last = corner((largest, scale))
        # A search for all that policies allow is dear: it is asked for one scale more.
        others = (grown(last, 1), grown(last, 3, 2))[: 2 if far else 1]
        if far and _steps(formula):
            others = (*others[:1], *between(last), *others[1:])
        if far and len(beyond.traces) >= LATE and not _too_long(formula, afar(last), FAR_STEPS):
            others = (*others, afar(last))
        for other in beyond.from_each(others):
            if other != others[0] and _too_long(formula, other):
                continue
            wrong = beyond.generate(other)
            if wrong is not None:
                return wrong
            if not _is_value(formula, other, beyond.costs[other]):
                break
        else:
            return Confirmed(formula, tuple(sorted(beyond.traces, key=lambda t: t.scale)))
    return "the cost has no formula"


def _too_long(formula: Expr, scale: Scale, most: int = LONGEST_RUN) -> bool:
    """Whether a run there would have no end: what grows as n! does has few scales at all."""
    try:
        return evaluate(formula, named(scale)) > most
    except ValueError:
        return False


def _steps(formula: Expr) -> bool:
    """Whether it has a logarithm: between its steps, which get wider, it tells nothing of them."""
    return any(isinstance(part, Log2) for part in parts(formula))


def _is_value(formula: Expr, scale: Scale, cost: int) -> bool:
    try:
        return evaluate(formula, named(scale)) == cost
    except ValueError:
        return False
