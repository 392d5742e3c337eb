"""Lines that no path reached, as a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xsynth.pipeline import Learning
    from xsynth.program.program import Program


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
