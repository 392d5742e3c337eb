"""A program: a function of the user's, its inputs, and the two ways to run it.

`trace` runs it on symbolic inputs and gives the path; `replay` runs it on plain ones,
with counters only, and gives the cost that it really has.
"""

from __future__ import annotations

import re
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, MethodDescriptorType, ModuleType
from typing import Any

from xsynth.errors import ProgramError, UnsupportedError, XsynthError
from xsynth.program import refuse
from xsynth.program.blocks import Block, Measure, measure
from xsynth.program.deadline import TimeUp, time_limit
from xsynth.program.guess import Guesser
from xsynth.program.inputs import InputSpec, Taken, read_inputs
from xsynth.program.load import BUILDING, Build, module_name
from xsynth.program.locate import MODULE, installed_package
from xsynth.program.markers import MEASURED_HOOKS, AssumptionFailed, Problem
from xsynth.program.places import Places, places_of
from xsynth.program.received import is_received, received
from xsynth.program.recursion import deep_recursion
from xsynth.program.rewrite import CALLS, TRACER
from xsynth.program.source import digest, parse, read_source
from xsynth.program.target import choose
from xsynth.program.values import fresh
from xsynth.program.work import Charging, CountingCalls


@dataclass(frozen=True, slots=True)
class Options:
    """What the user says about the inputs and the cost, as texts."""

    sizes: Mapping[str, str] = field(default_factory=dict)
    fixes: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    assumptions: Sequence[str] = ()
    cost: str | None = None
    variables: tuple[str, ...] = ("n",)
    """The names of the scales."""


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
    counts: tuple[int, ...] = ()
    """How often each basic block was entered."""


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

    module: str | None = None
    """The name of the module, where it was given by that."""
    notes: tuple[str, ...] = ()
    """What was taken for more than the program says, in words."""
    remakes: bool = field(init=False)
    """Whether the function receives other values than plain arguments."""

    def __post_init__(self) -> None:
        remakes = any(is_received(param.shape) for param in self.spec.params)
        object.__setattr__(self, "remakes", remakes)

    @property
    def place(self) -> str:
        """Where the program is, as a model remembers it."""
        return str(self.path) if self.module is None else f"{MODULE}{self.module}"

    @property
    def places(self) -> Places:
        """Where its functions are, and those of the modules beside it, to tell a place by."""
        beside = [
            (Path(str(module.__file__)), name)
            for name, module in self.counting.modules.items()
            if name in self.counting.compiled and name not in self.counting.forms
        ]
        others = [path for path, name in beside if name != self.counting.main]
        sources = [(path.name, read_source(path)) for path in others if path.is_file()]
        return places_of([(self.path.name, self.source), *sources])

    def cost(self, counts: Sequence[int]) -> int:
        if len(counts) > len(self.measure.weights):
            raise UnsupportedError(
                f"{self.path}: a module beside it is imported only while the function runs",
                "import it at the top of the file",
            )
        return self.measure.cost(counts)

    def replay(self, arguments: Mapping[str, object], timeout: float | None = None) -> Replay:
        """Runs the function itself on plain arguments.  Raises TimeUp after `timeout`."""
        build = self.counting
        build.renew()
        memo: dict[int, Any] = {}
        own = {name: fresh(value, memo) for name, value in arguments.items()}
        with _counting(build.counts) as meter, deep_recursion():
            start = time.perf_counter()
            raised = None
            with time_limit(timeout):
                raised = self.call(build, own, meter)
            seconds = time.perf_counter() - start
        counts = tuple(meter.total())
        cost = None if raised is not None else self.cost(counts)
        return Replay(cost, raised, seconds, counts)

    def pace(self, arguments: Mapping[str, object], seconds: float) -> float:
        """How much cost a second the function has, in its first seconds on these arguments."""
        build = self.counting
        build.renew()
        memo: dict[int, Any] = {}
        own = {name: fresh(value, memo) for name, value in arguments.items()}
        with _counting(build.counts) as meter, deep_recursion():
            start = time.perf_counter()
            with suppress(TimeUp), time_limit(seconds):
                self.call(build, own, meter)
            took = time.perf_counter() - start
        return self.cost(tuple(meter.total())) / took

    def line_counts(self, counts: Sequence[int]) -> dict[int, int]:
        """How often the statements that start on each line of the file ran."""
        found: dict[int, int] = {}
        own = self.counting.own
        for block, count in zip(self.blocks[:own], counts[:own], strict=True):
            for line in block.lines:
                found[line] = found.get(line, 0) + count
        return found

    def call(self, build: Build, arguments: dict[str, object], meter: Meter) -> Raised | None:
        """Calls the function; what it raises is an outcome, not an error of xsynth's.

        What its arguments are made with (constructors of the program's) does not count.
        """
        target = build.target(self.function)
        try:
            if self.remakes:
                arguments = received(self.spec, arguments, build.namespace, build.building)
                meter.restart()
            result = target(**arguments)
            if isinstance(result, Iterator):
                for _ in result:  # a generator does its work when it is consumed
                    pass
        except (XsynthError, AssumptionFailed):
            raise
        except (Exception, SystemExit) as error:
            return self._raised(error)
        return None

    def _raised(self, error: BaseException) -> Raised:
        line = self._line(error)
        message = _message(error)
        if isinstance(error, TypeError | AttributeError) and is_refusal(message):
            raise UnsupportedError(
                f"{self.path}:{line}: a function written in C was given a symbolic value: "
                f"{plain_names(message)}",
                "write that part in Python, or pass a fixed value: --fix NAME=VALUE",
            ) from error
        if isinstance(error, AssertionError) and self._is_ours(error):
            raise UnsupportedError(
                f"{self.path}:{line}: the function takes another path on the same input",
                "does it depend on the time, on random numbers, on hashes or addresses?",
            ) from error
        return Raised(type(error).__name__, plain_names(message), line)

    @staticmethod
    def _is_ours(error: BaseException) -> bool:
        frames = traceback.extract_tb(error.__traceback__)
        return bool(frames) and frames[-1].filename.startswith(PACKAGE)

    def _line(self, error: BaseException) -> int:
        frames = traceback.extract_tb(error.__traceback__)
        own = [f.lineno for f in frames if f.filename == str(self.path) and f.lineno]
        return own[-1] if own else 0


