"""The worst cases of a program at its small scales.

Ties are data: many paths share the worst cost, and which of them is followed from scale
to scale decides whether there is anything regular to learn.  All ties are kept, up to a
cap (then the first and the last of them are: the extremes are where regular ones are), and
besides them the first and last under every rule that a family may use.  Their order is that
of their answers.  The search goes in the same order, except among the values of an integer:
there it depends on the witnesses at hand, and so on how the search was shared out.
"""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from xsynth.explore.paths import Path, chain_for, from_scratch, paths
from xsynth.explore.search import Search, Spent
from xsynth.explore.unbounded import why_incomplete
from xsynth.program.deadline import TimeUp
from xsynth.program.program import Program, Raised
from xsynth.scale import Scale
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness
from xsynth.trace.terms import Cell, Value
from xsynth.trace.tracer import Deadline

MOST_KINDS = 2000
TIES_KEPT = 1000
PLAIN_SECONDS = 2.0
"""How long an input may run that is to raise an exception."""
_OF_THE_MACHINE = frozenset({"RecursionError", "MemoryError"})
"""Exceptions that a traced run may meet earlier than a plain one."""

Key: TypeAlias = tuple[int, tuple[int, ...]]

RULES: dict[str, Callable[[Path], Key]] = {
    "most decisions, then first": lambda p: (-p.outcome.decisions, p.answers),
    "most decisions, then last": lambda p: (-p.outcome.decisions, _last(p)),
    "first": lambda p: (0, p.answers),
    "last": lambda p: (0, _last(p)),
    "fewest decisions, then first": lambda p: (p.outcome.decisions, p.answers),
    "fewest decisions, then last": lambda p: (p.outcome.decisions, _last(p)),
}
"""Each rule chooses the tied path with the least key, the same rule at every scale."""


def _answers(path: Path) -> tuple[int, ...]:
    return path.answers


def _last(path: Path) -> tuple[int, ...]:
    return tuple([-a for a in path.answers])


