"""Small inputs, repeated: do they cost more than a formula says?

What needs three elements in a row to happen once, and compares with all earlier times, costs
nothing at the scales that can be exhausted: two of them fit into six elements.  Repeated over a
large input the same elements show it.  For every kind of path that a small scale has (those that
run the same blocks are one kind) the input of the dearest is repeated, and run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod

from xsynth.explore.paths import Path, chain_for, paths
from xsynth.explore.probes import Block, plain_cost
from xsynth.explore.search import Search
from xsynth.explore.worst import WorstCase
from xsynth.model.isg import Expr, evaluate
from xsynth.program.inputs import Layout
from xsynth.program.program import Program
from xsynth.trace.terms import Value

MOST_PATHS = 400
"""A scale that has more paths is not looked at again."""
LARGEST_WORD = 6
TIMES = (10, 30)
"""How many times the largest explored scale they are repeated to."""
STEPS = 1_500_000
DEAREST = 100_000
"""How many steps the program may take in all at each of them; and a run, as the formula says."""

Motif = tuple[tuple[Value, ...], ...]
"""The values of every block of an input."""


def outdone(program: Program, cases: Sequence[WorstCase], formula: Expr) -> str | None:
    """Which repeated input costs more than the formula says, if one does."""
    scales = [case.scale for case in cases if isinstance(case.scale, int)]
    if len(scales) < len(cases) or not _repeatable(program, scales):
        return None
    words = dict.fromkeys(_motifs(program, cases))
    for scale in (times * max(scales) for times in TIMES):
        predicted = evaluate(formula, {"n": scale})
        if predicted > DEAREST:
            break
        left = int(STEPS / max(predicted, Fraction(1)))
        layouts = program.spec.layouts(scale)
        for motif in list(words)[:left]:
            blocks = [_repeated(word, own) for word, own in zip(motif, layouts, strict=True)]
            cost = plain_cost(program, scale, layouts, blocks)
            if cost is not None and cost > predicted:
                return (
                    f"at scale {scale} another input costs {cost}, and the worst path so far "
                    f"{predicted}: the worst path changes beyond scale {max(scales)}"
                )
    return None


def _repeatable(program: Program, scales: Sequence[int]) -> bool:
    layouts = program.spec.layouts(max(scales))
    return any(own.dims for own in layouts) and all(len(own.dims) <= 1 for own in layouts)


def _repeated(word: Sequence[Value], layout: Layout) -> Block:
    return [word[i % len(word)] if word else 0 for i in range(prod(layout.dims))]


def _motifs(program: Program, cases: Sequence[WorstCase]) -> Iterator[Motif]:
    """Of every kind of path the dearest, the shortest first."""
    for case in sorted(cases, key=lambda case: case.scale):
        if not isinstance(case.scale, int) or case.scale > LARGEST_WORD:
            break
        if case.paths > MOST_PATHS or not case.exhaustive:
            break
        layouts = program.spec.layouts(case.scale)
        for path in _dearest_of_each_kind(program, case.scale).values():
            yield tuple(tuple(path.witness[cell] for cell in own.cells()) for own in layouts)


def _dearest_of_each_kind(program: Program, scale: int) -> Mapping[bytes, Path]:
    found: dict[bytes, Path] = {}
    for path in paths(Search(chain_for(program, scale)), program, scale, None):
        if path.outcome.raised is not None or path.outcome.assumed is not None:
            continue
        kind = bytes(map(bool, path.outcome.ran))
        if kind not in found or path.cost > found[kind].cost:
            found[kind] = path
    return found
