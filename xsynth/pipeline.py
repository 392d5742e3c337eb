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
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from xsynth.candidates import (
    ROUND_WORK,
    Candidate,
    costs_of,
    find_plain,
    find_somewhere,
    find_written,
)
from xsynth.doubts import doubt, undecided
from xsynth.explore.coverage import unreached_lines
from xsynth.explore.enumerable import enumerated
from xsynth.explore.families import families
from xsynth.explore.policy import learn_policies
from xsynth.explore.scales import explore_alone
from xsynth.explore.worst import Report, WorstCase, explore
from xsynth.fallbacks import bootstrap, find_directed_somewhere
from xsynth.last_resort import records, without_formula
from xsynth.limit import OutOfTime, call_until
from xsynth.model.allowance import Allowance
from xsynth.model.decisions import learn_decisions
from xsynth.model.isg import evaluate
from xsynth.model.model import EVERY_PATH, BranchPolicy, Model
from xsynth.program.program import Program
from xsynth.reasons import OUT_OF_TIME, Reasons
from xsynth.scale import Scale, at_least, named
from xsynth.synthesize.preconditions import possible_scales
from xsynth.validate import fit_cost

DECISION_WORK = 10_000
"""How much is parsed for the decision sequences of a model with generators or policies."""
FURTHER_SCALES = 5
FURTHER_PATHS = 12_000
FURTHER_WORK = 1_000_000
"""How many scales are explored beyond those that were asked for, if they have about so few
paths; with how much work at most, should there be many more of them than it seems."""
CHALLENGE_SCALES = 4
CHALLENGE_PATHS = 2_500
CHALLENGE_TIMES = 4
CHALLENGE_MOST = 9_000
CHALLENGE_WORK = 100_000
"""The same for scales that a model is held against: so many paths in all, or so many times those
that were explored; more of them where the smallest scales do not follow the formula."""
UNDECIDED_PATHS = 30_000
UNDECIDED_WORK = 1_000_000
MOST_GROWTH = 8
"""The same for one scale that will decide between two formulas."""
FEWEST_LATER = 4
"""How many of the largest scales are learned from alone, where the smaller ones are of another
kind: one more than a straight line through them needs, and inputs beyond have to confirm it."""
EXPLORING = 2 / 3
"""The part of the budget after which exploring ends, so that something can be concluded."""
LATE = 0.05
LATE_SECONDS = 1.0
"""By how much of the budget, and by how many seconds more, a stage may be late that does not look
at the clock, before it is broken off."""
MOST_ROUNDS = 3
"""How often a model that was overtaken is learned anew."""


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


def learn(
    program: Program,
    scales: Sequence[Scale],
    *,
    budget: float = 120.0,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
) -> Learning:
    times = Times.of(budget)
    done: list[WorstCase] = []

    def keep(case: WorstCase) -> None:
        done.append(case)
        if explored is not None:
            explored(case)

    with suppress(OutOfTime):  # what was explored is kept
        call_until(
            times.over,
            lambda: explore_alone(
                program, possible_scales(program, scales), times.explored, report, keep
            ),
        )
    status, reason, model = conclude(program, done, times)
    return Learning(status, reason, model, tuple(done), time.monotonic() - times.start)


@dataclass(frozen=True, slots=True)
class Times:
    """By `time.monotonic`: when exploring ends, and concluding, and when it is broken off."""

    start: float
    explored: float
    concluded: float
    over: float

    @staticmethod
    def of(budget: float) -> Times:
        start = time.monotonic()
        end = start + budget
        return Times(start, start + EXPLORING * budget, end, end + LATE * budget + LATE_SECONDS)


Conclusion: TypeAlias = tuple[Status, str, "Model | None"]


def conclude(program: Program, worst: Sequence[WorstCase], times: Times) -> Conclusion:
    """From the explored scales to a model, or to why there is none, as far as the time goes."""
    try:
        found = call_until(times.over, lambda: _in_time(program, worst, times.concluded))
    except OutOfTime:
        return Status.NOT_LEARNED, _LATE, None
    if found[2] is not None or time.monotonic() < times.concluded or len(_exhausted(worst)) < 2:
        return found
    return Status.NOT_LEARNED, f"{_LATE}; {found[1]}", None


_LATE = f"{OUT_OF_TIME} while generators were sought (a larger --budget may help)"


