"""What the command line and the Python API share: a learning that survives Ctrl-C, and a
model together with its program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xsynth import interrupts
from xsynth.errors import HonestNo, ModelFileError, ProgramError, UsageError
from xsynth.limit import OutOfTime, call_until
from xsynth.model.model import Model
from xsynth.options import FEWEST_SCALES
from xsynth.program.locate import MODULE, source_path
from xsynth.program.program import Options, Program, load
from xsynth.report.caveats import sentence
from xsynth.scale import Scale, at_least, named, sizes_of
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.preconditions import possible_scales
from xsynth.synthesize.recipe import Failed, Recipe, Strategy

if TYPE_CHECKING:
    from xsynth.explore.worst import Report, WorstCase
    from xsynth.pipeline import Learning

BUDGET = 120.0


def learn_session(
    program: Program,
    scales: Sequence[Scale],
    *,
    options: Options | None = None,
    budget: float = BUDGET,
    workers: int = 1,
    dask: str | None = None,
    report: Report | None = None,
    explored: Callable[[WorstCase], None] | None = None,
    concluding: Callable[[str], None] | None = None,
) -> Learning:
    """`pipeline.learn`, in several processes if asked to; an interrupt keeps what is done.

    `concluding` is called once exploration is over, with why it is if it was interrupted.
    """
    with interrupts.listening():
        return _learn(program, scales, options, budget, workers, dask, report, explored, concluding)


def _learn(
    program: Program,
    scales: Sequence[Scale],
    options: Options | None,
    budget: float,
    workers: int,
    dask: str | None,
    report: Report | None,
    explored: Callable[[WorstCase], None] | None,
    concluding: Callable[[str], None] | None,
) -> Learning:
    from xsynth.pipeline import Learning, Status, Times, conclude

    times = Times.of(budget)
    start = times.start
    done: list[WorstCase] = []

    def keep(case: WorstCase) -> None:
        done.append(case)
        if explored is not None:
            explored(case)

    interrupted = ""
    try:
        scales = possible_scales(program, scales)
        if dask is not None:
            from xsynth.explore.cluster import explore_on_cluster

            explore_on_cluster(program, options or Options(), scales, times.explored, dask, keep)
        elif workers > 1:
            from xsynth.explore.workers import explore_in_processes

            explore_in_processes(
                program, options or Options(), scales, times.explored, workers, keep
            )
        else:
            from xsynth.explore.scales import explore_alone

            call_until(
                times.over, lambda: explore_alone(program, scales, times.explored, report, keep)
            )
    except OutOfTime:
        pass  # what was explored is kept
    except KeyboardInterrupt:
        interrupted = f"interrupted at scale {_next(scales, done)}"
        if sum(case.exhaustive for case in done) < FEWEST_SCALES:
            reason = f"{interrupted}: fewer than {FEWEST_SCALES} scales were exhausted"
            return Learning(Status.NOT_LEARNED, reason, None, tuple(done), _since(start))
    try:
        if concluding is not None:
            concluding(interrupted)
        status, reason, model = conclude(program, done, times)
    except KeyboardInterrupt:
        reason = f"interrupted after scale {_last(done)}, while generators were sought"
        return Learning(Status.NOT_LEARNED, reason, None, tuple(done), _since(start))
    if interrupted:
        reason = f"{interrupted}; {reason}"
    return Learning(status, reason, model, tuple(done), _since(start))


def _next(scales: Sequence[Scale], done: Sequence[WorstCase]) -> Scale | str:
    known = {case.scale for case in done}
    return next((scale for scale in scales if scale not in known), "?")


def _last(done: Sequence[WorstCase]) -> Scale:
    return done[-1].scale if done else 0


def _since(start: float) -> float:
    return time.monotonic() - start


@dataclass(frozen=True, slots=True)
class Opened:
    """A model and its program; `changed` where the program is not the one that was learned."""

    model: Model
    program: Program
    changed: bool

    @property
    def recipe(self) -> Recipe:
        model = self.model
        return Recipe(
            self.program,
            model.points,
            model.policies,
            model.formula,
            decisions=model.decisions,
            free=model.generates and not model.points,
            every_path=model.enumerates,
            last_resort=model.promises_nothing,
        )

    @property
    def smallest(self) -> Scale:
        return self.model.holds_from


def open_model(path: Path) -> Opened:
    """Reads a model file and loads the program that it was learned from."""
    from xsynth.model import store

    model = store.load(path)
    source = source_path(model.program)
    source = source if source.is_absolute() else path.parent / source
    if not source.is_file():
        raise ProgramError(
            f"{source}: the program that {path} was learned from is gone",
            "put it back, or learn again where it is now",
        )
    return reopen(model, source, path)


def reopen(model: Model, source: Path, shown: Path) -> Opened:
    if not model.scales:
        raise ModelFileError(f"{shown}: the model has no scales", "learn again")
    try:
        program = load(
            source,
            model.function,
            Options(cost=model.measure),
            spec=model.spec,
            module=model.program.removeprefix(MODULE) if model.program.startswith(MODULE) else None,
        )
    except UsageError as error:
        raise type(error)(f"{error.found} (learned in {shown})", error.advice) from error
    return Opened(model, program, program.digest != model.digest)


def strategies(name: str) -> tuple[Strategy, ...]:
    return tuple(Strategy) if name == "auto" else (Strategy(name),)


def in_order(model: Model, scale: Scale) -> Scale:
    """The scale with the model's variables in their order, if it has just these."""
    given, wanted = named(scale), model.variables
    example = str(sizes_of(dict.fromkeys(wanted, 300)))
    for name in given:
        if name not in wanted:
            raise UsageError(
                f"scale {scale}: {name} is unknown; the model has {' and '.join(wanted)}",
                f"write --scale {example}",
            )
    lacking = [name for name in wanted if name not in given]
    if lacking:
        raise UsageError(
            f"scale {scale}: there is no value for {' and '.join(lacking)}",
            f"write --scale {example}",
        )
    return sizes_of({name: given[name] for name in wanted})


