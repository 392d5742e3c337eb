"""Guides: what tells a search which sides of a decision to explore.

WISE's three values for a side (section 5.1 of its paper) cover the history policies of
SPF-WCA and the preferences of a model too:

    FREE     the side is explored wherever it is feasible
    FORCED   only where the other side is not feasible
    NEVER    not at all

Where a plain value is needed of a symbolic integer, a guide may name one: the others are
explored only where that one is not feasible.

A guide hears of every decision on the path, also of those that could only go one way, so
that it can keep histories.  A guide that permits everything and listens is how policies
are learned.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from xsynth.trace.terms import Place


class Permit(enum.IntEnum):
    NEVER = 0
    FORCED = 1
    FREE = 2


Permits: TypeAlias = tuple[Permit, Permit]
"""Of the False side and of the True side, so that a side is its own index."""

BOTH: Permits = (Permit.FREE, Permit.FREE)
PREFER: tuple[Permits, Permits] = (
    (Permit.FREE, Permit.FORCED),
    (Permit.FORCED, Permit.FREE),
)
"""One side wherever it is feasible, and the other where it is not."""


class Pruned(BaseException):
    """The guide permits no side.  Not an Exception: the program must not catch it."""


class Guide(Protocol):
    def begin(self) -> None:
        """A run starts, from the first decision."""

    def permits(self, place: Place) -> Permits: ...

    def took(self, place: Place, side: bool, free: bool) -> None:
        """What was decided; `free` is whether the other side is feasible, as far as known."""

    def value(self, place: Place) -> int | None:
        """The value to take at a choice of value, or None for all."""

    def chose(self, place: Place, value: int, free: bool) -> None:
        """Which value was taken; `free` is whether there is another, as far as known."""


class SidesOnly:
    """What a guide says of choices of value that has nothing to say of them."""

    __slots__ = ()

    def value(self, place: Place) -> int | None:
        return None

    def chose(self, place: Place, value: int, free: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class Preferences(SidesOnly):
    """One preferred side a place, or none."""

    sides: Mapping[Place, bool | None]

    def begin(self) -> None: ...

    def permits(self, place: Place) -> Permits:
        prefer = self.sides.get(place)
        return BOTH if prefer is None else PREFER[prefer]

    def took(self, place: Place, side: bool, free: bool) -> None: ...
