"""Depth-first search over the decisions of a program at one scale.

WISE's algorithm 1 by re-execution: a run follows the decisions on the stack and then
goes on with the first feasible side of each new one, True before False.  Afterwards the
last decision with an untried feasible side is turned, and the program runs again.  The
feasibility chain keeps what the stack asserts, so a prefix costs nothing to replay.

The order is that of the decisions alone: it does not depend on which witness a solver
happens to find.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from xsynth.explore.feasibility.chain import Chain
from xsynth.explore.feasibility.outcome import Feasible, Infeasible, Unknown
from xsynth.explore.guide import BOTH, PREFER, Guide, Permit, Permits, Pruned
from xsynth.program.markers import AssumptionFailed
from xsynth.trace.bounds import bounds
from xsynth.trace.light import Memory
from xsynth.trace.terms import (
    Apply,
    Cell,
    Const,
    Op,
    Place,
    Sort,
    Term,
    Value,
    const,
    evaluate,
    negate,
)

VALUES_A_DECISION = 256
"""How many values of one symbolic integer are tried where a plain one is needed."""


VALUES_BEFORE_DOUBT = 12
"""After so many values it is asked whether there is any end to them."""
UNBOUNDED = (
    "an unbounded integer is used as a key, an index, a count or a text: bound it with --range"
)
FAR = 10**6
Z3_WORK = 100
"""How many decisions take about as long as one question to Z3."""
SUMS_A_DECISION = 10
"""How many sums are evaluated in the time of a decision."""


_At: TypeAlias = tuple[int, int, int]
"""How many answers and names came before a decision, and the work up to it."""


@dataclass(slots=True)
class _Test:
    """A condition on the stack.

    `other` is a witness of the untried side, if one is known; `free` is whether both sides
    are known to be feasible.
    """

    term: Term
    level: int
    answer: bool
    untried: bool
    other: Mapping[Cell, Value] | None = None
    free: bool = False
    assumed: bool = False
    at: _At = (0, 0, 0)


@dataclass(slots=True)
class _Pick:
    """A symbolic integer on the stack, where a plain one is needed: the values so far.

    `only` is set where the prefix or the guide named the value; `other` is a witness of
    another value, if one is known, and `free` is whether there is one for certain.
    """

    term: Term
    level: int
    tried: list[int]
    only: bool = False
    other: Mapping[Cell, Value] | None = None
    free: bool = False
    at: _At = (0, 0, 0)
    place: Place | None = None
    """Unknown to a search with a memory."""


class Spent(BaseException):
    """The limit of work is reached.  Not an Exception: the program must not catch it."""


class Cut(BaseException):
    """The path is cut here.  Not an Exception: the program must not catch it."""


@dataclass
class Search:
    """The decision source of a search, and the stack it walks.

    `policy` tells which side to take at a place (the other only where that one is not
    feasible), or None for both; `guide` tells more (see `guide.py`).  A search without
    either is exhaustive.  With `eager` the guide hears reliably whether a decision was
    free, which costs an exhaustive search nothing: it asks about every side anyway.
    `incomplete` says why the search cannot be called exhaustive, where it cannot.
    """

    chain: Chain
    policy: Callable[[Place], bool | None] | None = None
    guide: Guide | None = None
    eager: bool = False
    prefix: tuple[int, ...] = ()
    """The first answers, which are taken as given: what is searched is the tree below them."""
    cut: int | None = None
    """Raises `Cut` where a path gets longer than this, or needs a plain value."""
    limit: int | None = None
    """Raises `Spent` after so much work: decisions, also those of a prefix that is run again,
    Z3's answers, each as many as `Z3_WORK`, and the sums that were looked at.  Unlike a deadline
    it is the same every time."""
    resolved: int = 0
    unresolved: int = 0
    """Decisions that the guide took, and those of which it left both sides open."""
    stack: list[_Test | _Pick] = field(default_factory=list)
    incomplete: str | None = None
    unbounded: tuple[int, ...] = ()
    """The answers up to where a plain value was first needed of an integer without bounds."""
    memory: Memory | None = None
    """What the next run repeats; None where a guide or a policy has to hear of every place."""
    _position: int = 0
    _decided: int = 0
    _work: int = 0
    _assumed: int = 0
    _assumptions: int = 0
    _known: dict[Term, int] = field(default_factory=dict)
    """The answers so far.  With a memory these are of the stack, and outlast a run."""

    def __post_init__(self) -> None:
        if self.guide is None and self.policy is None:
            self.memory = Memory()

    # -- the decision source

    def begin(self) -> None:
        self._assumed = 0
        if self.memory is None:
            self._position = 0
            self._known = {}
        else:
            self._position = len(self.stack)
            if self.limit is not None:
                self._decided += self._work
                self._demand(self.limit)
        if self.guide is not None:
            self.guide.begin()

    def test(self, term: Term, place: Place) -> bool:
        if self.limit is not None:
            self._spend(self.limit)
        if isinstance(term, Const):
            return self._implied(place, bool(term.value))
        known = self._known.get(term)
        if known is not None:
            return self._implied(place, bool(known))
        if self._position < len(self.stack):
            node = self.stack[self._position]
            assert isinstance(node, _Test), "the program does not repeat its decisions"
        else:
            node = self._decide(term, place)
            self._put(node)
        self._position += 1
        self._known[term] = node.answer
        if self.guide is not None:
            self.guide.took(place, node.answer, node.free)
        return node.answer

    def _put(self, node: _Test | _Pick) -> None:
        if self.memory is not None:
            node.at = len(self.memory.answers), len(self.memory.names), self._work
        self.stack.append(node)

    def _spend(self, limit: int) -> None:
        self._decided += 1
        self._work += 1
        self._demand(limit)

    def _demand(self, limit: int) -> None:
        stats = self.chain.stats
        asked = Z3_WORK * (stats["z3"] + 10 * stats["unknown"])
        if self._decided + asked + self.chain.steps // SUMS_A_DECISION > limit:
            raise Spent

    def _implied(self, place: Place, side: bool) -> bool:
        if self.guide is not None:
            if self.guide.permits(place)[side] is Permit.NEVER:
                raise Pruned
            self.guide.took(place, side, False)
        return side

    def _permits(self, place: Place) -> Permits:
        if self.guide is not None:
            return self.guide.permits(place)
        prefer = None if self.policy is None else self.policy(place)
        return BOTH if prefer is None else PREFER[prefer]

    def _decide(self, term: Term, place: Place) -> _Test:
        depth = len(self.stack)
        if depth < len(self.prefix):
            return self._retake(term, self.prefix[depth] == 0)
        if self.cut is not None and depth >= self.cut:
            raise Cut
        permits = self._permits(place)
        first = permits[True] >= permits[False]
        if permits[first] is not Permit.FREE:
            return self._forced(term, permits)
        chain = self.chain
        level, witness = chain.level, chain.witness
        both = permits[not first] is Permit.FREE
        self.resolved += not both
        self.unresolved += both
        wanted = term if first else negate(term)
        if chain.holds(term) is first:
            node = _Test(term, level, answer=first, untried=both)
            if self.eager:
                node.other = self._witness_of(negate(term) if first else term)
                node.free = node.other is not None
                node.untried = both and node.free
            chain.push(wanted, witness)
            return node
        found = self._witness_of(wanted)
        if found is not None:
            chain.push(wanted, found)
            return _Test(term, level, answer=first, untried=both, other=witness, free=True)
        if permits[not first] is Permit.NEVER:
            raise Pruned
        # What is implied need not be asserted.
        return _Test(term, level, answer=not first, untried=False)

    def _retake(self, term: Term, side: bool) -> _Test:
        """A decision of the prefix, with the witness that an unbroken search has there."""
        chain = self.chain
        level, witness = chain.level, chain.witness
        node = _Test(term, level, answer=side, untried=False)
        holds = chain.holds(term)
        if holds:
            found = witness if side else self._witness_of(negate(term))
        else:
            found = self._witness_of(term)
            if found is not None and not side:
                found = witness
        if found is not None:
            chain.push(term if side else negate(term), found)
        elif holds is not side:
            raise Pruned  # given away before it was asked whether it is feasible
        return node

    def _forced(self, term: Term, permits: Permits) -> _Test:
        """Neither side is free: the one that is feasible, if the other is not."""
        side = self.chain.holds(term)
        self.resolved += 1
        if permits[side] is Permit.NEVER:
            raise Pruned
        if self._witness_of(negate(term) if side else term) is not None:
            raise Pruned
        return _Test(term, self.chain.level, answer=side, untried=False)

    def _witness_of(self, term: Term) -> Mapping[Cell, Value] | None:
        match self.chain.check(term):
            case Feasible(witness=found):
                return found
            case Unknown(reason=reason):
                self.incomplete = reason
            case Infeasible():
                pass
        return None

    def value(self, term: Term, place: Place) -> int:
        if self.memory is not None:
            known = self._known.get(term)
            if known is not None:
                return known
        if self.limit is not None:
            self._spend(self.limit)
        if self._position < len(self.stack):
            node = self.stack[self._position]
            assert isinstance(node, _Pick), "the program does not repeat its decisions"
        else:
            if self.cut is not None:
                raise Cut
            node = self._pick(term, place)
            self._put(node)
        self._position += 1
        self._known[term] = node.tried[-1]
        if self.guide is not None:
            self.guide.chose(place, node.tried[-1], node.free or len(node.tried) > 1)
        return node.tried[-1]

    def _pick(self, term: Term, place: Place) -> _Pick:
        chain = self.chain
        level, witness = chain.level, chain.witness
        first = int(chain.evaluate(term))
        node = _Pick(term, level, [first], place=None if self.memory is not None else place)
        given = self._given(place)
        if given is not None and given != first:
            found = self._witness_of(_equals(term, given))
            if found is not None:
                node.tried, node.free, witness = [given], True, found
        node.only = given == node.tried[0]
        if self.guide is not None:
            self.resolved += node.only
            self.unresolved += not node.only
        if self.eager and not node.free:
            node.other = self._witness_of(negate(_equals(term, node.tried[0])))
            node.free = node.other is not None
            node.only = node.only or not node.free
        chain.push(_equals(term, node.tried[0]), witness)
        return node

    def _given(self, place: Place) -> int | None:
        """The value that the prefix has here, or the one that the guide names."""
        if len(self.stack) < len(self.prefix):
            return self.prefix[len(self.stack)]
        return None if self.guide is None else self.guide.value(place)

    def assume(self, term: Term) -> None:
        """A precondition: asserted once, with no other side."""
        if isinstance(term, Const):
            if not term.value:
                raise AssumptionFailed
            return
        if self._position < len(self.stack):
            self._position += 1
            return
        if self._assumed < self._assumptions and self.memory is not None:
            self._assumed += 1
            return
        level = self.chain.level
        match self.chain.check(term):
            case Feasible(witness=found):
                self.chain.push(term, found)
            case Infeasible():
                raise AssumptionFailed
            case Unknown(reason=reason):
                self.incomplete = reason
                raise AssumptionFailed
        self._put(_Test(term, level, answer=True, untried=False, assumed=True))
        self._assumed += 1
        self._assumptions += 1
        self._position += 1

    # -- the walk

    def turn_back(self) -> bool:
        """Turns the last decision that has an untried feasible side; False at the end."""
        while self.stack:
            node = self.stack[-1]
            self.chain.pop(node.level)
            match node:
                case _Test():
                    turned = node.untried and self._turn_test(node)
                case _Pick():
                    turned = self._turn_pick(node)
            if turned:
                if self.memory is not None:
                    self._turn_memory(self.memory, node)
                return True
            self.stack.pop()
            if isinstance(node, _Test) and node.assumed:
                self._assumptions -= 1
            elif self.memory is not None:
                del self._known[node.term]
        return False

    def _turn_memory(self, memory: Memory, node: _Test | _Pick) -> None:
        """The next run repeats all that came before the decision, which is now another."""
        answer = node.answer if isinstance(node, _Test) else node.tried[-1]
        answers, names, self._work = node.at
        del memory.answers[answers:], memory.names[names:]
        memory.answers.append(answer)
        memory.turned = node.term
        self._known[node.term] = answer

    def _turn_test(self, node: _Test) -> bool:
        node.untried = False
        opposite = negate(node.term) if node.answer else node.term
        witness = node.other
        if witness is None:
            witness = self._witness_of(opposite)
            if witness is None:
                return False
        node.answer = not node.answer
        self.chain.push(opposite, witness)
        return True

    def _turn_pick(self, node: _Pick) -> bool:
        if node.only:
            return False
        if len(node.tried) >= VALUES_A_DECISION:
            self.incomplete = f"a symbolic value has more than {VALUES_A_DECISION} possible values"
            return False
        if len(node.tried) == VALUES_BEFORE_DOUBT and self._is_unbounded(node.term):
            self.incomplete = UNBOUNDED
            self.unbounded = self.unbounded or self.answers()
            return False
        if node.other is not None:
            return self._take(node, node.other)
        low, high = bounds(node.term, {})
        if low is not None and high is not None and high - low < len(node.tried):
            return False  # as with a remainder: it has no other values
        if node.tried[-1] < 0:
            # Counts and indices are seldom negative: the next one above in between.
            above = self._witness_of(_equals(node.term, max(node.tried) + 1))
            if above is not None:
                return self._take(node, above)
        others = tuple([negate(_equals(node.term, v)) for v in node.tried])
        match self.chain.check(Apply(Op.AND, others, Sort.BOOL)):
            case Feasible(witness=found):
                return self._take(node, found)
            case Unknown(reason=reason):
                self.incomplete = reason
                return False
            case Infeasible():
                return False

    def _take(self, node: _Pick, witness: Mapping[Cell, Value]) -> bool:
        node.other = None
        value = int(evaluate(node.term, witness))
        node.tried.append(value)
        self.chain.push(_equals(node.term, value), witness)
        return True

    def _is_unbounded(self, term: Term) -> bool:
        high = Apply(Op.GT, (term, const(FAR)), Sort.BOOL)
        low = Apply(Op.LT, (term, const(-FAR)), Sort.BOOL)
        return any(isinstance(self.chain.check(side), Feasible) for side in (high, low))

    def give(self) -> tuple[int, ...] | None:
        """Leaves the untried side of the first decision that has one to another search.

        To one with this prefix, which finds out whether it is feasible.  The values of an integer
        are not given away, nor what follows them: which are tried next depends on the witnesses.
        """
        for depth, node in enumerate(self.stack):
            if isinstance(node, _Pick):
                return None
            if node.untried:
                node.untried = False
                return (*self.answers()[:depth], int(node.answer))
        return None

    def place_of(self, depth: int) -> Place | None:
        """Where the plain value is needed that is so deep on the stack."""
        node = self.stack[depth] if depth < len(self.stack) else None
        return node.place if isinstance(node, _Pick) else None

    def answers(self) -> tuple[int, ...]:
        """The decisions taken, so that True sorts before False."""
        return tuple(
            [int(not n.answer) if isinstance(n, _Test) else n.tried[-1] for n in self.stack]
        )


def _equals(term: Term, value: int) -> Term:
    return Apply(Op.EQ, (term, const(value)), Sort.BOOL)
