"""A program: a function of the user's, its inputs, and the two ways to run it.

`trace` runs it on symbolic inputs and gives the path; `replay` runs it on plain ones,
with counters only, and gives the cost that it really has.
"""

from __future__ import annotations

import copy
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xsynth.program.blocks import Block, Measure, measure
from xsynth.program.deadline import TimeUp, time_limit
from xsynth.program.inputs import InputSpec, read_spec
from xsynth.program.instrument import CALLS, TRACER
from xsynth.program.load import Build, choose_function, digest, parse, read_source
from xsynth.program.markers import MEASURED_HOOKS, AssumptionFailed, Problem

RECURSION_LIMIT = 30_000
"""Scales far beyond what the limit of 1,000 allows are of interest."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user says about the inputs and the cost, as texts."""

    sizes: Mapping[str, str] = field(default_factory=dict)
    fixes: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    assumptions: Sequence[str] = ()
    cost: str | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception that the program let out."""

    kind: str
    message: str
    line: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A plain run: its cost, or why there is none."""

    cost: int | None
    raised: Raised | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Program:
    path: Path
    function: str
    source: str
    digest: str
    spec: InputSpec
    measure: Measure
    blocks: tuple[Block, ...]
    counting: Build
    tracing: Build

    def cost(self, counts: Sequence[int]) -> int:
        return self.measure.cost(counts)

    def replay(self, arguments: Mapping[str, object], timeout: float | None = None) -> Replay:
        """Runs the function itself on plain arguments.  Raises TimeUp after `timeout`."""
        build = self.counting
        build.renew()
        target = build.modules[self.path.stem].__dict__[self.function]
        own = copy.deepcopy(dict(arguments))
        with _counting(build.counts) as meter, deep_recursion():
            start = time.perf_counter()
            raised = None
            with time_limit(timeout):
                raised = self.call(target, own)
            seconds = time.perf_counter() - start
        cost = None if raised is not None else self.cost(meter.total())
        return Replay(cost, raised, seconds)

    def call(self, target: Callable[..., Any], arguments: dict[str, object]) -> Raised | None:
        """Calls the function; what it raises is an outcome, not an error of xsynth's."""
        from xsynth.errors import XsynthError

        try:
            result = target(**arguments)
            if isinstance(result, Iterator):
                for _ in result:  # a generator does its work when it is consumed
                    pass
        except (XsynthError, AssumptionFailed):
            raise
        except (Exception, SystemExit) as error:
            return Raised(type(error).__name__, str(error), self._line(error))
        return None

    def _line(self, error: BaseException) -> int:
        frames = traceback.extract_tb(error.__traceback__)
        own = [f.lineno for f in frames if f.filename == str(self.path) and f.lineno]
        return own[-1] if own else 0


@contextmanager
def deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Meter:
    """The counts of a run; of its measured parts alone, where it marks any."""

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts
        self._inside: list[list[int]] = []
        self._sum: list[int] | None = None

    def on_enter(self) -> None:
        self._inside.append(list(self._counts))

    def on_exit(self) -> None:
        before = self._inside.pop()
        if self._inside:
            return
        part = [now - then for now, then in zip(self._counts, before, strict=True)]
        self._sum = (
            part if self._sum is None else [a + b for a, b in zip(self._sum, part, strict=True)]
        )

    def total(self) -> list[int]:
        return list(self._counts) if self._sum is None else self._sum


@contextmanager
def _counting(counts: list[int]) -> Iterator[_Meter]:
    counts[:] = [0] * len(counts)
    meter = _Meter(counts)
    MEASURED_HOOKS.append(meter)
    try:
        yield meter
    finally:
        MEASURED_HOOKS.remove(meter)


counting = _counting


class CountingCalls:
    """What counted code calls: the turns of a comprehension."""

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts

    def turns(self, items: Iterable[object], block: int, line: int, loop: int) -> Iterator[object]:
        counts = self._counts
        for item in items:
            counts[block] += 1
            yield item


def load(
    path: Path,
    function: str | None = None,
    options: Options | None = None,
    spec: InputSpec | None = None,
) -> Program:
    """Reads, checks and instruments a program; `spec` stands in for what it says of its inputs."""
    from xsynth.trace.calls import TracingCalls

    options = options or Options()
    source = read_source(path)
    node = choose_function(parse(source, path), path, function)
    path = path.resolve()
    # The counting build comes first: the function's own record may name the measure.
    probe = _build(path, source, trace=False, conditions=True)
    target = probe.modules[path.stem].__dict__[node.name]
    record = getattr(target, "__xsynth_problem__", None)
    cost = options.cost or (record.cost if isinstance(record, Problem) else None) or "steps"
    conditions = cost == "branches"
    counting_build = probe if conditions else _build(path, source, trace=False, conditions=False)
    tracing_build = _build(path, source, trace=True, conditions=conditions)
    counting_build.hooks = {CALLS: CountingCalls(counting_build.counts)}
    tracing_build.hooks = {CALLS: TracingCalls(tracing_build.counts), TRACER: None}
    for build in (counting_build, tracing_build):
        for module in build.modules.values():
            module.__dict__.update(build.hooks)
    spec = spec or read_spec(
        target,
        sizes=options.sizes,
        fixes=options.fixes,
        ranges=options.ranges,
        assumptions=options.assumptions,
        inputs=options.inputs,
    )
    blocks = tuple(counting_build.blocks)
    return Program(
        path=path,
        function=node.name,
        source=source,
        digest=digest(source),
        spec=spec,
        measure=measure(cost, blocks),
        blocks=blocks,
        counting=counting_build,
        tracing=tracing_build,
    )


def _build(path: Path, source: str, *, trace: bool, conditions: bool) -> Build:
    build = Build(path.parent, trace, conditions)
    build.module(path.stem, path, source)
    return build


__all__ = ["Options", "Program", "Raised", "Replay", "TimeUp", "load"]
