"""Preconditions at a scale: evaluated there, exactly, rather than learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from xsynth.errors import InputSpecError
from xsynth.explore.feasibility.outcome import Feasible, Infeasible, Unknown
from xsynth.program.assumptions import assumption_term
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program
from xsynth.scale import Scale, named
from xsynth.trace.events import Clause
from xsynth.trace.proxies.current import recording
from xsynth.trace.run import root_of
from xsynth.trace.terms import Const, Place, Term, const
from xsynth.trace.tracer import Tracer

if TYPE_CHECKING:
    from xsynth.explore.search import Search


WAYS = 64
"""How many ways through assumptions that decide are tried, until the input can be of one."""


def preconditions(program: Program, scale: Scale) -> tuple[Term, ...]:
    """The terms that the assumptions come to at that scale.

    An assumption that compares in a way that cannot be put into one term (it sorts, say)
    makes decisions; those of the first way on which all assumptions can hold become conditions.
    """
    conditions = _conditions(program, scale)
    _demand_a_way(conditions, scale)
    return (*conditions.decided, *conditions.terms)


def _demand_a_way(conditions: _Conditions, scale: Scale) -> None:
    if conditions.impossible is not None and not conditions.every_way:
        raise InputSpecError(
            f"--assume {conditions.impossible!r}: it compares in many ways, and in {WAYS} of them"
            f" no input of scale {scale} was found that satisfies it",
            "say it as a condition on the elements, with all, any, sum, len(set(...))",
        )


@dataclass(frozen=True, slots=True)
class _Conditions:
    decided: tuple[Term, ...]
    terms: tuple[Term, ...]
    """One for each assumption."""
    impossible: str | None = None
    """The assumption that cannot hold on any way that was tried."""
    every_way: bool = True


def _conditions(program: Program, scale: Scale) -> _Conditions:
    if not program.spec.assumptions:
        return _Conditions((), ())
    arguments = program.spec.symbolic(scale)
    source = _Feasible(program, scale)
    for _ in range(WAYS):
        source.begin()
        tracer = Tracer(root_of(program), source, record=True)
        terms: list[Term] = []
        with recording(tracer):
            for text in program.spec.assumptions:
                result = assumption_term(text, arguments, named(scale))
                terms.append(const(result) if isinstance(result, bool) else result)
        decided = [event.condition for event in tracer.events if isinstance(event, Clause)]
        failed = source.failed(terms) if source.decided else None
        found = _Conditions(tuple(decided), tuple(terms))
        if failed is None:
            return found
        impossible = program.spec.assumptions[failed]
        if not source.turn_back():
            return replace(found, impossible=impossible, every_way=source.exhausted)
    return replace(found, impossible=impossible, every_way=False)


class _Feasible:
    """Takes the first feasible side.  Most assumptions ask nothing, so what it takes to
    answer (a domain for every cell) is made when it is needed.
    """

    def __init__(self, program: Program, scale: Scale) -> None:
        self._made = (program, scale)
        self.decided = False

    @cached_property
    def _search(self) -> Search:
        self.decided = True
        search = _new_search(*self._made)
        search.memory = None
        search.begin()
        return search

    def begin(self) -> None:
        if self.decided:
            self._search.begin()

    def failed(self, terms: Sequence[Term]) -> int | None:
        """The first of these that cannot hold beside the decisions and those before it."""
        chain = self._search.chain
        level = chain.level
        try:
            for i, term in enumerate(terms):
                if isinstance(term, Const):
                    if not term.value:
                        return i
                    continue
                match chain.check(term):
                    case Feasible(witness=found):
                        chain.push(term, found)
                    case Infeasible():
                        return i
                    case Unknown():
                        return None
        finally:
            chain.pop(level)
        return None

    def turn_back(self) -> bool:
        return self._search.turn_back()

    @property
    def exhausted(self) -> bool:
        return self._search.incomplete is None

    def test(self, term: Term, place: Place) -> bool:
        return self._search.test(term, place)

    def value(self, term: Term, place: Place) -> int:
        return self._search.value(term, place)

    def assume(self, term: Term) -> None:
        self._search.assume(term)


def possible_scales(program: Program, scales: Sequence[Scale]) -> tuple[Scale, ...]:
    """The scales that have inputs, cheapest first: those with few unknowns.

    An assumption such as `n % 2 == 0` or `m <= n` leaves out some scales; it is a mistake only
    if it leaves out all of them.
    """
    found = [scale for scale in scales if has_input(program, scale)]
    if not found:
        demand_some_input(program, scales[0])
    if all(isinstance(scale, int) for scale in scales):
        return tuple(scales)  # those without inputs have no paths, and are told so
    return tuple(sorted(found, key=lambda scale: _unknowns(program, scale)))


def excluded(program: Program, scale: Scale, explored: Sequence[Scale]) -> str | None:
    """That no input of a scale satisfies the assumptions, and which scales have some."""
    if has_input(program, scale):
        return None
    whole = [n for n in explored if isinstance(n, int)]
    known: Sequence[Scale] = range(min(whole), max(whole) + 1) if whole else explored
    found: dict[bool, list[str]] = {True: [], False: []}
    for one in known:
        found[has_input(program, one)].append(str(one))
    told = f"the assumptions exclude every input of scale {scale}"
    if found[True]:
        told += f"; there are inputs at {', '.join(found[True])}"
    if found[False]:
        told += f", and none at {', '.join(found[False])}"
    return told


def _unknowns(program: Program, scale: Scale) -> tuple[int, Scale]:
    return sum(prod(layout.dims) for layout in program.spec.layouts(scale)), scale


def has_input(program: Program, scale: Scale) -> bool:
    """Whether some input of that scale satisfies the assumptions."""
    if not program.spec.assumptions:
        program.spec.layouts(scale)
        return True
    conditions = _conditions(program, scale)
    if not conditions.every_way:
        return True  # who asks for the conditions themselves is told
    try:
        _demand(program, scale, conditions)
    except InputSpecError:
        program.spec.layouts(scale)  # a size that is negative there is another mistake
        return False
    return True


def demand_some_input(program: Program, scale: Scale) -> None:
    """An assumption that no input satisfies is a mistake worth naming at once."""
    conditions = _conditions(program, scale)
    _demand_a_way(conditions, scale)
    _demand(program, scale, conditions)


def _demand(program: Program, scale: Scale, conditions: _Conditions) -> None:
    search = _new_search(program, scale)
    for term in conditions.decided:
        search.assume(term)
    for text, term in zip(program.spec.assumptions, conditions.terms, strict=True):
        try:
            search.assume(term)
        except AssumptionFailed:
            raise InputSpecError(
                f"--assume {text!r}: no input of scale {scale} satisfies it",
                "check it against the other assumptions, the ranges and the sizes",
            ) from None


def _new_search(program: Program, scale: Scale) -> Search:
    from xsynth.explore.paths import chain_for
    from xsynth.explore.search import Search

    return Search(chain_for(program, scale))
