"""The method on one page.

    program -> explore -> (choose a family) -> points -> infer, fit -> validate   : learn
    model   -> expand  -> solve -> replay                                         : generate

`learn` explores every path at the small scales, follows one family of worst paths
through them, learns generators for its constraints, and believes them once inputs
generated at scales beyond have the predicted cost.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xsynth.explore.challenge import costlier_neighbour
from xsynth.explore.policy import learn_policies
from xsynth.explore.worst import RULES, Report, WorstCase, explore
from xsynth.model.fit import FittedExpr, fit_values
from xsynth.model.isg import Expr, evaluate_int
from xsynth.model.learn import LearnedPoints, learn_points
from xsynth.model.model import BranchPolicy, GeneratorPoint, Model, ScaleRecord
from xsynth.model.order import by_order
from xsynth.program.program import Program
from xsynth.synthesize.generate import Recipe, Strategy, generate, traced
from xsynth.synthesize.preconditions import demand_some_input, preconditions
from xsynth.trace.events import Trace
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness

FEWEST_SCALES = 3
"""Two scales give a line through anything; the third is the spare one."""
PROBE_SECONDS = 20.0
"""How long one attempt to confirm a hypothesis beyond the explored scales may take."""


class Status(enum.Enum):
    LEARNED = "learned"
    POLICY_ONLY = "policy only"
    NOT_LEARNED = "not learned"


@dataclass(frozen=True, slots=True)
class Learning:
    """What `learn` found; `model` is None where there is nothing to generate from."""

    status: Status
    reason: str
    model: Model | None
    worst: tuple[WorstCase, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Generators that passed: beyond the explored scales they gave the predicted cost."""

    family: str
    points: tuple[GeneratorPoint, ...]
    formula: Expr
    guided: tuple[int, ...]
    traces: tuple[Trace, ...]


@dataclass
class _Reasons:
    """Why families were turned down, the most telling first."""

    found: list[str] = field(default_factory=list)

    def note(self, family: str, reason: str) -> None:
        self.found.append(f"{reason} (family: {family})")

    def summary(self) -> str:
        return self.found[0] if self.found else "no family of worst paths was found"


def learn(
    program: Program,
    scales: Sequence[int],
    *,
    budget: float = 120.0,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
) -> Learning:
    start = time.monotonic()
    demand_some_input(program, scales[0])
    worst = explore_scales(program, scales, start + budget, report, explored)
    status, reason, model = conclude(program, worst, start + 2 * budget)
    return Learning(status, reason, model, worst, time.monotonic() - start)


def explore_scales(
    program: Program,
    scales: Sequence[int],
    deadline: float,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
) -> tuple[WorstCase, ...]:
    """Scale by scale, until the time is used up or the next one would take too long."""
    found: list[WorstCase] = []
    for scale in scales:
        if _hopeless(found, deadline):
            break
        case = explore(program, scale, deadline, report)
        found.append(case)
        if explored is not None:
            explored(case)
        if not case.exhaustive and time.monotonic() > deadline:
            break
    return tuple(found)


def _hopeless(found: Sequence[WorstCase], deadline: float) -> bool:
    """Whether the next scale would clearly use up the time: paths grow by the same factor."""
    if len(found) < 2 or found[-1].seconds < 1.0:
        return False
    growth = found[-1].paths / max(1, found[-2].paths)
    return found[-1].seconds * growth > 2 * (deadline - time.monotonic())


def conclude(
    program: Program, worst: Sequence[WorstCase], deadline: float
) -> tuple[Status, str, Model | None]:
    """From the explored scales to a model, or to why there is none."""
    usable = [case for case in worst if case.exhaustive and case.cost is not None]
    if len(usable) < 2:
        return Status.NOT_LEARNED, _too_few(worst), None
    formula = fit_cost({case.scale: case.cost for case in usable if case.cost is not None})
    reasons = _Reasons()
    candidate = find_candidate(program, usable, formula, reasons, deadline)
    if candidate is not None:
        policies = learn_policies(program, candidate.traces)
        model = _model(program, worst, candidate, policies)
        return Status.LEARNED, f"confirmed at scales {_list(candidate.guided)}", model
    if formula is None:
        return Status.NOT_LEARNED, f"{reasons.summary()}; the cost has no formula either", None
    return _policy_only(program, worst, usable, formula, reasons.summary())


def fit_cost(costs: dict[int, int]) -> Expr | None:
    """The cost formula, with a spare scale.

    The smallest scales may be exceptions, but each that is left out asks for one scale more
    to spare: three values of anything have a straight line nearby.
    """
    scales = sorted(costs)
    for first in range(max(1, len(scales) - FEWEST_SCALES + 1)):
        own = {n: costs[n] for n in scales[first:]}
        fitted = fit_values(own, spare=1 + first, exotic=True)
        if isinstance(fitted, FittedExpr):
            return fitted.expr
    return None


def find_candidate(
    program: Program,
    usable: Sequence[WorstCase],
    formula: Expr | None,
    reasons: _Reasons,
    deadline: float,
) -> _Candidate | None:
    """Families in turn; well supported generators before bare hypotheses.

    Each family is looked at in two views: the constraints as the program meets them, and
    its comparisons reduced to an order.
    """
    families = {name: _traces(program, usable, name) for name in RULES}
    for spare in (1, 0):
        tried: set[tuple[Trace, ...]] = set()
        for family, traces in families.items():
            if traces in tried:
                continue
            tried.add(traces)
            for view, seen in _views(traces):
                name = family if view is None else f"{family}; {view}"
                found = _learn_family(
                    program, name, traces, seen, spare, formula, reasons, deadline
                )
                if found is not None:
                    return found
    return None


