"""Progress on standard error, where that is a terminal and the work takes a while."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from xsynth.scale import Scale

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 1.0
"""Seconds before anything is shown: quick work needs no progress."""


class Progress:
    """A line that tells scale, paths and worst cost so far; gone when the work is done."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._start = time.monotonic()
        self._status: Status | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def report(self, scale: Scale, paths: int, cost: int | None) -> None:
        worst = "" if cost is None else f", worst cost {cost}"
        self.say(f"scale {scale}: {paths} paths{worst}")

    def say(self, text: str) -> None:
        if not self._shows or time.monotonic() - self._start < PATIENCE:
            return
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status(text)
            self._status.start()
        else:
            self._status.update(text)