def _in_time(program: Program, worst: Sequence[WorstCase], deadline: float) -> Conclusion:
    """Where nothing is learned but there are few paths at any scale, that is what is told."""
    found = _believed(program, worst, deadline)
    if found[0] is not Status.NOT_LEARNED:
        return found
    every = enumerated(program, worst, deadline)
    if every is None:
        return found
    reason = f"there are few paths ({every.paths} at scale {every.scale}); {found[1]}"
    return Status.POLICY_ONLY, reason, without_formula(program, worst, EVERY_PATH)


def _believed(program: Program, worst: Sequence[WorstCase], deadline: float) -> Conclusion:
    """A model that nothing speaks against, or why there is none.

    A model is believed once the next scales, where they are cheap, were exhausted too: a path
    that starts cheaper and grows faster shows there first.  If one does, it is learned from.
    """
    known = list(worst)
    for _ in range(MOST_ROUNDS):
        found = _concluded(program, worst, known, deadline)
        later = _later(known) if found[2] is None else None
        if later is not None:
            again = _concluded(program, worst, known, deadline, later)
            found = found if again[2] is None else again
        model = found[2]
        if model is None or model.formula is None:
            return found
        further = _challenged(program, known, model, deadline)
        if not further or evaluate(model.formula, named(further[-1].scale)) == further[-1].cost:
            doubtful = None
            if model.region is None:
                doubtful = doubt(program, [*known, *further], model.formula)
            return found if doubtful is None else (Status.NOT_LEARNED, doubtful, None)
        known += further
    scale, cost = known[-1].scale, known[-1].cost
    reason = f"the worst path changes again and again, at scale {scale} it costs {cost}"
    return Status.NOT_LEARNED, reason, None


def _challenged(
    program: Program, known: Sequence[WorstCase], model: Model, deadline: float
) -> list[WorstCase]:
    """Further scales, as far as they are cheap, or up to one where the model is wrong.

    Where another formula explains the scales so far as well, the next one may cost more.
    """
    found = list(known)
    explored = sum(case.paths for case in known)
    left = max(CHALLENGE_PATHS, min(CHALLENGE_TIMES * explored, CHALLENGE_MOST))
    if model.holds_from != known[0].scale:
        left = CHALLENGE_MOST
    while len(found) >= 2 and model.formula is not None and model.region is None:
        last, before = found[-1], found[-2]
        if not (isinstance(last.scale, int) and isinstance(before.scale, int)):
            break
        growth = max(1.0, last.paths / max(1, before.paths))
        left -= int(last.paths * growth)
        work = CHALLENGE_WORK
        if left < 0 and undecided(found, model.formula):
            # Where the worst path changes the number of paths may have jumped, once.
            left, work = (
                UNDECIDED_PATHS - int(last.paths * min(growth, MOST_GROWTH)),
                UNDECIDED_WORK,
            )
        if not last.exhaustive or left < 0 or len(found) >= len(known) + CHALLENGE_SCALES:
            break
        scale = 2 * last.scale - before.scale
        case = explore(program, scale, deadline, work=work)
        if not case.exhaustive or case.cost is None:
            break
        found.append(case)
        if evaluate(model.formula, named(scale)) != case.cost:
            break
    return found[len(known) :]


def _later(known: Sequence[WorstCase]) -> Scale | None:
    """The first of the largest scales, if their costs have a formula of their own."""
    costs = costs_of(_exhausted(known))
    scales = [scale for scale in sorted(costs) if isinstance(scale, int)]
    if not FEWEST_LATER < len(scales) == len(costs):
        return None
    last = scales[-FEWEST_LATER:]
    whole, own = fit_cost(costs), fit_cost({scale: costs[scale] for scale in last})
    if own is None:
        return None
    beyond = [{"n": last[-1] + by} for by in (1, 20, 300)]
    if whole is not None and all(evaluate(whole, n) == evaluate(own, n) for n in beyond):
        return None
    return last[0]


def _exhausted(known: Sequence[WorstCase]) -> list[WorstCase]:
    return [case for case in known if case.exhaustive and case.cost is not None]


