"""A limit on the time that foreign code may take.

The counted program calls nothing of xsynth while it runs, so it cannot look at the
clock itself: a watching thread raises `TimeUp` in it.  That reaches any loop of Python
code; a single call into C (`10 ** 10 ** 9`) is over before it is noticed.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TimeUp(BaseException):
    """Not an Exception, so that the program under test does not catch it."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    if seconds is None:
        yield
        return
    target = threading.get_ident()
    done = threading.Event()
    fired = threading.Event()

    def watch() -> None:
        if not done.wait(seconds):
            fired.set()
            raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
            raise_in(ctypes.c_ulong(target), ctypes.py_object(TimeUp))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        if fired.is_set():
            # If it has not arrived yet it must not arrive later, in code of ours.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(target), None)
