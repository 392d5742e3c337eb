"""The path condition of a large run, as data: columns of leaves, and what solving gives.

A column is one pattern and a matrix of leaves; each of its rows is one clause, or
one definition.  A condition says: every clause row holds, every definition has the
value that its row assigns, every cell lies within the bounds of its layout, and
every extra term (an assumption about the input) holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from xsynth.model.patterns import Pattern
from xsynth.program.inputs import Layout
from xsynth.scale import Scale
from xsynth.synthesize.rows import Array
from xsynth.synthesize.table import BLOCK, Table
from xsynth.trace.terms import Place, Term

__all__ = [
    "Array",
    "CellOutOfRange",
    "ClauseColumn",
    "DanglingDefinition",
    "DefColumn",
    "Layout",
    "PathCondition",
    "Sat",
    "Stats",
    "Unknown",
    "Unsat",
]


class DanglingDefinition(ValueError):  # noqa: N818  (named after what was found)
    """A row refers to a definition that no row defines."""

    def __init__(self, place: Place, counters: tuple[int, ...]) -> None:
        self.place = place
        self.counters = counters
        super().__init__(f"no definition at {place.site} with counters {counters}")


class CellOutOfRange(ValueError):  # noqa: N818  (named after what was found)
    """A row refers to a cell outside its layout, or to a layout that does not exist."""

    def __init__(self, name: str, index: tuple[int, ...], dims: tuple[int, ...] | None) -> None:
        self.name = name
        self.index = index
        self.dims = dims
        where = "no such input" if dims is None else f"its dimensions are {dims}"
        super().__init__(f"cell {name}{list(index)} does not exist: {where}")


@dataclass(frozen=True, slots=True, eq=False)
class ClauseColumn:
    """Each row of `rows` fills the pattern to one Boolean condition that holds."""

    pattern: Pattern
    rows: Array | Table

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> int:
        """How many clauses the column stands for, repeated ones too."""
        return self.rows.total if isinstance(self.rows, Table) else len(self.rows)

    @property
    def leaves(self) -> Array:
        """All rows at once."""
        return self.rows.whole() if isinstance(self.rows, Table) else self.rows

    def blocks(self) -> Iterator[Array]:
        """The rows as matrices, none of them large."""
        if isinstance(self.rows, Table):
            yield from self.rows.blocks()
        else:
            leaves = np.asarray(self.rows, dtype=np.int64)
            for low in range(0, len(leaves), BLOCK):
                yield leaves[low : low + BLOCK]


@dataclass(frozen=True, slots=True, eq=False)
class DefColumn:
    """Row r: the definition at `place` and `counters[r]` is the pattern with `leaves[r]`."""

    place: Place
    counters: Array
    pattern: Pattern
    leaves: Array


@dataclass(frozen=True, slots=True, eq=False)
class PathCondition:
    scale: Scale
    layouts: tuple[Layout, ...]
    clauses: tuple[ClauseColumn, ...]
    defs: tuple[DefColumn, ...]
    extra: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """What solving did: `clauses` maps each stage, in order, to the rows left after it."""

    clauses: Mapping[str, int]
    variables: int
    theory: str
    solver: str
    solver_calls: int
    seconds: Mapping[str, float] = field(compare=False)
    megabytes: Mapping[str, float] = field(compare=False, default_factory=dict)
    """The most memory that the process had used by the end of each phase."""


@dataclass(frozen=True, slots=True, eq=False)
class Sat:
    """`values`: for each layout an array of its dimensions."""

    values: Mapping[str, Array]
    stats: Stats


@dataclass(frozen=True, slots=True)
class Unsat:
    stats: Stats
    reason: str | None = None
    """What cannot be, where that is known."""


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str
    stats: Stats
