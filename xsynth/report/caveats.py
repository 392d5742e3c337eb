"""What a result does not cover, and what is left where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xsynth.report.words import in_words
from xsynth.scale import Scale

if TYPE_CHECKING:
    from xsynth.pipeline import Learning
    from xsynth.program.program import Program

FEWEST_FOR_A_SHAPE = 3


def never_ran(learning: Learning, program: Program) -> tuple[int, ...]:
    if learning.model is not None:
        return learning.model.never_ran
    from xsynth.explore.coverage import unreached_lines

    return unreached_lines(program, learning.worst)


def sentence(lines: Sequence[int]) -> str:
    """`lines 9 to 11 never ran at the scales it was learned from: ...`."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    shown = [f"{run[0]}" if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    which = "line" if len(lines) == 1 else "lines"
    return (
        f"{which} {', '.join(shown)} never ran at the scales it was learned from: "
        "an input that gets there may cost more"
    )


@dataclass(frozen=True, slots=True)
class Dearest:
    """The worst input that exploration met, at the largest scale that it reached."""

    scale: Scale
    cost: int
    exhaustive: bool
    arguments: Mapping[str, object]


def dearest(learning: Learning, program: Program) -> Dearest | None:
    from xsynth.explore.paths import from_scratch
    from xsynth.explore.worst import concrete

    for case in reversed(learning.worst):
        if case.cost is not None:
            path = from_scratch(program, case.scale, next(iter(case.chosen.values())), None)
            arguments = concrete(program, case.scale, path.witness)
            return Dearest(case.scale, case.cost, case.exhaustive, arguments)
    return None


def worst_shape(learning: Learning, program: Program) -> str | None:
    """Inputs that few words describe and that have the worst cost at every explored scale."""
    from xsynth.explore.plain import reach_of
    from xsynth.explore.probes import plain_arguments, plain_inputs

    cases = [c for c in learning.worst if c.exhaustive and c.cost is not None]
    if len(cases) < max(FEWEST_FOR_A_SHAPE, len(learning.worst)):
        return None
    scale = max(case.scale for case in cases)
    layouts = program.spec.layouts(scale)
    if len(layouts) != 1 or len(layouts[0].dims) != 1:
        return None
    reach = reach_of(program, cases)
    everywhere: dict[str, list[bool]] = {}
    for name, blocks in plain_inputs(program, scale):
        (value,) = plain_arguments(program, scale, layouts, blocks).values()
        words = in_words(value)
        if words is not None:
            everywhere.setdefault(words, []).append(reach[name] == len(cases))
    for words, found in everywhere.items():
        if any(found) and (words.startswith("strictly") or "equal" in words):
            which = f"{words} inputs" if words.startswith("strictly") else f"inputs with {words}"
            some = "" if all(found) else "some "
            return f"{some}{which} are a worst case at every explored scale"
    return None


def left_out(learning: Learning, program: Program, scales: Sequence[Scale]) -> str | None:
    """Which of the scales that were asked for were not explored, though they have inputs."""
    from xsynth.explore.worst import TIME_IS_UP
    from xsynth.synthesize.preconditions import has_input

    seen = {case.scale for case in learning.worst}
    missing = [str(scale) for scale in scales if scale not in seen and has_input(program, scale)]
    if not missing or not seen or learning.reason.startswith("interrupted"):
        return None
    stopped = [case for case in learning.worst if not case.exhaustive]
    if all(case.incomplete == TIME_IS_UP for case in stopped):
        return f"{_scales(missing)}: not explored, for lack of time (--budget)"
    first = next(case.scale for case in stopped if case.incomplete != TIME_IS_UP)
    return f"{_scales(missing)}: not explored, as scale {first} could not be exhausted"


def without_inputs(program: Program, scales: Sequence[Scale]) -> str | None:
    """Which of the scales that were asked for the assumptions exclude."""
    from xsynth.synthesize.preconditions import has_input

    none = [str(scale) for scale in scales if not has_input(program, scale)]
    return f"{_scales(none)}: no input satisfies the assumptions" if none else None


def _scales(names: Sequence[str]) -> str:
    word = "scale" if len(names) == 1 else "scales"
    return f"{word} {', '.join(names)}"
