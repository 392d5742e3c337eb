"""Sums without Z3: what contradicts itself is proved, what does not gets a witness."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xsynth.explore.feasibility import sums
from xsynth.explore.feasibility.chain import ALL_LAYERS, Chain, Domain
from xsynth.explore.feasibility.difference import NoSolution
from xsynth.explore.feasibility.outcome import Feasible, Infeasible
from xsynth.explore.feasibility.simplex import Tableau
from xsynth.explore.paths import paths
from xsynth.explore.search import Search
from xsynth.program.program import Program
from xsynth.trace.terms import Apply, Cell, Op, Sort, Term, const, evaluate

A, B, C, D = (Cell("a", (i,), Sort.INT) for i in range(4))
EXACT = ALL_LAYERS - {"z3", "nudge"}


def total(*parts: Term | int) -> Term:
    terms = [const(part) if isinstance(part, int) else part for part in parts]
    found = terms[0]
    for term in terms[1:]:
        found = Apply(Op.ADD, (found, term), Sort.INT)
    return found


def compared(op: Op, left: Term | int, right: Term | int) -> Term:
    return Apply(op, (total(left), total(right)), Sort.BOOL)


def chain_of(*terms: Term, low: int | None = None, high: int | None = None) -> Chain:
    chain = Chain([Domain(cell, low, high) for cell in (A, B, C, D)], layers=EXACT)
    for term in terms:
        outcome = chain.check(term)
        assert isinstance(outcome, Feasible)
        chain.push(term, outcome.witness)
    return chain


def test_a_contradiction_of_three_sums() -> None:
    chain = chain_of(
        compared(Op.LT, total(A, B), total(C, D)), compared(Op.LT, total(C, A), total(B, D, -3))
    )
    # Twice A is less than twice D, by 5 at least: so A + 2 < D.
    assert isinstance(chain.check(compared(Op.GE, total(A, 2), D)), Infeasible)
    assert isinstance(chain.check(compared(Op.EQ, total(A, 3), D)), Feasible)


def test_a_contradiction_of_integers_alone() -> None:
    """3x + 3y is no multiple of three plus one; 2x + 3y == 1 has solutions, none in 0..5."""
    threes = total(A, A, A, B, B, B)
    assert isinstance(chain_of().check(compared(Op.EQ, threes, 1)), Infeasible)
    mixed = compared(Op.EQ, total(A, A, B, B, B), 1)
    assert isinstance(chain_of().check(mixed), Feasible)
    assert isinstance(chain_of(low=0, high=5).check(mixed), Infeasible)


def test_disequalities_of_sums() -> None:
    bound = [
        compared(Op.GE, total(A, B), 0),
        compared(Op.LE, total(A, B), 2),
        compared(Op.NE, total(A, B), 1),
        compared(Op.NE, total(A, B), 2),
    ]
    chain = chain_of(*bound)
    assert isinstance(chain.check(compared(Op.NE, total(A, B), 0)), Infeasible)
    found = chain.check(compared(Op.NE, total(A, B, C), 0))
    assert isinstance(found, Feasible)
    assert all(evaluate(term, found.witness) for term in bound)


def test_a_combination_is_remembered_whatever_the_bounds() -> None:
    def session(chain: Chain, by: int) -> bool:
        low, high = compared(Op.GE, total(A, B, C), by), compared(Op.LE, total(A, B), by - 4)
        for term in (low, high):
            outcome = chain.check(term)
            assert isinstance(outcome, Feasible)
            chain.push(term, outcome.witness)
        refuted = chain._refuted(compared(Op.LT, C, 4))
        assert isinstance(chain.check(compared(Op.LT, C, 4)), Infeasible)
        chain.pop(0)
        return refuted is not None

    chain = chain_of()
    assert [session(chain, by) for by in (10, 10, 3, -7)] == [False, True, True, True]


def test_the_tableau_gives_the_proof() -> None:
    forms = {7: ((0, 1), (1, 2)), 8: ((0, -1),), 9: ((1, -3),)}
    tableau = Tableau([0, 0], pivots=10)
    for (name, form), least in zip(forms.items(), (5, -1, -5), strict=True):
        tableau.add(name, form, least)
    # 3 (x + 2y) - 3x - 6y: at least 15 - 3 - 10.
    assert tableau.repair() == {7: 3, 8: 3, 9: 2}


def test_the_tableau_gives_up_after_so_many_pivots() -> None:
    tableau = Tableau([0, 0], pivots=0)
    tableau.add(0, ((0, 1), (1, 1)), 1)
    assert tableau.repair() is NoSolution.GAVE_UP


WINDOWS = """
    def windows(a: list[int]) -> int:
        best, at = a[0] + a[1], 0
        for i in range(1, len(a) - 1):
            if a[i] + a[i + 1] > best:
                best, at = a[i] + a[i + 1], i
        return at
"""
CHANGES = """
    def changes(stock: list[int]) -> int:
        level = days = 0
        for i in range(len(stock)):
            level += stock[i]
            if level < 0:
                level, days = level + 10, days + 1
            elif level > stock[0] + 3:
                days += 2
        return days
"""
GRID = """
    def grid(cost: list[list[int]]) -> int:
        n = len(cost)
        reach = [[0] * n for _ in range(n)]
        taken = 0
        for i in range(n):
            for j in range(n):
                if i and j:
                    if reach[i - 1][j] < reach[i][j - 1]:
                        reach[i][j] = reach[i - 1][j] + cost[i][j]
                        taken += 1
                    else:
                        reach[i][j] = reach[i][j - 1] + cost[i][j]
                else:
                    before = reach[i - 1][j] if i else reach[i][j - 1] if j else 0
                    reach[i][j] = before + cost[i][j]
        return taken
"""


@pytest.mark.parametrize(
    ("source", "scale", "ranges"),
    [
        pytest.param(WINDOWS, 6, {}, id="sums of neighbours"),
        pytest.param(CHANGES, 5, {"stock": "-9..9"}, id="a running sum"),
        pytest.param(GRID, 3, {}, id="sums along a path"),
    ],
)
def test_paths_of_programs_with_sums_need_no_z3(
    source: str, scale: int, ranges: dict[str, str], program: Callable[..., Program]
) -> None:
    made = program(source, ranges=ranges)
    domains = [Domain(*bounds) for bounds in made.spec.domains(scale)]
    found = []
    for layers in (ALL_LAYERS, frozenset({"z3"})):
        search = Search(Chain(domains, layers=layers))
        found.append([path.answers for path in paths(search, made, scale, None)])
        assert (search.chain.stats["z3"] > 0) is (layers != ALL_LAYERS)
    assert found[0] == found[1]
    assert len(found[0]) >= 16


def test_forms_are_forgotten_and_the_paths_stay(
    program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = program(GRID)
    domains = [Domain(*bounds) for bounds in made.spec.domains(3)]
    found = []
    for most in (sums.MOST_FORMS, 3):
        monkeypatch.setattr(sums, "MOST_FORMS", most)
        search = Search(Chain(domains))
        found.append([path.answers for path in paths(search, made, 3, None)])
    assert found[0] == found[1]


def test_a_long_path_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "MOST_FORMS", 10)
    again = []
    reset = sums.Sums._reset
    monkeypatch.setattr(sums.Sums, "_reset", lambda self: (again.append(1), reset(self)))
    chain = chain_of()
    for i in range(1, 200):
        term = compared(Op.GT, total(A, *[B] * i, C), i * i * i)  # not so yet
        outcome = chain.check(term)
        assert isinstance(outcome, Feasible)
        chain.push(term, outcome.witness)
    assert len(again) == 1
