"""Generators that passed: one family of worst paths, in one view, confirmed beyond.

Families in turn, well supported generators before bare hypotheses, each in two views: the
constraints as the program meets them, and its comparisons reduced to an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from xsynth.explore.plain import plain_families
from xsynth.explore.worst import WorstCase
from xsynth.explore.worst_inputs import WrittenFamily, written_families
from xsynth.model.allowance import Allowance
from xsynth.model.by_value import points_of
from xsynth.model.isg import Expr
from xsynth.model.learn import LearnedPoints, learn_points
from xsynth.model.model import EVERY_INPUT, Decision, GeneratorPoint
from xsynth.model.order import by_order
from xsynth.model.region import Region, regions
from xsynth.program.cells import cells_of
from xsynth.program.program import Program
from xsynth.reasons import Reasons
from xsynth.scale import Scale, tails
from xsynth.trace.events import Trace
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness
from xsynth.validate import Confirmed, confirm, fit_cost

TAIL_WORK = 800
VIEW_WORK = 1600
LONGER_WORK = 6000
ROUND_WORK = 6000
"""How much is tried with one set of scales, for one family in one view, and for all of them
together.  Most generators that exist take less than 50; some took 700 with three scales.  A
family that reaches beyond the explored scales has more of everything, and there is only one."""
MOST_LEFT_OUT = 5
"""How many of the smallest scales are left out, one after the other."""
MOST_WRITTEN = 4
"""How many hypotheses on the worst input itself are tried beyond the explored scales."""
FEW_SCALES = 6
"""With so few scales generators are tried too that leave no scale to spare."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Generators that passed: beyond the explored scales they gave the predicted cost."""

    family: str
    points: tuple[GeneratorPoint, ...]
    confirmed: Confirmed
    traces: tuple[Trace, ...]
    region: Region | None = None
    decisions: tuple[Decision, ...] = ()

    @property
    def guided(self) -> tuple[Scale, ...]:
        return self.confirmed.guided

    @property
    def beyond(self) -> tuple[Trace, ...]:
        return self.confirmed.beyond


def costs_of(cases: Sequence[WorstCase]) -> dict[Scale, int]:
    return {case.scale: case.cost for case in cases if case.cost is not None}


def find_somewhere(
    program: Program,
    usable: Sequence[WorstCase],
    found: Mapping[str, tuple[Trace, ...]],
    reasons: Reasons,
    allowance: Allowance,
) -> Candidate | None:
    """Generators that hold everywhere, or else in a region of several variables."""
    for part in parts_of(usable, found):
        candidate = find_candidate(
            program, part.found, part.formula, reasons, allowance, part.region
        )
        if candidate is not None:
            return candidate
    return None


@dataclass(frozen=True, slots=True)
class Part:
    """The explored scales in a region, with the formula of their costs, and the families there."""

    region: Region | None
    usable: tuple[WorstCase, ...]
    found: Mapping[str, tuple[Trace, ...]]
    formula: Expr | None
    few: bool
    """Whether fewer than half of the scales lie in it."""


def parts_of(usable: Sequence[WorstCase], found: Mapping[str, tuple[Trace, ...]]) -> Iterator[Part]:
    """Among the regions with half of the scales or more, those come first whose costs have a
    formula: there are more likely to be generators.
    """
    parts: list[Part] = []
    for region in regions([case.scale for case in usable]):
        inside = tuple(case for case in usable if region is None or region.has(case.scale))
        own = {
            family: tuple(t for t in traces if region is None or region.has(t.scale))
            for family, traces in found.items()
        }
        few = 2 * len(inside) < len(usable)
        parts.append(Part(region, inside, own, fit_cost(costs_of(inside)), few))
    yield from sorted(parts, key=lambda part: (part.few, part.formula is None))


