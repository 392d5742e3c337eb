"""Ctrl-C that is not lost.

Two things swallow it.  Z3 takes SIGINT for itself for the length of a check and answers
`unknown, canceled`, as it does after a timeout.  And Python drops a KeyboardInterrupt that
is raised in a `__del__`, or makes another exception of it in the arguments of a foreign
function: both are where code that builds Z3 terms often is.

So while `listening`, an interrupt inside such code is only remembered, and `demand` raises
it at the next safe point; and `check` reads an answer of Z3's that comes before its time.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_CANCELED = ("canceled", "interrupted", "interrupted from keyboard")
_PENDING = threading.Event()


@contextmanager
def listening() -> Iterator[None]:
    """In the main thread, and where interrupts are not ignored altogether."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _PENDING.clear()


def _interrupt(_number: int, frame: FrameType | None) -> None:
    _PENDING.set()
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if frame.f_code.co_name == "__del__" or module.partition(".")[0] == "z3":
            return
        frame = frame.f_back
    _PENDING.clear()
    raise KeyboardInterrupt


def demand() -> None:
    """A safe point: raises the KeyboardInterrupt that is pending, if one is."""
    if _PENDING.is_set():
        _PENDING.clear()
        raise KeyboardInterrupt


def check(solver: Any, timeout: float | None, *, limited: bool = False) -> Any:
    """`solver.check()` with that timeout (seconds) set on it; raises KeyboardInterrupt.

    `limited`: its resources are, which Z3 calls canceled too, and Python hears of interrupts.
    """
    demand()
    begin = time.monotonic()
    verdict = solver.check()
    demand()
    early = timeout is None or time.monotonic() - begin < 0.9 * timeout
    if str(verdict) == "unknown" and early and not limited and solver.reason_unknown() in _CANCELED:
        raise KeyboardInterrupt
    return verdict
