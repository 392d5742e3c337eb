"""The tracer of an exploration that wants decisions and costs, and no places.

It keeps no stack of loops and calls: a computed value is named by its number in the run.  And
it repeats: up to the decision that was turned, a run is the one before it, so answers and
definitions are taken from there, in order, without a look at the terms.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import TypeVar

from xsynth.trace.bounds import Interval, bounds
from xsynth.trace.events import Event
from xsynth.trace.proxies import SymInt, SymReal
from xsynth.trace.sizes import CallKey, CallSizes
from xsynth.trace.source import DecisionSource
from xsynth.trace.terms import Apply, Cell, Def, Place, Site, Term
from xsynth.trace.tracer import TICKS_A_LOOK, Context, Deadline, Held

T = TypeVar("T")

NOWHERE = Place(Site("", 0, 0), ())
_NO_STACK = Held(0, (Context(None, None, None), [], []))


@dataclass(slots=True)
class Memory:
    """What the last run was answered, as far as the next one repeats it."""

    answers: list[int] = field(default_factory=list)
    """The sides of tests (as bool) and the values of integers."""
    names: list[Def] = field(default_factory=list)
    turned: Term | None = None
    """What the last of the answers was asked: a program that does not repeat is found out."""


class LightTracer:
    """One run, as `Tracer` with `record=False`."""

    placed = False

    def __init__(
        self,
        source: DecisionSource,
        memory: Memory,
        *,
        deadline: float | None = None,
        ranges: Mapping[Cell, Interval],
        backwards: bool = False,
    ) -> None:
        self._source = source
        self._memory = memory
        self._answers = memory.answers
        self._names = memory.names
        self._known = len(memory.answers)
        self._named = len(memory.names)
        self._asked = 0
        self._naming = 0
        self._before = 0
        self._deadline = deadline
        self._ticks = 0
        self._ranges = ranges
        self._backwards = backwards
        self.events: tuple[Event, ...] = ()
        self.calls: dict[CallKey, CallSizes] = {}
        self.assumed: str | None = None

    @property
    def decisions(self) -> int:
        return self._asked - self._before

    def pause(self) -> None:
        pass

    def resume(self) -> None:
        self._before = self._asked

    # -- brackets, of which only the clock is left

    def enter(self) -> int:
        return self.turn(0, 0)

    def turn(self, base: int, depth: int) -> bool:
        self._ticks += 1
        if self._ticks % TICKS_A_LOOK == 0:
            self.look_at_the_clock()
        return True

    def leave(self) -> None:
        pass

    def open(self, base: int, depth: int, line: int, loop: int) -> None:
        pass

    def close(self, base: int, depth: int) -> None:
        pass

    def start(self) -> Held:
        self.turn(0, 0)
        return _NO_STACK

    def suspend(self, held: Held, value: T) -> T:
        return value

    def reenter(self, held: Held, value: T) -> T:
        return value

    def finish(self, held: Held) -> None:
        pass

    def turns(self, items: Iterable[T], line: int, loop: int, function: str) -> Iterator[T]:
        for item in items:
            self.turn(0, 0)
            yield item

    def look_at_the_clock(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Deadline

    # -- decisions and names

    def test(self, term: Term, frame: FrameType) -> bool:
        number = self._asked
        self._asked = number + 1
        if number < self._known:
            answer = self._answers[number]
            assert answer is True or answer is False, "the program does not repeat its decisions"
            if number + 1 == self._known:
                self._is_repeated(term)
            return answer
        self.look_at_the_clock()  # a decision may take seconds
        taken = self._source.test(term, NOWHERE)
        self._answers.append(taken)
        return taken

    def value(self, term: Term, frame: FrameType) -> int:
        number = self._asked
        self._asked = number + 1
        if number < self._known:
            answer = self._answers[number]
            assert type(answer) is int, "the program does not repeat its decisions"
            if number + 1 == self._known:
                self._is_repeated(term)
            return answer
        self.look_at_the_clock()
        value = self._source.value(term, NOWHERE)
        self._answers.append(value)
        return value

    def _is_repeated(self, term: Term) -> None:
        turned = self._memory.turned
        assert turned is None or term == turned, "the program does not repeat its decisions"

    def bounds(self, term: Term) -> Interval:
        return bounds(term, self._ranges)

    def assume_order(self, what: str) -> bool:
        self.assumed = what
        return self._backwards

    def name(self, term: Term, frame: FrameType) -> Def:
        number = self._naming
        self._naming = number + 1
        if number < self._named:
            return self._names[number]
        target = Def(NOWHERE, (number,), term.sort, term)
        self._names.append(target)
        return target

    def named(self, value: object) -> object:
        """Called by instrumented code on what is assigned, returned or stored."""
        kind = type(value)
        if (kind is SymInt or kind is SymReal) and type(value.term) is Apply:  # type: ignore[attr-defined]
            return kind(self.name(value.term, None))  # type: ignore[attr-defined, arg-type]
        return value

    def renamed(self, value: object, frame: FrameType) -> object:
        return self.named(value)