def _concluded(
    program: Program,
    worst: Sequence[WorstCase],
    known: list[WorstCase],
    deadline: float,
    since: Scale | None = None,
) -> Conclusion:
    """One attempt, with the scales from `since` on.

    Where the scales do not suffice and another one is cheap, it is explored as well, and added
    to those that are known: what has a period of two wants six scales or seven.
    """
    reasons = Reasons()
    while True:
        usable = _exhausted(known)
        if since is not None:
            usable = [case for case in usable if at_least(case.scale, since)]
        if len(usable) < 2:
            return Status.NOT_LEARNED, _too_few(worst), None
        formula = fit_cost(costs_of(usable))
        found = families(program, usable)
        # Several variables have regions, each of which wants a search of its own.
        times = max(len(named(case.scale)) for case in usable) ** 2
        allowance = Allowance(ROUND_WORK * times, deadline)
        candidate = find_somewhere(program, usable, found, reasons, allowance)
        if candidate is None:
            candidate = find_plain(program, usable, reasons, Allowance(ROUND_WORK, deadline))
        if candidate is None:
            candidate = find_written(program, usable, reasons, deadline)
        more = (
            []
            if candidate is not None or len(known) > len(worst)
            else _further(program, known, deadline)
        )
        if not more:
            break
        known += more
    policies: tuple[BranchPolicy, ...] | None = None
    if candidate is None:
        candidate = find_directed_somewhere(program, found, usable, reasons, deadline)
    if candidate is None:
        bootstrapped = bootstrap(program, found, formula, reasons, deadline)
        if bootstrapped is not None:
            candidate, policies = bootstrapped
    more_scales = [case.scale for case in known[len(worst) :]]
    if candidate is None:
        return Status.NOT_LEARNED, reasons.told(more_scales), None
    further = f"; scale {more_scales[-1]} was explored as well" if more_scales else ""
    if policies is None:
        policies = learn_policies(program, candidate.traces, deadline)
    if not candidate.decisions:
        decisions = learn_decisions(candidate.traces, Allowance(DECISION_WORK, deadline)).rules
        candidate = replace(candidate, decisions=decisions)
    model = _model(program, known, candidate, policies)
    if not model.generates:
        return Status.POLICY_ONLY, reasons.summary() + further, model
    return Status.LEARNED, f"confirmed at scales {_list(candidate.guided)}{further}", model


def _further(program: Program, worst: Sequence[WorstCase], deadline: float) -> list[WorstCase]:
    """The next scales, as long as they are cheap and all before them were exhausted."""
    found = list(worst)
    while 2 <= len(found) < len(worst) + FURTHER_SCALES:
        last, before = found[-1], found[-2]
        growth = max(1.0, last.paths / max(1, before.paths))
        if not last.exhaustive or last.paths * growth > FURTHER_PATHS:
            break
        if not (isinstance(last.scale, int) and isinstance(before.scale, int)):
            break
        case = explore(program, 2 * last.scale - before.scale, deadline, work=FURTHER_WORK)
        if not case.exhaustive or case.cost is None:
            break
        found.append(case)
    return found[len(worst) :]


def _model(
    program: Program,
    worst: Sequence[WorstCase],
    candidate: Candidate,
    policies: tuple[BranchPolicy, ...],
) -> Model:
    return Model(
        program=program.place,
        function=program.function,
        digest=program.digest,
        spec=program.spec,
        measure=program.measure.name,
        formula=candidate.confirmed.formula,
        scales=records(worst),
        guided=candidate.guided,
        family=candidate.family,
        points=candidate.points,
        policies=policies,
        region=candidate.region,
        decisions=candidate.decisions,
        never_ran=unreached_lines(program, worst, candidate.confirmed.beyond),
    )


def _too_few(worst: Sequence[WorstCase]) -> str:
    if not worst:
        return "no scale was explored: give a larger --budget"
    last = worst[-1]
    if last.incomplete is not None:
        bounded = not last.incomplete.endswith("--range")
        return (
            f"scale {last.scale} could not be exhausted in {last.paths} paths: {last.incomplete}"
            + (" (smaller scales, --range or a larger --budget may help)" if bounded else "")
        )
    if any(case.findings for case in worst):
        return "every input makes the function raise an exception"
    return "fewer than two scales were explored: give more --scales"


def _list(scales: Sequence[Scale]) -> str:
    return (", " if all(isinstance(n, int) for n in scales) else "; ").join(map(str, scales))
