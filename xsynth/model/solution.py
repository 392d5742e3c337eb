"""What a fit gives, and the exact linear algebra that all fits share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from xsynth.model.isg import Expr

PRIME = 2**61 - 1


@dataclass(frozen=True, slots=True)
class FittedExpr:
    expr: Expr
    spare: int
    """How many more values than coefficients there were."""


@dataclass(frozen=True, slots=True)
class NoFit:
    reason: str


def solve(rows: Sequence[Sequence[Fraction]], values: Sequence[Fraction]) -> list[Fraction] | None:
    """The one solution of rows * x = values; None if there is none, or more than one."""
    solved = _eliminated(rows, values)
    if solved is None or len(solved) < len(rows[0]):
        return None
    return [solved[column][-1] for column in range(len(rows[0]))]


def solvable(rows: Sequence[Sequence[Fraction]], values: Sequence[Fraction]) -> bool:
    """Whether rows * x = values has any solution."""
    return _eliminated(rows, values) is not None


def _eliminated(
    rows: Sequence[Sequence[Fraction]], values: Sequence[Fraction]
) -> dict[int, list[Fraction]] | None:
    """The reduced rows by the column of their pivot; None where they contradict each other.

    Row by row, so that a basis that does not serve is left at the first contradiction.
    """
    width = len(rows[0])
    system = [[*row, value] for row, value in zip(rows, values, strict=True)]
    if contradictory([[residue(entry) for entry in row] for row in system]):
        return None
    solved: dict[int, list[Fraction]] = {}
    for given in system:
        left = given
        for column, known in solved.items():
            if left[column]:
                times = left[column]
                left = [a - times * b for a, b in zip(left, known, strict=True)]
        pivot = next((column for column in range(width) if left[column]), None)
        if pivot is None:
            if left[width]:
                return None
            continue
        head = [entry / left[pivot] for entry in left]
        for column, known in solved.items():
            if known[pivot]:
                times = known[pivot]
                solved[column] = [a - times * b for a, b in zip(known, head, strict=True)]
        solved[pivot] = head
    return solved


def residue(value: Fraction) -> int:
    if value.denominator == 1:
        return value.numerator % PRIME
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def contradictory(system: Sequence[list[int]]) -> bool:
    """Whether no x has rows * x = values (the last entry) in the residues of a large prime.

    Nearly all that do not fit fail here, soon.  A solution in rationals is one in residues too,
    unless the prime divides a denominator, which no formula that anyone reads has.
    """
    width = len(system[0]) - 1
    solved: dict[int, list[int]] = {}
    for row in system:
        left = row
        for column, known in solved.items():
            times = left[column]
            if times:
                left = [(a - times * b) % PRIME for a, b in zip(left, known, strict=True)]
        pivot = next((column for column in range(width) if left[column]), None)
        if pivot is not None:
            inverse = pow(left[pivot], -1, PRIME)
            solved[pivot] = [a * inverse % PRIME for a in left]
        elif left[width]:
            return True
    return False
