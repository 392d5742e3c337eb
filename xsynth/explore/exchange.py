"""Work that busy processes hand to idle ones, a part of the tree at a time.

Whoever has nothing to do says so in shared memory and waits at a pipe.  Whoever is busy looks
there now and then, and sends the beginning of the largest part that it has not begun.  All is
done when everybody who has joined is idle and nothing is on its way: the last one to notice
tells the others.  One that joins later than that has come in vain.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from xsynth.explore.search import Search

Part: TypeAlias = tuple[int, ...]
"""The first answers of all paths in a part of the tree; there may be no such path."""

LOOK_SECONDS = 0.1
"""How often an idle process looks whether the others are alive."""
BUSY_SECONDS = 0.01
"""How long a process explores between two parts that it gives: smaller ones are not worth it."""
_ROUND, _JOINED, _IDLE, _SENT = range(4)


class LostError(Exception):
    """Another process has died."""


@dataclass
class Exchange:
    """What processes have in common; `_shared` is read without the lock to look only."""

    _shared: Any
    _lock: Any
    _reading: Any
    _reader: Any
    _writer: Any
    _gave: float = 0.0

    @classmethod
    def create(cls, context: Any) -> Exchange:
        reader, writer = context.Pipe(duplex=False)
        return cls(context.RawArray("i", 4), context.Lock(), context.Lock(), reader, writer)

    def open(self, number: int) -> None:
        """A new round of that number, from 1 on, which its opener has joined."""
        with self._lock:
            self._shared[:] = [number, 1, 0, 0]

    def join(self, number: int) -> bool:
        """Whether the round is not over."""
        with self._lock:
            if self._shared[_ROUND] != number:
                return False
            self._shared[_JOINED] += 1
            return True

    @property
    def joined(self) -> int:
        return int(self._shared[_JOINED])

    def offer(self, search: Search) -> None:
        """Gives a part of a search away, if somebody waits for one."""
        if self._shared[_IDLE] <= self._shared[_SENT]:
            return
        now = time.monotonic()
        if now - self._gave < BUSY_SECONDS:
            return
        self._gave = now
        part = search.give()
        if part is not None:
            with self._lock:
                self._shared[_SENT] += 1
                self._writer.send(part)

    def take(self, alive: Callable[[], bool]) -> Part | None:
        """The next part, once somebody gives one; None when the round is over."""
        with self._lock:
            self._shared[_IDLE] += 1
            if self._shared[_IDLE] == self._shared[_JOINED] and not self._shared[_SENT]:
                self._shared[_ROUND] = 0
                for _ in range(self._shared[_JOINED] - 1):
                    self._writer.send(None)
                return None
        part = self._received(alive)
        if part is not None:
            with self._lock:
                self._shared[_IDLE] -= 1
                self._shared[_SENT] -= 1
            self._gave = time.monotonic()
        return part

    def _received(self, alive: Callable[[], bool]) -> Part | None:
        while True:
            if self._reading.acquire(timeout=LOOK_SECONDS):
                try:
                    if self._reader.poll(LOOK_SECONDS):
                        part: Part | None = self._reader.recv()
                        return part
                finally:
                    self._reading.release()
            if not alive():
                raise LostError
