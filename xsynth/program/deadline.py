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


_NEVER = float("inf")


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
    limits: dict[int, _Limit] = field(default_factory=dict)
    """By identity.  What a run lifts is taken out without a lock: see `_Limit.claim`."""
    wakes: float = _NEVER
    """When the thread looks next of its own accord."""
    changed: threading.Condition = field(default_factory=threading.Condition)
    running: bool = False

    def add(self, limit: _Limit) -> None:
        with self.changed:
            self.limits[id(limit)] = limit
            if not self.running:
                threading.Thread(target=self._watch, daemon=True).start()
                self.running = True
            elif limit.until < self.wakes:
                self.changed.notify()

    def begin_anew(self) -> None:
        """A forked process has the limits of its parent, but not the thread that watches them."""
        self.limits, self.running = {}, False
        self.changed, self.wakes = threading.Condition(), _NEVER

    def lift(self, limit: _Limit) -> None:
        self.limits.pop(id(limit), None)
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
                held = list(self.limits.values())
                for limit in held:
                    if limit.until <= now:
                        self._fire(limit)
                self.wakes = min((own.until for own in held if own.until > now), default=_NEVER)
                self.changed.wait(min(self.wakes - now, threading.TIMEOUT_MAX))

    def _fire(self, limit: _Limit) -> None:
        self.limits.pop(id(limit), None)
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
    try:
        _watch.add(limit)
        yield
    finally:
        _watch.lift(limit)
