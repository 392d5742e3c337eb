"""Linear rows as sparse arrays: sum of coefficient times variable, relation, constant.

`linear` turns a whole column into such rows, if its pattern is linear; `Rows` holds
them in compressed form (`start[r] : start[r + 1]` are the entries of row r) and
`normal` brings them to a normal form, in which equal rows are equal arrays: variables
ascending and different, coefficients without a common divisor, integer rows never
strict, equalities with a positive first coefficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern
from xsynth.synthesize.columns import INT, SAFE, Space, magnitude, sort_of
from xsynth.synthesize.condition import Array
from xsynth.synthesize.rows import all_different, occurring, row_keys
from xsynth.trace.terms import Op, Sort

LE, LT, EQ, NE = range(4)
_RELATIONS = {Op.LT: LT, Op.LE: LE, Op.GT: LT, Op.GE: LE, Op.EQ: EQ, Op.NE: NE}
COMPARISONS = frozenset(_RELATIONS)


ROOM = 2**40
"""Rows have smaller numbers than this, so that sums of many of them fit int64."""


class NotLinear(Exception):  # noqa: N818  (control flow within this module)
    """The pattern is not linear, or its numbers do not fit int64."""


class Contradiction(Exception):  # noqa: N818  (an answer: the rows cannot hold together)
    """Some row cannot hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """`relation[r]` holds between the sum of the entries of row r and `constant[r]`."""

    start: Array
    variable: Array
    coefficient: Array
    relation: Array
    constant: Array

    def __len__(self) -> int:
        return len(self.relation)

    @property
    def width(self) -> Array:
        return np.diff(self.start)

    @property
    def row(self) -> Array:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), self.width)

    def take(self, chosen: Array) -> Rows:
        """These rows, by position or by mask."""
        rows = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        width = self.width[rows]
        start = np.concatenate(([0], np.cumsum(width)))
        entry = np.arange(start[-1]) + np.repeat(self.start[:-1][rows] - start[:-1], width)
        return Rows(
            start,
            self.variable[entry],
            self.coefficient[entry],
            self.relation[rows],
            self.constant[rows],
        )


NO_ROWS = Rows(
    np.zeros(1, np.int64),
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros(0, np.int8),
    np.zeros(0, np.int64),
)


def join_rows(parts: Sequence[Rows]) -> Rows:
    if not parts:
        return NO_ROWS
    if len(parts) == 1:
        return parts[0]
    width = np.concatenate([p.width for p in parts])
    return Rows(
        np.concatenate(([0], np.cumsum(width))),
        np.concatenate([p.variable for p in parts]),
        np.concatenate([p.coefficient for p in parts]),
        np.concatenate([p.relation for p in parts]),
        np.concatenate([p.constant for p in parts]),
    )


