"""Generator inference: the bottom-up parse of section IV-C of XSTRESSOR.

The paper summarises a sequence at one scale: innermost runs are constant or arithmetic,
so a list of them is one call of `const` or `incre` on the lists of their parameters,
and those lists, one loop shallower, are summarised in the same way.  Here all scales
are summarised together, so that one structure is found for all of them and a short run
at one scale (which could be anything) is read as the long runs at the others demand.

At each level, with the runs of all scales at hand:

    every run constant, or too short to tell    const(values, counts)
    arithmetic with one difference              incre(starts, stops, d)
    arithmetic, the difference a function of n  incre(starts, stops, d(n))
    arithmetic, the difference varies by run    incre(starts, stops, steps)

    each value from the one before it           recur(starts, stops, p, q, r)

An empty run has a count of 0 but neither a value nor a start nor a stop.  These are
holes (None), and a list with holes is arithmetic if its known elements at their known
positions are.  So the holes are filled as the rest of the list goes on; in a loop nest
with affine bounds that puts the stop of an empty run one step before its start.

What is left at the top is one number a scale: a `Parameter`, for `fit.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from xsynth.model.isg import Const, Expr, Incre, Isg, Num, Recur
from xsynth.model.recurrence import find_recurrence
from xsynth.model.sequence import Tree, depth, levels
from xsynth.scale import Scale

Hole: TypeAlias = "int | None"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number a scale; None where the sequence there says nothing about it."""

    values: Mapping[Scale, int | None]


@dataclass(frozen=True, slots=True)
class IncreFamily:
    start: IsgFamily
    stop: IsgFamily
    step: IsgFamily


@dataclass(frozen=True, slots=True)
class ConstFamily:
    value: IsgFamily
    count: IsgFamily


@dataclass(frozen=True, slots=True)
class RecurFamily:
    start: IsgFamily
    stop: IsgFamily
    times: int
    offset: Expr
    parts: int


@dataclass(frozen=True, slots=True)
class Given:
    """What is known as a function of n already."""

    expr: Expr


IsgFamily: TypeAlias = IncreFamily | ConstFamily | RecurFamily | Parameter | Given
"""One generator for each of several scales, all of the same structure."""


