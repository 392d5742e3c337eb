"""Cells by number, and assignments as vectors over those numbers.

The layers work on lists, so each cell gets a number when it is first met.  Two
numbers stand for zero: one for the integers (Booleans are integers of 0..1) and
one for the reals; a bound on a cell is a difference from the zero of its kind.

Terms are frozen values whose hash walks their fields, which is dear, and one
cell is nearly always one object; so numbers are found by identity first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from xsynth.trace.terms import Cell, Def, Sort, Value

INT_ZERO = 0
REAL_ZERO = 1
FIRST_CELL = 2

MOST_ALIASES = 10_000


def narrow(value: int | Fraction) -> int | Fraction:
    """As an int if it is one: vectors hold whole reals as ints, which add ten times faster."""
    return value.numerator if value.denominator == 1 else value


@dataclass(frozen=True, slots=True)
class Domain:
    """The declared bounds of a cell, inclusive; None is unbounded."""

    cell: Cell
    lo: int | Fraction | None
    hi: int | Fraction | None


class Cells:
    """The numbering.  It only grows; `lows` and `highs` are exact for the cell's kind."""

    def __init__(self) -> None:
        zeros = [Cell("0", (), Sort.INT), Cell("0", (), Sort.REAL)]
        self.cells: list[Cell] = zeros
        self.real: list[bool] = [False, True]
        self.reals = 0
        """How many of the cells are real."""
        self.lows: list[int | Fraction | None] = [0, 0]
        self.highs: list[int | Fraction | None] = [0, 0]
        self._numbers: dict[Cell, int] = {}
        self._by_identity: dict[int, int] = {}
        # An identity is only good while its object lives, so these keep it alive.
        self._aliases: list[Cell] = []

    def number(self, cell: Cell) -> int:
        found = self._by_identity.get(id(cell))
        if found is not None:
            return found
        known = self._numbers.get(cell)
        if known is None:
            return self.declare(Domain(cell, None, None))
        if len(self._aliases) >= MOST_ALIASES:
            self._aliases.clear()
            self._by_identity = {
                id(own): number for number, own in enumerate(self.cells) if number >= FIRST_CELL
            }
        self._aliases.append(cell)
        self._by_identity[id(cell)] = known
        return known

    def declare(self, domain: Domain) -> int:
        """Number a cell and keep its bounds; a second declaration narrows the first."""
        cell, low, high = domain.cell, domain.lo, domain.hi
        if cell.sort is Sort.BOOL:
            low, high = (0 if low is None else low), (1 if high is None else high)
        if cell.sort is Sort.REAL:
            low = None if low is None else narrow(low)
            high = None if high is None else narrow(high)
        else:
            low = None if low is None else math.ceil(low)
            high = None if high is None else math.floor(high)
        number = self._numbers.get(cell)
        if number is None:
            number = len(self.cells)
            self.cells.append(cell)
            self.real.append(cell.sort is Sort.REAL)
            self.reals += cell.sort is Sort.REAL
            self.lows.append(low)
            self.highs.append(high)
            self._numbers[cell] = number
            self._by_identity[id(cell)] = number
            return number
        lows = [bound for bound in (self.lows[number], low) if bound is not None]
        highs = [bound for bound in (self.highs[number], high) if bound is not None]
        self.lows[number] = max(lows, default=None)
        self.highs[number] = min(highs, default=None)
        return number

    def initial(self, number: int) -> int | Fraction:
        """The value nearest to zero within the bounds."""
        low, high = self.lows[number], self.highs[number]
        if low is not None and low > 0:
            return low
        if high is not None and high < 0:
            return high
        return 0

    def __len__(self) -> int:
        return len(self.cells)


class Assignment(Mapping[Cell, Value]):
    """A value for each cell numbered so far; the vector is never changed."""

    __slots__ = ("numbering", "vector")

    def __init__(self, numbering: Cells, vector: list[int | Fraction]) -> None:
        self.numbering = numbering
        self.vector = vector

    def __getitem__(self, cell: Cell) -> Value:
        number = self.numbering.number(cell)
        if number >= len(self.vector):
            # A cell met later: nothing here constrains it.
            value = self.numbering.initial(number)
        else:
            value = self.vector[number]
        if cell.sort is Sort.INT:
            return value
        return value != 0 if cell.sort is Sort.BOOL else Fraction(value)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.numbering.cells[FIRST_CELL : len(self.vector)])

    def __len__(self) -> int:
        return len(self.vector) - FIRST_CELL

    def __repr__(self) -> str:
        return f"Assignment({dict(self)!r})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # Identities mean nothing in another process; there it is a plain dict.
        return dict, (list(self.items()),)


class DefValues(dict[Def, Value]):
    """Values of definitions, by the identity of the definition.

    Definitions are equal by name, and another path may give the same name
    another value; so equality would confuse paths, besides being slow to hash.
    """

    __slots__ = ("entries",)

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[int, tuple[Def, Value]] = {}

    def __contains__(self, definition: object) -> bool:
        return id(definition) in self.entries

    def __getitem__(self, definition: Def) -> Value:
        return self.entries[id(definition)][1]

    def __setitem__(self, definition: Def, value: Value) -> None:
        self.entries[id(definition)] = (definition, value)
