"""A small simplex over the rationals, exact, that starts from a point close to a solution.

The general form of Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV
2006), with lower bounds alone.  Each constraint has a slack, equal to its left side, with its
right side as the least value.  A basic variable is a sum of the others; one below its least
value is exchanged with another that may move the right way, the first in order (Bland), which
ends.  Where none may move, the row is a positive combination of left sides that is zero, and
whose right sides add up to more than zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from xsynth.explore.feasibility.cells import narrow
from xsynth.explore.feasibility.difference import Form, NoSolution

Exact: TypeAlias = int | Fraction


class Tableau:
    """Variables below `_slacks` are cells, the others slacks in the order they were added."""

    def __init__(self, start: Sequence[Exact], pivots: int) -> None:
        self.pivots = pivots
        """How many exchanges are left."""
        self.steps = 0
        """Rows that were added to others."""
        self._slacks = len(start)
        self._start = start
        self._values: dict[int, Exact] = {}
        self._rows: dict[int, dict[int, Exact]] = {}
        self._least: list[int] = []
        self._forms: list[int] = []

    def _value(self, variable: int) -> Exact:
        value = self._values.get(variable)
        return self._start[variable] if value is None else value

    def add(self, name: int, form: Form, least: int) -> None:
        """A constraint: the form, known to the caller by this name, is at least so much."""
        row: dict[int, Exact] = {}
        value: Exact = 0
        for cell, factor in form:
            value += factor * self._value(cell)
            inner = self._rows.get(cell)
            if inner is None:
                row[cell] = row.get(cell, 0) + factor
                if not row[cell]:
                    del row[cell]
            else:
                _add(row, inner, factor)
        slack = self._slacks + len(self._forms)
        self._rows[slack] = row
        self._values[slack] = narrow(value)
        self._least.append(least)
        self._forms.append(name)

    def repair(self) -> dict[int, int] | NoSolution | None:
        """None when every constraint holds; a combination that contradicts itself if none can."""
        slacks, least, values = self._slacks, self._least, self._values
        while True:
            short = -1
            for slack, bound in enumerate(least, slacks):
                if values[slack] < bound:
                    short = slack
                    break
            if short < 0:
                return None
            row = self._rows[short]
            chosen = -1
            for variable, factor in row.items():
                if (chosen < 0 or variable < chosen) and (
                    factor > 0 or variable < slacks or values[variable] > least[variable - slacks]
                ):
                    chosen = variable
            if chosen < 0:
                return self._combination(short, row)
            if self.pivots == 0:
                return NoSolution.GAVE_UP
            self.pivots -= 1
            self._exchange(short, chosen)

    def _exchange(self, leaving: int, entering: int) -> None:
        rows, values = self._rows, self._values
        row = rows.pop(leaving)
        factor = row.pop(entering)
        change = _divided(self._least[leaving - self._slacks] - values[leaving], factor)
        values[leaving] = self._least[leaving - self._slacks]
        values[entering] = narrow(self._value(entering) + change)
        # leaving = factor * entering + row, turned round.
        turned = {variable: _divided(-other, factor) for variable, other in row.items()}
        turned[leaving] = _divided(1, factor)
        for basic, other in rows.items():
            share = other.pop(entering, None)
            if share is not None:
                self.steps += 1
                values[basic] = narrow(self._value(basic) + share * change)
                _add(other, turned, share)
        rows[entering] = turned

    def _combination(self, short: int, row: dict[int, Exact]) -> dict[int, int]:
        """By the callers' names, with whole factors."""
        common = lcm(*[factor.denominator for factor in row.values()])
        found = {self._forms[short - self._slacks]: common}
        for slack, factor in row.items():
            name = self._forms[slack - self._slacks]
            found[name] = found.get(name, 0) + int(-factor * common)
        return found

    def candidate(self) -> tuple[list[Exact], list[int]]:
        """The values of the cells, and which of them are not those at the start."""
        vector = list(self._start)
        moved = []
        for variable, value in self._values.items():
            if variable < self._slacks and vector[variable] != value:
                vector[variable] = value
                moved.append(variable)
        return vector, sorted(moved)


def _add(row: dict[int, Exact], other: dict[int, Exact], share: Exact) -> None:
    for variable, factor in other.items():
        total = row.get(variable, 0) + share * factor
        if total:
            row[variable] = total if type(total) is int else narrow(total)
        else:
            del row[variable]


def _divided(value: Exact, by: Exact) -> Exact:
    if by == 1:
        return value
    if by == -1:
        return -value
    return narrow(Fraction(value) / by)