def _views(traces: tuple[Trace, ...]) -> Iterator[tuple[str | None, tuple[Trace, ...]]]:
    yield None, traces
    ordered = tuple(by_order(trace) for trace in traces)
    if all(trace is not None for trace in ordered):
        yield "by order", tuple(trace for trace in ordered if trace is not None)


def _learn_family(
    program: Program,
    family: str,
    traces: tuple[Trace, ...],
    seen: tuple[Trace, ...],
    spare: int,
    formula: Expr | None,
    reasons: _Reasons,
    deadline: float,
) -> _Candidate | None:
    """Generators for one family in one view; the smallest scales may be left out."""
    for first in range(len(seen) - 1):
        if time.monotonic() > deadline:
            return None
        learned = learn_points(seen[first:], spare)
        if not isinstance(learned, LearnedPoints):
            line = learned.key.place.site.line
            reasons.note(family, f"line {line}: {learned.reason}" if line else learned.reason)
            continue
        confirmed = confirm(program, learned, traces, formula, deadline)
        if isinstance(confirmed, str):
            reasons.note(family, confirmed)
            continue
        found, guided, beyond = confirmed
        return _Candidate(family, learned.points, found, guided, (*traces, *beyond))
    return None


def _traces(program: Program, usable: Sequence[WorstCase], family: str) -> tuple[Trace, ...]:
    found = []
    for case in usable:
        outcome = run(program, case.scale, Witness(case.chosen[family].witness))
        assert not isinstance(outcome, Excluded)
        found.append(outcome.trace)
    return tuple(found)


def confirm(
    program: Program,
    learned: LearnedPoints,
    traces: Sequence[Trace],
    formula: Expr | None,
    deadline: float,
) -> tuple[Expr, tuple[int, ...], tuple[Trace, ...]] | str:
    """Generates beyond the explored scales; gives the formula and the scales, or a reason.

    With a formula that the explored scales over-determine, each input must cost what it
    says.  Without one (too few scales could be exhausted) the costs of the generated
    inputs join those of the explored ones, the formula must explain all of them with a
    scale to spare, and no neighbouring path may cost more.
    """
    largest = max(trace.scale for trace in traces)
    costs = {trace.scale: program.cost(trace.counts) for trace in traces}
    beyond: list[Trace] = []
    for scale in (largest + 1, largest + 2, largest + 3, 2 * largest + 3):
        recipe = Recipe(program, learned.points, (), formula)
        made = generate(recipe, scale, [Strategy.SYNTHESIZE], timeout=PROBE_SECONDS)
        if isinstance(made, tuple):
            return f"at scale {scale}: {made[0].reason}"
        if made.raised is not None or made.observed is None:
            return f"at scale {scale} the generated input could not be run"
        if formula is not None and made.verified is not True:
            return f"at scale {scale} the input costs {made.observed}, not {made.predicted}"
        trace = traced(program, scale, made.arguments)
        if trace is None or made.conforms is False:
            return f"at scale {scale} the run leaves the predicted path"
        costs[scale] = made.observed
        beyond.append(trace)
    guided = tuple(trace.scale for trace in beyond)
    if formula is not None:
        return formula, guided, tuple(beyond)
    found = fit_cost(costs)
    if found is None:
        return "the cost has no formula"
    first = beyond[0]
    better = costlier_neighbour(
        program,
        first,
        costs[first.scale],
        preconditions(program, first.scale),
        min(deadline, time.monotonic() + PROBE_SECONDS),
    )
    if better is not None:
        return f"at scale {first.scale} another input costs {better}, more than predicted"
    return found, guided, tuple(beyond)


def _policy_only(
    program: Program,
    worst: Sequence[WorstCase],
    usable: Sequence[WorstCase],
    formula: Expr,
    reason: str,
) -> tuple[Status, str, Model | None]:
    """Where no generators were found: the policies that reproduce the worst cost further on."""
    scale = usable[-1].scale + 1
    for family in RULES:
        traces = _traces(program, usable, family)
        policies = learn_policies(program, traces)
        # With no formula to stop at, the search looks at all that the policies allow.
        recipe = Recipe(program, (), policies, None)
        made = generate(recipe, scale, [Strategy.GUIDED], timeout=PROBE_SECONDS)
        expected = evaluate_int(formula, {"n": scale})
        if not isinstance(made, tuple) and made.observed == expected and not made.notes:
            candidate = _Candidate(family, (), formula, (scale,), traces)
            return Status.POLICY_ONLY, reason, _model(program, worst, candidate, policies)
    return Status.NOT_LEARNED, f"{reason}; the branch policies do not reach the worst cost", None


def _model(
    program: Program,
    worst: Sequence[WorstCase],
    candidate: _Candidate,
    policies: tuple[BranchPolicy, ...],
) -> Model:
    return Model(
        program=str(program.path),
        function=program.function,
        digest=program.digest,
        spec=program.spec,
        measure=program.measure.name,
        formula=candidate.formula,
        scales=tuple(
            ScaleRecord(c.scale, c.paths, c.exhaustive, c.cost, c.ties)
            for c in worst
            if c.cost is not None
        ),
        guided=candidate.guided,
        family=candidate.family,
        points=candidate.points,
        policies=policies,
    )


def _too_few(worst: Sequence[WorstCase]) -> str:
    if not worst:
        return "no scale was explored: give a larger --budget"
    last = worst[-1]
    if last.incomplete is not None:
        return (
            f"scale {last.scale} could not be exhausted: {last.incomplete} "
            f"after {last.paths} paths; try smaller scales, --range, or a larger --budget"
        )
    if any(case.findings for case in worst):
        return "every input makes the function raise an exception"
    return "fewer than two scales were explored: give more --scales"


def _list(scales: Sequence[int]) -> str:
    return ", ".join(str(n) for n in scales)
