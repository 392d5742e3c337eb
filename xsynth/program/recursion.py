"""Runs that may recurse deeply.

Scales far beyond what Python's limit of 1,000 calls allows are of interest.  A call of Python by
Python needs no stack of the machine, but one through C does (`len(x)` of a `__len__`), and where
that stack ends, so does the process.  It grows up to a limit that may be raised while it runs;
the stack of another thread than the first does not.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

RECURSION_LIMIT = 30_000
STACK = 120 << 20
"""Bytes.  Linux keeps 128 MB below the stack free, whatever the limit is at the start."""


@contextmanager
def deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    stack = _raise_stack()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        if stack is not None:  # what is started outside of a run has the usual one
            resource.setrlimit(resource.RLIMIT_STACK, stack)


def _raise_stack() -> tuple[int, int] | None:
    """Raises the limit of the stack, and gives the one before; None where it stays."""
    if resource is None or threading.current_thread() is not threading.main_thread():
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return None
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    except (ValueError, OSError):
        return None
    return soft, hard
