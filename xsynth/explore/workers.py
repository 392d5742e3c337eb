"""Exploring in several processes: a task is a scale and the beginning of its paths.

The tree of a scale is cut at a depth that gives each process many tasks.  Each process loads
the program for itself; what comes back is plain data, and is put together in the order of
the paths.  The result is the same as from one process, because neither the order of a
search nor the witnesses of the exact layers depend on anything but the decisions: only
time that runs out can make a difference, as it can in one process, and Z3's choice among
the witnesses of what only Z3 can decide.

The processes are those of this machine, or of a Dask cluster: both are executors of
`concurrent.futures`.  On this machine the parent is one of the K processes.  It starts at
once, while the others load, and takes tasks from the end of the list until it meets them.
A cluster that loses a worker runs its tasks again elsewhere.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, InvalidStateError, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from xsynth.errors import HonestNo, UsageError
from xsynth.explore.paths import Path as SearchPath
from xsynth.explore.paths import prefixes
from xsynth.explore.worst import WorstCase, explore, merged, with_plain_findings
from xsynth.program.program import Options, Program, load
from xsynth.scale import Scale
from xsynth.trace.tracer import Deadline

TASKS_A_WORKER = 64
"""Many, since at the end all wait for whoever has the last ones."""
MOST_PARTS = 1000
DEEPEST_CUT = 60
CONNECT_SECONDS = 10

_PROGRAMS: dict[str, Program] = {}
"""The program that a worker process has loaded, by all that it depends on."""


@dataclass(frozen=True, slots=True)
class _Task:
    path: Path
    function: str
    digest: str
    options: Options
    scale: Scale
    wall: float
    """When the time is up, by the clock on the wall: other machines have another start."""
    prefix: tuple[int, ...]


def explore_in_processes(
    program: Program,
    options: Options,
    scales: Sequence[Scale],
    deadline: float,
    workers: int,
    explored: Callable[[WorstCase], None],
) -> tuple[WorstCase, ...]:
    """As `pipeline.explore_scales`, with `workers` processes, this one among them."""
    with _processes(workers - 1) as pool:
        return _explore_all(
            program, options, scales, deadline, pool, workers, explored, helping=True
        )


def explore_on_cluster(
    program: Program,
    options: Options,
    scales: Sequence[Scale],
    deadline: float,
    address: str,
    explored: Callable[[WorstCase], None],
) -> tuple[WorstCase, ...]:
    """As `explore_in_processes`, on the Dask cluster whose scheduler has this address."""
    with _cluster(address) as (pool, workers):
        return _explore_all(
            program, options, scales, deadline, pool, workers, explored, helping=False
        )


def _explore_all(
    program: Program,
    options: Options,
    scales: Sequence[Scale],
    deadline: float,
    pool: Executor,
    workers: int,
    explored: Callable[[WorstCase], None],
    *,
    helping: bool,
) -> tuple[WorstCase, ...]:
    wall = time.time() + deadline - time.monotonic()
    path = program.path.absolute()
    found: list[WorstCase] = []
    for _ in range(workers - 1 if helping else 0):
        pool.submit(_ready)  # the processes start while the trees are cut
    shared: list[tuple[list[_Task], list[Future[WorstCase]]]] = []
    for scale in scales:
        tasks = [
            _Task(path, program.function, program.digest, options, scale, wall, prefix)
            for prefix in _parts(program, scale, TASKS_A_WORKER * workers, deadline)
        ]
        shared.append((tasks, [pool.submit(_explore, task) for task in tasks]))
    for tasks, own in shared:
        done: dict[int, WorstCase] = {}
        if helping:
            for number in range(len(tasks) - 1, -1, -1):
                if own[number].cancel():  # nobody has begun it
                    task = tasks[number]
                    done[number] = _plain(explore(program, task.scale, deadline, None, task.prefix))
        parts = [done.get(n) or future.result() for n, future in enumerate(own)]
        case = with_plain_findings(program, merged(parts))
        found.append(case)
        explored(case)
        if not case.exhaustive and time.monotonic() > deadline:
            break
    return tuple(found)


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    # A fresh interpreter each: forking would copy threads and locks in mid-work.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _ignore_interrupts)
    try:
        yield pool
    finally:
        _stop(pool)


def _knock(address: str) -> None:
    """Raises OSError or ValueError where nobody listens.

    A client that cannot connect prints a traceback when it is thrown away.
    """
    protocol, _, rest = address.rpartition("://")
    host, colon, port = rest.rpartition(":")
    if not colon or not port.isdigit():
        raise ValueError(f"{address} has no port")
    if protocol in ("", "tcp"):
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--dask: Dask is not installed", "pip install 'xsynth[dask]', or use --workers K"
        ) from None
    try:
        _knock(address)
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--dask {address}: no scheduler answers there ({type(error).__name__})",
            "start one with dask scheduler and dask worker ADDRESS, or use --workers K",
        ) from None
    try:
        cores = sum(client.ncores().values())
        if not cores:
            raise HonestNo(f"--dask {address}: the cluster has no workers", "start some")
        # Tasks have no effects, so one whose worker is lost may run again.
        yield client.get_executor(pure=False, retries=2), cores
    finally:
        client.close()


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


def _ready() -> None:
    """Nothing: a process that has answered has started, and has imported this module."""


def _explore(task: _Task) -> WorstCase:
    key = f"{os.getpid()} {task.path} {task.function} {task.digest} {task.options!r}"
    program = _PROGRAMS.get(key)
    if program is None:
        _PROGRAMS.clear()
        program = load(task.path, task.function, task.options)
        if program.digest != task.digest:
            raise HonestNo(f"{task.path}: a worker sees another version of it", "copy it there")
        _PROGRAMS[key] = program
    until = time.monotonic() + task.wall - time.time()
    return _plain(explore(program, task.scale, until, prefix=task.prefix))


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
    """Ends the processes at once: what they have not handed over is not needed.

    The pool's thread then fails what is left, and would print a traceback for each task that
    was cancelled because the parent took it over.
    """
    shown = threading.excepthook
    threading.excepthook = lambda found: (
        None if issubclass(found.exc_type, InvalidStateError) else shown(found)
    )
    processes = list((pool._processes or {}).values())
    for process in processes:
        process.terminate()
    pool.shutdown(wait=False)
    for process in processes:
        process.join(1.0)
