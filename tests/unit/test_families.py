"""Families chosen by what the paths say, and the bends of an order."""

from __future__ import annotations

from pathlib import Path

import pytest

from xsynth.explore.families import FALLING, RISING, bends_of, families
from xsynth.explore.worst import explore
from xsynth.model.order import ORDER, by_order
from xsynth.program.program import Options, Program, load
from xsynth.trace.events import Clause, Trace
from xsynth.trace.terms import Apply, Cell, Op, Sort


def _order(*pairs: tuple[int, int]) -> Trace:
    def cell(i: int) -> Cell:
        return Cell("a", (i,), Sort.INT)

    clauses = [
        Clause(ORDER, (k,), Apply(Op.LT, (cell(i), cell(j)), Sort.BOOL), True)
        for k, (i, j) in enumerate(pairs)
    ]
    return Trace(len(pairs) + 1, tuple(clauses), ())


@pytest.mark.parametrize(
    ("pairs", "bends"),
    [
        pytest.param([(0, 1), (1, 2), (2, 3)], 0, id="rising"),
        pytest.param([(3, 2), (2, 1), (1, 0)], 0, id="falling"),
        pytest.param([(0, 1), (1, 3), (3, 2), (2, 4)], 2, id="one pair swapped"),
        pytest.param([], 0, id="nothing"),
    ],
)
def test_bends(pairs: list[tuple[int, int]], bends: int) -> None:
    assert bends_of(_order(*pairs))[0] == bends


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Every order of the elements costs the same."""
    file = tmp_path / "ranks.py"
    file.write_text(
        "def ranks(a: list[int]) -> list[int]:\n"
        "    rank = [0] * len(a)\n"
        "    for i in range(len(a)):\n"
        "        for j in range(i):\n"
        "            larger = i if a[j] < a[i] else j\n"
        "            rank[larger] += 1\n"
        "    return rank\n"
    )
    return load(file, None, Options())


def test_the_simplest_orders_rise_and_fall(program: Program) -> None:
    cases = [explore(program, n) for n in (2, 3, 4)]
    found = families(program, cases)
    for name in (RISING, FALLING):
        for trace in found[name]:
            ordered = by_order(trace)
            assert ordered is not None
            assert bends_of(ordered)[0] == 0
    assert found[RISING] != found[FALLING]
