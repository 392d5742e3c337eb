"""Exploring in several processes of this machine, this one among them.

This process begins alone.  The others are started when there turns out to be enough to do:
forked where that is safe, which takes a few milliseconds, else as interpreters of their own.
From then on whoever is idle gets a part of somebody's tree (see `exchange.py`), and at the end
of a scale each hands over all that it found at once.  Should one of them be killed, the scale
is explored again by this process alone.

The result is that of one process, byte for byte, because neither the order of a search nor the
witnesses of the exact layers depend on anything but the decisions: only time that runs out can
make a difference, as it can in one process, and Z3's choice among the witnesses of what only
Z3 can decide.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from xsynth.explore.exchange import Exchange, LostError, Part
from xsynth.explore.parts import Source, know, loaded, plain, source_of, until
from xsynth.explore.scales import explore_scales
from xsynth.explore.search import Search
from xsynth.explore.worst import WorstCase, explore_part, merged, with_plain_findings
from xsynth.program.program import Options, Program
from xsynth.scale import Scale

ALONE_SECONDS = {"fork": 0.1, "spawn": 0.5}
"""How long this process explores before it starts others: some times what that costs."""

Found: TypeAlias = list[tuple[Part, WorstCase]]

_EXCHANGE: list[Exchange] = []
"""In a process that was started."""


def explore_in_processes(
    program: Program,
    options: Options,
    scales: Sequence[Scale],
    deadline: float,
    workers: int,
    explored: Callable[[WorstCase], None],
) -> tuple[WorstCase, ...]:
    """As `explore_scales`, with `workers` processes, this one among them."""
    team = _Team(program, options, deadline, workers)
    try:
        return explore_scales(team.explore, scales, deadline, explored)
    finally:
        team.stop()


@dataclass
class _Others:
    """The processes that were started, and what they do for the scale at hand."""

    pool: ProcessPoolExecutor
    exchange: Exchange
    rounds: int = 0
    shares: list[Future[Found | None]] = field(default_factory=list)


@dataclass
class _Team:
    program: Program
    options: Options
    deadline: float
    workers: int
    _begun: float = field(default_factory=time.monotonic)
    _others: _Others | None = None
    _scale: Scale = 0

    def explore(self, scale: Scale) -> WorstCase:
        start = time.monotonic()
        self._scale = scale
        if self._others is not None:
            self._share_out(self._others)
        found: Found = [((), self._explore(()))]
        others = self._others
        if others is not None:
            try:
                found += self._rest(others)
            except (BrokenProcessPool, LostError):  # somebody has killed one of them
                self.stop()
                self.workers = 1
                found = [((), self._explore(()))]
        # The order of the paths: what is given away comes after what is kept.
        parts = [case for _, case in sorted(found, key=lambda one: one[0])]
        seconds = time.monotonic() - start
        return replace(with_plain_findings(self.program, merged(parts)), seconds=seconds)

    def _explore(self, part: Part) -> WorstCase:
        return plain(
            explore_part(self.program, self._scale, self.deadline, part, between=self._between)
        )

    def _between(self, search: Search) -> None:
        if self._others is not None:
            self._others.exchange.offer(search)
        elif self.workers > 1 and time.monotonic() > self._begun + ALONE_SECONDS[_method()]:
            self._start()

    def _start(self) -> None:
        know(self._source(), self.program)
        context = multiprocessing.get_context(_method())
        exchange = Exchange.create(context)
        pool = ProcessPoolExecutor(self.workers - 1, context, _begin, (exchange,))
        self._others = _Others(pool, exchange)
        self._share_out(self._others)

    def _share_out(self, others: _Others) -> None:
        others.rounds += 1
        others.exchange.open(others.rounds)
        source = self._source()
        others.shares = [
            others.pool.submit(_share, source, self._scale, others.rounds)
            for _ in range(self.workers - 1)
        ]

    def _source(self) -> Source:
        return source_of(self.program, self.options, self.deadline)

    def _rest(self, others: _Others) -> Found:
        """What others give to this process, and what they have found."""
        exchange, shares = others.exchange, others.shares
        found: Found = []
        while (
            part := exchange.take(lambda: not any(share.done() for share in shares))
        ) is not None:
            found.append((part, self._explore(part)))
        missing = exchange.joined - 1  # it is not waited for those who have not begun
        for share in as_completed(shares) if missing else ():
            handed_over = share.result()
            if handed_over is not None:
                found += handed_over
                missing -= 1
                if not missing:
                    break
        return found

    def stop(self) -> None:
        """Ends the processes at once: what they have not handed over is not needed."""
        if self._others is None:
            return
        pool, self._others = self._others.pool, None
        processes = list((pool._processes or {}).values())
        manager: Any = pool._executor_manager_thread
        for process in processes:
            process.terminate()
        pool.shutdown(wait=False)
        for process in processes:
            process.join(1.0)
        if manager is not None:
            manager.join(1.0)


def _share(source: Source, scale: Scale, number: int) -> Found | None:
    """In another process: what it has explored in a round; None if it came too late."""
    (exchange,) = _EXCHANGE
    if not exchange.join(number):
        return None
    program, deadline = loaded(source), until(source)
    found: Found = []
    most: int | None = None
    while (part := exchange.take(_has_parent)) is not None:
        case = plain(explore_part(program, scale, deadline, part, between=exchange.offer))
        if case.cost is not None:
            if most is not None and case.cost < most:
                case = replace(case, kept=(), chosen={})  # it need not travel
            else:
                most = case.cost
        found.append((part, case))
    return found


def _has_parent() -> bool:
    parent = multiprocessing.parent_process()
    return parent is None or parent.is_alive()


def _method() -> str:
    """How processes are started.

    A fork copies memory, with locks that other threads may hold, and none of these threads.  So
    it takes a process of one thread, those of libraries counted too.  Linux tells how many.
    """
    threads = Path("/proc/self/task")
    if sys.platform == "linux" and len(list(threads.iterdir())) == 1:
        return "fork"
    return "spawn"


def _begin(exchange: Exchange) -> None:
    """Ctrl-C goes to every process of the terminal; the parent decides what follows."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what the program prints is not data of ours
    _EXCHANGE[:] = [exchange]
