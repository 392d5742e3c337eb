"""Traces: what one run of a program adds to its path condition, in order.

Loops and calls are not events of their own.  Every event carries the counters of
the loops and calls around it (`at`, one number for each entry of its place's
context), and the brackets of a leaf sequence are read off from those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xsynth.scale import Scale
from xsynth.trace.sizes import CallKey, CallSizes
from xsynth.trace.terms import Def, Place, Term, negate


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition on the input that the run took a side of.

    A symbolic value where Python needs a plain one is a clause `value == k`, taken.
    """

    place: Place
    at: tuple[int, ...]
    term: Term
    taken: bool
    plain: bool = False
    """Whether it is such a value, and not a branch."""

    @property
    def condition(self) -> Term:
        return self.term if self.taken else negate(self.term)


@dataclass(frozen=True, slots=True)
class Assign:
    """A computed value got a name: `target` equals `target.value`."""

    target: Def


Event: TypeAlias = Clause | Assign


@dataclass(frozen=True, slots=True)
class Trace:
    """One run: the scale, its events, and how often each basic block ran."""

    scale: Scale
    events: tuple[Event, ...]
    counts: tuple[int, ...]
    calls: Mapping[CallKey, CallSizes] = field(default_factory=dict, compare=False, repr=False)
    """How large each call was, where its arguments tell."""
