"""One symbolic run of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xsynth.program.assumptions import assumption_term
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import PURE_FORMS as FORMS
from xsynth.program.program import Program, Raised, counting
from xsynth.program.recursion import deep_recursion
from xsynth.scale import Scale, named
from xsynth.trace.bounds import Interval
from xsynth.trace.events import Trace
from xsynth.trace.light import LightTracer, Memory
from xsynth.trace.proxies.current import recording
from xsynth.trace.proxies.mappings import STANDS_FOR
from xsynth.trace.source import DecisionSource
from xsynth.trace.terms import Cell, Sort, Term, const
from xsynth.trace.tracer import Context, Idle, Tracer

_ROOTS: dict[int, tuple[Program, Context]] = {}
_RANGES: dict[int, tuple[Program, dict[Scale, dict[Cell, Interval]]]] = {}
_ARGUMENTS: dict[int, tuple[Program, dict[Scale, dict[str, object]]]] = {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that came to its end: its trace, cost, and the exception it let out, if any."""

    trace: Trace
    cost: int
    decisions: int
    raised: Raised | None
    assumed: str | None = None
    """What the run took for granted that plain values decide: the order of a set."""
    ran: tuple[int, ...] = ()
    """How often each block ran, also outside the measured part."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """The decisions led to an input that the preconditions rule out."""


def root_of(program: Program) -> Context:
    """The context tree of a program, shared by its runs so that places are shared."""
    held = _ROOTS.get(id(program))
    if held is None or held[0] is not program:
        held = _ROOTS[id(program)] = (program, Context(None, None, None))
    return held[1]


def ranges_of(program: Program, scale: Scale) -> dict[Cell, Interval]:
    """The ranges of the input's integers at a scale."""
    held = _RANGES.get(id(program))
    if held is None or held[0] is not program:
        held = _RANGES[id(program)] = (program, {})
    known = held[1].get(scale)
    if known is None:
        domains = program.spec.domains(scale)
        known = held[1][scale] = {
            cell: (None if low is None else int(low), None if high is None else int(high))
            for cell, low, high in domains
            if cell.sort is Sort.INT
        }
    return known


def arguments_of(program: Program, scale: Scale) -> dict[str, object]:
    """Symbolic arguments.  The proxies in them are immutable, so all runs share these."""
    if program.remakes:  # an object may keep a list that it is made with
        made = program.spec.symbolic(scale)
    else:
        held = _ARGUMENTS.get(id(program))
        if held is None or held[0] is not program:
            held = _ARGUMENTS[id(program)] = (program, {})
        known = held[1].get(scale)
        if known is None:
            held[1].clear()
            known = held[1][scale] = program.spec.symbolic(scale)
        made = known
    return {name: standing(value) for name, value in made.items()}


def run(
    program: Program,
    scale: Scale,
    source: DecisionSource,
    *,
    record: bool = True,
    deadline: float | None = None,
    backwards: bool = False,
    memory: Memory | None = None,
) -> Outcome | Excluded:
    """With `backwards`, sets whose order is assumed are gone through from their last element.

    With `memory` the run repeats what is in it, records nothing, and tells the source no places.
    """
    build = program.tracing
    arguments = arguments_of(program, scale)
    ranges = ranges_of(program, scale)
    tracer: Tracer | LightTracer
    if memory is None:
        tracer = Tracer(
            root_of(program),
            source,
            record=record,
            deadline=deadline,
            ranges=ranges,
            backwards=backwards,
        )
    else:
        tracer = LightTracer(source, memory, deadline=deadline, ranges=ranges, backwards=backwards)
    if build.stateful:
        build.trace_with(Idle())  # what a module does when it is imported is not traced
        build.renew()
    build.trace_with(tracer)
    with counting(build.counts) as meter, recording(tracer, build.modules[FORMS]), deep_recursion():
        try:
            tracer.pause()
            for text in program.spec.assumptions:
                source.assume(_term(assumption_term(text, arguments, named(scale))))
            tracer.resume()
            raised = program.call(build, arguments, meter)
        except AssumptionFailed:
            return Excluded()
    counts = meter.total()
    ran = tuple(build.counts)
    trace = Trace(scale, tuple(tracer.events), tuple(counts), tracer.calls)
    return Outcome(trace, program.cost(counts), tracer.decisions, raised, tracer.assumed, ran)


def standing(value: object) -> object:
    """The argument with the containers of traced code in place of dicts and sets."""
    kind = type(value)
    if kind is list:
        return [standing(item) for item in cast(list[object], value)]
    if kind is tuple:
        return tuple([standing(item) for item in cast(tuple[object, ...], value)])
    if kind is dict:
        items = cast(dict[object, object], value).items()
        return STANDS_FOR[dict]([(key, standing(item)) for key, item in items])
    return STANDS_FOR[kind](value) if kind in STANDS_FOR else value


def _term(result: Term | bool) -> Term:
    return const(result) if isinstance(result, bool) else result
