"""The most memory that this process has used so far."""

from __future__ import annotations

import sys

try:
    import resource
except ImportError:  # Windows has no such thing
    resource = None  # type: ignore[assignment]

_UNIT = 2**20 if sys.platform == "darwin" else 2**10
"""Bytes there, kilobytes elsewhere."""


def peak_megabytes() -> float:
    """0 where the system does not tell."""
    if resource is None:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _UNIT
