"""Variables and evaluation as arrays.

Every cell has a number (the offset of its layout plus its row-major position), every
definition a number after those.  `Space` turns the holes of a column into arrays of
such numbers; `evaluate` computes a whole column where the variables have given values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import TypeAlias, assert_never

import numpy as np

from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern, arity
from xsynth.synthesize.condition import (
    Array,
    CellOutOfRange,
    DanglingDefinition,
    DefColumn,
    Layout,
    PathCondition,
)
from xsynth.synthesize.rows import RowIndex
from xsynth.trace.terms import Op, Place, Sort

SORTS = (Sort.INT, Sort.BOOL, Sort.REAL)
INT, BOOL, REAL = range(3)
"""A sort as a number, for arrays of sorts."""

SAFE = 2**62
"""int64 arithmetic is used where no result can be this large."""

Hole: TypeAlias = CellHole | DefHole


def holes(pattern: Pattern, start: int = 0) -> Iterator[tuple[Hole | IntHole, int]]:
    """The holes from left to right, each with the position of its first leaf."""
    match pattern:
        case CellHole(arity=_) | DefHole(arity=_) | IntHole():
            yield pattern, start
        case Fixed():
            return
        case Node(args=args):
            for argument in args:
                yield from holes(argument, start)
                start += arity(argument)
        case _:
            assert_never(pattern)


def sort_of(pattern: Pattern) -> Sort:
    return Sort.INT if isinstance(pattern, IntHole) else pattern.sort


class Space:
    """The variables of a condition: cells first, then definitions."""

    def __init__(self, condition: PathCondition) -> None:
        self._layouts: dict[str, tuple[int, Layout]] = {}
        sorts: list[Array] = []
        size = 0
        for layout in condition.layouts:
            self._layouts[layout.name] = (size, layout)
            count = prod(layout.dims)
            sorts.append(np.full(count, SORTS.index(layout.sort), dtype=np.int8))
            size += count
        self.cells = size
        self._places: dict[Place, tuple[int, RowIndex]] = {}
        self.definitions: list[tuple[DefColumn, Array]] = []
        """Columns without repeated rows, each with the variables that its rows define."""
        for place, columns in _by_place(condition.defs).items():
            index = RowIndex(np.concatenate([_matrix(c.counters) for c in columns]))
            self._places[place] = (size, index)
            kind = np.zeros(index.size, dtype=np.int8)
            for column, ids in _without_repeats(columns, index):
                kind[ids] = SORTS.index(sort_of(column.pattern))
                self.definitions.append((column, ids + size))
            sorts.append(kind)
            size += index.size
        self.size = size
        self.sorts: Array = np.concatenate(sorts) if sorts else np.zeros(0, dtype=np.int8)

    def layout_slice(self, layout: Layout) -> slice:
        offset, _ = self._layouts[layout.name]
        return slice(offset, offset + prod(layout.dims))

    def variables(self, hole: Hole, leaves: Array) -> Array:
        """The variable that each row of these leaves refers to."""
        match hole:
            case CellHole(name=name):
                return self._cells(name, leaves)
            case DefHole(place=place):
                return self._defs(place, leaves)
            case _:
                assert_never(hole)

    def _cells(self, name: str, leaves: Array) -> Array:
        if name not in self._layouts:
            raise CellOutOfRange(name, tuple(map(int, leaves[0])) if len(leaves) else (), None)
        offset, layout = self._layouts[name]
        flat = np.zeros(len(leaves), dtype=np.int64)
        if leaves.shape[1] != len(layout.dims):
            first = tuple(map(int, leaves[0])) if len(leaves) else ()
            raise CellOutOfRange(name, first, layout.dims)
        for column, extent in zip(leaves.T, layout.dims, strict=True):
            outside = (column < 0) | (column >= extent)
            if outside.any():
                row = int(np.argmax(outside))
                raise CellOutOfRange(name, tuple(map(int, leaves[row])), layout.dims)
            flat = flat * extent + column
        return flat + offset

    def _defs(self, place: Place, leaves: Array) -> Array:
        if place not in self._places:
            raise DanglingDefinition(place, tuple(map(int, leaves[0])) if len(leaves) else ())
        offset, index = self._places[place]
        found = index.find(leaves)
        if (found < 0).any():
            raise DanglingDefinition(place, tuple(map(int, leaves[int(np.argmax(found < 0))])))
        return found + offset


def _matrix(leaves: Array) -> Array:
    return np.asarray(leaves, dtype=np.int64)


def _by_place(columns: Sequence[DefColumn]) -> dict[Place, list[DefColumn]]:
    """Columns grouped by place; those of one pattern are joined."""
    joined: dict[tuple[Place, Pattern], list[DefColumn]] = {}
    for column in columns:
        if len(column.leaves):
            joined.setdefault((column.place, column.pattern), []).append(column)
    places: dict[Place, list[DefColumn]] = {}
    for (place, pattern), parts in joined.items():
        counters = np.concatenate([_matrix(p.counters) for p in parts])
        leaves = np.concatenate([_matrix(p.leaves) for p in parts])
        places.setdefault(place, []).append(DefColumn(place, counters, pattern, leaves))
    return places


def _without_repeats(
    columns: Sequence[DefColumn], index: RowIndex
) -> Iterator[tuple[DefColumn, Array]]:
    start = 0
    taken = np.zeros(index.size, dtype=bool)
    for column in columns:
        ids = index.ids[start : start + len(column.leaves)]
        start += len(column.leaves)
        names, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
        conflict = (column.leaves != column.leaves[first[inverse]]).any(axis=1) | taken[ids]
        if conflict.any():
            row = int(np.argmax(conflict))
            counters = tuple(map(int, column.counters[row]))
            raise ValueError(f"{column.place.site} defines {counters} twice, differently")
        taken[names] = True
        yield (
            DefColumn(column.place, column.counters[first], column.pattern, column.leaves[first]),
            names,
        )


class Evaluator:
    """Columns where the variables have these values (int64, or exact Python numbers).

    `faults` collects, a row, whether a division by zero was met; under a condition or
    after the first operand of `and` and `or` Python need not evaluate, so none counts.
    """

    def __init__(self, space: Space, values: Array) -> None:
        self._space = space
        self._values = values
        self._faults: Array = np.zeros(0, dtype=bool)

    def column(self, pattern: Pattern, leaves: Array) -> tuple[Array, Array]:
        """The value of each row, and whether its evaluation divides by zero."""
        self._faults = np.zeros(len(leaves), dtype=bool)
        value, _ = self._evaluate(pattern, leaves, 0, True)
        return value, self._faults

    def _evaluate(
        self, pattern: Pattern, leaves: Array, start: int, strict: bool
    ) -> tuple[Array, int]:
        match pattern:
            case CellHole(arity=count) | DefHole(arity=count):
                ids = self._space.variables(pattern, leaves[:, start : start + count])
                value = self._values[ids]
                return (value.astype(bool) if pattern.sort is Sort.BOOL else value), start + count
            case IntHole():
                return leaves[:, start], start + 1
            case Fixed(value=constant):
                return _constant(constant, len(leaves)), start
            case Node(op=op, args=args):
                values = []
                for position, argument in enumerate(args):
                    lazy = op in _LAZY and position > 0
                    value, start = self._evaluate(argument, leaves, start, strict and not lazy)
                    values.append(value)
                if op in _DIVISIONS:
                    values[1], zero = _without_zero(values[1])
                    if strict:
                        self._faults |= zero
                return operate(op, values, len(leaves)), start
            case _:
                assert_never(pattern)


_LAZY = {Op.AND, Op.OR, Op.ITE}
_DIVISIONS = {Op.FLOORDIV, Op.MOD, Op.DIV}
_fraction = np.frompyfunc(Fraction, 1, 1)


def _constant(value: int | bool | Fraction, rows: int) -> Array:
    if isinstance(value, bool):
        return np.full(rows, value)
    if isinstance(value, int) and abs(value) < SAFE:
        return np.full(rows, value, dtype=np.int64)
    constants = np.empty(rows, dtype=object)
    constants[:] = value
    return constants


def _without_zero(divisor: Array) -> tuple[Array, Array]:
    zero = (divisor == 0).astype(bool)
    if not zero.any():
        return divisor, zero
    safe = divisor.astype(np.int64) if divisor.dtype == bool else divisor.copy()
    safe[zero] = 1
    return safe, zero


def magnitude(values: Array) -> int:
    """The largest absolute value, for int64 arrays."""
    return max(int(values.max()), -int(values.min())) if len(values) else 0


def _numbers(op: Op, values: Sequence[Array]) -> list[Array]:
    """The operands as numbers: int64 where the result must fit, else exact objects."""
    numbers = [v.astype(np.int64) if v.dtype == bool else v for v in values]
    if any(v.dtype == object for v in numbers):
        return [v.astype(object) for v in numbers]
    if op in (Op.ADD, Op.SUB, Op.NEG):
        fits = sum(map(magnitude, numbers)) < SAFE
    elif op is Op.MUL:
        fits = prod(map(magnitude, numbers)) < SAFE
    else:
        fits = True
    return numbers if fits else [v.astype(object) for v in numbers]


def _all(values: Sequence[Array], rows: int) -> Array:
    result = np.ones(rows, dtype=bool)
    for value in values:
        result &= value.astype(bool)
    return result


def operate(op: Op, values: Sequence[Array], rows: int) -> Array:
    """The operation on whole arrays, by its meaning in Python."""
    match op:
        case Op.AND:
            return _all(values, rows)
        case Op.OR:
            return ~_all([~v.astype(bool) for v in values], rows)
        case Op.NOT:
            return ~values[0].astype(bool)
        case Op.ITE:
            test, yes, no = values
            if yes.dtype != no.dtype:
                yes, no = _numbers(op, (yes, no))
            return np.where(test.astype(bool), yes, no)
        case _:
            pass
    numbers = _numbers(op, values)
    match op:
        case Op.ADD:
            return numbers[0] + numbers[1]
        case Op.SUB:
            return numbers[0] - numbers[1]
        case Op.MUL:
            return numbers[0] * numbers[1]
        case Op.NEG:
            return -numbers[0]
        case Op.FLOORDIV:
            return numbers[0] // numbers[1]
        case Op.MOD:
            return numbers[0] % numbers[1]
        case Op.DIV:
            return np.asarray(_fraction(numbers[0]) / _fraction(numbers[1]), dtype=object)
        case Op.LT:
            return (numbers[0] < numbers[1]).astype(bool)
        case Op.LE:
            return (numbers[0] <= numbers[1]).astype(bool)
        case Op.GT:
            return (numbers[0] > numbers[1]).astype(bool)
        case Op.GE:
            return (numbers[0] >= numbers[1]).astype(bool)
        case Op.EQ:
            return np.asarray(numbers[0] == numbers[1], dtype=bool)
        case Op.NE:
            return np.asarray(numbers[0] != numbers[1], dtype=bool)
        case _:
            assert_never(op)