def dense_rows(variables: Array, coefficients: Array, relation: int, constant: Array) -> Rows:
    """Rows that all have the same number of entries, from matrices."""
    count, width = variables.shape
    return Rows(
        np.arange(count + 1, dtype=np.int64) * width,
        variables.ravel(),
        coefficients.ravel(),
        np.full(count, relation, dtype=np.int8),
        constant,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """(sum of coefficient * variable + constant) / denominator, a row each."""

    variables: tuple[Array, ...]
    coefficients: tuple[Array, ...]
    constant: Array
    denominator: int

    def scaled(self, factor: Array) -> _Form:
        return _Form(
            self.variables,
            tuple(_times(c, factor) for c in self.coefficients),
            _times(self.constant, factor),
            self.denominator,
        )

    def over(self, denominator: int) -> _Form:
        if denominator == self.denominator:
            return self
        factor = denominator // self.denominator
        scaled = self.scaled(np.full(len(self.constant), factor, dtype=np.int64))
        return _Form(scaled.variables, scaled.coefficients, scaled.constant, denominator)


def _times(left: Array, right: Array) -> Array:
    if magnitude(left) * magnitude(right) >= SAFE:
        raise NotLinear
    return left * right


def _plus(left: _Form, right: _Form) -> _Form:
    denominator = lcm(left.denominator, right.denominator)
    left, right = left.over(denominator), right.over(denominator)
    if magnitude(left.constant) + magnitude(right.constant) >= SAFE:
        raise NotLinear
    return _Form(
        left.variables + right.variables,
        left.coefficients + right.coefficients,
        left.constant + right.constant,
        denominator,
    )


def linear(pattern: Pattern, leaves: Array, space: Space) -> Rows:
    """A column of comparisons as rows; raises `NotLinear`."""
    match pattern:
        case Node(op=op, args=(left, right)) if op in COMPARISONS:
            if Sort.BOOL in (sort_of(left), sort_of(right)):
                raise NotLinear
            difference = _form(Node(Op.SUB, (left, right), Sort.REAL), leaves, space)
            return _rows(difference, op)
        case _:
            raise NotLinear


def plain_difference(
    pattern: Pattern, leaves: Array, space: Space
) -> tuple[Array, Array, int] | None:
    """A column of comparisons of two whole numbers as they are: what is below, what is above,
    and by how much at least; None for any other column.
    """
    match pattern:
        case Node(op=Op.LT | Op.LE | Op.GT | Op.GE as op, args=(left, right)):
            pass
        case _:
            return None
    match left, right:
        case (
            (CellHole(sort=Sort.INT) | DefHole(sort=Sort.INT)),
            (CellHole(sort=Sort.INT) | DefHole(sort=Sort.INT)),
        ):
            one = space.variables(left, leaves[:, : left.arity])
            two = space.variables(right, leaves[:, left.arity :])
        case _:
            return None
    if op in (Op.GT, Op.GE):
        one, two = two, one
    return one, two, int(op in (Op.LT, Op.GT))


def difference_rows(source: Array, target: Array, gap: int) -> Rows:
    """`target` is at least `gap` above `source`, in normal form; the two are different."""
    forward = source < target
    first, second = np.where(forward, source, target), np.where(forward, target, source)
    sign = np.where(forward, 1, -1)
    constant = np.full(len(source), -gap, dtype=np.int64)
    return dense_rows(np.stack((first, second), 1), np.stack((sign, -sign), 1), LE, constant)


def linear_definition(ids: Array, pattern: Pattern, leaves: Array, space: Space) -> Rows:
    """The rows `variable == pattern`; raises `NotLinear`."""
    if sort_of(pattern) is Sort.BOOL:
        raise NotLinear
    form = _form(pattern, leaves, space)
    minus = np.full(len(ids), -form.denominator, dtype=np.int64)
    whole = _Form(
        (*form.variables, ids), (*form.coefficients, minus), form.constant, form.denominator
    )
    return _rows(whole, Op.EQ)


def _rows(form: _Form, op: Op) -> Rows:
    count = len(form.constant)
    sign = -1 if op in (Op.GT, Op.GE) else 1
    if magnitude(form.constant) >= ROOM or any(magnitude(c) >= ROOM for c in form.coefficients):
        raise NotLinear
    if not form.variables:
        empty = np.zeros((count, 0), dtype=np.int64)
        return dense_rows(empty, empty, _RELATIONS[op], -sign * form.constant)
    return dense_rows(
        np.stack(form.variables, axis=1),
        sign * np.stack(form.coefficients, axis=1),
        _RELATIONS[op],
        -sign * form.constant,
    )


def _form(pattern: Pattern, leaves: Array, space: Space) -> _Form:
    form, _ = _read(pattern, leaves, 0, space)
    return form


def _read(pattern: Pattern, leaves: Array, start: int, space: Space) -> tuple[_Form, int]:
    rows = len(leaves)
    match pattern:
        case CellHole(arity=count, sort=sort) | DefHole(arity=count, sort=sort):
            if sort is Sort.BOOL:
                raise NotLinear
            ids = space.variables(pattern, leaves[:, start : start + count])
            ones = np.ones(rows, dtype=np.int64)
            return _Form((ids,), (ones,), np.zeros(rows, dtype=np.int64), 1), start + count
        case IntHole():
            return _Form((), (), leaves[:, start], 1), start + 1
        case Fixed(value=value, sort=Sort.INT | Sort.REAL):
            top, bottom = value.as_integer_ratio()
            if max(abs(top), bottom) >= 2**31:
                raise NotLinear
            return _Form((), (), np.full(rows, top, dtype=np.int64), bottom), start
        case Node(op=Op.ADD | Op.SUB, args=(left, right)):
            first, start = _read(left, leaves, start, space)
            second, start = _read(right, leaves, start, space)
            if pattern.op is Op.SUB:
                second = second.scaled(np.full(rows, -1, dtype=np.int64))
            return _plus(first, second), start
        case Node(op=Op.NEG, args=(inner,)):
            form, start = _read(inner, leaves, start, space)
            return form.scaled(np.full(rows, -1, dtype=np.int64)), start
        case Node(op=Op.MUL, args=(left, right)):
            first, start = _read(left, leaves, start, space)
            second, start = _read(right, leaves, start, space)
            if first.variables:
                first, second = second, first
            if first.variables:
                raise NotLinear
            product = second.scaled(first.constant)
            denominator = first.denominator * second.denominator
            return (
                _Form(product.variables, product.coefficients, product.constant, denominator),
                start,
            )
        case Node(op=Op.DIV, args=(left, right)):
            first, start = _read(left, leaves, start, space)
            second, start = _read(right, leaves, start, space)
            divisors = np.unique(second.constant)
            if second.variables or len(divisors) != 1 or divisors[0] == 0:
                raise NotLinear
            by = int(divisors[0])
            factor = second.denominator if by > 0 else -second.denominator
            scaled = first.scaled(np.full(rows, factor, dtype=np.int64))
            return (
                _Form(
                    scaled.variables,
                    scaled.coefficients,
                    scaled.constant,
                    scaled.denominator * abs(by),
                ),
                start,
            )
        case _:
            raise NotLinear


def normal(rows: Rows, sorts: Array) -> Rows:
    """The normal form, without rows that always hold; raises `Contradiction`."""
    rows = _merged(rows, len(sorts))
    width = rows.width
    integral = np.ones(len(rows), dtype=bool)
    integral[rows.row[sorts[rows.variable] != INT]] = False
    relation, constant = rows.relation.copy(), rows.constant.copy()
    strict = integral & (relation == LT)
    constant[strict] -= 1
    relation[strict] = LE

    empty = width == 0
    holds = np.choose(relation, (constant >= 0, constant > 0, constant == 0, constant != 0))
    if (empty & ~holds).any():
        raise Contradiction
    keep = ~empty
    divisor = np.ones(len(rows), dtype=np.int64)
    if len(rows.variable):
        divisor[keep] = np.gcd.reduceat(np.abs(rows.coefficient), rows.start[:-1][keep])
    divisor[~integral] = np.gcd(divisor[~integral], constant[~integral])
    whole = constant % divisor == 0
    if (~whole & (relation == EQ)).any():
        raise Contradiction
    keep &= whole | (relation != NE)
    constant = constant // divisor
    sign = np.ones(len(rows), dtype=np.int64)
    sign[~empty] = np.sign(rows.coefficient[rows.start[:-1][~empty]])
    sign[(relation == LE) | (relation == LT)] = 1
    coefficient = rows.coefficient // np.repeat(divisor, width) * np.repeat(sign, width)
    return Rows(rows.start, rows.variable, coefficient, relation, constant * sign).take(keep)


def _merged(rows: Rows, variables: int) -> Rows:
    """Entries in order of their variables, those of one variable added up, zeros gone."""
    row, variable, coefficient = rows.row, rows.variable, rows.coefficient
    key = row * max(variables, 1) + variable
    if (key[1:] <= key[:-1]).any():
        order = np.argsort(key, kind="stable")
        key, row, variable, coefficient = (a[order] for a in (key, row, variable, coefficient))
        new = np.concatenate(([True], key[1:] != key[:-1]))
        if not new.all():
            coefficient = np.add.reduceat(coefficient, np.flatnonzero(new))
            row, variable = row[new], variable[new]
    nonzero = coefficient != 0
    if not nonzero.all():
        row, variable, coefficient = row[nonzero], variable[nonzero], coefficient[nonzero]
    start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(rows)))))
    return Rows(start, variable, coefficient, rows.relation, rows.constant)


