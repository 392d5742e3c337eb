"""A directed run: the program runs once at N, and every branch is decided beforehand.

What decides, in this order:

    sequence      a learned decision sequence: the turn says which side (`Turns`, `Values`)
    history       the last decisions of the same call say it (`After`)
    call          the turn in the call says it, and the size of the call (`Within`)
    policy        the preferred side of the place, if the difference graph finds it feasible
    implied       only one side is feasible, as far as the difference graph can tell

The first three look at nothing but the place, its counters and the size of its call, so a run
that they decide makes no feasibility check at all.  The others need a graph of what was decided
so far; it is built when it is first asked, and is never Z3: where it cannot tell, the preferred
side is taken on trust (`trusted`), and the one solver call that follows tells whether the trust
was justified.
A branch that nothing decides ends the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np

from xsynth.explore.effort import Effort
from xsynth.explore.feasibility.chain import Chain, Domain
from xsynth.explore.feasibility.outcome import Feasible, Infeasible, Unknown
from xsynth.explore.guide import Guide, Permit, Preferences
from xsynth.model.decisions import Counting, Histories, call_depth
from xsynth.model.expand import expand
from xsynth.model.isg import Isg
from xsynth.model.model import After, BranchPolicy, Decision, History, Turns, Values, Within
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.events import Trace
from xsynth.trace.proxies.current import current
from xsynth.trace.run import Excluded, run
from xsynth.trace.terms import Apply, Const, Op, Place, Sort, Term, const, negate
from xsynth.trace.tracer import Tracer

GRAPH = frozenset({"constant", "witness", "difference", "nudge"})
KINDS = ("sequence", "history", "call", "policy", "implied", "trusted")


@dataclass(frozen=True, slots=True)
class Directed:
    """The run: its path, what decided how many branches, and the questions to the graph."""

    trace: Trace
    decisions: Mapping[str, int]
    checks: Mapping[str, int]

    def effort(self, solver_calls: int) -> Effort:
        return Effort(
            paths=1,
            resolved=sum(self.decisions.values()),
            unresolved=0,
            by=self.decisions,
            checks=self.checks,
            solver_calls=solver_calls,
            finished=True,
        )


@dataclass(frozen=True, slots=True)
class Undirected:
    reason: str


class _Stop(BaseException):
    """The run cannot go on.  Not an Exception: the program must not catch it."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def direct(
    program: Program,
    scale: Scale,
    decisions: Sequence[Decision],
    guide: Guide,
    *,
    most: int,
    deadline: float | None = None,
) -> Directed | Undirected:
    """One run at that scale, with no more than so many decisions.

    ValueError where the generators of the decisions do not hold at the scale.
    """
    source = _Rules(program, scale, decisions, guide, most)
    try:
        outcome = run(program, scale, source, deadline=deadline)
    except _Stop as stop:
        return Undirected(stop.reason)
    if isinstance(outcome, Excluded):
        return Undirected("the decisions lead to an input that the preconditions rule out")
    if outcome.raised is not None:
        return Undirected(f"the decisions lead to an exception, {outcome.raised.kind}")
    return Directed(outcome.trace, source.counts, source.graph.checks)


def preferences(policies: Iterable[BranchPolicy]) -> Preferences:
    return Preferences({policy.place: policy.prefer for policy in policies})


def _table(generators: Sequence[Isg], scale: Scale) -> list[tuple[int, ...]]:
    columns = [expand(generator, scale) for generator in generators]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the generators of one decision give columns of different lengths")
    return list(map(tuple, np.stack(columns, axis=1).tolist()))


@dataclass
class _Graph:
    """What was decided so far, as the difference layer sees it."""

    program: Program
    scale: Scale
    path: list[tuple[Term, bool]] = field(default_factory=list)
    """Decisions in order; those up to `_seen` are in the chain."""
    _seen: int = 0
    _chain: Chain | None = None

    def feasible(self, condition: Term) -> bool | None:
        """Whether it can hold after all that was decided; None where that cannot be told."""
        chain = self._current()
        match chain.check(condition):
            case Feasible(witness=witness):
                chain.push(condition, witness)
                self._seen = len(self.path) + 1  # it is decided that way, and recorded next
                return True
            case Infeasible():
                return False
            case Unknown():
                return None

    def possible(self, condition: Term) -> bool | None:
        match self._current().check(condition):
            case Feasible():
                return True
            case Infeasible():
                return False
            case Unknown():
                return None

    def _current(self) -> Chain:
        if self._chain is None:
            domains = [Domain(*bounds) for bounds in self.program.spec.domains(self.scale)]
            self._chain = Chain(domains, layers=GRAPH)
        for term, taken in self.path[self._seen :]:
            condition = term if taken else negate(term)
            match self._chain.check(condition):
                case Feasible(witness=witness):
                    self._chain.push(condition, witness)
                case Infeasible():
                    raise _Stop("the decisions contradict each other")
                case Unknown():
                    pass  # the graph knows less; the solver will hear of it
        self._seen = max(self._seen, len(self.path))
        return self._chain

    @property
    def checks(self) -> dict[str, int]:
        return {} if self._chain is None else dict(self._chain.stats)


