"""What is learned where no generators are: decision sequences, and branch policies.

Both reach a few scales beyond those that could be exhausted, by directed runs or by guided
search; generators are looked for once more in the longer family that this gives.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xsynth.candidates import LONGER_WORK, Candidate, learn_family, parts_of, views
from xsynth.explore.alike import alike
from xsynth.explore.policy import learn_policies
from xsynth.explore.similar import similar
from xsynth.explore.worst import WorstCase
from xsynth.model.allowance import Allowance
from xsynth.model.decisions import LearnedDecisions, learn_decisions
from xsynth.model.isg import Expr
from xsynth.model.model import BranchPolicy, Decision
from xsynth.model.region import Region
from xsynth.model.within import learn_within
from xsynth.program.program import Program
from xsynth.reasons import Attempt, Reasons
from xsynth.trace.events import Trace
from xsynth.trace.sizes import Function
from xsynth.validate import Confirmed, confirm_decisions, confirm_policies, stretched

POLICIES_TRIED = 6
POLICIES_STRETCHED = 4
"""How many different policies are tried, and may lengthen a family: what each of them may
cost is bounded by work."""
FEWEST_LONGER = 6
ENOUGH_EVENTS = 3000
"""A longer family has at least so many scales, and no more once it has so many clauses."""
DIRECT_WORK = 40_000
"""How much may be parsed for decision sequences, over all families."""
FAR_OFF = 300.0
"""When nothing more is tried, whatever is left of the work: no result should depend on it."""


def find_directed_somewhere(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    usable: Sequence[WorstCase],
    reasons: Reasons,
    deadline: float,
) -> Candidate | None:
    """Decision sequences that hold everywhere, or else in a region with most of the scales."""
    for part in parts_of(usable, found):
        if part.few:
            continue
        candidate = find_directed(
            program, part.found, part.usable, part.formula, reasons, deadline, part.region
        )
        if candidate is not None:
            return candidate
    return None


def find_directed(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    usable: Sequence[WorstCase],
    formula: Expr | None,
    reasons: Reasons,
    deadline: float,
    region: Region | None = None,
) -> Candidate | None:
    """Decision sequences that reproduce the worst cost further on, by directed runs.

    The families whose tied paths were chosen for their decisions first, then those of the
    generators.  Generators are looked for once more, in the longer family that this gives.
    """
    until = min(time.monotonic() + FAR_OFF, deadline)
    allowance = Allowance(DIRECT_WORK, until)
    tried: set[tuple[tuple[Trace, ...], tuple[Decision, ...]]] = set()
    for family in _directed_families(program, found, usable, until):
        if allowance.spent:
            break
        traces = family.traces
        known = learn_within(traces, family.sizes, allowance) if family.sizes else {}
        learned = learn_decisions(traces, allowance, remember=family.remember, known=known)
        if (traces, learned.rules) in tried:
            continue
        tried.add((traces, learned.rules))
        policies = learn_policies(program, traces, until) if learned.open else ()
        if not _decided(learned, policies):
            continue
        confirmed = confirm_decisions(
            program, learned.rules, policies, traces, formula, until, region
        )
        if isinstance(confirmed, str):
            reasons.note(confirmed, Attempt.DECISIONS)
            continue
        name = family.name
        longer = (*traces, *confirmed.beyond)
        candidate = _with_points(
            program, name, longer, confirmed, "directed", reasons, until, region
        )
        candidate = candidate or Candidate(name, (), confirmed, longer, region)
        return replace(candidate, decisions=learned.rules)
    return None


def _with_points(
    program: Program,
    family: str,
    longer: tuple[Trace, ...],
    confirmed: Confirmed,
    way: str,
    reasons: Reasons,
    deadline: float,
    region: Region | None = None,
) -> Candidate | None:
    """Generators from a family that reaches beyond the explored scales.

    They are learned from as many scales as have few clauses, and confirmed at others: a
    scale much further on has more clauses than all before it, and tells no more.
    """
    small = _small(longer)
    for view, seen in views(small):
        name = f"{family}; {way}" if view is None else f"{family}; {view}; {way}"
        work, tail = Allowance(LONGER_WORK, deadline), LONGER_WORK // 2
        candidate = learn_family(
            program, name, small, seen, 1, confirmed.formula, reasons, work, region, tail=tail
        )
        if candidate is not None:
            known = {trace.scale: trace for trace in (*candidate.beyond, *confirmed.beyond)}
            beyond = tuple(known[scale] for scale in sorted(known))
            return replace(candidate, confirmed=replace(candidate.confirmed, beyond=beyond))
    return None


def _small(traces: Sequence[Trace]) -> tuple[Trace, ...]:
    """The smallest scales, until they have enough clauses in all."""
    found: list[Trace] = []
    total = 0
    for trace in sorted(traces, key=lambda trace: trace.scale):
        total += len(trace.events)
        if len(found) >= FEWEST_LONGER and total > ENOUGH_EVENTS:
            break
        found.append(trace)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Directed:
    """A family whose decisions may be regular, and what to look at."""

    name: str
    traces: tuple[Trace, ...]
    remember: bool = False
    """Whether histories are to tell its decisions rather than turns."""
    sizes: Mapping[Function, str] = field(default_factory=dict)
    """Where it is calls of one size that decide the same: how they are measured."""


def _directed_families(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    usable: Sequence[WorstCase],
    deadline: float,
) -> Iterator[_Directed]:
    """Histories are quick to look at and generators of turns are not, so they come first; last
    are families that the branch policies lengthen, since some turns want many scales.
    """
    if any(case.ties > 1 for case in usable):
        for name, traces in alike(program, usable, deadline):
            yield _Directed(name, traces, remember=True)
    for name, traces in found.items():
        yield _Directed(name, traces, remember=True)
    for own in similar(program, usable, deadline):
        yield _Directed(own.name, own.traces, sizes=own.sizes)
    for name, traces in found.items():
        yield _Directed(name, traces)
    known: dict[tuple[BranchPolicy, ...], tuple[Trace, ...]] = {}
    for name, traces in found.items():
        policies = learn_policies(program, traces, deadline)
        if policies not in known:
            if len(known) >= POLICIES_STRETCHED:
                continue
            known[policies] = stretched(program, policies, traces, deadline)[len(traces) :]
        if known[policies]:
            yield _Directed(f"{name}; stretched", (*traces, *known[policies]))


def _decided(learned: LearnedDecisions, policies: Sequence[BranchPolicy]) -> bool:
    """Whether every place has a rule, or a side that is taken wherever it is feasible."""
    preferred = {policy.place: policy.prefer for policy in policies}
    return all(preferred.get(place, False) is not None for place in learned.open)


def bootstrap(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    formula: Expr | None,
    reasons: Reasons,
    deadline: float,
) -> tuple[Candidate, tuple[BranchPolicy, ...]] | None:
    """Policies that reproduce the worst cost further on, and generators from what they find.

    Where exhaustive search gets dear, search guided by the policies gives traces a few
    scales further.  Generators are learned from all of them; where there are none, the
    policies themselves are what was learned.
    """
    tried: set[tuple[BranchPolicy, ...]] = set()
    for family, traces in found.items():
        policies = learn_policies(program, traces, deadline)
        if policies in tried:
            continue
        if len(tried) >= POLICIES_TRIED:
            break
        tried.add(policies)
        confirmed = confirm_policies(program, policies, traces, formula, deadline)
        if isinstance(confirmed, str):
            reasons.note(confirmed, Attempt.POLICIES)
            continue
        longer = tuple(sorted((*traces, *confirmed.beyond), key=lambda trace: trace.scale))
        candidate = _with_points(
            program, family, longer, confirmed, "bootstrapped", reasons, deadline
        )
        return candidate or Candidate(family, (), confirmed, longer), policies
    return None
