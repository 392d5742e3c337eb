"""Remainders and quotients without Z3: cells moved by what a term lacks, and checked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xsynth.explore.feasibility.chain import ALL_LAYERS, Chain, Domain
from xsynth.explore.feasibility.outcome import Feasible
from xsynth.explore.paths import paths
from xsynth.explore.search import Search
from xsynth.program.program import Program
from xsynth.trace.terms import Apply, Cell, Op, Sort, Term, const, evaluate

X, Y = (Cell("a", (i,), Sort.INT) for i in range(2))
DOMAINS = [Domain(X, 0, 100), Domain(Y, 0, 100)]


def _int(op: Op, left: Term, right: Term | int) -> Term:
    return Apply(op, (left, const(right) if isinstance(right, int) else right), Sort.INT)


def _test(op: Op, left: Term, right: Term | int) -> Term:
    return Apply(op, (left, const(right) if isinstance(right, int) else right), Sort.BOOL)


@pytest.mark.parametrize(
    "term",
    [
        _test(Op.EQ, _int(Op.MOD, X, 7), 5),
        _test(Op.EQ, _int(Op.FLOORDIV, X, 10), 3),
        _test(Op.EQ, _int(Op.MOD, _int(Op.ADD, X, Y), 9), 4),
        _test(Op.NE, _int(Op.MOD, X, 3), 0),
        Apply(Op.AND, tuple(_test(Op.NE, _int(Op.MOD, X, 4), v) for v in (0, 1, 2)), Sort.BOOL),
    ],
)
def test_found_without_z3(term: Term) -> None:
    chain = Chain(DOMAINS, layers=ALL_LAYERS - {"z3"})
    found = chain.check(term)
    assert isinstance(found, Feasible)
    assert evaluate(term, dict(found.witness))
    assert chain.stats["nudge"] == 1


def test_a_remainder_is_kept_where_values_must_differ() -> None:
    chain = Chain(DOMAINS, layers=ALL_LAYERS - {"z3"})
    for cell in (X, Y):
        wanted = _test(Op.EQ, _int(Op.MOD, cell, 12), 5)
        found = chain.check(wanted)
        assert isinstance(found, Feasible)
        chain.push(wanted, found.witness)
    other = chain.check(_test(Op.NE, X, Y))
    assert isinstance(other, Feasible)
    values = dict(other.witness)
    assert values[X] != values[Y] and values[X] % 12 == values[Y] % 12 == 5


BUCKETS = """
    def fill(keys: list[int]) -> int:
        table = [[] for _ in range(3)]
        met = 0
        for key in keys:
            if key // 10 == 2:
                met += 1
            for other in table[key % 3]:
                if other == key:
                    break
            else:
                table[key % 3].append(key)
        return met
"""


def test_the_paths_are_those_that_z3_finds(program: Callable[..., Program]) -> None:
    filled = program(BUCKETS, ranges={"keys": "0..40"})
    found = []
    for layers in (ALL_LAYERS, frozenset({"z3"})):
        domains = [Domain(*bounds) for bounds in filled.spec.domains(3)]
        search = Search(Chain(domains, layers=layers))
        found.append(sorted(path.answers for path in paths(search, filled, 3, None)))
    assert found[0] == found[1]
    assert len(found[0]) > 100