def find_candidate(
    program: Program,
    found: Mapping[str, tuple[Trace, ...]],
    formula: Expr | None,
    reasons: Reasons,
    allowance: Allowance,
    region: Region | None = None,
) -> Candidate | None:
    """Families in turn; well supported generators before bare hypotheses.

    Each family is looked at in two views: the constraints as the program meets them, and
    its comparisons reduced to an order.
    """
    scales = {trace.scale for traces in found.values() for trace in traces}
    few = len(scales) <= FEW_SCALES or not all(isinstance(scale, int) for scale in scales)
    for spare in (1, 0) if few else (1,):
        tried: set[tuple[Trace, ...]] = set()
        for family, traces in found.items():
            if traces in tried:
                continue
            tried.add(traces)
            for view, seen in views(traces):
                name = family if view is None else f"{family}; {view}"
                part = allowance.part(VIEW_WORK)
                candidate = learn_family(
                    program, name, traces, seen, spare, formula, reasons, part, region
                )
                if candidate is not None:
                    return candidate
    return None


def find_plain(
    program: Program, cases: Sequence[WorstCase], reasons: Reasons, allowance: Allowance
) -> Candidate | None:
    """Generators for the order of a plain input that is a worst case at the explored scales."""
    formula = fit_cost(costs_of(cases))
    for family in plain_families(program, cases, allowance.deadline):
        part = allowance.part(VIEW_WORK)
        name = f"the input is {family.name}"
        candidate = learn_family(
            program, name, family.traces, family.ordered, 1, formula, reasons, part
        )
        if candidate is not None:
            return candidate
    return None


def find_written(
    program: Program, cases: Sequence[WorstCase], reasons: Reasons, deadline: float
) -> Candidate | None:
    """Generators for the values of worst inputs that are described alike at every scale."""
    formula = fit_cost(costs_of(cases))
    for family in islice(written_families(program, cases, deadline), MOST_WRITTEN):
        traces = _traces_of(program, family)
        learned = LearnedPoints(points_of(family.hypothesis, family.sorts), 1)
        confirmed = confirm(program, learned, traces, formula, deadline)
        if isinstance(confirmed, str):
            reasons.note(f"worst inputs alike by value do not go on: {confirmed}")
            continue
        seen = (*traces, *confirmed.beyond)
        return Candidate("the input by value", learned.points, confirmed, seen)
    return None


def _traces_of(program: Program, family: WrittenFamily) -> tuple[Trace, ...]:
    found = []
    for scale, arguments in sorted(family.arguments.items()):
        outcome = run(program, scale, Witness(cells_of(program.spec, scale, arguments)))
        assert not isinstance(outcome, Excluded)
        found.append(outcome.trace)
    return tuple(found)


def views(traces: tuple[Trace, ...]) -> Iterator[tuple[str | None, tuple[Trace, ...]]]:
    yield None, traces
    ordered = tuple(by_order(trace) for trace in traces)
    if all(trace is not None for trace in ordered):
        yield "by order", tuple(trace for trace in ordered if trace is not None)


def learn_family(
    program: Program,
    family: str,
    traces: tuple[Trace, ...],
    seen: tuple[Trace, ...],
    spare: int,
    formula: Expr | None,
    reasons: Reasons,
    allowance: Allowance,
    region: Region | None = None,
    tail: int = TAIL_WORK,
) -> Candidate | None:
    """Generators for one family in one view; the smallest scales may be left out."""
    by_scale = {trace.scale: trace for trace in seen}
    refused: set[tuple[GeneratorPoint, ...]] = set()
    for kept in islice(tails(sorted(by_scale)), MOST_LEFT_OUT + 1):
        if len(kept) < 2 or allowance.spent:
            return None
        learned = learn_points([by_scale[scale] for scale in kept], spare, allowance.part(tail))
        if not isinstance(learned, LearnedPoints):
            place = learned.key.place
            start = f"{program.places.words(place)}: " if place.site.line else ""
            reasons.note(f"{start}{learned.reason}")
            continue
        if learned.points in refused or (not learned.points and reasons.refused_every):
            continue
        confirmed = confirm(program, learned, traces, formula, allowance.deadline, region)
        if isinstance(confirmed, str):
            refused.add(learned.points)
            reasons.refused_every |= not learned.points
            reasons.note(confirmed)
            continue
        seen_too = (*traces, *confirmed.beyond)
        followed = family if learned.points else EVERY_INPUT
        return Candidate(followed, learned.points, confirmed, seen_too, region)
    return None
