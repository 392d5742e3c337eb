"""Ctrl-C while Z3 works.

Z3 takes SIGINT for itself for the length of a check and answers `unknown, canceled`, as it
does after a timeout: Python never hears of it.  An answer of that kind that comes before
its time is an interrupt.
"""

from __future__ import annotations

import time
from typing import Any

_CANCELED = ("canceled", "interrupted", "interrupted from keyboard")


def check(solver: Any, timeout: float | None) -> Any:
    """`solver.check()` with that timeout (seconds) set on it; raises KeyboardInterrupt."""
    begin = time.monotonic()
    verdict = solver.check()
    if str(verdict) == "unknown" and solver.reason_unknown() in _CANCELED:
        early = timeout is None or time.monotonic() - begin < 0.9 * timeout
        if early:
            raise KeyboardInterrupt
    return verdict
