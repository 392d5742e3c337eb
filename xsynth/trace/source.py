"""Where a run's decisions come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from xsynth.program.markers import AssumptionFailed
from xsynth.trace.terms import Cell, Def, Place, Term, Value, evaluate


class DecisionSource(Protocol):
    def test(self, term: Term, place: Place) -> bool:
        """Which side of a condition to take."""

    def value(self, term: Term, place: Place) -> int:
        """Which value a symbolic integer has, where a plain one is needed."""

    def assume(self, term: Term) -> None:
        """A precondition; raises AssumptionFailed where it cannot hold."""


class Witness:
    """Decides as the program itself would on this input."""

    def __init__(self, cells: Mapping[Cell, Value]) -> None:
        self._cells = cells
        self._defs: dict[Def, Value] = {}

    def test(self, term: Term, place: Place) -> bool:
        return bool(evaluate(term, self._cells, self._defs))

    def value(self, term: Term, place: Place) -> int:
        return int(evaluate(term, self._cells, self._defs))

    def assume(self, term: Term) -> None:
        if not evaluate(term, self._cells, self._defs):
            raise AssumptionFailed
