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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xsynth.explore.families import families
from xsynth.explore.policy import learn_policies
from xsynth.explore.worst import Report, WorstCase, explore
from xsynth.model.isg import Expr
from xsynth.model.learn import LearnedPoints, learn_points
from xsynth.model.model import BranchPolicy, GeneratorPoint, Model, ScaleRecord
from xsynth.model.order import by_order
from xsynth.model.region import Region, regions
from xsynth.program.program import Program
from xsynth.scale import Scale, at_least, named, only_differs, tails
from xsynth.synthesize.preconditions import possible_scales
from xsynth.trace.events import Trace
from xsynth.validate import Confirmed, confirm, confirm_policies, fit_cost

CONCLUDE_SECONDS = 40.0
"""How long the search for generators and policies may take."""
POLICY_SECONDS = 25.0
"""How long the search for policies may take."""
FURTHER_SCALES = 3
FURTHER_PATHS = 12_000
FURTHER_SECONDS = 15.0
"""How many scales are explored beyond those that were asked for, if they have about so few
paths, and for how long each."""


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
    confirmed: Confirmed
    traces: tuple[Trace, ...]
    region: Region | None = None

    @property
    def guided(self) -> tuple[Scale, ...]:
        return self.confirmed.guided

    @property
    def beyond(self) -> tuple[Trace, ...]:
        return self.confirmed.beyond


@dataclass
class _Reasons:
    """Why families were turned down, the most telling first."""

    found: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def note(self, family: str, reason: str, *, telling: bool = True) -> None:
        (self.found if telling else self.others).append(f"{reason} (family: {family})")

    def summary(self) -> str:
        told = [*self.found[:1], *self.others[:1]]
        return "; ".join(told) if told else "no family of worst paths was found"


def learn(
    program: Program,
    scales: Sequence[Scale],
    *,
    budget: float = 120.0,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
) -> Learning:
    start = time.monotonic()
    scales = possible_scales(program, scales)
    worst = explore_scales(program, scales, start + budget, report, explored)
    status, reason, model = conclude(program, worst, start + 2 * budget)
    return Learning(status, reason, model, worst, time.monotonic() - start)


def explore_scales(
    program: Program,
    scales: Sequence[Scale],
    deadline: float,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
) -> tuple[WorstCase, ...]:
    """Scale by scale, until the time is used up or the next one would take too long."""
    found: list[WorstCase] = []
    beyond: list[Scale] = []
    for scale in scales:
        # What is larger than a scale that could not be exhausted will not be either.
        if any(at_least(scale, other) for other in beyond):
            continue
        if _hopeless(scale, found, deadline):
            beyond.append(scale)
            continue
        case = explore(program, scale, deadline, report)
        found.append(case)
        if explored is not None:
            explored(case)
        if not case.exhaustive:
            beyond.append(scale)
    return tuple(found)


def _hopeless(scale: Scale, found: Sequence[WorstCase], deadline: float) -> bool:
    """Whether the scale would clearly use up the time: paths grow by the same factor.

    With several variables, from the last two scales that differ from it in one of them.
    """
    left = 2 * (deadline - time.monotonic())
    for name in named(scale):
        line = [case for case in found if only_differs(case.scale, scale, name)]
        if len(line) >= 2 and line[-1].seconds >= 1.0:
            growth = line[-1].paths / max(1, line[-2].paths)
            if line[-1].seconds * growth > left:
                return True
    return False


def conclude(
    program: Program, worst: Sequence[WorstCase], deadline: float
) -> tuple[Status, str, Model | None]:
    """From the explored scales to a model, or to why there is none.

    Where they do not suffice and another one is cheap, it is explored as well: what has a
    period of two wants six scales or seven.
    """
    known = list(worst)
    reasons = _Reasons()
    deadline = min(deadline, time.monotonic() + CONCLUDE_SECONDS)
    while True:
        usable = [case for case in known if case.exhaustive and case.cost is not None]
        if len(usable) < 2:
            return Status.NOT_LEARNED, _too_few(worst), None
        formula = fit_cost(_costs(usable))
        found = families(program, usable)
        candidate = find_somewhere(program, usable, found, reasons, deadline)
        more = None if candidate is not None else _one_more(program, worst, known, deadline)
        if more is None:
            break
        known.append(more)
    policies: tuple[BranchPolicy, ...] | None = None
    if candidate is None:
        bootstrapped = bootstrap(program, found, formula, reasons, deadline)
        if bootstrapped is not None:
            candidate, policies = bootstrapped
    further = "" if len(known) == len(worst) else f"; scale {known[-1].scale} was explored as well"
    if candidate is None:
        return Status.NOT_LEARNED, reasons.summary() + further, None
    if policies is None:
        policies = learn_policies(program, candidate.traces)
    model = _model(program, known, candidate, policies)
    if not candidate.points:
        return Status.POLICY_ONLY, reasons.summary() + further, model
    return Status.LEARNED, f"confirmed at scales {_list(candidate.guided)}{further}", model


def _one_more(
    program: Program, worst: Sequence[WorstCase], known: Sequence[WorstCase], deadline: float
) -> WorstCase | None:
    """The next scale, if it is cheap and all before it were exhausted."""
    if len(known) < 2 or len(known) >= len(worst) + FURTHER_SCALES:
        return None
    last, before = known[-1], known[-2]
    growth = max(1.0, last.paths / max(1, before.paths))
    if not last.exhaustive or last.paths * growth > FURTHER_PATHS:
        return None
    if not (isinstance(last.scale, int) and isinstance(before.scale, int)):
        return None
    until = min(deadline, time.monotonic() + FURTHER_SECONDS)
    case = explore(program, 2 * last.scale - before.scale, until)
    return case if case.exhaustive and case.cost is not None else None


