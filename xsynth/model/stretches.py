"""An array as a few stretches: runs of neighbouring elements that change by equal steps.

`[4, 7, 6, 5, 3, 2, 1, 0]` is 4, then 7 to 5 falling, then 3 to 0 falling.  Of all ways to cut
an array into stretches the shortest description is taken; where the elements at even and odd
positions have a shorter one each, these are described apart.  The shape of a description is
what arrays of different lengths can share: how many stretches, and by which steps they change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

PERIODS = (1, 2, 3)
_SINGLE, _USUAL, _WIDE, _PAIR = 4, 4, 5, 6
"""What a stretch adds to a description: one element; steps of -1, 0 or 1; other steps; two
elements that any other step would join."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The elements at `first`, `first + every`, ..., `last`, which change by `step` each.

    `step` is None where there is only one element.
    """

    first: int
    last: int
    every: int
    value: int
    step: int | None

    @property
    def count(self) -> int:
        return (self.last - self.first) // self.every + 1

    @property
    def end(self) -> int:
        """The value of the last element."""
        return self.value + (self.step or 0) * (self.count - 1)


Description: TypeAlias = tuple[Stretch, ...]
Form: TypeAlias = tuple[tuple[int, int | None], ...]
"""Of each stretch how far apart its elements are, and its step."""


def describe(values: Sequence[int]) -> Description:
    """The shortest description; elements far apart only where that is shorter."""
    best: tuple[int, Description] | None = None
    for every in PERIODS:
        if every > 1 and len(values) < 3 * every:
            break
        length = every - 1
        found: Description = ()
        for start in range(every):
            more, part = _cut(values, start, every)
            length, found = length + more, (*found, *part)
        if best is None or length < best[0]:
            best = length, found
    assert best is not None
    return best[1]


def form(description: Description) -> Form:
    return tuple((stretch.every, stretch.step) for stretch in description)


def alike(one: Form, other: Form) -> bool:
    """Whether descriptions differ in their lengths only; a single element goes with any step."""
    return len(one) == len(other) and all(
        a == b and (s == t or s is None or t is None)
        for (a, s), (b, t) in zip(one, other, strict=True)
    )


def _cut(values: Sequence[int], start: int, every: int) -> tuple[int, Description]:
    """The cheapest way to cut the elements from `start` on into stretches."""
    own = values[start::every]
    # What is left from each element on: its length, and where the next stretch begins.
    rest: list[tuple[int, int]] = [(0, 0)] * (len(own) + 1)
    for i in range(len(own) - 1, -1, -1):
        best = (_SINGLE + rest[i + 1][0], i + 1)
        for end in range(i + 2, len(own) + 1):
            step = own[i + 1] - own[i]
            if end - i > 2 and own[end - 1] - own[end - 2] != step:
                break
            length = _USUAL if abs(step) <= 1 else _PAIR if end - i == 2 else _WIDE
            if length + rest[end][0] <= best[0]:
                best = (length + rest[end][0], end)
        rest[i] = best
    found: list[Stretch] = []
    i = 0
    while i < len(own):
        end = rest[i][1]
        change = own[i + 1] - own[i] if end - i > 1 else None
        first, last = start + every * i, start + every * (end - 1)
        found.append(Stretch(first, last, every, own[i], change))
        i = end
    return rest[0][0], tuple(found)
