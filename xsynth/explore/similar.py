"""Families of tied worst paths in which calls of one size decide the same.

From the smallest scale up, the path of a scale is one whose calls decide as calls of their size
did at the smaller scales.  What is new there is its largest calls; among the ways in which they
can decide, a rule that is the same at every scale takes the one with the fewest changes of side
(or the most: a merge that alternates), then the first.

Scales with more ties than are looked at are left out: the right one may not be among these, and
every scale shows calls of all smaller sizes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from typing import TypeAlias

from xsynth.explore.paths import Path
from xsynth.explore.worst import WorstCase
from xsynth.model.within import Called, Step, called, size_names
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.events import Trace
from xsynth.trace.run import Excluded, run
from xsynth.trace.sizes import Function
from xsynth.trace.source import Witness

TIES_SEEN = 400
MOST_SIZES = 12
"""How many ways of measuring the calls are tried."""
FEWEST_SCALES = 4
RULES = {"fewest changes": 1, "most changes": -1}

Sized: TypeAlias = tuple[Function, int]
Choices: TypeAlias = dict[Sized, tuple[Step, ...]]
"""What a call of a size decides."""


@dataclass(frozen=True, slots=True)
class SimilarFamily:
    name: str
    traces: tuple[Trace, ...]
    sizes: Mapping[Function, str]
    """How the calls of each function are measured."""


@dataclass(frozen=True, slots=True)
class _Tied:
    trace: Trace
    calls: tuple[Called, ...]


def similar(
    program: Program, cases: Sequence[WorstCase], deadline: float
) -> Iterator[SimilarFamily]:
    ties: list[list[_Tied]] = []
    for case in sorted(cases, key=lambda case: case.scale):
        if case.ties > min(TIES_SEEN, len(case.kept)):
            continue
        tied = []
        for path in case.kept:
            if time.monotonic() > deadline:
                return
            trace = _trace(program, case.scale, path)
            if trace is not None:
                tied.append(_Tied(trace, tuple(called(trace))))
        ties.append(tied)
    if len(ties) < FEWEST_SCALES or not ties[-1]:
        return
    names = size_names(ties[-1][0].trace)
    if not names:
        return
    for chosen in islice(product(*names.values()), MOST_SIZES):
        sizes = dict(zip(names, chosen, strict=True))
        for rule, sign in RULES.items():
            traces = _chosen(ties, sizes, sign)
            if traces is not None:
                measured = ", ".join(chosen)
                yield SimilarFamily(f"alike in calls of one {measured}, {rule}", traces, sizes)


def _trace(program: Program, scale: Scale, path: Path) -> Trace | None:
    outcome = run(program, scale, Witness(path.witness))
    return None if isinstance(outcome, Excluded) else outcome.trace


def _chosen(
    ties: Sequence[Sequence[_Tied]], sizes: Mapping[Function, str], sign: int
) -> tuple[Trace, ...] | None:
    known: Choices = {}
    found: list[Trace] = []
    for tied in ties:
        best: tuple[tuple[int, tuple[tuple[bool, ...], ...]], Choices, Trace] | None = None
        for one in tied:
            new = _consistent(one.calls, sizes, known)
            if new is None:
                continue
            rank = (sign * sum(map(_changes, new.values())), tuple(map(_sides, new.values())))
            if best is None or rank < best[0]:
                best = (rank, new, one.trace)
        if best is None:
            return None
        known |= best[1]
        found.append(best[2])
    return tuple(found)


def _consistent(
    calls: Sequence[Called], sizes: Mapping[Function, str], known: Choices
) -> Choices | None:
    """What the calls decide that was not known; None where it contradicts something."""
    new: Choices = {}
    for call in calls:
        name = sizes.get(call.function)
        if name is None:
            continue
        size = call.size(name)
        if size is None:
            return None
        key = (call.function, size)
        before = known.get(key) or new.get(key)
        if before is None:
            new[key] = call.steps
        elif before != call.steps:
            return None
    return new


def _changes(steps: tuple[Step, ...]) -> int:
    return sum(a[2] != b[2] for a, b in pairwise(steps))


def _sides(steps: tuple[Step, ...]) -> tuple[bool, ...]:
    return tuple(side for _, _, side in steps)
