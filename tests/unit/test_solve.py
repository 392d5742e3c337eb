"""Solving path conditions: small ones by brute force, large ones by what must come out."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern, join
from xsynth.synthesize.check import violations
from xsynth.synthesize.condition import (
    CellOutOfRange,
    ClauseColumn,
    DanglingDefinition,
    DefColumn,
    Layout,
    PathCondition,
    Sat,
    Unknown,
    Unsat,
)
from xsynth.synthesize.rows import RowIndex, first_of_each
from xsynth.synthesize.solve import solve
from xsynth.trace.terms import Apply, Cell, Const, Op, Place, Site, Sort, Term, evaluate

A = CellHole("a", 1, Sort.INT)
W = CellHole("w", 2, Sort.INT)
B = CellHole("b", 1, Sort.BOOL)
R = CellHole("r", 1, Sort.REAL)
C = IntHole()
PLACE = Place(Site("f", 2, 0), (Site("f", 1, 0),))
D = DefHole(PLACE, 1, Sort.INT)


def node(op: Op, *args: Pattern, sort: Sort = Sort.INT) -> Node:
    return Node(op, args, sort)


def test(op: Op, *args: Pattern) -> Node:
    return Node(op, args, Sort.BOOL)


test.__test__ = False  # type: ignore[attr-defined]


def column(pattern: Pattern, *rows: tuple[int, ...]) -> ClauseColumn:
    return ClauseColumn(pattern, np.array(rows, dtype=np.int64))


def ints(size: int, lo: int | None = None, hi: int | None = None) -> Layout:
    return Layout("a", (size,), Sort.INT, lo, hi)


def over_a(
    *clauses: ClauseColumn,
    size: int = 3,
    lo: int | None = 0,
    hi: int | None = 3,
    defs: tuple[DefColumn, ...] = (),
    extra: tuple[Term, ...] = (),
) -> PathCondition:
    return PathCondition(size, (ints(size, lo, hi),), clauses, defs, extra)


def solved(condition: PathCondition) -> Sat:
    answer = solve(condition)
    assert isinstance(answer, Sat), answer
    assert violations(condition, answer.values) == []
    return answer


ALL_PAIRS = [(0, 1), (0, 2), (1, 2)]

CASES = [
    pytest.param(column(test(Op.GT, A, A), *ALL_PAIRS), "order", id="descending"),
    pytest.param(column(test(Op.NE, A, A), *ALL_PAIRS), "order", id="all different"),
    pytest.param(column(test(Op.LT, A, A), (0, 1), (1, 0)), "order", id="a cycle"),
    pytest.param(
        column(test(Op.LE, A, node(Op.SUB, A, C)), (0, 1, 2), (1, 2, 1)), "difference", id="gaps"
    ),
    pytest.param(
        column(test(Op.LE, A, node(Op.SUB, A, C)), (0, 1, 2), (1, 2, 2)), "difference", id="too far"
    ),
    pytest.param(
        column(test(Op.EQ, node(Op.ADD, A, A), A), (0, 1, 2), (2, 1, 0)), "linear", id="sums"
    ),
    pytest.param(
        column(test(Op.GT, node(Op.ADD, A, A), node(Op.MUL, C, A)), (0, 1, 2, 2)),
        "linear",
        id="multiples",
    ),
    pytest.param(
        column(test(Op.EQ, node(Op.MOD, A, C), C), (0, 2, 1), (1, -2, -1)),
        "general",
        id="remainder",
    ),
    pytest.param(
        column(test(Op.EQ, node(Op.FLOORDIV, A, A), C), (0, 1, 1), (1, 2, 2)),
        "general",
        id="quotient",
    ),
    pytest.param(column(test(Op.GT, node(Op.MUL, A, A), C), (0, 1, 5)), "general", id="product"),
    pytest.param(
        column(test(Op.OR, test(Op.GT, A, A), test(Op.EQ, A, C)), (0, 1, 0, 3), (1, 0, 1, 3)),
        "general",
        id="either",
    ),
    pytest.param(
        column(test(Op.AND, test(Op.GT, A, A), test(Op.NOT, test(Op.LT, A, C))), (0, 1, 1, 2)),
        "order",
        id="both",
    ),
    pytest.param(
        column(test(Op.EQ, node(Op.ITE, test(Op.LT, A, A), A, C), C), (0, 1, 2, 7, 7)),
        "general",
        id="conditional",
    ),
]


def brute_force(condition: PathCondition) -> bool:
    def define(*_: object) -> Term:
        raise AssertionError("no definitions here")

    terms = [
        join(c.pattern, leaves, define) for c in condition.clauses for leaves in c.leaves.tolist()
    ]
    cells = [Cell("a", (i,), Sort.INT) for i in range(3)]
    for values in itertools.product(range(4), repeat=3):
        try:
            if all(evaluate(t, dict(zip(cells, values, strict=True))) for t in terms):
                return True
        except ZeroDivisionError:
            continue
    return False


@pytest.mark.parametrize(("clauses", "theory"), CASES)
def test_against_brute_force(clauses: ClauseColumn, theory: str) -> None:
    condition = over_a(clauses)
    answer = solve(condition)
    assert isinstance(answer, Sat if brute_force(condition) else Unsat)
    known = isinstance(answer, Unsat) and answer.reason is not None
    plain = answer.stats.solver.startswith("plain values")
    assert answer.stats.solver_calls == (not plain and not known)
    assert answer.stats.theory == theory
    if isinstance(answer, Sat):
        assert violations(condition, answer.values) == []
        assert answer.values["a"].dtype == np.int64


def test_all_pairs_of_a_chain_become_neighbours() -> None:
    size = 300
    pairs = np.stack(np.triu_indices(size, 1), axis=1)
    answer = solved(
        PathCondition(size, (ints(size),), (ClauseColumn(test(Op.GT, A, A), pairs),), ())
    )
    assert answer.stats.clauses["given"] == size * (size - 1) // 2
    assert answer.stats.clauses["without implied"] == size - 1
    assert answer.values["a"].tolist() == list(range(size))[::-1]


def test_weak_paths_do_not_imply_strict_edges() -> None:
    weak = column(test(Op.LE, A, A), (0, 1), (1, 2), (0, 2))
    answer = solved(over_a(weak, column(test(Op.LT, A, A), (0, 2), (0, 3)), size=4))
    # 0 <= 2 repeats 0 < 2, which 0 <= 1 <= 2 does not imply
    assert answer.stats.clauses["without implied"] - 8 == 4
    values = answer.values["a"]
    assert values[0] < values[2]


def test_shortest_paths_become_differences() -> None:
    """D' = D + w, solved for w: all clauses of a Dijkstra-like run are differences."""
    size = 40
    first, rest = DefHole(PLACE, 1, Sort.INT), DefHole(_RELAX, 2, Sort.INT)
    to = np.arange(1, size)
    defs = [DefColumn(PLACE, to[:, None], W, np.stack((0 * to, to), axis=1))]
    clauses = []
    step, node_at = np.triu_indices(size, 1)
    step, node_at = step[step > 0], node_at[step > 0]
    for chosen, hole, old in (
        (step == 1, first, (step, node_at)),
        (step > 1, rest, (step - 1, step, step - 1, node_at)),
    ):
        near = np.stack(old[: len(old) // 2], axis=1)[chosen]
        far = np.stack(old[len(old) // 2 :], axis=1)[chosen]
        here = np.stack((step, node_at), axis=1)[chosen]
        total = node(Op.ADD, hole, W)
        defs.append(DefColumn(_RELAX, here, total, np.hstack((near, here))))
        clauses.append(ClauseColumn(test(Op.LT, total, hole), np.hstack((near, here, far))))
        clauses.append(ClauseColumn(test(Op.LT, hole, hole), np.hstack((near, far))))
    layout = Layout("w", (size, size), Sort.INT, 0, None)
    answer = solved(PathCondition(size, (layout,), tuple(clauses), tuple(defs)))
    assert answer.stats.theory == "order"
    assert answer.stats.solver_calls == 1
    assert answer.values["w"].min() == 0


_RELAX = Place(Site("f", 4, 0), (Site("f", 1, 0), Site("f", 3, 0)))


def test_a_running_sum_becomes_differences() -> None:
    size = 50
    turn = np.arange(1, size)
    defs = (
        DefColumn(PLACE, np.array([[0]]), A, np.array([[0]])),
        DefColumn(PLACE, turn[:, None], node(Op.ADD, D, A), np.stack((turn - 1, turn), axis=1)),
    )
    above = ClauseColumn(test(Op.GT, D, C), np.stack((turn, 3 * turn), axis=1))
    answer = solved(over_a(above, size=size, lo=1, hi=9, defs=defs))
    assert answer.stats.theory == "difference"
    assert (np.cumsum(answer.values["a"])[1:] > 3 * turn).all()


SUM = node(Op.ADD, node(Op.ADD, A, A), A)


@pytest.mark.parametrize(
    ("clauses", "found"),
    [
        pytest.param([test(Op.GT, SUM, C), (0, 1, 2, 2)], [1, 1, 1], id="all 1"),
        pytest.param([test(Op.LT, SUM, C), (0, 1, 2, 1)], [0, 0, 0], id="all 0"),
        pytest.param([test(Op.GT, SUM, SUM), (2, 1, 1, 0, 0, 0)], [0, 1, 2], id="rising"),
        pytest.param([test(Op.GT, SUM, SUM), (0, 1, 1, 2, 2, 2)], [2, 1, 0], id="falling"),
    ],
)
def test_plain_values_need_no_solver(clauses: list[Any], found: list[int]) -> None:
    answer = solved(over_a(column(*clauses)))
    assert answer.values["a"].tolist() == found
    assert answer.stats.solver_calls == 0


def test_plain_values_are_held_against_definitions_and_bounds() -> None:
    """2 * a[0] is named first, and the sum of that and a[1] must be 8: nothing plain serves."""
    defs = (DefColumn(PLACE, np.array([[0]]), node(Op.ADD, A, A), np.array([[0, 0]])),)
    total = node(Op.ADD, D, node(Op.ADD, A, A))
    answer = solved(over_a(column(test(Op.EQ, total, C), (0, 1, 1, 8)), lo=1, defs=defs))
    first, second, _ = answer.values["a"].tolist()
    assert 2 * first + 2 * second == 8
    assert answer.stats.solver_calls <= 1


def test_copies_are_one_variable() -> None:
    same = column(test(Op.EQ, A, A), (0, 1), (1, 2), (0, 2))
    answer = solved(over_a(same, column(test(Op.GT, A, C), (2, 1))))
    assert answer.values["a"].tolist() == [2, 2, 2]
    assert answer.stats.solver_calls == 0


def test_a_decided_flag_is_its_comparison() -> None:
    flag = DefHole(PLACE, 1, Sort.BOOL)
    defs = (DefColumn(PLACE, np.array([[0], [1]]), test(Op.LT, A, A), np.array([[0, 1], [2, 1]])),)
    answer = solved(over_a(column(flag, (0,)), column(test(Op.NOT, flag), (1,)), defs=defs))
    assert answer.stats.theory == "order"


def test_booleans_need_no_solver() -> None:
    layout = Layout("b", (3,), Sort.BOOL, None, None)
    yes, no = column(B, (0,), (2,)), column(test(Op.NOT, B), (1,))
    answer = solved(PathCondition(3, (layout,), (yes, no), ()))
    assert answer.values["b"].tolist() == [True, False, True]
    assert answer.values["b"].dtype == bool
    assert answer.stats.solver_calls == 0
    contrary = column(test(Op.EQ, B, Fixed(False, Sort.BOOL)), (2,))
    assert isinstance(solve(PathCondition(3, (layout,), (yes, contrary), ())), Unsat)


def test_reals_are_exact() -> None:
    layout = Layout("r", (2,), Sort.REAL, Fraction(0), Fraction(1))
    between = column(test(Op.LT, R, R), (0, 1))
    third = column(test(Op.EQ, node(Op.MUL, C, R, sort=Sort.REAL), C), (3, 1, 1))
    values = solved(PathCondition(2, (layout,), (between, third), ())).values["r"]
    assert values[1] == Fraction(1, 3)
    assert 0 <= values[0] < Fraction(1, 3)


def test_large_numbers_are_exact() -> None:
    huge = Fixed(10**30, Sort.INT)
    values = solved(over_a(column(test(Op.GT, A, huge), (0,)), hi=None)).values["a"]
    assert values.dtype == object
    assert values[0] > 10**30
    wide = solved(over_a(column(test(Op.LT, A, A), (0, 1)), lo=-(2**63), hi=2**63 - 1))
    assert wide.values["a"].dtype == np.int64


def test_an_irrational_solution_is_no_answer() -> None:
    layout = Layout("r", (1,), Sort.REAL, Fraction(0), None)
    square = column(test(Op.EQ, node(Op.MUL, R, R, sort=Sort.REAL), C), (0, 0, 2))
    answer = solve(PathCondition(1, (layout,), (square,), ()))
    assert isinstance(answer, Unknown)
    assert "irrational" in answer.reason


def test_a_timeout_is_an_answer() -> None:
    cube = node(Op.ADD, *[node(Op.MUL, A, node(Op.MUL, A, A))] * 2)
    sum_of_cubes = column(
        test(Op.EQ, cube, node(Op.MUL, A, node(Op.MUL, A, A))), (*[0] * 3, *[1] * 3, *[2] * 3)
    )
    positive = column(test(Op.GT, A, C), (0, 1000), (1, 1000), (2, 1000))
    answer = solve(over_a(sum_of_cubes, positive, lo=None, hi=None), timeout=0.2)
    assert isinstance(answer, Unknown)
    assert answer.reason == "timeout after 0.2 seconds"


def test_assumptions_over_the_whole_input() -> None:
    size = 3000
    cells = [Cell("a", (i,), Sort.INT) for i in range(size)]
    total: Term = cells[0]
    for cell in cells[1:]:
        total = Apply(Op.ADD, (total, cell), Sort.INT)
    rising = Apply(
        Op.AND,
        tuple(Apply(Op.LE, pair, Sort.BOOL) for pair in itertools.pairwise(cells)),
        Sort.BOOL,
    )
    much = Apply(Op.GE, (total, Const(5, Sort.INT)), Sort.BOOL)
    values = solved(over_a(size=size, extra=(rising, much))).values["a"]
    assert (np.diff(values) >= 0).all()
    assert values.sum() >= 5


def test_cells_that_nothing_constrains() -> None:
    layouts = (
        ints(2),
        Layout("low", (2,), Sort.INT, 5, 9),
        Layout("high", (), Sort.INT, None, -2),
        Layout("b", (1,), Sort.BOOL, None, None),
    )
    answer = solved(PathCondition(2, layouts, (), ()))
    assert {k: v.tolist() for k, v in answer.values.items()} == {
        "a": [0, 0],
        "low": [5, 5],
        "high": -2,
        "b": [False],
    }
    assert answer.stats.solver_calls == 0
    assert isinstance(solve(PathCondition(2, (ints(2, 1, 0),), (), ())), Unsat)


def test_dangling_definition() -> None:
    defs = (DefColumn(PLACE, np.array([[0]]), A, np.array([[0]])),)
    with pytest.raises(DanglingDefinition) as caught:
        solve(over_a(column(test(Op.LT, D, A), (0, 1), (7, 1)), defs=defs))
    assert caught.value.counters == (7,)
    with pytest.raises(DanglingDefinition):
        solve(over_a(column(test(Op.LT, D, A), (0, 1))))


@pytest.mark.parametrize("index", [3, -1])
def test_cell_out_of_range(index: int) -> None:
    with pytest.raises(CellOutOfRange, match="does not exist"):
        solve(over_a(column(test(Op.LT, A, A), (0, 1), (1, index))))


def test_repeated_definitions() -> None:
    def twice(*leaves: int) -> tuple[DefColumn, ...]:
        return (DefColumn(PLACE, np.array([[0], [0]]), A, np.array(leaves).reshape(2, 1)),)

    below = column(test(Op.LT, D, A), (0, 2))
    solved(over_a(below, defs=twice(1, 1)))
    with pytest.raises(ValueError, match="twice"):
        solve(over_a(below, defs=twice(1, 2)))


def test_violations_are_told() -> None:
    defs = (DefColumn(PLACE, np.array([[0]]), node(Op.ADD, A, A), np.array([[0, 1]])),)
    condition = over_a(column(test(Op.LT, D, A), (0, 2)), defs=defs)
    assert violations(condition, {"a": np.array([1, 1, 3])}) == []
    (clause,) = violations(condition, {"a": np.array([1, 1, 2])})
    assert clause.startswith("1 clauses (first: row 0)")
    outside, _ = violations(condition, {"a": np.array([1, 4, 3])})
    assert "above" in outside


def test_violations_of_a_division_by_zero() -> None:
    condition = over_a(column(test(Op.GE, node(Op.FLOORDIV, A, A), C), (0, 1, 0)))
    assert violations(condition, {"a": np.array([1, 1, 0])}) == []
    assert violations(condition, {"a": np.array([1, 0, 0])}) != []


def test_circular_definitions_are_told() -> None:
    defs = (
        DefColumn(PLACE, np.array([[0], [1]]), node(Op.ADD, D, C), np.array([[1, 1], [0, -1]])),
    )
    assert "circle" in violations(over_a(defs=defs), {"a": np.array([0, 0, 0])})[0]


def test_rows_as_keys() -> None:
    big = 2**61
    matrix = np.array([[big, -big, 3], [0, 1, 2], [big, -big, 3], [-big, big, 3], [0, 1, 3]])
    assert first_of_each(matrix).tolist() == [0, 1, 3, 4]
    index = RowIndex(matrix)
    assert index.find(matrix).tolist() == index.ids.tolist()
    assert index.find(np.array([[0, 1, 4], [1, 1, 2]])).tolist() == [-1, -1]
    assert RowIndex(np.zeros((2, 0), dtype=np.int64)).find(np.zeros((1, 0))).tolist() == [0]


def _apart(size: int, lo: int, hi: int) -> PathCondition:
    pairs = [(i, j) for i in range(size) for j in range(i)]
    return over_a(column(test(Op.NE, A, A), *pairs), size=size, lo=lo, hi=hi)


def test_more_different_values_than_there_are() -> None:
    """Nothing is asked: a solver would try for hours."""
    answer = solve(_apart(100, 32, 126))
    assert isinstance(answer, Unsat)
    assert answer.reason == "values that must differ run out: there are only 95"
    assert answer.stats.solver_calls == 0


def test_a_chain_that_is_longer_than_its_range() -> None:
    """Sums beside it make the theory linear, where that takes a solver long to see."""
    chain = column(test(Op.LT, A, A), *[(i, i + 1) for i in range(99)])
    sums = column(test(Op.LE, node(Op.ADD, A, A), node(Op.ADD, A, A)), (0, 1, 2, 3))
    answer = solve(over_a(chain, sums, size=100, lo=1, hi=99))
    assert isinstance(answer, Unsat)
    assert answer.reason == "values that must rise run out of numbers between 1 and 99"
    assert answer.stats.solver_calls == 0
    assert solved(over_a(chain, sums, size=100, lo=1, hi=100)).values["a"].tolist()[-1] == 100


def test_as_many_different_values_as_there_are() -> None:
    answer = solved(_apart(95, 32, 126))
    assert sorted(answer.values["a"].tolist()) == list(range(32, 127))


def test_few_of_many_that_must_differ_are_not_too_many() -> None:
    """A ring of 101 needs three values, whatever the number of its pairs."""
    ring = [(i, (i + 1) % 101) for i in range(101)]
    answer = solved(over_a(column(test(Op.NE, A, A), *ring), size=101, lo=0, hi=2))
    assert set(answer.values["a"].tolist()) == {0, 1, 2}
