"""What is running and what is left, on standard error: live on a terminal, a line for each
finished measurement elsewhere.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from xsynth.bench.results import Learned, Row

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table


class Progress:
    """A listener of the runner's."""

    def __init__(self, total: int, done: int, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._total = total
        self._done = done
        self._running: dict[str, tuple[float, float]] = {}
        self._last = ""
        self._live: Live | None = None

    def __enter__(self) -> Progress:
        if self._stream.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                get_renderable=self._table,
                console=Console(file=self._stream),
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, what: str, limit: float) -> None:
        self._running[what] = (time.monotonic(), limit)

    def finish(self, what: str, row: Row | Learned) -> None:
        self._running.pop(what, None)
        self._done += isinstance(row, Row)
        self._last = f"{what}: {outcome(row)}"
        if self._live is None and (isinstance(row, Learned) or row.ran):
            count = f"[{self._done}/{self._total}]"
            print(f"xsynth: {count} {self._last}", file=self._stream, flush=True)

    def _table(self) -> Table:
        from rich.table import Table

        shown = Table.grid(padding=(0, 2))
        left = self._total - self._done
        shown.add_row(f"{self._done} of {self._total} measured, {left} left", "", self._last)
        now = time.monotonic()
        for what, (start, limit) in list(self._running.items()):
            shown.add_row(f"  {what}", f"{now - start:.0f} s", f"limit {limit:.0f} s")
        return shown


def outcome(row: Row | Learned) -> str:
    """A few words."""
    seconds = "" if row.seconds is None else f", {row.seconds:.1f} s"
    if isinstance(row, Learned):
        formula = "" if row.formula is None else f", {row.formula}"
        return f"{row.status}{formula}{seconds}"
    if row.cost is None:
        return f"{row.status}{seconds}" + (f" ({row.reason})" if row.reason else "")
    reached = {True: " (worst case)", False: f" of {row.predicted}", None: ""}[row.verified]
    status = "" if row.status == "done" else f"{row.status}, "
    return f"{status}cost {row.cost}{reached}{seconds}"
