"""Exploring in several processes: a task is a scale and the beginning of its paths.

The tree of a scale is cut at a depth that gives each process several tasks.  Each process
loads the program for itself; what comes back is plain data, and is put together in the
order of the paths.  The result is the same as from one process, because neither the order
of a search nor the witnesses of the exact layers depend on anything but the decisions: only
time that runs out can make a difference, as it can in one process, and Z3's choice among
the witnesses of what only Z3 can decide.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from xsynth.explore.search import Path as SearchPath
from xsynth.explore.search import prefixes
from xsynth.explore.worst import WorstCase, explore, merged
from xsynth.program.program import Options, Program, load
from xsynth.scale import Scale
from xsynth.trace.tracer import Deadline

TASKS_A_WORKER = 6
MOST_PARTS = 1000
DEEPEST_CUT = 60

_PROGRAMS: dict[tuple[Path, str], Program] = {}
"""The program that a worker process has loaded."""


def explore_in_processes(
    program: Program,
    options: Options,
    scales: Sequence[Scale],
    deadline: float,
    workers: int,
    explored: Callable[[WorstCase], None],
) -> tuple[WorstCase, ...]:
    """As `pipeline.explore_scales`, with `workers` processes."""
    wall = time.time() + deadline - time.monotonic()
    found: list[WorstCase] = []
    # A fresh interpreter each: forking would copy threads and locks in mid-work.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _ignore_interrupts)
    try:
        tasks = [
            [
                pool.submit(_explore, program.path, program.function, options, scale, wall, prefix)
                for prefix in _parts(program, scale, TASKS_A_WORKER * workers, deadline)
            ]
            for scale in scales
        ]
        for parts in tasks:
            case = merged([task.result() for task in parts])
            found.append(case)
            explored(case)
            if not case.exhaustive and time.monotonic() > deadline:
                break
    finally:
        _stop(pool)
    return tuple(found)


def _parts(program: Program, scale: Scale, wanted: int, deadline: float) -> list[tuple[int, ...]]:
    """Beginnings that split the tree of a scale into about so many parts, if it has as many."""
    found: list[tuple[int, ...]] = [()]
    for cut in range(2, DEEPEST_CUT, 2):
        try:
            deeper = prefixes(program, scale, cut, deadline)
        except Deadline:
            break
        if len(deeper) > MOST_PARTS:
            break
        ended = all(len(prefix) < cut for prefix in deeper)
        found = deeper
        if len(found) >= wanted or ended:
            break
    return found


def _explore(
    path: Path,
    function: str,
    options: Options,
    scale: Scale,
    wall: float,
    prefix: tuple[int, ...],
) -> WorstCase:
    program = _PROGRAMS.get((path, function))
    if program is None:
        program = _PROGRAMS[path, function] = load(path, function, options)
    return _plain(explore(program, scale, time.monotonic() + wall - time.time(), prefix=prefix))


def _plain(case: WorstCase) -> WorstCase:
    """With witnesses as ordinary dictionaries, which travel between processes."""
    return replace(
        case,
        kept=tuple(_plain_path(path) for path in case.kept),
        chosen={name: _plain_path(path) for name, path in case.chosen.items()},
    )


def _plain_path(path: SearchPath) -> SearchPath:
    return replace(path, witness=dict(path.witness))


def _ignore_interrupts() -> None:
    """Ctrl-C goes to every process of the terminal; the parent decides what follows."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop(pool: ProcessPoolExecutor) -> None:
    """Ends the processes at once: what they have not handed over is not needed."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