def _message(error: BaseException) -> str:
    """What the exception says; nothing, where its own `__str__` fails without the values."""
    from xsynth.trace.proxies import muted, symbolic_str

    with muted():
        try:
            return str(symbolic_str(error))
        except Exception:
            return ""


PACKAGE = str(Path(__file__).parents[1])
_PROXY = re.compile(r"\bSym(Int|Bool|Str|Bytes)\b|\bSymReal\b|\bWritten\b")
_FAITHFUL = re.compile(
    r"not supported between|unsupported operand|is not (iterable|subscriptable|callable|reversible)"
    r"|does not support item|has no len|bad operand|has no attribute"
    r"|can only concatenate|must be (str|bytes), not|not an iterator|indices must be"
    r"|can't multiply|cannot unpack|not a mapping|argument after"
)
"""Messages of Python itself about operators: a plain value would be refused as well."""


def is_refusal(message: str) -> bool:
    """Whether C code refused a proxy as such, where it would have taken the plain value."""
    return _PROXY.search(message) is not None and _FAITHFUL.search(message) is None


def plain_names(message: str) -> str:
    """The message as it would name the plain types."""
    named = {"SymReal": "float", "Written": "str"}
    return _PROXY.sub(lambda m: named.get(m[0]) or m[1].lower(), message)


class Meter:
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

    def restart(self) -> None:
        """What was counted so far does not count."""
        self._counts[:] = [0] * len(self._counts)
        self._sum = None

    def total(self) -> list[int]:
        return list(self._counts) if self._sum is None else self._sum


