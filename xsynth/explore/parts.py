"""Exploring elsewhere: what another process has to know, what it gives back, and how the tree
of a scale is cut in advance.

Each process loads the program for itself, or has it from the process that it was forked from;
what comes back is plain data.  What is found in a part of the tree depends on nothing but the
decisions it begins with, so parts are explored in any order and by anybody, and are put
together in the order of the paths.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from xsynth.errors import HonestNo
from xsynth.explore.paths import Path as SearchPath
from xsynth.explore.paths import prefixes
from xsynth.explore.worst import WorstCase
from xsynth.program.program import Options, Program, load
from xsynth.scale import Scale
from xsynth.trace.tracer import Deadline

MOST_PARTS = 1000
DEEPEST_CUT = 60

_PROGRAMS: dict[str, Program] = {}
"""The program that this process has loaded, by all that it depends on."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where another process has the program from, and when its time is up."""

    path: Path
    function: str
    digest: str
    options: Options
    wall: float
    """By the clock on the wall: other machines have another start."""

    @property
    def key(self) -> str:
        return f"{self.path} {self.function} {self.digest} {self.options!r}"


def source_of(program: Program, options: Options, deadline: float) -> Source:
    wall = time.time() + deadline - time.monotonic()
    return Source(program.path.absolute(), program.function, program.digest, options, wall)


def know(source: Source, program: Program) -> None:
    """Processes that are forked from this one need not load the program."""
    _PROGRAMS.clear()
    _PROGRAMS[source.key] = program


def loaded(source: Source) -> Program:
    program = _PROGRAMS.get(source.key)
    if program is None:
        program = load(source.path, source.function, source.options)
        if program.digest != source.digest:
            raise HonestNo(f"{source.path}: a worker sees another version of it", "copy it there")
        know(source, program)
    return program


def until(source: Source) -> float:
    """The deadline by the clock of this process."""
    return time.monotonic() + source.wall - time.time()


def cut(program: Program, scale: Scale, wanted: int, deadline: float) -> list[tuple[int, ...]]:
    """Beginnings that split the tree of a scale into about so many parts, if it has as many."""
    found: list[tuple[int, ...]] = [()]
    for depth in range(2, DEEPEST_CUT, 2):
        try:
            deeper = prefixes(program, scale, depth, deadline)
        except Deadline:
            break
        if len(deeper) > MOST_PARTS:
            break
        ended = all(len(prefix) < depth for prefix in deeper)
        found = deeper
        if len(found) >= wanted or ended:
            break
    return found


def plain(case: WorstCase) -> WorstCase:
    """With witnesses as ordinary dictionaries, which travel between processes."""
    return replace(
        case,
        kept=tuple(_plain_path(path) for path in case.kept),
        chosen={name: _plain_path(path) for name, path in case.chosen.items()},
    )


def _plain_path(path: SearchPath) -> SearchPath:
    return replace(path, witness=dict(path.witness))
