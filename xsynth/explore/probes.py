"""Attempts to beat a supposed worst case with inputs that nobody derived.

A path that is the worst at every explored scale can be overtaken just beyond them by one
that starts cheaper and grows faster.  Generated inputs cannot show that, since they follow
the path that was learned.  So plain patterns (rising, falling, equal, alternating, ...) and
a hill climb from the best of them are tried where the formula is to be believed.  What they
find is a refutation; finding nothing proves nothing.

Everything here is deterministic: the seed is fixed, and the effort is bounded by steps that
the program takes rather than by seconds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from math import prod
from typing import TypeAlias

from xsynth.explore.shapes import ARRAYS, SCALARS, Shape, by_constants, words
from xsynth.program.assumptions import assumption_holds
from xsynth.program.inputs import Layout
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program, TimeUp
from xsynth.scale import Scale, extent, named
from xsynth.trace.terms import Sort, Value
from xsynth.trace.tracer import Deadline

SECONDS_A_RUN = 3.0
"""A run that takes longer at a scale where the worst case takes no time has no end."""

MOST_RUNS = 400
MOST_CLIMBED = 4000
"""However little a run costs, there is an end to the attempts: to beat a cost, and to find a
dear input where nothing else does."""

WORDS, TRUTHS = words((3, 4)), words((3, 4, 5, 6))
"""Of truth values, where there is little else to vary, the longer ones too."""

Block: TypeAlias = list[Value]


@dataclass(frozen=True, slots=True)
class Beaten:
    """An input and its cost, which is None where the run did not come to an end."""

    cost: int | None
    arguments: Mapping[str, object]


def beaten_by(
    program: Program,
    scale: Scale,
    cost: int,
    *,
    steps: int,
    climb: bool = True,
    deadline: float | None = None,
) -> Beaten | None:
    """An input of that scale that costs more than `cost`, if so much effort finds one.

    Raises `Deadline` where there is no time for so much effort.
    """
    layouts = program.spec.layouts(scale)
    cells = sum(prod(layout.dims) for layout in layouts)  # to make one takes as long as a step
    left = min(MOST_RUNS, steps // max(cost, cells, 100))
    best: tuple[int, list[Block]] | None = None
    for _, blocks in islice(plain_inputs(program, scale), left):
        left -= 1
        found = _run(program, scale, layouts, blocks, deadline)
        if isinstance(found, Beaten):
            return found
        if found is not None and found > cost:
            return Beaten(found, plain_arguments(program, scale, layouts, blocks))
        if found is not None and (best is None or found > best[0]):
            best = (found, blocks)
    if best is None or not climb or not left:
        return None
    found = _climb(program, scale, layouts, best, left, above=cost, deadline=deadline)
    return found if found.cost is None or found.cost > cost else None


def dearest(program: Program, scale: Scale, *, steps: int) -> Beaten | None:
    """The dearest input that plain ones and a climb from the best of them find."""
    layouts = program.spec.layouts(scale)
    cells = sum(prod(layout.dims) for layout in layouts)
    best: tuple[int, list[Block]] | None = None
    left = steps
    for _, blocks in plain_inputs(program, scale):
        found = _run(program, scale, layouts, blocks)
        if isinstance(found, Beaten):
            return found
        left -= max(found or 0, cells, 100)
        if found is not None and (best is None or found > best[0]):
            best = (found, blocks)
        if left <= 0:
            break
    if best is None:
        return None
    runs = min(MOST_CLIMBED, max(left, 0) // max(best[0], cells, 100))
    return _climb(program, scale, layouts, best, runs)


def plain_inputs(program: Program, scale: Scale) -> Iterator[tuple[str, list[Block]]]:
    """Inputs that anyone would try, each with its name; the values of every layout."""
    layouts = program.spec.layouts(scale)
    arrays = [layout for layout in layouts if layout.dims]
    scalars = [layout for layout in layouts if not layout.dims]
    # All arrays alike, then the first against the others; likewise every scalar alike.
    truths = bool(arrays) and all(layout.sort is Sort.BOOL for layout in arrays)
    known = ARRAYS | by_constants(program, scale) | (TRUTHS if truths else WORDS)
    alike = [(name, (shape,) * len(arrays)) for name, shape in known.items()]
    mixed = [
        (f"{one} against {another}", (first, *(other,) * (len(arrays) - 1)))
        for (one, first), (another, other) in product(list(ARRAYS.items())[:5], repeat=2)
        if len(arrays) > 1 and one != another
    ]
    few = list(SCALARS.items())
    block = lru_cache(maxsize=2 * len(layouts))(_block)  # the same for every scalar
    for (name, shapes), (value, scalar) in product(
        [*alike, *mixed] if arrays else alike[:1], few if scalars else few[:1]
    ):
        own = iter(shapes)
        blocks = [block(layout, next(own) if layout.dims else scalar, scale) for layout in layouts]
        yield f"{name}, {value}" if scalars else name, blocks


def _block(layout: Layout, shape: Shape, scale: Scale) -> Block:
    size = prod(layout.dims) if layout.dims else 1
    m = size if layout.dims else extent(scale)
    return [_within(layout, shape(i, m)) for i in range(size)]


def _within(layout: Layout, value: int) -> Value:
    """The value itself where it is allowed, else one that is, still telling values apart."""
    if layout.sort is Sort.BOOL:
        return bool(value % 2)
    low, high = layout.lo, layout.hi
    if low is not None and high is not None and not low <= value <= high:
        if layout.sort is Sort.INT:
            return int(low) + value % (int(high) - int(low) + 1)
        return low if value < low else high
    if low is not None and value < low:
        return low - value if layout.sort is Sort.INT else low
    if high is not None and value > high:
        return high - value if layout.sort is Sort.INT else high
    return Fraction(value) if layout.sort is Sort.REAL else value


def plain_arguments(
    program: Program, scale: Scale, layouts: tuple[Layout, ...], blocks: list[Block]
) -> dict[str, object]:
    by_name = {layout.name: block for layout, block in zip(layouts, blocks, strict=True)}
    return program.spec.of_blocks(scale, by_name)


def plain_cost(
    program: Program, scale: Scale, layouts: tuple[Layout, ...], blocks: list[Block]
) -> int | None:
    """What an input costs; None where it is not allowed, raises, or has no end."""
    found = _run(program, scale, layouts, blocks)
    return found if isinstance(found, int) else None


def _run(
    program: Program,
    scale: Scale,
    layouts: tuple[Layout, ...],
    blocks: list[Block],
    deadline: float | None = None,
) -> int | Beaten | None:
    """The cost on an input; None where the input is not allowed, or raises."""
    if deadline is not None and time.monotonic() > deadline:
        raise Deadline
    arguments = plain_arguments(program, scale, layouts, blocks)
    allowed = program.spec.assumptions
    if not all(assumption_holds(text, arguments, named(scale)) for text in allowed):
        return None
    try:
        return program.replay(arguments, SECONDS_A_RUN).cost
    except AssumptionFailed:
        return None
    except TimeUp:
        return Beaten(None, arguments)


def _climb(
    program: Program,
    scale: Scale,
    layouts: tuple[Layout, ...],
    best: tuple[int, list[Block]],
    left: int,
    *,
    above: int | None = None,
    deadline: float | None = None,
) -> Beaten:
    """Changes elements at random and keeps what does not cost less, until it costs more than
    `above`, if that is given."""
    chance = random.Random(extent(scale))
    top, blocks = best
    own = [k for k, block in enumerate(blocks) if block]
    for _ in range(left if own else 0):
        tried = [list(block) for block in blocks]
        for _ in range(chance.choice((1, 1, 2, 3))):
            k = chance.choice(own)
            i = chance.randrange(len(tried[k]))
            tried[k][i] = chance.choice(
                (
                    _within(layouts[k], chance.randrange(-1, extent(scale) + 2)),
                    chance.choice(tried[k]),
                    _within(layouts[k], int(tried[k][i]) + chance.choice((-1, 1))),
                )
            )
        found = _run(program, scale, layouts, tried, deadline)
        if isinstance(found, Beaten):
            return found
        if found is not None and found >= top:
            top, blocks = found, tried
            if above is not None and top > above:
                break
    return Beaten(top, plain_arguments(program, scale, layouts, blocks))