@dataclass(frozen=True, slots=True)
class NoGenerator:
    reason: str


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The tree at one scale: leaves in order, and the lengths of the runs level by level."""

    values: list[Hole]
    lengths: list[list[int]]

    def runs(self) -> list[list[Hole]]:
        found, begin = [], 0
        for length in self.lengths[-1]:
            found.append(self.values[begin : begin + length])
            begin += length
        return found

    def shallower(self, values: list[Hole]) -> _Leaves:
        """One value for each innermost run."""
        return _Leaves(values, self.lengths[:-1])


def infer(trees: Mapping[Scale, Tree]) -> IsgFamily | NoGenerator:
    """The common structure of the sequences, given by scale, or why there is none."""
    if not trees:
        return NoGenerator("no sequences")
    deepest = max(depth(tree) for tree in trees.values())
    try:
        at = {scale: _Leaves(*_holed(levels(trees[scale], deepest))) for scale in sorted(trees)}
    except ValueError as error:
        return NoGenerator(str(error))
    return _infer(at, deepest)


def infer_one(tree: Tree) -> Isg | NoGenerator:
    """The generator of one sequence, with numbers for parameters (examples 1 and 2)."""
    family = infer({0: tree})
    return family if isinstance(family, NoGenerator) else member(family, 0)


def member(family: IsgFamily, scale: Scale) -> Isg:
    """The generator at one scale.  What is unknown there does not matter there: 0."""
    match family:
        case IncreFamily(start=start, stop=stop, step=step):
            return Incre(member(start, scale), member(stop, scale), member(step, scale))
        case ConstFamily(value=value, count=count):
            return Const(member(value, scale), member(count, scale))
        case RecurFamily(start=start, stop=stop, times=times, offset=offset, parts=parts):
            ends = member(start, scale), member(stop, scale)
            return Recur(*ends, Num(times), offset, Num(parts))
        case Given(expr=expr):
            return expr
        case Parameter(values=values):
            return Num(values[scale] or 0)
        case _:
            assert_never(family)


def _holed(read: tuple[list[int], list[list[int]]]) -> tuple[list[Hole], list[list[int]]]:
    return list(read[0]), read[1]


def _infer(at: Mapping[Scale, _Leaves], level: int) -> IsgFamily | NoGenerator:
    if level == 0:
        return Parameter({scale: leaves.values[0] for scale, leaves in at.items()})
    runs = {scale: leaves.runs() for scale, leaves in at.items()}
    steps: dict[Scale, list[Hole]] = {}
    for scale, here in runs.items():
        steps[scale] = []
        for run in here:
            step = difference(run)
            if isinstance(step, NoGenerator):
                reason = f"at scale {scale}, loop {level}: {step.reason}"
                return _recur(at, runs, level) or NoGenerator(reason)
            steps[scale].append(step)

    known = {step for here in steps.values() for step in here if step is not None}
    if not known or known == {0}:
        return _const(at, runs, level)
    if 0 in known:
        return NoGenerator(f"loop {level}: some of its runs are constant and others are not")
    return _incre(at, runs, steps, level)


def difference(run: list[Hole]) -> Hole | NoGenerator:
    """The step of an arithmetic run; None if fewer than two elements are known."""
    known = [(index, value) for index, value in enumerate(run) if value is not None]
    if len(known) < 2:
        return None
    (index, value), (last_index, last) = known[0], known[-1]
    step, remainder = divmod(last - value, last_index - index)
    if remainder or any(v != value + (i - index) * step for i, v in known):
        shown = ", ".join("_" if v is None else str(v) for v in run[:8])
        dots = ", ..." if len(run) > 8 else ""
        return NoGenerator(f"{shown}{dots} is neither constant nor arithmetic")
    return step


def _const(
    at: Mapping[Scale, _Leaves], runs: Mapping[Scale, list[list[Hole]]], level: int
) -> IsgFamily | NoGenerator:
    values, counts = {}, {}
    for scale, here in runs.items():
        values[scale] = at[scale].shallower([_first_known(run) for run in here])
        counts[scale] = at[scale].shallower([len(run) for run in here])
    value = _infer(values, level - 1)
    if isinstance(value, NoGenerator):
        return value
    count = _infer(counts, level - 1)
    return count if isinstance(count, NoGenerator) else ConstFamily(value, count)


def _first_known(run: list[Hole]) -> Hole:
    return next((value for value in run if value is not None), None)


def _incre(
    at: Mapping[Scale, _Leaves],
    runs: Mapping[Scale, list[list[Hole]]],
    steps: Mapping[Scale, list[Hole]],
    level: int,
) -> IsgFamily | NoGenerator:
    distinct = {scale: {s for s in here if s is not None} for scale, here in steps.items()}
    everywhere = set().union(*distinct.values())
    by_run = any(len(found) > 1 for found in distinct.values())
    starts, stops, by = {}, {}, {}
    for scale, here in runs.items():
        common = next(iter(everywhere if len(everywhere) == 1 else distinct[scale]), None)
        step_of = steps[scale] if by_run else [common] * len(here)
        ends = [_ends(run, step) for run, step in zip(here, step_of, strict=True)]
        starts[scale] = at[scale].shallower([start for start, _ in ends])
        stops[scale] = at[scale].shallower([stop for _, stop in ends])
        by[scale] = at[scale].shallower(step_of) if by_run else _Leaves([common], [])
    parts = []
    for part, part_level in (
        (starts, level - 1),
        (stops, level - 1),
        (by, level - 1 if by_run else 0),
    ):
        family = _infer(part, part_level)
        if isinstance(family, NoGenerator):
            return family
        parts.append(family)
    return IncreFamily(*parts)


def _recur(
    at: Mapping[Scale, _Leaves], runs: Mapping[Scale, list[list[Hole]]], level: int
) -> RecurFamily | None:
    found = find_recurrence(runs)
    if found is None:
        return None
    starts, stops = (
        {n: at[n].shallower([run[end] if run else None for run in own]) for n, own in runs.items()}
        for end in (0, -1)
    )
    start = _infer(starts, level - 1)
    stop = _infer(stops, level - 1) if found.stop is None else Given(found.stop)
    if isinstance(start, NoGenerator) or isinstance(stop, NoGenerator):
        return None
    return RecurFamily(start, stop, found.times, found.offset, found.parts)


def _ends(run: list[Hole], step: Hole) -> tuple[Hole, Hole]:
    """The first and the last element of an arithmetic run, where they can be told."""
    for index, value in enumerate(run):
        if value is not None and step is not None:
            start = value - index * step
            return start, start + (len(run) - 1) * step
    return (run[0], run[-1]) if run else (None, None)
