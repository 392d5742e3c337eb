"""Random small conditions: solved as columns, and clause by clause with Z3."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern, join, split
from xsynth.synthesize.check import violations
from xsynth.synthesize.columns import INT, REAL
from xsynth.synthesize.condition import (
    ClauseColumn,
    DefColumn,
    Layout,
    PathCondition,
    Sat,
    Unknown,
    Unsat,
)
from xsynth.synthesize.linear import (
    LE,
    LT,
    Rows,
    dense_rows,
    difference_rows,
    join_rows,
    normal,
    strongest,
)
from xsynth.synthesize.order import known, unimplied, without_implied
from xsynth.synthesize.solve import solve
from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Place, Site, Sort, Term

SIZE = 4
PLACE = Place(Site("f", 2, 0), (Site("f", 1, 0),))
COMPARISONS = (Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE)
ZERO = Const(0, Sort.INT)

indices = st.integers(0, SIZE - 1)
small = st.integers(-3, 3)


def to_z3(term: Term, sides: list[Any]) -> Any:
    """The plain encoding that the columns are compared with; divisors go to `sides`."""
    match term:
        case Cell(name=name, index=index, sort=sort):
            return _variable(f"{name}{index}", sort)
        case Def(at=at, sort=sort):
            return _variable(f"D{at}", sort)
        case Const(value=bool() as value):
            return z3.BoolVal(value)
        case Const(value=value, sort=Sort.REAL):
            return z3.RealVal(str(value))
        case Const(value=value):
            return z3.IntVal(int(value))
        case Apply(op=op, args=args):
            return _operation(op, [to_z3(a, sides) for a in args], sides)


def _variable(name: str, sort: Sort) -> Any:
    return {Sort.INT: z3.Int, Sort.BOOL: z3.Bool, Sort.REAL: z3.Real}[sort](name)


def _operation(op: Op, values: list[Any], sides: list[Any]) -> Any:
    if op in (Op.FLOORDIV, Op.MOD):
        top, bottom = values
        sides.append(bottom != 0)
        quotient = z3.If(bottom > 0, top / bottom, (-top) / (-bottom))
        return quotient if op is Op.FLOORDIV else top - bottom * quotient
    table: dict[Op, Any] = {
        Op.ADD: lambda a, b: a + b,
        Op.SUB: lambda a, b: a - b,
        Op.MUL: lambda a, b: a * b,
        Op.NEG: lambda a: -a,
        Op.LT: lambda a, b: a < b,
        Op.LE: lambda a, b: a <= b,
        Op.GT: lambda a, b: a > b,
        Op.GE: lambda a, b: a >= b,
        Op.EQ: lambda a, b: a == b,
        Op.NE: lambda a, b: a != b,
        Op.NOT: z3.Not,
        Op.AND: z3.And,
        Op.OR: z3.Or,
        Op.ITE: z3.If,
    }
    return table[op](*values)


def reference(condition: PathCondition) -> str:
    """sat or unsat, from one assertion a clause."""

    def define(place: Place, at: tuple[int, ...], sort: Sort) -> Term:
        return Def(place, at, sort, ZERO)

    solver = z3.Solver()
    sides: list[Any] = []
    for column in condition.clauses:
        for leaves in column.leaves.tolist():
            solver.add(to_z3(join(column.pattern, leaves, define), sides))
    for definition in condition.defs:
        for at, leaves in zip(
            definition.counters.tolist(), definition.leaves.tolist(), strict=True
        ):
            value = join(definition.pattern, leaves, define)
            name = define(definition.place, tuple(at), value.sort)
            solver.add(to_z3(name, sides) == to_z3(value, sides))
    for term in condition.extra:
        solver.add(to_z3(term, sides))
    for layout in condition.layouts:
        for index in np.ndindex(*layout.dims):
            cell = _variable(f"{layout.name}{tuple(index)}", layout.sort)
            for limit, holds in ((layout.lo, cell.__ge__), (layout.hi, cell.__le__)):
                if limit is not None and layout.sort is not Sort.BOOL:
                    solver.add(
                        holds(
                            z3.Q(*Fraction(limit).as_integer_ratio())
                            if layout.sort is Sort.REAL
                            else limit
                        )
                    )
    solver.add(*sides)
    return str(solver.check())


def agree(condition: PathCondition) -> None:
    answer = solve(condition, timeout=20)
    assert not isinstance(answer, Unknown), answer
    assert reference(condition) == ("sat" if isinstance(answer, Sat) else "unsat")
    assert answer.stats.solver_calls <= 1
    if isinstance(answer, Sat):
        assert violations(condition, answer.values) == []
        assert {k: v.shape for k, v in answer.values.items()} == {
            layout.name: layout.dims for layout in condition.layouts
        }


def columns(terms: list[Term]) -> tuple[ClauseColumn, ...]:
    groups: dict[Pattern, list[tuple[int, ...]]] = {}
    for term in terms:
        pattern, leaves = split(term)
        groups.setdefault(pattern, []).append(leaves)
    return tuple(
        ClauseColumn(p, np.array(rows, dtype=np.int64).reshape(len(rows), -1))
        for p, rows in groups.items()
    )


def bounds() -> st.SearchStrategy[tuple[int | None, int | None]]:
    return st.sampled_from([(None, None), (0, None), (0, 3), (-2, 2), (None, -1), (1, 1), (2, 9)])


def numbers(sort: Sort) -> st.SearchStrategy[Term]:
    return st.builds(lambda i: Cell("a", (i,), sort), indices)


def constants(sort: Sort) -> st.SearchStrategy[Term]:
    if sort is Sort.REAL:
        return st.builds(lambda p, q: Const(Fraction(p, q), sort), small, st.integers(1, 3))
    return st.builds(lambda v: Const(v, sort), small)


def comparison(left: st.SearchStrategy[Term], right: st.SearchStrategy[Term]) -> Any:
    return st.builds(
        lambda op, a, b: Apply(op, (a, b), Sort.BOOL), st.sampled_from(COMPARISONS), left, right
    )


def sums(sort: Sort, ops: tuple[Op, ...] = (Op.ADD, Op.SUB)) -> st.SearchStrategy[Term]:
    return st.builds(
        lambda op, a, b: Apply(op, (a, b), sort),
        st.sampled_from(ops),
        numbers(sort),
        st.one_of(numbers(sort), constants(sort)),
    )


QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
sorts = st.sampled_from([Sort.INT, Sort.REAL])


@QUICK
@given(st.data(), sorts, bounds())
def test_orders(data: st.DataObject, sort: Sort, limits: tuple[int | None, int | None]) -> None:
    terms = data.draw(st.lists(comparison(numbers(sort), numbers(sort)), max_size=7))
    agree(PathCondition(SIZE, (Layout("a", (SIZE,), sort, *limits),), columns(terms), ()))


@QUICK
@given(st.data(), sorts, bounds())
def test_differences(
    data: st.DataObject, sort: Sort, limits: tuple[int | None, int | None]
) -> None:
    shifted = st.builds(lambda a, c: Apply(Op.ADD, (a, c), sort), numbers(sort), constants(sort))
    side = st.one_of(numbers(sort), constants(sort), shifted)
    terms = data.draw(st.lists(comparison(numbers(sort), side), max_size=7))
    agree(PathCondition(SIZE, (Layout("a", (SIZE,), sort, *limits),), columns(terms), ()))


@QUICK
@given(st.data(), sorts, bounds())
def test_linear(data: st.DataObject, sort: Sort, limits: tuple[int | None, int | None]) -> None:
    scaled = st.builds(lambda c, a: Apply(Op.MUL, (c, a), sort), constants(sort), sums(sort))
    side = st.one_of(numbers(sort), sums(sort), scaled, constants(sort))
    terms = data.draw(st.lists(comparison(side, side), max_size=6))
    half = len(terms) // 2
    extra = (Apply(Op.AND, tuple(terms[half:]), Sort.BOOL),) if terms[half:] else ()
    agree(
        PathCondition(
            SIZE, (Layout("a", (SIZE,), sort, *limits),), columns(terms[:half]), (), extra
        )
    )


@QUICK
@given(st.data())
def test_booleans(data: st.DataObject) -> None:
    flags = st.builds(lambda i: Cell("b", (i,), Sort.BOOL), indices)
    fixed = st.sampled_from([Const(True, Sort.BOOL), Const(False, Sort.BOOL)])
    inner = st.recursive(
        flags,
        lambda sub: st.one_of(
            st.builds(lambda a: Apply(Op.NOT, (a,), Sort.BOOL), sub),
            st.builds(
                lambda op, a, b: Apply(op, (a, b), Sort.BOOL),
                st.sampled_from([Op.AND, Op.OR, Op.EQ, Op.NE]),
                sub,
                st.one_of(sub, fixed),
            ),
        ),
        max_leaves=4,
    )
    terms = data.draw(st.lists(inner, max_size=6))
    layout = Layout("b", (SIZE,), Sort.BOOL, None, None)
    agree(PathCondition(SIZE, (layout,), columns(terms), ()))


@QUICK
@given(st.data(), bounds())
def test_general(data: st.DataObject, limits: tuple[int | None, int | None]) -> None:
    sort = Sort.INT
    divided = sums(sort, (Op.FLOORDIV, Op.MOD))
    either = st.builds(
        lambda a, b: Apply(Op.OR, (a, b), Sort.BOOL),
        comparison(numbers(sort), numbers(sort)),
        comparison(numbers(sort), constants(sort)),
    )
    chosen = st.builds(
        lambda t, a, b: Apply(Op.ITE, (t, a, b), sort),
        comparison(numbers(sort), constants(sort)),
        numbers(sort),
        sums(sort),
    )
    side = st.one_of(numbers(sort), constants(sort))
    terms = data.draw(
        st.lists(
            st.one_of(
                comparison(divided, side),
                either,
                comparison(chosen, side),
                comparison(numbers(sort), side),
            ),
            max_size=5,
        )
    )
    lo, hi = limits
    layout = Layout("a", (SIZE,), sort, -9 if lo is None else lo, 9 if hi is None else hi)
    agree(PathCondition(SIZE, (layout,), columns(terms), ()))


DEFINITION = DefHole(PLACE, 1, Sort.INT)
A = CellHole("a", 1, Sort.INT)
DEFINING: tuple[tuple[Pattern, str], ...] = (
    (Node(Op.ADD, (DEFINITION, A), Sort.INT), "da"),
    (Node(Op.SUB, (A, DEFINITION), Sort.INT), "ad"),
    (Node(Op.ADD, (DEFINITION, IntHole()), Sort.INT), "dc"),
    (Node(Op.MUL, (IntHole(), A), Sort.INT), "ca"),
    (Node(Op.FLOORDIV, (DEFINITION, Fixed(2, Sort.INT)), Sort.INT), "d"),
    (Node(Op.ITE, (Node(Op.LT, (DEFINITION, A), Sort.BOOL), DEFINITION, A), Sort.INT), "dada"),
    (DEFINITION, "d"),
)
USING: tuple[tuple[Pattern, str], ...] = tuple(
    (Node(op, (left, right), Sort.BOOL), kinds)
    for op in (Op.LT, Op.GE, Op.NE, Op.EQ)
    for left, right, kinds in (
        (DEFINITION, DEFINITION, "dd"),
        (DEFINITION, A, "da"),
        (DEFINITION, IntHole(), "dc"),
        (Node(Op.ADD, (DEFINITION, A), Sort.INT), DEFINITION, "dad"),
    )
)


@QUICK
@given(st.data(), bounds())
def test_definitions(data: st.DataObject, limits: tuple[int | None, int | None]) -> None:
    """Each definition refers to the ones before it; the first is a cell."""
    first = DefColumn(PLACE, np.array([[0]]), A, np.array([[data.draw(indices)]]))
    defs = [first]

    def leaf(kind: str, below: int) -> int:
        match kind:
            case "d":
                return data.draw(st.integers(0, below - 1))
            case "a":
                return data.draw(indices)
            case _:
                return data.draw(small)

    count = data.draw(st.integers(1, 5))
    for number in range(1, count):
        pattern, kinds = data.draw(st.sampled_from(DEFINING))
        leaves = [leaf(kind, number) for kind in kinds]
        defs.append(DefColumn(PLACE, np.array([[number]]), pattern, np.array([leaves])))
    clauses = []
    for _ in range(data.draw(st.integers(0, 5))):
        pattern, kinds = data.draw(st.sampled_from(USING))
        clauses.append(ClauseColumn(pattern, np.array([[leaf(kind, count) for kind in kinds]])))
    layout = Layout("a", (SIZE,), Sort.INT, *limits)
    agree(PathCondition(SIZE, (layout,), tuple(clauses), tuple(defs)))


@QUICK
@given(st.lists(st.tuples(indices, indices, indices, indices, st.booleans()), max_size=6))
def test_boolean_definitions(rows: list[tuple[int, int, int, int, bool]]) -> None:
    """Flags that name comparisons: a decided flag is the comparison itself."""
    flag = DefHole(PLACE, 1, Sort.BOOL)
    below = Node(Op.LT, (A, A), Sort.BOOL)
    defs = tuple(
        DefColumn(PLACE, np.array([[k]]), below, np.array([[i, j]]))
        for k, (i, j, _, _, _) in enumerate(rows)
    )
    clauses = tuple(
        ClauseColumn(flag if holds else Node(Op.NOT, (flag,), Sort.BOOL), np.array([[k]]))
        for k, (_, _, i, j, holds) in enumerate(rows)
        if i != j
    )
    layout = Layout("a", (SIZE,), Sort.INT, 0, None)
    answer = solve(PathCondition(SIZE, (layout,), clauses, defs))
    assert isinstance(answer, Sat | Unsat)
    agree(PathCondition(SIZE, (layout,), clauses, defs))


def _longest(rows: Rows, size: int) -> Any:
    """The distance that the rows force between each two variables, by Floyd and Warshall."""
    far = np.full((size, size), -np.inf)
    np.fill_diagonal(far, 0)
    for row in range(len(rows)):
        one, two = rows.variable[2 * row : 2 * row + 2]
        if rows.coefficient[2 * row] < 0:
            one, two = two, one
        # Over the reals a strict row says a little more than its constant.
        gap = -rows.constant[row] + (1e-6 if rows.relation[row] == LT else 0)
        far[one, two] = max(far[one, two], gap)
    for k in range(size):
        far = np.maximum(far, far[:, k : k + 1] + far[k : k + 1, :])
    return far


@QUICK
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(-2, 3)), max_size=30),
    st.sampled_from([INT, REAL]),
    st.booleans(),
    st.booleans(),
)
def test_implied_rows_follow_from_the_others(
    edges: list[tuple[int, int, int]], kind: int, plain: bool, dense: bool
) -> None:
    size = 8
    pairs = [(a, b, min(max(c, 0), 1) if plain else c) for a, b, c in edges if a < b]
    sorts = np.full(size, kind, dtype=np.int8)
    parts = []
    for a, b, gap in pairs:
        strict = kind == REAL and gap == 1 and plain
        constant = np.array([0 if strict else -gap])
        ids, signs = np.array([[a, b]]), np.array([[1, -1]])
        parts.append(dense_rows(ids, signs, LT if strict else LE, constant))
    rows = strongest(normal(join_rows(parts), sorts))
    with pytest.MonkeyPatch.context() as patch:
        if not dense:
            patch.setattr("xsynth.synthesize.order._MOST_NODES", 0)
        kept = without_implied(rows, sorts)
    before, after = _longest(rows, size), _longest(kept, size)
    if kind == REAL:  # whether strict matters, how often does not
        before, after = (np.round(m, 3) + 1e-6 * (m > np.round(m, 3)) for m in (before, after))
    assert (before == after).all()
    if dense and plain and len(rows) and kind == INT:
        again = without_implied(kept, sorts)
        assert len(again) == len(kept)


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=25)


def _implied_by(edges: list[tuple[int, int, int]], size: int = 7) -> np.ndarray[Any, Any]:
    """How far each variable must lie above each other: longest paths, by brute force."""
    far = np.full((size, size), -100)
    np.fill_diagonal(far, 0)
    for source, target, gap in edges:
        far[source, target] = max(far[source, target], gap)
    for middle in range(size):
        far = np.maximum(far, far[:, [middle]] + far[[middle], :])
    return far


@given(pairs, st.sampled_from([0, 1]))
@settings(max_examples=200, deadline=None)
def test_edges_that_are_dropped_are_implied(edges: list[tuple[int, int]], gap: int) -> None:
    edges = [(x, y) for x, y in edges if x < y]
    source = np.array([x for x, _ in edges], dtype=np.int64)
    target = np.array([y for _, y in edges], dtype=np.int64)
    left = unimplied(source, target, np.full(len(edges), gap))
    before = _implied_by([(x, y, gap) for x, y in edges])
    after = _implied_by([(x, y, gap) for x, y in zip(source[left], target[left], strict=True)])
    assert np.array_equal(np.minimum(before, 1), np.minimum(after, 1))
    if len(left):
        found = known(difference_rows(source[left], target[left], gap))
        assert found is not None
        for weight in (0, 1):
            one, two = np.divmod(np.arange(49), 7)
            said = found.implies(one, two, np.full(49, weight))
            assert (before[one, two][said] >= weight).all()


@given(pairs, pairs, st.integers(1, 4))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_large_columns_in_blocks_say_the_same(
    first: list[tuple[int, int]], second: list[tuple[int, int]], most: int
) -> None:
    """The same answer whether columns are taken whole or a few rows at a time."""
    cell = CellHole("a", 1, Sort.INT)
    columns = tuple(
        ClauseColumn(Node(op, (cell, cell), Sort.BOOL), np.array(rows).reshape(-1, 2))
        for op, rows in ((Op.LT, first), (Op.GE, second))
    )
    condition = PathCondition(7, (Layout("a", (7,), Sort.INT, None, None),), columns, ())
    whole = solve(condition)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("prepare", "condition"):
            patch.setattr(f"xsynth.synthesize.{module}.BLOCK", most)
        in_blocks = solve(condition)
    assert type(whole) is type(in_blocks)
    if isinstance(in_blocks, Sat) and isinstance(whole, Sat):
        assert np.array_equal(in_blocks.values["a"], whole.values["a"])


@given(pairs, st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), max_size=5))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_bounds_from_above_are_kept_in_mind(
    below: list[tuple[int, int]], bounds: list[tuple[int, int]]
) -> None:
    """Bounds that the solver does not see hold all the same, and unsatisfiable ones are seen."""
    cell = CellHole("a", 1, Sort.INT)
    columns = (
        ClauseColumn(Node(Op.LT, (cell, cell), Sort.BOOL), np.array(below).reshape(-1, 2)),
        ClauseColumn(Node(Op.LE, (cell, IntHole()), Sort.BOOL), np.array(bounds).reshape(-1, 2)),
    )
    condition = PathCondition(7, (Layout("a", (7,), Sort.INT, 0, 6),), columns, ())
    answer = solve(condition)
    far = _implied_by([(x, y, 1) for x, y in below])
    cyclic = bool((np.diag(far) > 0).any())
    upper = np.full(7, 6)
    for index, bound in bounds:
        upper[index] = min(upper[index], bound)
    possible = not cyclic and bool((np.maximum(far.max(axis=0), 0) <= upper).all())
    assert isinstance(answer, Sat) == possible
    assert answer.stats.solver_calls <= 1
