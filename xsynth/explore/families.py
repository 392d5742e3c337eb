"""Families: one worst path a scale, all chosen by the same rule.

A random worst path a scale has nothing regular to learn; a rule that is the same at every
scale nearly always has.  The rules by decisions are in `worst.py`, where every tied path
passes.  The rules here look at what the paths say, so they choose among the ties that
were kept: the path whose order is simplest is the one with the fewest bends, where a bend
is a neighbouring pair of reduced comparisons whose elements do not go on by equal steps.
An input that only rises has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from xsynth.explore.paths import Path
from xsynth.explore.worst import RULES, WorstCase
from xsynth.model.order import ORDER, by_order
from xsynth.model.patterns import Pattern, split
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.events import Clause, Trace
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness

RISING = "simplest order, then rising"
FALLING = "simplest order, then falling"

_Leaves: TypeAlias = tuple[tuple[int, ...], ...]


def families(program: Program, cases: Sequence[WorstCase]) -> dict[str, tuple[Trace, ...]]:
    """The traces of every family, by the name of its rule."""
    found = {
        rule: tuple(_trace(program, case.scale, case.chosen[rule]) for case in cases)
        for rule in RULES
    }
    if any(case.ties > 1 for case in cases):
        simplest = [_simplest(program, case) for case in cases]
        chosen = [pair for pair in simplest if pair is not None]
        if len(chosen) == len(cases):
            found[RISING] = tuple(rising for rising, _ in chosen)
            found[FALLING] = tuple(falling for _, falling in chosen)
    return found


def _trace(program: Program, scale: Scale, path: Path) -> Trace:
    outcome = run(program, scale, Witness(path.witness))
    assert not isinstance(outcome, Excluded)
    return outcome.trace


def _simplest(program: Program, case: WorstCase) -> tuple[Trace, Trace] | None:
    """Among the ties with the fewest bends the least leaves, and the greatest."""
    fewest: int | None = None
    held: list[tuple[_Leaves, Trace]] = []
    for path in case.kept:
        trace = _trace(program, case.scale, path)
        ordered = by_order(trace)
        if ordered is None:
            return None
        bends, leaves = bends_of(ordered)
        if fewest is None or bends < fewest:
            fewest, held = bends, []
        if bends == fewest:
            held.append((leaves, trace))
    if not held:
        return None
    return min(held, key=lambda one: one[0])[1], max(held, key=lambda one: one[0])[1]


def bends_of(ordered: Trace) -> tuple[int, _Leaves]:
    """How often the reduced comparisons change their kind or their steps, and their leaves."""
    rows: list[tuple[Pattern, tuple[int, ...]]] = [
        split(event.condition)
        for event in ordered.events
        if isinstance(event, Clause) and event.place == ORDER
    ]
    bends = 0
    step: tuple[int, ...] | None = None
    for (before, old), (after, new) in pairwise(rows):
        if before != after:
            bends, step = bends + 1, None
            continue
        taken = tuple(b - a for a, b in zip(old, new, strict=True))
        if step is not None and taken != step:
            bends += 1
        step = taken
    return bends, tuple(leaves for _, leaves in rows)
