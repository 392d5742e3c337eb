"""The tracer: what an instrumented program talks to while it runs.

It keeps the stack of loops and calls around the statement that runs (a node of the
context tree, and a counter for each entry), asks the decision source at every
decision, and writes down clauses and assignments.

A loop's counter is the number of the turn, from 0.  A call's counter is 0, except for
recursion: a function that is already running does not nest deeper.  It reuses the
entry of its outermost call, with the number of the call below that one, in the order
in which the calls start.  So recursion is seen as a loop over calls, and the context of a
place is finite whatever the depth.
"""

from __future__ import annotations

import dis
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import TypeAlias, TypeVar

from xsynth.trace.bounds import Interval, bounds
from xsynth.trace.events import Assign, Clause, Event
from xsynth.trace.proxies import SymInt, SymReal
from xsynth.trace.sizes import CallKey, CallSizes, sizes
from xsynth.trace.source import DecisionSource
from xsynth.trace.terms import Apply, Cell, Def, Op, Place, Site, Sort, Term, const

T = TypeVar("T")

TICKS_A_LOOK = 512
"""How many turns and calls pass between two looks at the clock."""


OWN_CALLS = tuple(
    str(Path(__file__).parents[1] / own)
    for own in ("trace/calls.py", "program/work.py", "trace/proxies", "trace/regex")
)
"""Calls through these files count as calls of the line of the program that made them."""

START = Site("start", 0, 0)


Stack: TypeAlias = "tuple[Context, list[int], list[list[int]]]"


class Deadline(BaseException):
    """The budget is used up.  Not an Exception: the program under test must not catch it."""


class Context:
    """A node of the tree of calling contexts, shared by all runs of a program."""

    __slots__ = ("active", "calls", "depth", "loops", "parent", "places", "sites")

    def __init__(
        self, parent: Context | None, site: Site | None, function: CodeType | None
    ) -> None:
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.sites: tuple[Site, ...] = (
            () if parent is None or site is None else (*parent.sites, site)
        )
        self.active: dict[CodeType, Context] = {} if parent is None else dict(parent.active)
        if function is not None:
            self.active[function] = self
        self.loops: dict[int, Context] = {}
        self.calls: dict[tuple[int, int, int], Context] = {}
        self.places: dict[tuple[int, int], Place] = {}

    def ancestor(self, depth: int) -> Context:
        node = self
        while node.depth > depth:
            assert node.parent is not None
            node = node.parent
        return node


_CACHE, _CALL, _PRECALL = dis.opmap["CACHE"], dis.opmap["CALL"], dis.opmap.get("PRECALL")
_BETWEEN = 4
"""How far a CALL of Python 3.11 stands behind its PRECALL, in bytes."""


def steady(code: CodeType, instruction: int) -> int:
    """The instruction under which a place is known.

    Once it has run a few times, Python does some things at another instruction: what calls
    a Python function stands at the caches behind it, and a call of a built-in (in 3.11) is
    made at the PRECALL before the CALL.  All these are one place.
    """
    whole = code.co_code
    while instruction > 0 and whole[instruction] == _CACHE:
        instruction -= 2
    before = instruction - _BETWEEN
    if before >= 0 and whole[instruction] == _CALL and whole[before] == _PRECALL:
        return before
    return instruction