def check_scale(opened: Opened, scale: Scale) -> Scale:
    """The scale in the model's order, if the model holds there."""
    scale = in_order(opened.model, scale)
    if min(named(scale).values()) < 1:
        raise UsageError(f"scale {scale}: a scale is a whole number from 1 on", "give a larger one")
    if not at_least(scale, opened.smallest):
        raise UsageError(
            f"scale {scale} is smaller than {opened.smallest}, from which on the model holds",
            f"give a scale from {opened.smallest} on, or learn from smaller --scales",
        )
    region = opened.model.region
    if region is not None and not region.has(scale):
        raise UsageError(
            f"scale {scale}: the model holds where {region}, and the worst case is another there",
            f"learn that side alone: xsynth learn ... --assume 'not {region}'",
        )
    return scale


def generate_from(
    opened: Opened,
    scale: Scale,
    strategy: str = "auto",
    *,
    verify: bool = True,
    timeout: float | None = None,
    policy: str | None = None,
) -> Generated | tuple[Failed, ...]:
    """`policy` names a guide for the search (see `guided.guide_named`)."""
    scale = check_scale(opened, scale)
    try:
        with interrupts.listening():
            ways = strategies(strategy)
            recipe = opened.recipe
            if policy is not None:
                from xsynth.explore.guided import guide_named

                scales = [record.scale for record in opened.model.scales if record.exhaustive]
                recipe = replace(recipe, guide=guide_named(opened.program, scales, policy))
            made = generate(recipe, scale, ways, verify=verify, timeout=timeout)
    except RecursionError:
        raise HonestNo(
            f"at scale {scale} the function recurses deeper than Python can go",
            "give a smaller scale",
        ) from None
    missed = opened.model.never_ran
    if missed and isinstance(made, Generated):
        return replace(made, notes=(*made.notes, sentence(missed)))
    return made
