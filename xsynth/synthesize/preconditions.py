"""Preconditions at a scale: evaluated there, exactly, rather than learned."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from xsynth.errors import InputSpecError
from xsynth.program.assumptions import assumption_term
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program
from xsynth.scale import Scale, named
from xsynth.trace.events import Clause
from xsynth.trace.proxies.current import recording
from xsynth.trace.run import root_of
from xsynth.trace.terms import Place, Term, const
from xsynth.trace.tracer import Tracer

if TYPE_CHECKING:
    from xsynth.explore.search import Search


def preconditions(program: Program, scale: Scale) -> tuple[Term, ...]:
    """The terms that the assumptions come to at that scale.

    An assumption that compares in a way that cannot be put into one term (it sorts, say)
    makes decisions; the first feasible ones are taken and become conditions too.
    """
    if not program.spec.assumptions:
        return ()
    arguments = program.spec.symbolic(scale)
    tracer = Tracer(root_of(program), _Feasible(program, scale), record=True)
    terms: list[Term] = []
    with recording(tracer):
        for text in program.spec.assumptions:
            result = assumption_term(text, arguments, named(scale))
            terms.append(const(result) if isinstance(result, bool) else result)
    decided = [event.condition for event in tracer.events if isinstance(event, Clause)]
    return (*decided, *terms)


class _Feasible:
    """Takes the first feasible side.  Most assumptions ask nothing, so what it takes to
    answer (a domain for every cell) is made when it is needed.
    """

    def __init__(self, program: Program, scale: Scale) -> None:
        self._made = (program, scale)

    @cached_property
    def _search(self) -> Search:
        return _new_search(*self._made)

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
    try:
        demand_some_input(program, scale)
    except InputSpecError:
        program.spec.layouts(scale)  # a size that is negative there is another mistake
        return False
    return True


def demand_some_input(program: Program, scale: Scale) -> None:
    """An assumption that no input satisfies is a mistake worth naming at once."""
    search = _new_search(program, scale)
    for text, term in zip(program.spec.assumptions, preconditions(program, scale), strict=False):
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