def site_of(code: CodeType, instruction: int) -> Site:
    positions = list(code.co_positions())
    line = positions[instruction // 2][0] if positions else None
    return Site(code.co_qualname, line or code.co_firstlineno, instruction // 2)


class Held:
    """The stack of a generator, and that of whoever resumed it while it runs."""

    __slots__ = ("aside", "base", "running")

    def __init__(self, base: int, aside: Stack) -> None:
        self.base = base
        self.aside = aside
        self.running = True


class Idle:
    """Stands in for the tracer while a module is imported: nothing is traced."""

    def enter(self) -> int:
        return 0

    def start(self) -> Held:
        return Held(0, (Context(None, None, None), [], []))

    def suspend(self, held: Held, value: T) -> T:
        return value

    def reenter(self, held: Held, value: T) -> T:
        return value

    def named(self, value: T) -> T:
        return value

    def ignore(self, *arguments: object) -> None:
        pass

    leave = finish = open = turn = close = ignore


class Tracer:
    """One run.  With `record=False` only decisions are made, nothing is written down."""

    def __init__(
        self,
        root: Context,
        source: DecisionSource,
        *,
        record: bool,
        deadline: float | None = None,
        ranges: Mapping[Cell, Interval] | None = None,
        backwards: bool = False,
    ) -> None:
        self._context = root
        self._counters: list[int] = []
        self._boxes: list[list[int]] = []
        self._saved: list[Stack] = []
        self._values: dict[Term, int] = {}
        self._source = source
        self._record = self._paused = record
        self._deadline = deadline
        self._ticks = 0
        self._named: dict[tuple[Place, tuple[int, ...]], int] = {}
        self.events: list[Event] = []
        self._sizes: dict[tuple[Context, tuple[int, ...]], CallSizes] = {}
        self._ranges = ranges or {}
        self.decisions = 0
        self.assumed: str | None = None
        self._backwards = backwards

    @property
    def activation(self) -> object:
        """The running call, by identity: its counters' boxes are made when it starts."""
        return self._boxes

    @property
    def at(self) -> tuple[int, ...]:
        """The counters of the loops and calls around the statement that runs."""
        return tuple(self._counters)

    def sizes(self, depth: int) -> CallSizes:
        """Those of the call at that depth around the statement that runs."""
        return self._sizes[self._context.ancestor(depth), tuple(self._counters[:depth])]

    @property
    def calls(self) -> dict[CallKey, CallSizes]:
        """The sizes of all calls that had any."""
        return {(node.sites, at): known for (node, at), known in self._sizes.items() if known}

    # -- brackets

    def enter(self) -> int:
        """A function starts; gives the depth of its loops."""
        return self._enter(sys._getframe(1))

    def _enter(self, frame: FrameType) -> int:
        self._tick()
        code = frame.f_code
        self._saved.append((self._context, self._counters, self._boxes))
        running = self._context.active.get(code)
        if running is None:
            caller = frame.f_back
            while caller is not None and caller.f_code.co_filename.startswith(OWN_CALLS):
                caller = caller.f_back
            assert caller is not None
            key = (id(caller.f_code), caller.f_lasti, id(code))
            node = self._context.calls.get(key)
            if node is None:
                at = steady(caller.f_code, caller.f_lasti)
                known = (id(caller.f_code), at, id(code))
                node = self._context.calls.get(known)
                if node is None:
                    # The outermost call is xsynth's own: its place says nothing.
                    outermost = self._context.parent is None
                    site = START if outermost else site_of(caller.f_code, at)
                    node = self._context.calls[known] = Context(self._context, site, code)
                self._context.calls[key] = node
            self._context = node
            self._counters = [*self._counters, 0]
            self._boxes = [*self._boxes, [0]]
        else:
            depth = running.depth
            box = self._boxes[depth - 1]
            box[0] += 1
            self._context = running
            self._counters = [*self._counters[: depth - 1], box[0]]
            self._boxes = self._boxes[:depth]
        if self._record:
            self._sizes[self._context, tuple(self._counters)] = sizes(frame)
        return len(self._counters)

    def leave(self) -> None:
        self._context, self._counters, self._boxes = self._saved.pop()

    def start(self) -> Held:
        """A generator starts: like `enter`, with a stack that can be put aside."""
        frame = sys._getframe(1)
        base = self._enter(frame)
        return Held(base, self._saved.pop())

    def suspend(self, held: Held, value: T) -> T:
        held.running = False
        held.aside = self._swap(held.aside)
        return value

    def reenter(self, held: Held, value: T) -> T:
        held.running = True
        held.aside = self._swap(held.aside)
        return value

    def finish(self, held: Held) -> None:
        """The generator ends; one that is closed while it waits is not on the stack."""
        if held.running:
            self._swap(held.aside)

    def _swap(self, stack: Stack) -> Stack:
        before = (self._context, self._counters, self._boxes)
        self._context, self._counters, self._boxes = stack
        return before

    def open(self, base: int, depth: int, line: int, loop: int) -> None:
        self._cut(base + depth)
        self._push(line, loop, sys._getframe(1).f_code.co_qualname)

    def _push(self, line: int, loop: int, function: str) -> None:
        node = self._context.loops.get(loop)
        if node is None:
            site = Site(function, line, -loop)
            node = self._context.loops[loop] = Context(self._context, site, None)
        self._context = node
        self._counters.append(-1)
        self._boxes.append([0])

    def turn(self, base: int, depth: int) -> bool:
        self._tick()
        self._cut(base + depth + 1)
        self._counters[-1] += 1
        return True

    def close(self, base: int, depth: int) -> None:
        self._cut(base + depth)

    def _cut(self, depth: int) -> None:
        if len(self._counters) > depth:
            del self._counters[depth:]
            del self._boxes[depth:]
            self._context = self._context.ancestor(depth)

    def turns(self, items: Iterable[T], line: int, loop: int, function: str) -> Iterator[T]:
        """The turns of a comprehension, whose depth is known only when it runs."""
        depth = len(self._counters)
        self._push(line, loop, function)
        counters = self._counters
        try:
            for item in items:
                self._tick()
                if self._counters is counters:
                    self._cut(depth + 1)
                    counters[-1] += 1
                yield item
        finally:
            if self._counters is counters:
                self._cut(depth)

    def _tick(self) -> None:
        self._ticks += 1
        if self._ticks % TICKS_A_LOOK == 0:
            self.look_at_the_clock()

    def look_at_the_clock(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Deadline

    def pause(self) -> None:
        """What follows is evaluated for its decisions only, as preconditions are."""
        self._paused, self._record = self._record, False

    def resume(self) -> None:
        self._record = self._paused
        self.decisions = 0

    # -- decisions and names

    def test(self, term: Term, frame: FrameType) -> bool:
        self.look_at_the_clock()  # a decision may have taken seconds
        self.decisions += 1
        place = self._place(frame)
        taken = self._source.test(term, place)
        if self._record:
            self.events.append(Clause(place, tuple(self._counters), term, taken))
        return taken

    def value(self, term: Term, frame: FrameType) -> int:
        self.look_at_the_clock()
        self.decisions += 1
        place = self._place(frame)
        value = self._values.get(term)
        if value is None:
            value = self._values[term] = self._source.value(term, place)
        if self._record:
            equality = Apply(Op.EQ, (term, const(value)), Sort.BOOL)
            self.events.append(Clause(place, tuple(self._counters), equality, True, True))
        return value

    def bounds(self, term: Term) -> Interval:
        return bounds(term, self._ranges)

    def assume_order(self, what: str) -> bool:
        self.assumed = what
        return self._backwards

    def name(self, term: Term, frame: FrameType) -> Def:
        """A new definition.  Its last counter tells apart those of one turn."""
        place = self._place(frame)
        at = tuple(self._counters)
        again = self._named.get((place, at), 0)
        self._named[place, at] = again + 1
        target = Def(place, (*at, again), term.sort, term)
        if self._record:
            self.events.append(Assign(target))
        return target

    def named(self, value: object) -> object:
        """Called by instrumented code on what is assigned, returned or stored."""
        return self.renamed(value, sys._getframe(1))

    def renamed(self, value: object, frame: FrameType) -> object:
        """A computed number under a name of its own; anything else as it is."""
        kind = type(value)
        if kind is SymInt or kind is SymReal:
            term: Term = value.term  # type: ignore[attr-defined]
            if type(term) is Apply:
                named = self.name(term, frame)
                return SymInt(named) if kind is SymInt else SymReal(named)
        return value

    def _place(self, frame: FrameType) -> Place:
        code = frame.f_code
        key = (id(code), frame.f_lasti)
        place = self._context.places.get(key)
        if place is None:
            at = steady(code, frame.f_lasti)
            place = self._context.places.get((id(code), at))
            if place is None:
                place = Place(site_of(code, at), self._context.sites)
                self._context.places[id(code), at] = place
            self._context.places[key] = place
        return place
