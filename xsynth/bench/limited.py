"""A command in a process of its own, stopped for good at a limit of time or of memory.

The process leads a session, so that what it started itself is stopped with it.  Memory is
what is resident, of the process and of all below it, looked at many times a second.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
PATIENT, IMPATIENT = 0.05, 0.01
"""Seconds between looks, once it has run for a second, and before."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: `stopped` is OOT, OOM, "interrupted", or empty if it ended itself."""

    seconds: float
    megabytes: float
    code: int
    stopped: str


def run_limited(
    command: Sequence[str],
    *,
    seconds: float,
    megabytes: float,
    interrupt: threading.Event | None = None,
) -> Ended:
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    peak, stopped = 0.0, ""
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                elapsed = time.monotonic() - start
                process.wait(IMPATIENT if elapsed < 1 else PATIENT)
                break
            peak = max(peak, resident(process.pid))
            if interrupt is not None and interrupt.is_set():
                stopped = "interrupted"
            elif peak > megabytes:
                stopped = "OOM"
            elif time.monotonic() - start > seconds:
                stopped = "OOT"
            if stopped:
                break
    finally:
        _stop(process)
    code = process.wait()
    if code == -signal.SIGKILL and not stopped:
        stopped = "OOM"  # nobody else does that: the system was out of memory
    return Ended(time.monotonic() - start, peak, code, stopped)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """The whole session: also what a process that ended left behind."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def resident(pid: int) -> float:
    """Megabytes of a process and of all below it; 0 once they are gone."""
    if not PROC.is_dir():
        return _resident_by_ps(pid)
    total, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        with suppress(OSError, ValueError, IndexError):
            pages = int((PROC / str(one) / "statm").read_text().split()[1])
            total += pages * os.sysconf("SC_PAGE_SIZE") / 2**20
            below = (PROC / str(one) / "task" / str(one) / "children").read_text()
            waiting += map(int, below.split())
    return total


def _resident_by_ps(session: int) -> float:
    """Where there is no /proc; slower."""
    shown = subprocess.run(
        ["ps", "-axo", "pgid=,rss="], capture_output=True, text=True, check=False
    ).stdout
    rows = [line.split() for line in shown.splitlines()]
    return sum(float(row[1]) for row in rows if row[:1] == [str(session)]) / 1024


def peak_of_this_process() -> float:
    """Megabytes.  What `getrusage` says counts the parent in before the start, on Linux."""
    with suppress(OSError):
        for line in (PROC / "self" / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import resource

    unit = 2**20 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
