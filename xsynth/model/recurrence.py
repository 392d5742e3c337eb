"""Recurrences: runs in which each value follows from the one before by multiplying and dividing.

    v, floor((p*v + q) / r), ...    as far as a bound

A halving index (`v = (v - 1) // 2`), a doubling step, the middles of a binary search
(`v = (v + n) // 2` to the right).  p and r are small numbers, q a number or n times one
with another added; the bound is a sequence, or one expression for all runs.  Of what the
runs leave open (two middles tell q only up to a range) the least is taken; whether that is
right further on, the expansion and the inputs made from it will tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from xsynth.model.algebra import polynomial
from xsynth.model.isg import Expr
from xsynth.scale import Scale

Hole: TypeAlias = "int | None"
Runs: TypeAlias = "Mapping[Scale, list[list[Hole]]]"

RATIOS = ((1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (1, 10), (10, 1), (2, 3), (3, 2))
SLOPES = (0, 1, -1, 2, -2)
FEWEST_PAIRS = 4
"""Fewer neighbours have a recurrence by chance."""
_OPEN = 1 << 60


@dataclass(frozen=True, slots=True)
class Recurrence:
    """`offset` is q; `stop` the bound where one expression serves for all runs."""

    times: int
    offset: Expr
    parts: int
    stop: Expr | None


@dataclass(frozen=True, slots=True)
class Affine:
    slope: int
    least: int
    most: int


def find_recurrence(runs: Runs) -> Recurrence | None:
    """The simplest one that explains every run at every scale."""
    if any(value is None for own in runs.values() for run in own for value in run):
        return None
    known = {n: [[v for v in run if v is not None] for run in own] for n, own in runs.items()}
    pairs = {n: sorted(set(_pairs(own))) for n, own in known.items()}
    if sum(map(len, pairs.values())) < FEWEST_PAIRS:
        return None
    if not all(_rises(own) for own in pairs.values()):
        return None
    for times, parts in RATIOS:
        offset = affine_within({n: _offsets(own, times, parts) for n, own in pairs.items() if own})
        if offset is None:
            continue
        slope, by = offset.slope, min(range(offset.least, offset.most + 1), key=abs)
        return Recurrence(
            times, polynomial([by, slope]), parts, _common_stop(known, times, slope, by, parts)
        )
    return None


def _pairs(runs: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for run in runs:
        yield from pairwise(run)


def _rises(pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether a value has one successor, and a larger value no smaller one: most runs fail here."""
    return all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(pairs))


def _offsets(pairs: Sequence[tuple[int, int]], times: int, parts: int) -> tuple[int, int]:
    """Which q give every second number from the first: least and most, none if crossed."""
    least = max(parts * after - times * before for before, after in pairs)
    most = min(parts * after - times * before for before, after in pairs) + parts - 1
    return least, most


def affine_within(ranges: Mapping[Scale, tuple[int, int]]) -> Affine | None:
    """`slope * n + b` within a range at every scale, by the smallest slope."""
    for slope in SLOPES:
        if slope and not all(isinstance(n, int) for n in ranges):
            return None
        moved = [
            (low - slope * n, high - slope * n) if isinstance(n, int) else (low, high)
            for n, (low, high) in ranges.items()
        ]
        least, most = max(low for low, _ in moved), min(high for _, high in moved)
        if least <= most:
            return Affine(slope, least, most)
    return None


def _common_stop(
    runs: Mapping[Scale, list[list[int]]], times: int, slope: int, by: int, parts: int
) -> Expr | None:
    """One bound for all runs: a number, or one that grows with n."""
    ranges: dict[Scale, tuple[int, int]] = {}
    rises = 0
    for n, own in runs.items():
        offset = by + (slope * n if isinstance(n, int) else 0)
        ends = [_stops(run[-1], (times * run[-1] + offset) // parts) for run in own if run]
        if ends:
            ranges[n] = max(low for low, _ in ends), min(high for _, high in ends)
            rises += sum(run[-1] - run[0] for run in own if run)
    found = affine_within(ranges) if ranges else None
    if found is None:
        return None
    return polynomial([found.least if rises > 0 else found.most, found.slope])


def _stops(last: int, after: int) -> tuple[int, int]:
    """Between which numbers a bound lies that lets `last` pass and not what comes after."""
    if after == last:
        return last, last
    return (last, after - 1) if after > last else (after + 1, last)
