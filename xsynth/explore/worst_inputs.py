"""Worst inputs as plain as they can be, and those that go on from scale to scale.

A path of the worst cost has many inputs, and the one that the search happened to have is of no
use to anyone.  Here its values are made small and alike as long as the function, run on them,
costs as much: the numbers from 0 on in the place of any others, then one element after the
other as low as it can be.  What remains is often something that anyone can describe, and the
inputs of the largest scales, described alike, tell how it goes on (`model/by_value.py`).

Everything is decided by running the function itself, and bounded by how often it is run.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from xsynth.explore.paths import Path
from xsynth.explore.probes import Block, plain_arguments, plain_cost
from xsynth.explore.worst import WorstCase
from xsynth.model.by_value import Hypothesis, Input, hypotheses, usable
from xsynth.model.stretches import alike, describe, form
from xsynth.program.inputs import Layout
from xsynth.program.program import Program
from xsynth.trace.terms import Sort, Value

TIES_LOOKED_AT = 40
RUNS_A_SCALE = 6000
"""How many tied paths of a scale are made plain, and how often the function is run for that."""
MOST_CELLS = 64
FIRST_SCALES = 3
"""From how many of the largest scales a hypothesis is made."""
FEWEST_RIGHT = 4
"""At how many of the explored scales it must be a worst case, all from some scale on."""
ALIKE_KEPT = 6
"""How many inputs of one scale that are described alike are tried in turn."""
MOST_HYPOTHESES = 400
LONGEST = 7
"""Inputs of more stretches than this are not regular."""
_SORTS = frozenset({Sort.INT, Sort.BOOL})


@dataclass(frozen=True, slots=True)
class WrittenFamily:
    """What the worst inputs are, and the arguments that it gives at the explored scales."""

    hypothesis: Hypothesis
    sorts: Mapping[str, Sort]
    arguments: Mapping[int, Mapping[str, object]]


def written_families(
    program: Program, cases: Sequence[WorstCase], deadline: float = math.inf
) -> Iterator[WrittenFamily]:
    """Hypotheses that are worst cases at the explored scales, from some scale on."""
    by_scale = {case.scale: case for case in cases if isinstance(case.scale, int)}
    scales = sorted(by_scale)
    if len(by_scale) < len(cases) or len(scales) < FEWEST_RIGHT or not _fits(program, scales):
        return
    top = scales[-FIRST_SCALES:]
    found = {n: _plain_inputs(program, n, by_scale[n], deadline) for n in top}
    tried: set[Hypothesis] = set()
    for inputs in _alike(found):
        for hypothesis in hypotheses(inputs):
            sorts = {layout.name: layout.sort for layout in program.spec.layouts(top[-1])}
            if hypothesis in tried or not usable(hypothesis, sorts):
                continue
            tried.add(hypothesis)
            if len(tried) > MOST_HYPOTHESES or time.monotonic() > deadline:
                return
            right = _right(program, by_scale, hypothesis)
            if len(right) >= FEWEST_RIGHT:
                yield WrittenFamily(hypothesis, sorts, right)


def _fits(program: Program, scales: Sequence[int]) -> bool:
    layouts = program.spec.layouts(scales[-1])
    cells = sum(prod(layout.dims) for layout in layouts)
    return (
        0 < cells <= MOST_CELLS
        and all(len(layout.dims) <= 1 and layout.sort in _SORTS for layout in layouts)
        and any(layout.dims for layout in layouts)
    )


def _right(
    program: Program, by_scale: Mapping[int, WorstCase], hypothesis: Hypothesis
) -> dict[int, Mapping[str, object]]:
    """The scales, from the largest down, where it is a worst case."""
    found: dict[int, Mapping[str, object]] = {}
    for n in sorted(by_scale, reverse=True):
        layouts = program.spec.layouts(n)
        values = hypothesis.at(n, {layout.name: _size(layout) for layout in layouts})
        if values is None or not all(_allowed(layout, values[layout.name]) for layout in layouts):
            break
        blocks: list[Block] = [
            [bool(v) for v in values[layout.name]]
            if layout.sort is Sort.BOOL
            else list(values[layout.name])
            for layout in layouts
        ]
        if plain_cost(program, n, layouts, blocks) != by_scale[n].cost:
            break
        found[n] = plain_arguments(program, n, layouts, blocks)
    return found


def _size(layout: Layout) -> int | None:
    return layout.dims[0] if layout.dims else None


def _allowed(layout: Layout, values: Sequence[int]) -> bool:
    if layout.sort is Sort.BOOL:
        return set(values) <= {0, 1}
    low, high = layout.lo, layout.hi
    return all((low is None or low <= v) and (high is None or v <= high) for v in values)


def _alike(found: Mapping[int, Sequence[Input]]) -> Iterator[Mapping[int, Input]]:
    """One input of each scale, all described alike; those of the largest scale in turn."""
    *others, largest = sorted(found)
    for one in found[largest]:
        groups = [
            [own for own in found[n] if _same_form(one, own)][:ALIKE_KEPT] for n in reversed(others)
        ]
        for chosen in product(*groups):
            yield dict(zip([largest, *reversed(others)], [one, *chosen], strict=True))


def _same_form(one: Input, other: Input) -> bool:
    for name, block in one.items():
        own = other[name]
        match block, own:
            case tuple(), tuple():
                if not alike(form(block), form(own)):
                    return False
            case _:
                pass  # a number is like any other
    return True


# ------------------------------------------------------------------ making inputs plain


def _plain_inputs(program: Program, scale: int, case: WorstCase, deadline: float) -> list[Input]:
    """The worst inputs of a scale, made plain and described, the shortest descriptions first."""
    layouts = program.spec.layouts(scale)
    runs = _Runs(program, scale, layouts, case.cost, deadline)
    known: set[tuple[tuple[Value, ...], ...]] = set()
    for path in _spread(case):
        blocks = runs.ranked([[path.witness[cell] for cell in own.cells()] for own in layouts])
        known.add(_frozen(blocks))
        known.add(_frozen(runs.lowered(blocks)))
        if runs.left <= 0:
            break
    found: list[tuple[int, int, Input]] = []
    for inputs in sorted(known):
        described = {
            layout.name: describe([int(v) for v in block]) if layout.dims else int(block[0])
            for layout, block in zip(layouts, inputs, strict=True)
        }
        stretches = [len(own) for own in described.values() if isinstance(own, tuple)]
        if max(stretches) <= LONGEST:
            found.append((sum(stretches), len(found), described))
    return [own for _, _, own in sorted(found, key=lambda one: one[:2])]


def _spread(case: WorstCase) -> Iterator[Path]:
    step = max(1, len(case.kept) // TIES_LOOKED_AT)
    return islice(case.kept, 0, None, step)


def _frozen(blocks: Sequence[Block]) -> tuple[tuple[Value, ...], ...]:
    return tuple(tuple(block) for block in blocks)


@dataclass
class _Runs:
    program: Program
    scale: int
    layouts: tuple[Layout, ...]
    cost: int | None
    deadline: float
    left: int = RUNS_A_SCALE

    def worst(self, blocks: Sequence[Block]) -> bool:
        self.left -= 1
        if time.monotonic() > self.deadline:
            self.left = 0
            return False
        allowed = all(
            layout.sort is Sort.BOOL or _allowed(layout, [int(v) for v in block])
            for layout, block in zip(self.layouts, blocks, strict=True)
        )
        return allowed and (
            plain_cost(self.program, self.scale, self.layouts, list(blocks)) == self.cost
        )

    def ranked(self, blocks: list[Block]) -> list[Block]:
        """The numbers from 0 on in place of the values, if that costs the same."""
        numbers = sorted(
            {
                v
                for b, own in zip(blocks, self.layouts, strict=True)
                for v in b
                if own.sort is Sort.INT
            }
        )
        rank: dict[Value, Value] = {value: k for k, value in enumerate(numbers)}
        other = [
            [rank[v] for v in block] if layout.sort is Sort.INT else block
            for block, layout in zip(blocks, self.layouts, strict=True)
        ]
        return other if self.worst(other) else blocks

    def lowered(self, blocks: list[Block]) -> list[Block]:
        """Each element in turn as low as it can be, among the values that there are."""
        found = [list(block) for block in blocks]
        for block in found:
            for i, value in enumerate(block):
                for other in sorted({v for v in block if v < value}):
                    if self.left <= 0:
                        return found
                    block[i] = other
                    if self.worst(found):
                        break
                    block[i] = value
        return found
