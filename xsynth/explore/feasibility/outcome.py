"""What a feasibility question is answered with.

`Feasible` carries the values that prove it, `Infeasible` is a proof of the
contrary, and `Unknown` says why neither was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from xsynth.trace.terms import Cell, Value


@dataclass(frozen=True, slots=True)
class Feasible:
    """The witness satisfies everything asserted, and the term that was checked."""

    witness: Mapping[Cell, Value]


@dataclass(frozen=True, slots=True)
class Infeasible:
    pass


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str


Outcome: TypeAlias = Feasible | Infeasible | Unknown
