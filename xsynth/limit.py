"""A last limit on the time of a whole stage, for what does not look at the clock.

Nearly everything does: searches, Z3 (a time limit of its own), attempts to generate.  The rest
is counted in work, and an estimate of work may be wrong: a run of the program under test, a
path condition of a million rows.  So a thread watches, and raises `OutOfTime` in the stage once
it is over its time.  It waits while the stage is in code that would lose an exception (see
`interrupts.py`), and raises it again where it was lost all the same.

A single call into C is over before it is noticed.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

RETRY_SECONDS = 0.01
AGAIN_SECONDS = 0.5
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


class OutOfTime(BaseException):
    """Not an Exception, so that the program under test does not catch it."""


def call_until(deadline: float, stage: Callable[[], T]) -> T:
    """The result of the stage; raises `OutOfTime` soon after the deadline."""
    over = threading.Event()
    thread, own = threading.get_ident(), sys._getframe()

    def watch() -> None:
        if over.wait(max(0.0, min(deadline - time.monotonic(), threading.TIMEOUT_MAX))):
            return
        while not over.is_set() and (safe := _is_safe(thread, own)) is not None:
            if safe:
                _raise_in(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))
            over.wait(AGAIN_SECONDS if safe else RETRY_SECONDS)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return stage()
    finally:
        _end(over, watcher, thread)


def _end(over: threading.Event, watcher: threading.Thread, thread: int) -> None:
    """Once the watcher is gone, what it raised and has not arrived must not arrive later."""
    while True:
        try:
            over.set()
            watcher.join()
            _raise_in(ctypes.c_ulong(thread), None)
        except OutOfTime:
            continue
        return


def _is_safe(thread: int, stage: FrameType) -> bool | None:
    """Whether an exception would arrive there; None where the stage is left."""
    frame = sys._current_frames().get(thread)
    safe = True
    while frame is not None:
        if frame is stage:
            return safe
        module = str(frame.f_globals.get("__name__"))
        safe &= frame.f_code.co_name != "__del__" and module.partition(".")[0] != "z3"
        frame = frame.f_back
    return None
