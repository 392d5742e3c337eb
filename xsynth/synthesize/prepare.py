"""From columns to rows: what is linear becomes `Rows`, the rest stays a column.

Conjunctions are split, negations pushed inwards, repeated rows dropped.  A literal (a
Boolean variable or its negation) is a value; where it is the value of a definition,
the definition's row becomes a clause.  Definitions that nothing refers to are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from xsynth.model.patterns import (
    CellHole,
    DefHole,
    Fixed,
    IntHole,
    Node,
    Pattern,
    arity,
)
from xsynth.synthesize.assumed import extra_columns
from xsynth.synthesize.bounds import MANY, Bounds
from xsynth.synthesize.columns import BOOL, SAFE, Space, holes, sort_of
from xsynth.synthesize.condition import Array, ClauseColumn, DefColumn, Layout, PathCondition
from xsynth.synthesize.linear import (
    EQ,
    LE,
    Contradiction,
    NotLinear,
    Rows,
    dense_rows,
    difference_rows,
    is_difference,
    join_rows,
    linear,
    linear_definition,
    normal,
    plain_difference,
    strongest,
)
from xsynth.synthesize.order import Known, known, unimplied, without_implied
from xsynth.synthesize.rows import first_of_each
from xsynth.synthesize.table import BLOCK
from xsynth.trace.terms import COMPLEMENT, Op, Sort

_UNUSED_ROUNDS = 8
"""How far chains of unused definitions are peeled off."""


@dataclass(frozen=True, slots=True, eq=False)
class General:
    """A column that stays text: its rows hold, or are the values of the `head` variables."""

    pattern: Pattern
    leaves: Array
    head: Array | None


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """`literal[v]`: 1 and 0 for a Boolean variable whose value is given, else -1."""

    rows: Rows
    general: tuple[General, ...]
    literal: Array
    clauses: int
    """Clause rows given, before anything was dropped."""
    expanded: int
    """Clause rows that were looked at; those over loops they do not depend on were not."""
    assumptions: list[ClauseColumn]
    bounds: Bounds
    loose: Array
    """The variables of which nothing is said but these bounds."""


def conjuncts(
    pattern: Pattern, leaves: Array, holds: bool = True
) -> Iterator[tuple[Pattern, Array]]:
    """The column, or its negation, as simpler columns that all hold."""
    if sort_of(pattern) is not Sort.BOOL:
        pattern = Node(Op.NE, (pattern, Fixed(0, Sort.INT)), Sort.BOOL)
    match pattern:
        case Fixed(value=value):
            if bool(value) is not holds and len(leaves):
                raise Contradiction
        case Node(op=Op.NOT, args=(inner,)):
            yield from conjuncts(inner, leaves, not holds)
        case Node(op=op, args=args) if op is (Op.AND if holds else Op.OR):
            start = 0
            for argument in args:
                width = arity(argument)
                yield from conjuncts(argument, leaves[:, start : start + width], holds)
                start += width
        case (
            Node(op=Op.EQ | Op.NE as op, args=(Fixed(value=bool() as value), other))
            | Node(op=Op.EQ | Op.NE as op, args=(other, Fixed(value=bool() as value)))
        ) if sort_of(other) is Sort.BOOL:
            yield from conjuncts(other, leaves, holds is (value is (op is Op.EQ)))
        case Node(op=op, args=args) if op in COMPLEMENT:
            yield (pattern if holds else Node(COMPLEMENT[op], args, Sort.BOOL)), leaves
        case _:
            yield (pattern if holds else Node(Op.NOT, (pattern,), Sort.BOOL)), leaves


def prepare(condition: PathCondition, space: Space) -> Prepared:
    """Raises `Contradiction` where a literal or a constant clause cannot hold."""
    assumptions = extra_columns(condition.extra)
    columns = [*condition.clauses, *assumptions]
    needed = np.zeros(space.size, dtype=bool)
    literal = np.full(space.size, -1, dtype=np.int8)
    rows = _Rows(space.sorts)
    bounds = Bounds(space.sorts)
    pending: list[tuple[Pattern, Array]] = []
    for clauses in columns:
        large = len(clauses) > BLOCK
        so_far = known(shrink(rows.joined(), space.sorts)) if large and len(rows) else None
        for block in clauses.blocks():
            for pattern, leaves in conjuncts(clauses.pattern, block):
                for ids in _references(space, pattern, leaves):
                    needed[ids] = True
                if _is_literal(pattern):
                    _set_literals(pattern, leaves, space, literal)
                elif large:
                    pending += _shrunk(pattern, leaves, space, rows, bounds, so_far)
                elif len(clauses) < MANY or not _as_bounds(pattern, leaves, space, rows, bounds):
                    pending.append((pattern, leaves))
    definitions = _used(space, needed)
    general: list[General] = []
    while True:
        for pattern, leaves in _grouped(pending):
            _place_clause(pattern, leaves, space, literal, rows, general)
        definitions, pending = _decided(definitions, literal)
        if not pending:
            break
    for column, ids in definitions:
        try:
            rows.add(linear_definition(ids, column.pattern, column.leaves, space))
        except NotLinear:
            general.append(General(column.pattern, column.leaves, ids))
    for layout in condition.layouts:
        _place_bounds(layout, space, rows, bounds, general)
    returned, loose = bounds.apart_from(_tied(rows, general, space))
    rows.add(returned)
    total, expanded = sum(c.total for c in columns), sum(map(len, columns))
    return Prepared(
        rows.joined(), tuple(general), literal, total, expanded, assumptions, bounds, loose
    )


class _Rows:
    """Rows that are gathered, and shrunk each time that there are twice as many."""

    def __init__(self, sorts: Array) -> None:
        self._sorts = sorts
        self._parts: list[Rows] = []
        self._most = BLOCK

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def add(self, rows: Rows) -> None:
        if len(rows):
            self._parts.append(rows)

    def shrink(self) -> None:
        if len(self) > self._most:
            joined, self._parts = self.joined(), []
            self._parts = [shrink(joined, self._sorts)]
            self._most = max(BLOCK, 2 * len(self))

    def joined(self) -> Rows:
        self._parts = [join_rows(self._parts)]
        return self._parts[0]

    def variables(self, size: int) -> Array:
        """A mask of those that occur."""
        found = np.zeros(size, dtype=bool)
        for part in self._parts:
            found[part.variable] = True
        return found


def _tied(rows: _Rows, general: list[General], space: Space) -> Array:
    return rows.variables(space.size) | general_variables(general, space)


def _as_bounds(pattern: Pattern, leaves: Array, space: Space, rows: _Rows, bounds: Bounds) -> bool:
    """Whether the column is linear and says something about single variables, taken so."""
    try:
        found = normal(linear(pattern, leaves, space), space.sorts)
    except NotLinear:
        return False
    left = bounds.absorb(found)
    if len(left) == len(found):
        return not len(found)
    rows.add(left)
    return True


def _shrunk(
    pattern: Pattern,
    leaves: Array,
    space: Space,
    rows: _Rows,
    bounds: Bounds,
    so_far: Known | None,
) -> Iterator[tuple[Pattern, Array]]:
    """A block of a large column by what is left of it: its comparisons go to `rows` without
    those that others in the block imply, or that `so_far` does, and what is about single
    variables to `bounds`; anything else comes back without repeats.
    """
    pair = plain_difference(pattern, leaves, space)
    if pair is not None:
        rows.add(_shrunk_pairs(*pair, so_far))
    else:
        try:
            found = bounds.absorb(normal(linear(pattern, leaves, space), space.sorts))
            rows.add(_without_most(found, space.sorts))
        except NotLinear:
            yield pattern, leaves[first_of_each(leaves)]
    rows.shrink()


def _shrunk_pairs(source: Array, target: Array, gap: int, so_far: Known | None) -> Rows:
    same = source == target
    if same.any():
        if gap:
            raise Contradiction
        source, target = source[~same], target[~same]
    weight = np.full(len(source), gap, dtype=np.int64)
    if so_far is not None:
        new = np.flatnonzero(~so_far.implies(source, target, weight))
        source, target, weight = source[new], target[new], weight[new]
    left = unimplied(source, target, weight)
    return strongest(difference_rows(source[left], target[left], gap))


def shrink(rows: Rows, sorts: Array) -> Rows:
    """Rows that say the same, without repeats and without most of what others imply."""
    return _without_most(normal(rows, sorts), sorts)


def _without_most(rows: Rows, sorts: Array) -> Rows:
    """The same of rows in normal form."""
    rows = strongest(rows)
    if (rows.relation == EQ).all() or not is_difference(rows, sorts).all():
        return rows
    return without_implied(rows, sorts)


def _grouped(parts: list[tuple[Pattern, Array]]) -> Iterator[tuple[Pattern, Array]]:
    groups: dict[Pattern, list[Array]] = {}
    for pattern, leaves in parts:
        groups.setdefault(pattern, []).append(leaves)
    for pattern, several in groups.items():
        leaves = np.concatenate(several)
        yield pattern, leaves[first_of_each(leaves)]


def _is_literal(pattern: Pattern) -> bool:
    match pattern:
        case CellHole(sort=Sort.BOOL) | DefHole(sort=Sort.BOOL):
            return True
        case Node(op=Op.NOT, args=(CellHole() | DefHole(),)):
            return True
        case _:
            return False


def _set_literals(pattern: Pattern, leaves: Array, space: Space, literal: Array) -> None:
    match pattern:
        case CellHole() | DefHole():
            _set(literal, space.variables(pattern, leaves), 1)
        case Node(args=(CellHole() | DefHole() as hole,)):
            _set(literal, space.variables(hole, leaves), 0)


def _place_clause(
    pattern: Pattern,
    leaves: Array,
    space: Space,
    literal: Array,
    rows: _Rows,
    general: list[General],
) -> None:
    if _is_literal(pattern):
        _set_literals(pattern, leaves, space, literal)
        return
    try:
        rows.add(linear(pattern, leaves, space))
    except NotLinear:
        general.append(General(pattern, leaves, None))


def _set(literal: Array, ids: Array, value: int) -> None:
    if (literal[ids] == 1 - value).any():
        raise Contradiction
    literal[ids] = value


def _decided(
    definitions: list[tuple[DefColumn, Array]], literal: Array
) -> tuple[list[tuple[DefColumn, Array]], list[tuple[Pattern, Array]]]:
    """Definitions that are still open, and the clauses that decided ones amount to."""
    still: list[tuple[DefColumn, Array]] = []
    clauses: list[tuple[Pattern, Array]] = []
    for column, ids in definitions:
        known = literal[ids]
        for value in (0, 1):
            chosen = known == value
            if chosen.any():
                clauses.extend(conjuncts(column.pattern, column.leaves[chosen], value == 1))
        is_open = known < 0
        if is_open.all():
            still.append((column, ids))
        elif is_open.any():
            still.append((_rows_of(column, is_open), ids[is_open]))
    return still, clauses


def _rows_of(column: DefColumn, chosen: Array) -> DefColumn:
    return DefColumn(column.place, column.counters[chosen], column.pattern, column.leaves[chosen])


def _used(space: Space, needed: Array) -> list[tuple[DefColumn, Array]]:
    """The definitions without those that nothing refers to; clauses refer to those `needed`.

    A division may fail, so what divides by something that is no constant is kept.  So is
    a sum: it costs nothing, and it can be the name that makes a clause a difference.
    """
    definitions = [
        (c, ids, list(_references(space, c.pattern, c.leaves))) for c, ids in space.definitions
    ]
    for _ in range(_UNUSED_ROUNDS):
        used = needed.copy()
        for _, _, references in definitions:
            for ids in references:
                used[ids] = True
        kept = []
        dropped = False
        for column, ids, references in definitions:
            if _keeps(column.pattern):
                kept.append((column, ids, references))
                continue
            chosen = used[ids]
            if chosen.all():
                kept.append((column, ids, references))
            else:
                dropped = True
                if chosen.any():
                    smaller = [r[chosen] for r in references]
                    kept.append((_rows_of(column, chosen), ids[chosen], smaller))
        definitions = kept
        if not dropped:
            break
    return [(column, ids) for column, ids, _ in definitions]


def _references(space: Space, pattern: Pattern, leaves: Array) -> Iterator[Array]:
    for hole, start in holes(pattern):
        if isinstance(hole, DefHole | CellHole):
            ids = space.variables(hole, leaves[:, start : start + hole.arity])
            if isinstance(hole, DefHole):
                yield ids


def _keeps(pattern: Pattern) -> bool:
    match pattern:
        case Node(op=Op.ADD | Op.SUB):
            return True
        case _:
            return _may_fail(pattern)


def _may_fail(pattern: Pattern) -> bool:
    match pattern:
        case Node(op=Op.FLOORDIV | Op.MOD | Op.DIV, args=(_, divisor)):
            return not (isinstance(divisor, Fixed) and divisor.value != 0) or any(
                map(_may_fail, pattern.args)
            )
        case Node(args=args):
            return any(map(_may_fail, args))
        case CellHole() | DefHole() | IntHole() | Fixed():
            return False


def _place_bounds(
    layout: Layout, space: Space, rows: _Rows, bounds: Bounds, general: list[General]
) -> None:
    where = space.layout_slice(layout)
    if layout.sort is Sort.INT and where.stop - where.start >= MANY:
        low = None if layout.lo is None else ceil(layout.lo)
        high = None if layout.hi is None else floor(layout.hi)
        if max(abs(low or 0), abs(high or 0)) < SAFE // 2:
            bounds.within(where, low, high)
            return
    ids = np.arange(where.start, where.stop, dtype=np.int64)[:, None]
    if layout.sort is Sort.BOOL or not len(ids):
        return
    for limit, sign, op in ((layout.lo, -1, Op.GE), (layout.hi, 1, Op.LE)):
        if limit is None:
            continue
        top, bottom = Fraction(limit).as_integer_ratio()
        if max(abs(top), bottom) < SAFE // 2:
            coefficients = np.full(ids.shape, sign * bottom, dtype=np.int64)
            constants = np.full(len(ids), sign * top, dtype=np.int64)
            rows.add(dense_rows(ids, coefficients, LE, constants))
        else:
            cell = CellHole(layout.name, len(layout.dims), layout.sort)
            bound = Node(op, (cell, Fixed(limit, layout.sort)), Sort.BOOL)
            index = np.indices(layout.dims).reshape(len(layout.dims), -1).T
            general.append(General(bound, index, None))


def general_variables(general: Iterable[General], space: Space) -> Array:
    """A mask of the variables that the columns left as text mention."""
    used = np.zeros(space.size, dtype=bool)
    for column in general:
        for hole, start in holes(column.pattern):
            if not isinstance(hole, IntHole):
                used[space.variables(hole, column.leaves[:, start : start + hole.arity])] = True
        if column.head is not None:
            used[column.head] = True
    return used


def is_boolean(column: General, space: Space) -> bool:
    """Whether the column has Boolean variables only."""
    mentioned = general_variables((column,), space)
    return not (space.sorts[mentioned] != BOOL).any() and not any(
        isinstance(hole, IntHole) for hole, _ in holes(column.pattern)
    )