def strongest(rows: Rows) -> Rows:
    """Without repeats: of inequalities with the same left side, only the tightest."""
    width = rows.width
    kept: list[Array] = []
    for size in occurring(width).tolist():
        chosen = np.flatnonzero(width == size)
        entries = rows.start[:-1][chosen][:, None] + np.arange(size)
        relation, constant = rows.relation[chosen], rows.constant[chosen]
        bound = relation <= LT
        columns = [rows.variable[entries[:, k]] for k in range(size)]
        columns += [rows.coefficient[entries[:, k]] for k in range(size)]
        columns += [np.where(bound, LE, relation), np.where(bound, 0, constant)]
        key = row_keys(columns, len(chosen))
        if all_different(key):
            kept.append(chosen)
            continue
        order = np.lexsort((-relation, constant, key))
        first = np.concatenate(([True], key[order][1:] != key[order][:-1]))
        kept.append(chosen[order[first]])
    if sum(map(len, kept)) == len(rows):
        return rows
    return rows.take(np.sort(np.concatenate(kept)))


def is_difference(rows: Rows, sorts: Array) -> Array:
    """Whether each row compares one variable, or two of one sort, with a constant."""
    width = rows.width
    unit = np.ones(len(rows), dtype=bool)
    unit[rows.row[np.abs(rows.coefficient) != 1]] = False
    result: Array = unit & (width <= 2)
    pairs = np.flatnonzero(result & (width == 2))
    first = rows.start[:-1][pairs]
    result[pairs] = (rows.coefficient[first] + rows.coefficient[first + 1] == 0) & (
        sorts[rows.variable[first]] == sorts[rows.variable[first + 1]]
    )
    return result
