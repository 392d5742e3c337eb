"""The commands, once their options are read: each gives its exit code.

Data goes to standard output or a file, words to standard error.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xsynth.errors import HonestNo, ModelFileError, ProgramError, UsageError
from xsynth.given import completed, infer_scale, out_of_range, read_input
from xsynth.model import store
from xsynth.model.model import Model
from xsynth.options import parse_pairs, parse_scales, split_target
from xsynth.program.locate import locate, source_path
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Options, Program
from xsynth.program.program import load as load_program
from xsynth.program.source import digest, read_source
from xsynth.report import caveats, formats, jsonable, tables
from xsynth.report.progress import Progress
from xsynth.report.words import input_lines
from xsynth.scale import Scale, named, shown, sizes_of
from xsynth.session import (
    Opened,
    check_scale,
    generate_from,
    in_order,
    learn_session,
    open_model,
)
from xsynth.synthesize.expand import synthesize
from xsynth.synthesize.generate import Generated
from xsynth.synthesize.preconditions import excluded, preconditions

if TYPE_CHECKING:
    from xsynth.pipeline import Learning

HERE = Path()
LAST_SECONDS = 2.0
"""How long may be looked for what a search begins with, where the budget is used up."""
SMALL_SCALE = 8
"""The scale at which `explain` shows what the worst input looks like."""


def say(text: str) -> None:
    print(f"xsynth: {text}", file=sys.stderr)


@contextmanager
def _own_output() -> Iterator[None]:
    """What the program under test prints is not data of ours."""
    with redirect_stdout(sys.stderr):
        yield


# -- learn


@dataclass(frozen=True, slots=True)
class LearnRequest:
    target: str
    scales: str
    sizes: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    cost: str | None = None
    model: Path | None = None
    budget: float = 120.0
    workers: int = 1
    dask: str | None = None


def learn(request: LearnRequest, *, as_json: bool) -> int:
    path, function = split_target(request.target)
    scales = parse_scales(request.scales)
    options = Options(
        sizes=parse_pairs("--size", request.sizes),
        fixes=parse_pairs("--fix", request.fixes),
        ranges=parse_pairs("--range", request.ranges),
        inputs=parse_pairs("--input", request.inputs),
        assumptions=request.assumptions,
        cost=request.cost,
        variables=tuple(named(scales[0])),
    )
    _check_positive("--budget", request.budget)
    if request.model is not None:
        formats.check_writable(request.model)
    with _own_output(), Progress() as progress:
        place = locate(path, function)
        program = load_program(place.path, place.function, options, module=place.module)
        for note in program.notes:
            say(note)
        learning = learn_session(
            program,
            scales,
            options=options,
            budget=request.budget,
            workers=request.workers,
            dask=request.dask,
            report=progress.report,
            explored=lambda case: progress.report(case.scale, case.paths, case.cost),
            concluding=lambda why: _concluding(progress, why),
        )
    left = max(LAST_SECONDS, request.budget - learning.seconds)
    model_file = _keep(learning, program, request.model, time.monotonic() + left)
    findings = [finding for case in learning.worst for finding in case.findings]
    for line in tables.findings_text(findings, program):
        say(line)
    missed = caveats.never_ran(learning, program)
    if missed:
        say(f"note: {program.path.name}: {caveats.sentence(missed)}")
    if as_json:
        shown = None if model_file is None else str(model_file)
        print(jsonable.dump(jsonable.learning_json(learning, program, shown)))
    else:
        own = request.model is not None
        print(tables.learning_text(learning, program, model_file, named=own, given=options.fixes))
    left_out = caveats.left_out(learning, program, scales)
    for skipped in (caveats.without_inputs(program, scales), left_out):
        if skipped is not None:
            say(f"note: {skipped}")
    if learning.model is None:
        say(f"{program.function}: not learned: {learning.reason}")
        return 1
    return 0


def _concluding(progress: Progress, interrupted: str) -> None:
    if interrupted:
        say(f"{interrupted}: learning from the scales that were explored (Ctrl-C again to stop)")
    progress.say("looking for generators")


def _keep(
    learning: Learning, program: Program, wanted: Path | None, deadline: float | None = None
) -> Path | None:
    """Writes the model.  One that knows more is not replaced by one that knows less.

    Where nothing was learned it is one that knows no cost, for a search to begin with.
    """
    from xsynth.last_resort import last_resort

    model = learning.model or last_resort(program, learning.worst, deadline)
    if model is None:
        return None
    path = wanted or store.model_path(HERE, program.function)
    if model.promises_nothing and _knows_a_cost(path):
        say(f"note: {path}, of an earlier time, is kept")
        return None
    if not model.generates and _has_generators(path):
        kept, path = path, path.with_suffix(".policy.isg")
        say(f"warning: {kept} has generators and is kept; the policies are in {path}")
    elif wanted is None and (kept_as := store.put_aside(model, path)) is not None:
        say(f"note: {path} was of another file or other options, and is now {kept_as}")
    store.save(model, path)
    store.remember_latest(HERE, path)
    return path


def _knows_a_cost(path: Path) -> bool:
    return path.exists() and _is(path, lambda model: not model.promises_nothing)


def _has_generators(path: Path) -> bool:
    return path.exists() and _is(path, lambda model: model.generates)


def _is(path: Path, what: Callable[[Model], bool]) -> bool:
    try:
        return what(store.load(path))
    except ModelFileError:
        return False


def _check_positive(option: str, seconds: float | None) -> None:
    if seconds is not None and not seconds > 0:
        raise UsageError(f"{option} {seconds:g}: not a number of seconds", "give more than 0")


# -- generate


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    scale: Scale
    model: Path | None = None
    output: Path | None = None
    format: str = "json"
    strategy: str = "auto"
    verify: bool = True
    timeout: float | None = None
    policy: str | None = None


def generate(request: GenerateRequest) -> int:
    start = time.perf_counter()
    _check_positive("--timeout", request.timeout)
    if request.format == "npy" and request.output is None:
        raise UsageError("--format npy writes a binary file", "say where: --output FILE.npy")
    if request.output is not None:
        formats.check_writable(request.output)
    model_file = request.model or store.latest(HERE)
    with _own_output():
        opened = open_model(model_file)
        if opened.changed:
            say(tables.changed_line(opened.program, model_file))
        scale = check_scale(opened, request.scale)
        if request.format == "smt2":
            _write(request.output, _smt2(opened, scale).encode())
            return 0
        searched = request.strategy == "guided" or not opened.model.directed
        if not opened.model.generates and request.strategy != "direct" and searched:
            limit = "" if request.timeout is None else f", for up to {request.timeout:g} s"
            say(f"the model has no generators: searching{limit} (--timeout)")
        made = generate_from(
            opened,
            scale,
            request.strategy,
            verify=request.verify,
            timeout=request.timeout,
            policy=request.policy,
        )
    seconds = time.perf_counter() - start
    if isinstance(made, tuple):
        none = excluded(opened.program, scale, [record.scale for record in opened.model.scales])
        if none is not None:
            raise HonestNo(f"{opened.program.function}: {none}", "ask for another size")
        raise HonestNo(
            f"{opened.program.function} at {shown(scale)}: no input was found",
            "; ".join(f"{failed.strategy.value}: {failed.reason}" for failed in made),
        )
    _write(request.output, _formatted(request.format, made, opened, seconds))
    say(tables.generated_line(made, opened.program, seconds))
    for note in made.notes:
        say(note)
    return 0 if made.verified or (made.verified is None and not request.verify) else 1


def _formatted(
    format: str, made: Generated, opened: Opened, seconds: float
) -> Iterator[bytes | memoryview]:
    match format:
        case "python":
            return (part.encode() for part in formats.as_python(made.arguments))
        case "text":
            parts = formats.as_text(made.arguments)
            return (part.encode("utf-8", "surrogatepass") for part in parts)
        case "npy":
            return formats.as_numpy(made.arguments)
        case _:
            parts = jsonable.generated_parts(
                made, opened.program, changed=opened.changed, seconds=seconds
            )
            return (part.encode() for part in itertools.chain(parts, "\n"))


def _smt2(opened: Opened, scale: Scale) -> str:
    """The path condition; nothing is solved, so there is nothing to verify."""
    from xsynth.report.smt2 import smt2_text

    model, program = opened.model, opened.program
    if not model.generates:
        raise HonestNo("--format smt2: the model has no generators", "use --format json")
    try:
        extra = preconditions(program, scale)
        condition = synthesize(model.points, program.spec, scale, extra)
        return smt2_text(condition, f"{program.function} at {shown(scale)}")
    except ValueError:
        raise HonestNo(f"the generators found do not go on at scale {scale}") from None


def _write(output: Path | None, data: bytes | Iterator[bytes | memoryview]) -> None:
    if output is not None:
        formats.write_aside(output, data)
        return
    parts = (data,) if isinstance(data, bytes) else data
    sys.__stdout__.buffer.writelines(parts)  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]


# -- explain


def explain(model_file: Path | None, *, as_json: bool) -> int:
    path = model_file or store.latest(HERE)
    model = store.load(path)
    source, remark = _source_of(model)
    if remark:
        say(f"warning: {remark}")
    if as_json:
        print(jsonable.dump({"model": str(path), **jsonable.model_json(model, source)}))
        return 0
    lines = [
        *tables.model_text(model, source),
        *tables.clause_lines(model, source),
        *_example(path),
    ]
    print("\n".join(lines))
    return 0


def _source_of(model: Model) -> tuple[str | None, str]:
    try:
        source = read_source(source_path(model.program))
    except ProgramError:
        return None, f"{model.program} is gone: its lines are not shown"
    if digest(source) != model.digest:
        return None, f"{model.program} has changed since it was learned: its lines are not shown"
    return source, ""


def _example(path: Path) -> list[str]:
    """What the worst input looks like at a small scale."""
    try:
        with _own_output():
            opened = open_model(path)
            scale = _small_scale(opened)
            made = generate_from(opened, scale, timeout=10.0)
    except (UsageError, HonestNo):
        return []
    if isinstance(made, tuple) or not made.verified:
        return []
    lines = [f"  {line}" for line in input_lines(made.arguments)]
    return ["", f"a worst-case input at {shown(scale)}, cost {made.observed}:", *lines]


def _small_scale(opened: Opened) -> Scale:
    smallest, region = named(opened.smallest), opened.model.region
    values = {name: max(SMALL_SCALE, least) for name, least in smallest.items()}
    if region is not None and not region.has(sizes_of(values)):
        values[region.left] = values[region.right] + 1
    return sizes_of(values)


# -- replay


def replay(source: str, model_file: Path | None, *, as_json: bool) -> int:
    given, scale, function = read_input(source)
    path = model_file or _learned_from(function) or store.latest(HERE)
    with _own_output():
        opened = open_model(path)
        if opened.changed:
            say(tables.changed_line(opened.program, path))
        scale = infer_scale(opened, given) if scale is None else in_order(opened.model, scale)
        given = completed(opened.program.spec, scale, given)
        arguments = jsonable.decode_arguments(opened.program.spec, scale, given)
        outside = out_of_range(opened.program.spec, scale, arguments)
        if outside is not None:
            say(f"note: {outside}, so the prediction is not for this input")
        try:
            result = opened.program.replay(arguments)
        except AssumptionFailed:
            raise HonestNo("the input does not satisfy what the program assumes") from None
    predicted = opened.model.predicted(scale)
    found = jsonable.replay_json(opened.program, scale, predicted, result)
    if as_json:
        print(jsonable.dump(found))
    else:
        print(_replay_line(opened, scale, found))
    return 0 if found["verified"] else 1


def _replay_line(opened: Opened, scale: Scale, found: Mapping[str, Any]) -> str:
    cost, raised = found["cost"], found["raised"]
    start = f"{opened.program.function} at {shown(scale)}:"
    if raised is not None:
        return f"{start} raises {raised['kind']} on line {raised['line']}: {raised['message']}"
    if found["verified"]:
        return f"{start} cost {cost['observed']} {cost['measure']}, as predicted"
    observed, predicted = cost["observed"], cost["predicted"]
    if predicted is None:
        return f"{start} cost {observed} {cost['measure']}; {_why_none(opened.model)}"
    more = "more than the predicted worst case" if observed > predicted else "below the worst case"
    return f"{start} cost {observed} {cost['measure']}, {more}, {predicted}"


def _why_none(model: Model) -> str:
    """Why there is no prediction."""
    if model.formula is None:
        return "the model has no formula"
    if model.region is not None:
        return f"the model holds where {model.region}"
    return f"the formula holds from scale {model.holds_from} on"


def _learned_from(function: str | None) -> Path | None:
    """The model of the function that the input was generated for, where there is one here."""
    if function is None:
        return None
    path = store.model_path(HERE, function)
    return path if path.is_file() else None


# -- complexity


def complexity(model_file: Path | None, upto: Scale, plot: Path | None, *, as_json: bool) -> int:
    from xsynth.complexity import measure
    from xsynth.report.complexity import complexity_json, complexity_text
    from xsynth.report.plots import check_plot, draw

    if plot is not None:
        check_plot(plot)
    path = model_file or store.latest(HERE)
    with _own_output():
        opened = open_model(path)
        if opened.changed:
            say(tables.changed_line(opened.program, path))
        found = measure(opened, upto)
    for note in found.notes:
        say(note)
    if plot is not None:
        draw(found, opened.model, plot)
        say(f"plot: {plot}")
    if as_json:
        print(jsonable.dump(complexity_json(found, opened.model)))
    else:
        print(complexity_text(found, opened.model))
    return 0 if all(one.verified for one in found.sizes) else 1


__all__ = [
    "GenerateRequest",
    "LearnRequest",
    "complexity",
    "explain",
    "generate",
    "learn",
    "replay",
]
