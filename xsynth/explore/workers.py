"""Exploring in several processes: one task a scale.

Each process loads the program for itself; what comes back is plain data.  The result is
the same as from one process, because the order of a search does not depend on anything
but the program: only time that runs out can make a difference, as it can in one process.
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
from xsynth.explore.worst import WorstCase, explore
from xsynth.program.program import Options, Program, load

_PROGRAMS: dict[tuple[Path, str], Program] = {}
"""The program that a worker process has loaded."""


def explore_in_processes(
    program: Program,
    options: Options,
    scales: Sequence[int],
    deadline: float,
    workers: int,
    explored: Callable[[WorstCase], None],
) -> tuple[WorstCase, ...]:
    """As `pipeline.explore_scales`, with up to `workers` scales at a time."""
    wall = time.time() + deadline - time.monotonic()
    found: list[WorstCase] = []
    # A fresh interpreter each: forking would copy threads and locks in mid-work.
    pool = ProcessPoolExecutor(
        min(workers, len(scales)), multiprocessing.get_context("spawn"), _ignore_interrupts
    )
    try:
        tasks = [
            pool.submit(_explore, program.path, program.function, options, scale, wall)
            for scale in scales
        ]
        for task in tasks:
            case = task.result()
            found.append(case)
            explored(case)
            if not case.exhaustive and time.monotonic() > deadline:
                break
    finally:
        _stop(pool)
    return tuple(found)


def _explore(path: Path, function: str, options: Options, scale: int, wall: float) -> WorstCase:
    program = _PROGRAMS.get((path, function))
    if program is None:
        program = _PROGRAMS[path, function] = load(path, function, options)
    return _plain(explore(program, scale, time.monotonic() + wall - time.time()))


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
