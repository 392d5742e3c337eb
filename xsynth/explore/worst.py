"""The worst cases of a program at its small scales.

Ties are data: many paths share the worst cost, and which of them is followed from scale
to scale decides whether there is anything regular to learn.  All ties are kept, up to a
cap (then the first and the last of them are: the extremes are where regular ones are), and
besides them the first and last under every rule that a family may use.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from xsynth.explore.search import Path, Search, chain_for, from_scratch, paths
from xsynth.program.program import Program, Raised
from xsynth.scale import Scale
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness
from xsynth.trace.terms import Cell, Value
from xsynth.trace.tracer import Deadline

TIES_KEPT = 1000

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


def _last(path: Path) -> tuple[int, ...]:
    return tuple([-a for a in path.answers])


@dataclass(frozen=True, slots=True)
class Finding:
    """An exception that some inputs provoke, with one of them."""

    scale: Scale
    raised: Raised
    arguments: Mapping[str, object]
    paths: int


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

    @property
    def exhaustive(self) -> bool:
        return self.incomplete is None


@dataclass
class _Best:
    cost: int | None = None
    ties: int = 0
    first: list[Path] = field(default_factory=list)
    last: deque[Path] = field(default_factory=lambda: deque(maxlen=TIES_KEPT // 2))
    chosen: dict[str, tuple[Key, Path]] = field(default_factory=dict)

    def see(self, path: Path) -> None:
        if self.cost is None or path.cost > self.cost:
            self.cost, self.ties, self.chosen = path.cost, 0, {}
            self.first.clear()
            self.last.clear()
        if path.cost < self.cost:
            return
        self.ties += 1
        (self.first if len(self.first) < TIES_KEPT // 2 else self.last).append(path)
        for name, rule in RULES.items():
            key = rule(path)
            if name not in self.chosen or key < self.chosen[name][0]:
                self.chosen[name] = (key, path)


Report: TypeAlias = Callable[[Scale, int, "int | None"], None]
"""Called now and then with the scale, the paths so far, and the worst cost so far."""


def explore(
    program: Program,
    scale: Scale,
    deadline: float | None = None,
    report: Report | None = None,
    prefix: tuple[int, ...] = (),
) -> WorstCase:
    """All feasible paths at one scale (that begin so), as far as the deadline allows."""
    start = time.monotonic()
    search = Search(chain_for(program, scale), prefix=prefix)
    best = _Best()
    raised: dict[tuple[str, int], Finding] = {}
    unreached = list(range(len(program.blocks)))
    count = 0
    try:
        for path in paths(search, program, scale, deadline):
            count += 1
            ran = path.outcome.ran
            unreached = [block for block in unreached if not ran[block]]
            if path.outcome.assumed is not None and not _costs_so(program, scale, path, deadline):
                search.incomplete = f"{path.outcome.assumed}, and the order of a set matters here"
            elif path.outcome.raised is None:
                best.see(path)
            else:
                _note(raised, program, scale, path, path.outcome.raised, deadline)
            if report is not None and count % 64 == 0:
                report(scale, count, best.cost)
    except Deadline:
        search.incomplete = "the time budget was used up"
    if report is not None:
        report(scale, count, best.cost)
    return WorstCase(
        scale=scale,
        paths=count,
        cost=best.cost,
        ties=best.ties,
        kept=(*best.first, *best.last),
        chosen={name: path for name, (_, path) in best.chosen.items()},
        findings=tuple(raised.values()),
        incomplete=search.incomplete,
        seconds=time.monotonic() - start,
        unreached=tuple(unreached),
    )


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
    kept = [path for part in worst for path in part.kept]
    if len(kept) > TIES_KEPT:
        half = TIES_KEPT // 2
        kept = [*kept[:half], *kept[-half:]]
    raised: dict[tuple[str, int], Finding] = {}
    for finding in (finding for part in parts for finding in part.findings):
        key = (finding.raised.kind, finding.raised.line)
        known = raised.get(key)
        paths = finding.paths + (0 if known is None else known.paths)
        raised[key] = replace(known or finding, paths=paths)
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
        findings=tuple(raised.values()),
        incomplete=next((p.incomplete for p in parts if p.incomplete is not None), None),
        seconds=max(part.seconds for part in parts),
        unreached=tuple(sorted(set.intersection(*(set(part.unreached) for part in parts)))),
    )


def _note(
    raised: dict[tuple[str, int], Finding],
    program: Program,
    scale: Scale,
    path: Path,
    what: Raised,
    deadline: float | None,
) -> None:
    key = (what.kind, what.line)
    if key in raised:
        raised[key] = replace(raised[key], paths=raised[key].paths + 1)
    else:
        found = from_scratch(program, scale, path, deadline)
        raised[key] = Finding(scale, what, concrete(program, scale, found.witness), 1)


def concrete(program: Program, scale: Scale, witness: Mapping[Cell, Value]) -> dict[str, object]:
    """The plain arguments that a witness stands for."""
    by_name = {(cell.name, cell.index): value for cell, value in witness.items()}
    return program.spec.concrete(scale, lambda name, index: by_name[name, index])
