"""Allowance: how much may be tried before the search for generators gives up.

Counted in work rather than in seconds, so that what is found does not depend on how busy the
machine is.  The deadline is the one that a person gave, and far off.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass


@dataclass
class Allowance:
    """`left` counts columns of leaves that may still be parsed, in units of about 200 leaves."""

    left: int
    deadline: float = math.inf
    whole: Allowance | None = None

    def spend(self, leaves: int) -> None:
        self._take(1 + leaves // 200)

    def _take(self, units: int) -> None:
        self.left -= units
        if self.whole is not None:
            self.whole._take(units)

    @property
    def spent(self) -> bool:
        return (
            self.left <= 0
            or (self.whole is not None and self.whole.spent)
            or time.monotonic() > self.deadline
        )

    def part(self, most: int) -> Allowance:
        """Some of it, for one attempt among several."""
        return Allowance(most, self.deadline, self)


def unlimited() -> Allowance:
    return Allowance(1 << 60)