@dataclass(frozen=True, slots=True)
class Finding:
    """An exception that some inputs provoke, with one of them."""

    scale: Scale
    raised: Raised
    arguments: Mapping[str, object]
    paths: int
    answers: tuple[int, ...] = ()
    """What was decided on the way: of all paths that raise it, the least."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """What exploration found at one scale.

    `paths` counts the feasible paths; `ties` those of the worst cost; `chosen` has one
    of them for each rule; `incomplete` says why the search was not exhaustive.
    """

    scale: Scale
    paths: int
    cost: int | None
    ties: int
    kept: tuple[Path, ...]
    chosen: Mapping[str, Path]
    findings: tuple[Finding, ...]
    incomplete: str | None
    seconds: float
    unreached: tuple[int, ...] = ()
    """The basic blocks that no path entered, by number."""
    kinds: Mapping[bytes, int] | None = None
    """The greatest cost of the paths that run the same blocks (a byte a block, 1 where it runs);
    None where there are too many kinds."""

    @property
    def exhaustive(self) -> bool:
        return self.incomplete is None


@dataclass
class _Best:
    cost: int | None = None
    ties: int = 0
    first: list[Path] = field(default_factory=list)
    last: list[Path] = field(default_factory=list)
    chosen: dict[str, tuple[Key, Path]] = field(default_factory=dict)

    def see(self, path: Path) -> None:
        if self.cost is None or path.cost > self.cost:
            self.cost, self.ties, self.chosen = path.cost, 0, {}
            self.first.clear()
            self.last.clear()
        if path.cost < self.cost:
            return
        self.ties += 1
        self._keep(path)
        for name, rule in RULES.items():
            key = rule(path)
            if name not in self.chosen or key < self.chosen[name][0]:
                self.chosen[name] = (key, path)

    def _keep(self, path: Path) -> None:
        first, last, half = self.first, self.last, TIES_KEPT // 2
        if len(first) < half or path.answers < first[-1].answers:
            insort(first, path, key=_answers)
            if len(first) <= half:
                return
            path = first.pop()
        insort(last, path, key=_answers)
        if len(last) > half:
            del last[0]


TIME_IS_UP = "the time budget was used up"
Report: TypeAlias = Callable[[Scale, int, "int | None"], None]
"""Called now and then with the scale, the paths so far, and the worst cost so far."""


def explore(
    program: Program,
    scale: Scale,
    deadline: float | None = None,
    report: Report | None = None,
    work: int | None = None,
) -> WorstCase:
    """All feasible paths at one scale, as far as deadline and work allow."""
    found = explore_part(program, scale, deadline, report=report, work=work)
    return with_plain_findings(program, found)


def explore_part(
    program: Program,
    scale: Scale,
    deadline: float | None = None,
    prefix: tuple[int, ...] = (),
    *,
    report: Report | None = None,
    work: int | None = None,
    between: Callable[[Search], None] | None = None,
) -> WorstCase:
    """Those that begin so; `between` two of them the search may be looked at, and given from."""
    start = time.monotonic()
    search = Search(chain_for(program, scale, deadline), prefix=prefix, limit=work)
    best = _Best()
    raised: dict[tuple[int, str], tuple[Path, int]] = {}
    unreached = list(range(len(program.blocks)))
    kinds: dict[bytes, int] = {}
    count = 0
    try:
        for path in paths(search, program, scale, deadline):
            count += 1
            ran = path.outcome.ran
            unreached = [block for block in unreached if not ran[block]]
            if path.outcome.assumed is not None and not _costs_so(program, scale, path, deadline):
                search.incomplete = path.outcome.assumed
            elif path.outcome.raised is None:
                best.see(path)
                if len(kinds) <= MOST_KINDS:
                    kind = bytes(map(bool, ran))
                    kinds[kind] = max(path.cost, kinds.get(kind, 0))
            else:
                what = path.outcome.raised
                least, times = raised.get((what.line, what.kind), (path, 0))
                raised[what.line, what.kind] = min(least, path, key=_answers), times + 1
            if report is not None and count % 64 == 0:
                report(scale, count, best.cost)
            if between is not None:
                between(search)
    except Deadline:
        search.incomplete = TIME_IS_UP
    except Spent:
        search.incomplete = "there are too many paths"
    if report is not None:
        report(scale, count, best.cost)
    return WorstCase(
        scale=scale,
        paths=count,
        cost=best.cost,
        ties=best.ties,
        kept=(*best.first, *best.last),
        chosen={name: path for name, (_, path) in best.chosen.items()},
        findings=tuple(_finding(program, scale, *raised[key], deadline) for key in sorted(raised)),
        incomplete=why_incomplete(search, program, scale),
        seconds=time.monotonic() - start,
        unreached=tuple(unreached),
        kinds=None if len(kinds) > MOST_KINDS else kinds,
    )


def with_plain_findings(program: Program, case: WorstCase) -> WorstCase:
    """Without the exceptions that only symbolic values raise: such a path is not explored.

    A function of a library may look at the type of a value, and find no text and no number.
    """
    kept = []
    incomplete = case.incomplete
    for finding in case.findings:
        what = finding.raised
        if what.kind in _OF_THE_MACHINE or _raises(program, finding):
            kept.append(finding)
        else:
            incomplete = (
                f"{program.path.name}:{what.line}: {what.kind} with symbolic values and not with"
                " plain ones (does a library look at the type of a value?)"
            )
    return replace(case, findings=tuple(kept), incomplete=incomplete)


def _raises(program: Program, finding: Finding) -> bool:
    try:
        plain = program.replay(finding.arguments, timeout=PLAIN_SECONDS)
    except TimeUp:
        return False
    return plain.raised is not None and plain.raised.kind == finding.raised.kind


def _costs_so(program: Program, scale: Scale, path: Path, deadline: float | None) -> bool:
    """Whether the input of a path costs what the path does, whatever the order of sets.

    Another input of the path may have another order, so that of this one is not enough: it
    is run with the opposite order as well.
    """
    path = from_scratch(program, scale, path, deadline)
    plain = program.replay(concrete(program, scale, path.witness))
    if plain.cost != (None if path.outcome.raised else path.cost):
        return False
    source = Witness(path.witness)
    other = run(program, scale, source, record=False, deadline=deadline, backwards=True)
    if isinstance(other, Excluded) or (other.raised is None) is not (path.outcome.raised is None):
        return False
    return other.raised is not None or other.cost == path.cost


def merged(parts: Sequence[WorstCase]) -> WorstCase:
    """What one exploration would have found, from those of its parts in order."""
    costs = [part.cost for part in parts if part.cost is not None]
    cost = max(costs, default=None)
    worst = [part for part in parts if part.cost is not None and part.cost == cost]
    kept = sorted((path for part in worst for path in part.kept), key=_answers)
    if len(kept) > TIES_KEPT:
        half = TIES_KEPT // 2
        kept = [*kept[:half], *kept[-half:]]
    raised: dict[tuple[int, str], Finding] = {}
    for finding in (finding for part in parts for finding in part.findings):
        key = (finding.raised.line, finding.raised.kind)
        known = raised.get(key)
        paths = finding.paths + (0 if known is None else known.paths)
        least = min(known or finding, finding, key=lambda one: one.answers)
        raised[key] = replace(least, paths=paths)
    return WorstCase(
        scale=parts[0].scale,
        paths=sum(part.paths for part in parts),
        cost=cost,
        ties=sum(part.ties for part in worst),
        kept=tuple(kept),
        chosen={
            name: min((part.chosen[name] for part in worst), key=rule)
            for name, rule in (RULES.items() if worst else ())
        },
        findings=tuple(raised[key] for key in sorted(raised)),
        incomplete=next((p.incomplete for p in reversed(parts) if p.incomplete is not None), None),
        seconds=max(part.seconds for part in parts),
        unreached=tuple(sorted(set.intersection(*(set(part.unreached) for part in parts)))),
        kinds=_united([part.kinds for part in parts]),
    )


def _united(parts: Sequence[Mapping[bytes, int] | None]) -> Mapping[bytes, int] | None:
    kinds: dict[bytes, int] = {}
    for part in parts:
        if part is None:
            return None
        for kind, cost in part.items():
            kinds[kind] = max(cost, kinds.get(kind, 0))
    return None if len(kinds) > MOST_KINDS else kinds


def _finding(
    program: Program, scale: Scale, path: Path, times: int, deadline: float | None
) -> Finding:
    with suppress(Deadline):
        again = from_scratch(program, scale, path, deadline)
        if again.outcome.raised is not None:  # else the outcome is not of the input alone
            path = again
    assert path.outcome.raised is not None
    arguments = concrete(program, scale, path.witness)
    return Finding(scale, path.outcome.raised, arguments, times, path.answers)


def concrete(program: Program, scale: Scale, witness: Mapping[Cell, Value]) -> dict[str, object]:
    """The plain arguments that a witness stands for."""
    by_name = {(cell.name, cell.index): value for cell, value in witness.items()}
    return program.spec.concrete(scale, lambda name, index: by_name[name, index])
