"""Bounds of single whole numbers: three numbers a variable, not a row a clause.

A run that looks at every cell of a table of 5,000 by 5,000 has 25 million clauses, each about
one cell.  As rows these would be gigabytes; here they are the greatest lower bound, the least
upper bound, and one value to avoid, for each variable.  Bounds of variables that occur
elsewhere too go back to the rows; the others are all that is said of their variable, so it
gets the value nearest to zero that they allow, and no solver hears of it.
"""

from __future__ import annotations

import numpy as np

from xsynth.synthesize.columns import INT
from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import EQ, LE, NE, Contradiction, Rows, dense_rows, join_rows

MANY = 1 << 14
"""Columns and layouts with fewer rows than this gain nothing here."""

_FAR = 2**61


class Bounds:
    """What is known of each variable; the arrays are made when there is something to keep."""

    def __init__(self, sorts: Array) -> None:
        self._sorts = sorts
        self._lower: Array = np.zeros(0, dtype=np.int64)
        self._upper: Array = np.zeros(0, dtype=np.int64)
        self._avoid: Array = np.zeros(0, dtype=np.int64)
        self.taken = 0
        """How many clauses were."""

    def absorb(self, rows: Rows) -> Rows:
        """Takes the rows about one whole number, in normal form; what is left comes back."""
        single = rows.width == 1
        if not single.any():
            return rows
        first = rows.start[:-1][single]
        variable, coefficient = rows.variable[first], rows.coefficient[first]
        relation, constant = rows.relation[single], rows.constant[single]
        whole = (self._sorts[variable] == INT) & (np.abs(coefficient) == 1)
        self._make_room()
        for limit, better, chosen in (
            (self._upper, np.minimum, (relation == EQ) | ((relation == LE) & (coefficient > 0))),
            (self._lower, np.maximum, (relation == EQ) | ((relation == LE) & (coefficient < 0))),
        ):
            own = whole & chosen
            better.at(limit, variable[own], constant[own] * coefficient[own])
        done = whole & (relation != NE)
        different = np.flatnonzero(whole & (relation == NE))
        done[different] = self._avoided(variable[different], (constant * coefficient)[different])
        self.taken += int(done.sum())
        left = np.ones(len(rows), dtype=bool)
        left[np.flatnonzero(single)[done]] = False
        return rows.take(left)

    def _avoided(self, variable: Array, value: Array) -> Array:
        """Which of these could be kept: a variable has room for one value to avoid."""
        if not len(variable):
            return np.zeros(0, dtype=bool)
        if not len(self._avoid):
            self._avoid = np.full(len(self._sorts), _FAR, dtype=np.int64)
        free = self._avoid[variable] == _FAR
        self._avoid[variable[free]] = value[free]
        result: Array = self._avoid[variable] == value
        return result

    def within(self, where: slice, low: int | None, high: int | None) -> None:
        """Bounds of neighbouring variables."""
        self._make_room()
        if low is not None:
            np.maximum(self._lower[where], low, out=self._lower[where])
        if high is not None:
            np.minimum(self._upper[where], high, out=self._upper[where])
        self.taken += (where.stop - where.start) * ((low is not None) + (high is not None))

    def _make_room(self) -> None:
        if not len(self._lower):
            self._lower = np.full(len(self._sorts), -_FAR, dtype=np.int64)
            self._upper = np.full(len(self._sorts), _FAR, dtype=np.int64)

    def apart_from(self, tied: Array) -> tuple[Rows, Array]:
        """The bounds of `tied` variables as rows, and a mask of the others that have some."""
        if not len(self._lower):
            return join_rows(()), np.zeros(len(self._sorts), dtype=bool)
        if (self._lower > self._upper).any():
            raise Contradiction
        parts = []
        for limit, none, sign, relation in (
            (self._lower, -_FAR, -1, LE),
            (self._upper, _FAR, 1, LE),
            (self._avoid, _FAR, 1, NE),
        ):
            ids = np.flatnonzero(tied & (limit != none)) if len(limit) else np.zeros(0, np.int64)
            if len(ids):
                coefficients = np.full((len(ids), 1), sign, dtype=np.int64)
                parts.append(dense_rows(ids[:, None], coefficients, relation, sign * limit[ids]))
        loose = (self._lower != -_FAR) | (self._upper != _FAR)
        if len(self._avoid):
            loose |= self._avoid != _FAR
        return join_rows(parts), loose & ~tied

    def fill(self, values: Array, loose: Array) -> None:
        """Gives the loose variables the values nearest to zero; raises `Contradiction`."""
        if not len(self._lower):
            return
        values[loose] = np.clip(0, self._lower[loose], self._upper[loose])
        if not len(self._avoid):
            return
        met = np.flatnonzero(loose & (values == self._avoid))
        up = values[met] < self._upper[met]
        if (~up & (values[met] == self._lower[met])).any():
            raise Contradiction
        values[met] += np.where(up, 1, -1)