@contextmanager
def _counting(counts: list[int]) -> Iterator[Meter]:
    counts[:] = [0] * len(counts)
    meter = Meter(counts)
    MEASURED_HOOKS.append(meter)
    try:
        yield meter
    finally:
        MEASURED_HOOKS.remove(meter)


counting = _counting


def load(
    path: Path,
    function: str | None = None,
    options: Options | None = None,
    spec: InputSpec | None = None,
    module: str | None = None,
) -> Program:
    """Reads, checks and instruments a program; `spec` stands in for what it says of its inputs."""
    options = options or Options()
    source = read_source(path)
    tree = parse(source, path)
    chosen = choose(tree, path, function)
    refuse.check(tree, chosen.node, path)
    path = path.resolve()
    # The counting build comes first: the function's own record may name the measure.
    likely = options.cost or "steps"
    probe = _build(path, source, trace=False, cost=likely)
    target = probe.target(chosen.name)
    _demand_python(target, chosen.name, path)
    record = getattr(target, "__xsynth_problem__", None)
    cost = options.cost or (record.cost if isinstance(record, Problem) else None) or "steps"
    counting_build = probe if cost == likely else _build(path, source, trace=False, cost=cost)
    tracing_build = _build(path, source, trace=True, cost=cost)
    notes: tuple[Taken, ...] = ()
    if spec is None:
        receiver = probe.target(chosen.owner) if chosen.kind == "method" and chosen.owner else None
        spec, notes = read_inputs(
            target,
            sizes=options.sizes,
            fixes=options.fixes,
            ranges=options.ranges,
            assumptions=options.assumptions,
            inputs=options.inputs,
            variables=options.variables,
            receiver=receiver,  # type: ignore[arg-type]
            guess=Guesser(tree),
        )
    blocks = tuple(counting_build.blocks)
    return Program(
        path=path,
        function=chosen.name,
        source=source,
        digest=digest(source),
        spec=spec,
        measure=measure(cost, blocks),
        blocks=blocks,
        counting=counting_build,
        tracing=tracing_build,
        module=module,
        notes=tuple(map(str, notes)),
    )


def _demand_python(target: object, name: str, path: Path) -> None:
    """A module may put a C function in the place of the one that is written in it."""
    if isinstance(target, BuiltinFunctionType | MethodDescriptorType | type):
        raise ProgramError(
            f"{path}: {name} is not the Python function of that name once the file is imported,"
            f" but {target!r}",
            "write the computation in Python, or learn a function that calls it",
        )


def _build(path: Path, source: str, *, trace: bool, cost: str) -> Build:
    build = Build(path.parent, trace, conditions=cost == "branches", work=cost == "work")
    build.package = installed_package(path)
    work = build.work_block()
    if trace:
        from xsynth.trace.calls import NAMES, TracingCalls
        from xsynth.trace.tracer import Idle

        build.hooks = {TRACER: Idle()}
        build.builtins = NAMES
        forms = build.form(PURE_FORMS, TRACE / "forms.py")
        calls: Charging = TracingCalls(build.counts, forms, work)
        build.hooks = {**build.hooks, CALLS: calls}
        forms.__dict__.update(build.hooks)
        build.form(BUILDING, TRACE / "building.py")
    else:
        calls = CountingCalls(build.counts, work)
        build.hooks = {CALLS: calls}
    if trace or work is not None:
        build.instead = {"re": partial(_patterns, calls, work)}
    build.module(module_name(path), path, source)
    return build


def _patterns(calls: Charging, work: int | None) -> ModuleType:
    from xsynth.trace.regex.standing import module

    return module(calls.charge, always=work is not None)


TRACE = Path(__file__).parents[1] / "trace"
PURE_FORMS = "pure forms"
"""The name of the module of pure forms in a tracing build."""


__all__ = ["Options", "Program", "Raised", "Replay", "TimeUp", "load"]
