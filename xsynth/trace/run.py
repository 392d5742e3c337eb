"""One symbolic run of a program."""

from __future__ import annotations

from dataclasses import dataclass

from xsynth.program.assumptions import assumption_term
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program, Raised, counting, deep_recursion
from xsynth.scale import Scale, named
from xsynth.trace.events import Trace
from xsynth.trace.proxies.current import recording
from xsynth.trace.source import DecisionSource
from xsynth.trace.terms import Term, const
from xsynth.trace.tracer import Context, Idle, Tracer

_ROOTS: dict[int, tuple[Program, Context]] = {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that came to its end: its trace, cost, and the exception it let out, if any."""

    trace: Trace
    cost: int
    decisions: int
    raised: Raised | None


@dataclass(frozen=True, slots=True)
class Excluded:
    """The decisions led to an input that the preconditions rule out."""


def root_of(program: Program) -> Context:
    """The context tree of a program, shared by its runs so that places are shared."""
    held = _ROOTS.get(id(program))
    if held is None or held[0] is not program:
        held = _ROOTS[id(program)] = (program, Context(None, None, None))
    return held[1]


def run(
    program: Program,
    scale: Scale,
    source: DecisionSource,
    *,
    record: bool = True,
    deadline: float | None = None,
) -> Outcome | Excluded:
    build = program.tracing
    arguments = program.spec.symbolic(scale)
    tracer = Tracer(root_of(program), source, record=record, deadline=deadline)
    build.trace_with(Idle())  # what a module does when it is imported is not traced
    build.renew()
    build.trace_with(tracer)
    with counting(build.counts) as meter, recording(tracer), deep_recursion():
        try:
            tracer.pause()
            for text in program.spec.assumptions:
                source.assume(_term(assumption_term(text, arguments, named(scale))))
            tracer.resume()
            raised = program.call(build.target(program.function), arguments)
        except AssumptionFailed:
            return Excluded()
    counts = meter.total()
    trace = Trace(scale, tuple(tracer.events), tuple(counts))
    return Outcome(trace, program.cost(counts), tracer.decisions, raised)


def _term(result: Term | bool) -> Term:
    return const(result) if isinstance(result, bool) else result
