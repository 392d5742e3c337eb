"""What finding a path at a large scale took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """Paths that were run, decisions, and the questions that they cost.

    `resolved` are the decisions that a rule or a guide took, `by` says which; of the
    `unresolved` ones both sides were open.  `checks` are feasibility questions by the layer
    that answered; `solver_calls` counts Z3's, whether at a branch or at the end.
    """

    paths: int
    resolved: int
    unresolved: int
    by: Mapping[str, int]
    checks: Mapping[str, int]
    solver_calls: int
    finished: bool