@dataclass
class _InCalls:
    """A rule for calls of every size; the turns of one size are expanded when it is first met."""

    rule: Within
    depth: int
    _exceptions: dict[int, frozenset[tuple[int, ...]]] = field(default_factory=dict)

    def side(self, numbered: tuple[int, ...]) -> bool:
        tracer = current()
        assert isinstance(tracer, Tracer)
        size = dict(tracer.sizes(self.depth)).get(self.rule.size)
        if size is None:
            raise _Stop(f"a call has no {self.rule.size}")
        rows = self._exceptions.get(size)
        if rows is None:
            tables = (_table(each, size) for each in self.rule.exceptions)
            rows = self._exceptions[size] = frozenset(row for table in tables for row in table)
        usual = self.rule.usual
        return usual if numbered[self.depth :] not in rows else not usual


class _Rules:
    """The decision source of a directed run."""

    def __init__(
        self,
        program: Program,
        scale: Scale,
        decisions: Sequence[Decision],
        guide: Guide,
        most: int,
    ) -> None:
        self._program = program
        self._guide = guide
        guide.begin()
        # Without feasibility a rule can run in circles that no input runs in.
        self._left = most
        self.counts = dict.fromkeys(KINDS, 0)
        self.graph = _Graph(program, scale)
        self._turns: dict[Place, tuple[bool, frozenset[tuple[int, ...]]]] = {}
        self._after: dict[Place, tuple[int, Mapping[History, bool]]] = {}
        self._within: dict[Place, _InCalls] = {}
        self._values: dict[Place, dict[tuple[int, ...], int]] = {}
        for rule in decisions:
            match rule:
                case Turns(place=place, usual=usual, exceptions=exceptions):
                    rows = frozenset(row for each in exceptions for row in _table(each, scale))
                    self._turns[place] = (usual, rows)
                case After(place=place, size=size, choices=choices):
                    self._after[place] = (size, dict(choices))
                case Within(place=place):
                    self._within[place] = _InCalls(rule, call_depth(place))
                case Values(place=place, pieces=pieces):
                    found = self._values[place] = {}
                    for piece in pieces:
                        for *at, value in _table((*piece.counters, *piece.leaves), scale):
                            found[tuple(at)] = value
                case _:
                    assert_never(rule)
        self._remembers = bool(self._after)
        self._counting = Counting()
        self._histories = Histories()

    def test(self, term: Term, place: Place) -> bool:
        tracer = current()
        assert isinstance(tracer, Tracer)
        at = tracer.at
        numbered = self._counting.numbered(place, at)
        side = self._side(term, place, at, numbered)
        self.graph.path.append((term, side))
        if self._remembers:
            self._histories.of(place, at).appendleft((place, side))
        self._guide.took(place, side, False)
        return side

    def _side(
        self, term: Term, place: Place, at: tuple[int, ...], numbered: tuple[int, ...]
    ) -> bool:
        self._left -= 1
        if self._left < 0:
            raise _Stop(f"the decisions in {self._words(place)} do not come to an end")
        if isinstance(term, Const):
            self.counts["implied"] += 1
            return bool(term.value)
        turns = self._turns.get(place)
        if turns is not None:
            self.counts["sequence"] += 1
            return turns[0] if numbered not in turns[1] else not turns[0]
        after = self._after.get(place)
        if after is not None:
            history = self._histories.of(place, at)
            choice = after[1].get(tuple(history)[: after[0]])
            if choice is not None:
                self.counts["history"] += 1
                return choice
        within = self._within.get(place)
        if within is not None:
            self.counts["call"] += 1
            return within.side(numbered)
        return self._by_policy(term, place)

    def _by_policy(self, term: Term, place: Place) -> bool:
        if not place.context:
            return self._assumed(term)
        permits = self._guide.permits(place)
        free = [side for side in (False, True) if permits[side] is Permit.FREE]
        if len(free) == 1:
            side = free[0]
            feasible = self.graph.feasible(term if side else negate(term))
            if feasible is None:
                self.counts["trusted"] += 1
                return side
            self.counts["policy" if feasible else "implied"] += 1
            return side if feasible else not side
        sides = [self.graph.possible(negate(term)), self.graph.possible(term)]
        for side in (False, True):
            if sides[not side] is False:
                self.counts["implied"] += 1
                return side
        line = self._words(place)
        if None in sides:
            raise _Stop(f"nothing decides the branch in {line}")
        raise _Stop(f"no rule decides the branch in {line}, where both sides are feasible")

    def _words(self, place: Place) -> str:
        return self._program.places.words(place)

    def _assumed(self, term: Term) -> bool:
        """A precondition that decides something: the first feasible side, as everywhere."""
        self.counts["implied"] += 1
        return self.graph.feasible(term) is not False

    def value(self, term: Term, place: Place) -> int:
        tracer = current()
        assert isinstance(tracer, Tracer)
        at = self._counting.numbered(place, tracer.at)
        value = self._values.get(place, {}).get(at)
        self.counts["policy" if value is None else "sequence"] += 1
        if value is None:
            value = self._guide.value(place)
        if value is None:
            raise _Stop(f"no rule says which value is used in {self._words(place)}")
        self._guide.chose(place, value, False)
        self.graph.path.append((Apply(Op.EQ, (term, const(value)), Sort.BOOL), True))
        return value

    def assume(self, term: Term) -> None:
        """A precondition joins the path condition as it is; the graph should know of it too."""
        if not isinstance(term, Const):
            self.graph.path.append((term, True))
