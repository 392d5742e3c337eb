"""A limit on the time that foreign code may take.

The counted program calls nothing of xsynth while it runs, so it cannot look at the
clock itself: a watching thread raises `TimeUp` in it.  That reaches any loop of Python
code; a single call into C (`10 ** 10 ** 9`) is over before it is noticed.

Limits are set for thousands of short runs, so one thread watches all of them.  It sleeps
until the earliest limit that it knows of, and is woken only for an earlier one: to set a
limit and to lift it costs next to nothing.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


class TimeUp(BaseException):
    """Not an Exception, so that the program under test does not catch it."""


@dataclass(eq=False, slots=True)
class _Limit:
    until: float
    thread: int
    claim: list[None] = field(default_factory=lambda: [None])
    """Whoever takes the one element decides: the thread to raise, or the run to have ended.

    A lock would not do: `TimeUp` may arrive just when the run has taken it.
    """
    sent: bool = False

    def claimed(self) -> bool:
        try:
            self.claim.pop()
        except IndexError:
            return False
        return True


@dataclass(slots=True)
class _Watch:
    limits: set[_Limit] = field(default_factory=set)
    wakes: float = float("inf")
    """When the thread looks next of its own accord."""
    changed: threading.Condition = field(default_factory=threading.Condition)
    running: bool = False

    def add(self, limit: _Limit) -> None:
        with self.changed:
            self.limits.add(limit)
            if not self.running:
                self.running = True
                threading.Thread(target=self._watch, daemon=True).start()
            elif limit.until < self.wakes:
                self.changed.notify()

    def begin_anew(self) -> None:
        """A forked process has the limits of its parent, but not the thread that watches them."""
        self.limits, self.running = set(), False
        self.changed, self.wakes = threading.Condition(), float("inf")

    def lift(self, limit: _Limit) -> None:
        self.limits.discard(limit)
        if limit.claimed():
            return
        while not limit.sent:
            time.sleep(0)
        # If it has not arrived yet it must not arrive later, in code of ours.
        _raise_in(ctypes.c_ulong(limit.thread), None)

    def _watch(self) -> None:
        with self.changed:
            while True:
                now = time.monotonic()
                for limit in tuple(self.limits):
                    if limit.until <= now:
                        self._fire(limit)
                self.wakes = min((own.until for own in tuple(self.limits)), default=float("inf"))
                self.changed.wait(None if self.wakes == float("inf") else self.wakes - now)

    def _fire(self, limit: _Limit) -> None:
        self.limits.discard(limit)
        if limit.claimed():
            _raise_in(ctypes.c_ulong(limit.thread), ctypes.py_object(TimeUp))
            limit.sent = True


_watch = _Watch()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watch.begin_anew)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    if seconds is None:
        yield
        return
    limit = _Limit(time.monotonic() + seconds, threading.get_ident())
    _watch.add(limit)
    try:
        yield
    finally:
        _watch.lift(limit)