def _costs(cases: Sequence[WorstCase]) -> dict[Scale, int]:
    return {case.scale: case.cost for case in cases if case.cost is not None}


def find_somewhere(
    program: Program,
    usable: Sequence[WorstCase],
    found: Mapping[str, tuple[Trace, ...]],
    reasons: _Reasons,
    deadline: float,
) -> _Candidate | None:
    """Generators that hold everywhere, or else in a region of several variables.

    Where the costs have a formula there are more likely to be generators.
    """
    costs = _costs(usable)
    formulas = {
        region: fit_cost({s: c for s, c in costs.items() if region is None or region.has(s)})
        for region in regions(list(costs))
    }
    for region, formula in sorted(formulas.items(), key=lambda item: item[1] is None):
        inside = {
            family: tuple(t for t in traces if region is None or region.has(t.scale))
            for family, traces in found.items()
        }
        candidate = find_candidate(program, inside, formula, reasons, deadline, region)
        if candidate is not None:
            return candidate
    return None


def find_candidate(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    formula: Expr | None,
    reasons: _Reasons,
    deadline: float,
    region: Region | None = None,
) -> _Candidate | None:
    """Families in turn; well supported generators before bare hypotheses.

    Each family is looked at in two views: the constraints as the program meets them, and
    its comparisons reduced to an order.
    """
    for spare in (1, 0):
        tried: set[tuple[Trace, ...]] = set()
        for family, traces in found.items():
            if traces in tried:
                continue
            tried.add(traces)
            for view, seen in _views(traces):
                name = family if view is None else f"{family}; {view}"
                candidate = _learn_family(
                    program, name, traces, seen, spare, formula, reasons, deadline, region
                )
                if candidate is not None:
                    return candidate
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
    region: Region | None = None,
) -> _Candidate | None:
    """Generators for one family in one view; the smallest scales may be left out."""
    by_scale = {trace.scale: trace for trace in seen}
    for kept in tails(sorted(by_scale)):
        if len(kept) < 2 or time.monotonic() > deadline:
            return None
        learned = learn_points([by_scale[scale] for scale in kept], spare, deadline)
        if not isinstance(learned, LearnedPoints):
            line = learned.key.place.site.line
            reasons.note(family, f"line {line}: {learned.reason}" if line else learned.reason)
            continue
        confirmed = confirm(program, learned, traces, formula, deadline, region)
        if isinstance(confirmed, str):
            reasons.note(family, confirmed)
            continue
        seen_too = (*traces, *confirmed.beyond)
        return _Candidate(family, learned.points, confirmed, seen_too, region)
    return None


def bootstrap(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    formula: Expr | None,
    reasons: _Reasons,
    deadline: float,
) -> tuple[_Candidate, tuple[BranchPolicy, ...]] | None:
    """Policies that reproduce the worst cost further on, and generators from what they find.

    Where exhaustive search gets dear, search guided by the policies gives traces a few
    scales further.  Generators are learned from all of them; where there are none, the
    policies themselves are what was learned.
    """
    until = min(deadline, time.monotonic() + POLICY_SECONDS)
    tried: set[tuple[BranchPolicy, ...]] = set()
    for family, traces in found.items():
        policies = learn_policies(program, traces)
        if policies in tried:
            continue
        tried.add(policies)
        confirmed = confirm_policies(program, policies, traces, formula, until)
        if isinstance(confirmed, str):
            reasons.note(family, f"the branch policies fail {confirmed}", telling=False)
            continue
        longer = tuple(sorted((*traces, *confirmed.beyond), key=lambda trace: trace.scale))
        deadline = max(deadline, time.monotonic() + POLICY_SECONDS)
        for view, seen in _views(longer):
            name = f"{family}; bootstrapped" if view is None else f"{family}; {view}; bootstrapped"
            candidate = _learn_family(
                program, name, longer, seen, 1, confirmed.formula, reasons, deadline
            )
            if candidate is not None:
                guided = replace(candidate.confirmed, beyond=(*confirmed.beyond, *candidate.beyond))
                return replace(candidate, confirmed=guided), policies
        return _Candidate(family, (), confirmed, traces), policies
    return None


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
        formula=candidate.confirmed.formula,
        scales=tuple(
            ScaleRecord(c.scale, c.paths, c.exhaustive, c.cost, c.ties)
            for c in worst
            if c.cost is not None
        ),
        guided=candidate.guided,
        family=candidate.family,
        points=candidate.points,
        policies=policies,
        region=candidate.region,
    )


def _too_few(worst: Sequence[WorstCase]) -> str:
    if not worst:
        return "no scale was explored: give a larger --budget"
    last = worst[-1]
    if last.incomplete is not None:
        return (
            f"scale {last.scale} could not be exhausted in {last.paths} paths: {last.incomplete} "
            "(smaller scales, --range or a larger --budget may help)"
        )
    if any(case.findings for case in worst):
        return "every input makes the function raise an exception"
    return "fewer than two scales were explored: give more --scales"


def _list(scales: Sequence[Scale]) -> str:
    return ", ".join(str(n) for n in scales)
