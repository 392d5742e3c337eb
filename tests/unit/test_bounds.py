"""Bounds kept as numbers rather than rows: the same answers, the same contradictions."""

from __future__ import annotations

import itertools
import operator
import random

import numpy as np
import pytest

from xsynth.model.patterns import CellHole, IntHole, Node
from xsynth.synthesize import prepare as prepare_module
from xsynth.synthesize.check import violations
from xsynth.synthesize.condition import ClauseColumn, Layout, PathCondition, Sat, Unsat
from xsynth.synthesize.solve import solve
from xsynth.trace.terms import Op, Sort

A, C = CellHole("a", 1, Sort.INT), IntHole()
MEANING = {
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
}
SIZE, REACH = 3, 3


@pytest.fixture(params=["columns", "blocks"])
def _all_are_many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepare_module, "MANY", 0)
    if request.param == "blocks":
        monkeypatch.setattr(prepare_module, "BLOCK", 0)


@pytest.mark.usefixtures("_all_are_many")
def test_random_conditions_against_brute_force() -> None:
    chance = random.Random(7)
    outcomes = set()
    for _ in range(300):
        low = chance.choice((None, -REACH, -1, 0, 1))
        layout = Layout("a", (SIZE,), Sort.INT, low, chance.choice((None, 1, REACH)))
        single: dict[Op, list[tuple[int, int]]] = {}
        pairs: dict[Op, list[tuple[int, int]]] = {}
        for _ in range(chance.randint(1, 5)):
            row = (chance.randrange(SIZE), chance.randint(-2, 2))
            single.setdefault(chance.choice(list(Op)[7:13]), []).append(row)
        for _ in range(chance.choice((0, 0, 1, 2))):
            one, two = chance.sample(range(SIZE), 2)
            pairs.setdefault(chance.choice(list(Op)[7:13]), []).append((one, two))
        columns = [
            ClauseColumn(Node(op, args, Sort.BOOL), np.array(rows, dtype=np.int64))
            for args, group in (((A, C), single), ((A, A), pairs))
            for op, rows in group.items()
        ]
        condition = PathCondition(1, (layout,), tuple(columns), ())
        found = solve(condition)
        possible = [
            values
            for values in itertools.product(range(-2 * REACH, 2 * REACH + 1), repeat=SIZE)
            if all(MEANING[op](values[i], c) for op, rows in single.items() for i, c in rows)
            and all(
                MEANING[op](values[i], values[j]) for op, rows in pairs.items() for i, j in rows
            )
            and all(layout.lo is None or v >= layout.lo for v in values)
            and all(layout.hi is None or v <= layout.hi for v in values)
        ]
        outcomes.add(bool(possible))
        if possible:
            assert isinstance(found, Sat)
            assert not violations(condition, found.values)
            if not pairs and not any(len(set(rows)) > 1 for rows in (single.get(Op.NE, []),)):
                nearest = [min(abs(values[i]) for values in possible) for i in range(SIZE)]
                assert np.abs(found.values["a"]).tolist() == nearest
        else:
            assert isinstance(found, Unsat)
    assert outcomes == {True, False}


def test_a_table_of_cells_with_one_clause_each_needs_no_rows() -> None:
    side = 200
    index = np.indices((side, side)).reshape(2, -1).T
    w = CellHole("w", 2, Sort.INT)
    below = ClauseColumn(Node(Op.LT, (C, w), Sort.BOOL), np.insert(index, 0, index[:, 0], axis=1))
    other = ClauseColumn(Node(Op.NE, (w, C), Sort.BOOL), np.insert(index, 2, 1, axis=1))
    layout = Layout("w", (side, side), Sort.INT, 0, side)
    found = solve(PathCondition(1, (layout,), (below, other), ()))
    assert isinstance(found, Sat)
    assert found.stats.solver_calls == 0
    assert found.stats.clauses["with definitions and bounds"] == 4 * side * side
    assert found.stats.clauses["without loose bounds"] == 0
    rows = np.maximum(np.arange(side) + 1, 2)  # above its number, and not 1
    assert (found.values["w"] == rows[:, None]).all()
    tight = Layout("w", (side, side), Sort.INT, 0, 1)
    assert isinstance(solve(PathCondition(1, (tight,), (other, below), ())), Unsat)
