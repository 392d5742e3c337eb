"""Parts that say the same: solved once, and the same values everywhere."""

from __future__ import annotations

import random

import numpy as np

from xsynth.model.patterns import CellHole, IntHole, Node
from xsynth.synthesize.check import violations
from xsynth.synthesize.condition import ClauseColumn, Layout, PathCondition, Sat, Unsat
from xsynth.synthesize.solve import solve
from xsynth.trace.terms import Op, Sort

A, B, C = CellHole("a", 1, Sort.INT), CellHole("b", 1, Sort.INT), IntHole()
SUM = Node(Op.ADD, (A, B), Sort.INT)


def _condition(least: list[int], size: int) -> PathCondition:
    """a[i] + b[i] > least[i], a[i] - 2 < b[i], a[i] != b[i]."""
    at = range(len(least))
    sums = np.array([(i, i, c) for i, c in zip(at, least, strict=True)], dtype=np.int64)
    apart = np.array([(i, 2, i) for i in at], dtype=np.int64)
    below = Node(Op.LT, (Node(Op.SUB, (A, C), Sort.INT), B), Sort.BOOL)
    columns = (
        ClauseColumn(Node(Op.GT, (SUM, C), Sort.BOOL), sums),
        ClauseColumn(below, apart),
        ClauseColumn(Node(Op.NE, (A, B), Sort.BOOL), apart[:, [0, 2]]),
    )
    layouts = tuple(Layout(name, (size,), Sort.INT, 0, None) for name in "ab")
    return PathCondition(1, layouts, columns, ())


def test_each_kind_is_solved_once() -> None:
    least = [100 if i % 3 else 40 for i in range(300)]
    condition = _condition(least, 300)
    found = solve(condition)
    assert isinstance(found, Sat)
    assert found.stats.theory == "linear"
    assert found.stats.clauses["asked"] == 2 * 5  # two bounds besides the three clauses
    pairs = {
        (c, a, b)
        for c, a, b in zip(
            least, found.values["a"].tolist(), found.values["b"].tolist(), strict=True
        )
    }
    assert len(pairs) == 2


def test_what_differs_in_one_number_is_solved_for_itself() -> None:
    chance = random.Random(3)
    for _ in range(20):
        least = [chance.choice((10, 11, 50)) for _ in range(12)]
        condition = _condition(least, 12)
        found = solve(condition)
        assert isinstance(found, Sat)
        assert found.stats.clauses["asked"] == 5 * len(set(least))
        assert not violations(condition, found.values)


def test_a_part_that_cannot_hold_is_found() -> None:
    condition = _condition([10] * 5, 5)
    row = np.array([(3, 3, 5)], dtype=np.int64)
    never = ClauseColumn(Node(Op.LT, (SUM, C), Sort.BOOL), row)
    columns = (*condition.clauses, never)
    assert isinstance(solve(PathCondition(1, condition.layouts, columns, ())), Unsat)


def test_parts_that_share_a_variable_are_one() -> None:
    rows = np.array([(i, i + 1, 9) for i in range(5)], dtype=np.int64)
    chain = ClauseColumn(Node(Op.GT, (Node(Op.ADD, (A, A), Sort.INT), C), Sort.BOOL), rows)
    less = np.array([(0, 3), (5, 4)], dtype=np.int64)
    small = ClauseColumn(Node(Op.LT, (A, C), Sort.BOOL), less)
    condition = PathCondition(1, (Layout("a", (6,), Sort.INT, 0, None),), (chain, small), ())
    found = solve(condition)
    assert isinstance(found, Sat)
    assert not violations(condition, found.values)
    assert found.stats.clauses["without copies"] == found.stats.clauses["without implied"]
