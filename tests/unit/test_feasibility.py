"""The feasibility chain: one table of questions for every layer, then its parts."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from xsynth.explore.feasibility import (
    ALL_LAYERS,
    Chain,
    Domain,
    Feasible,
    Infeasible,
    Outcome,
    Unknown,
)
from xsynth.explore.paths import paths
from xsynth.explore.search import Search
from xsynth.program.program import Options, load
from xsynth.trace.terms import (
    Apply,
    Cell,
    Def,
    Op,
    Place,
    Site,
    Sort,
    Term,
    Value,
    const,
    evaluate,
    negate,
)

X, Y, Z, W = (Cell("a", (i,), Sort.INT) for i in range(4))
R, S = (Cell("r", (i,), Sort.REAL) for i in range(2))
B, C = (Cell("b", (i,), Sort.BOOL) for i in range(2))
D = Cell("digit", (), Sort.INT)
DOMAINS = (
    *(Domain(cell, None, None) for cell in (X, Y, Z, W, R, S, B, C)),
    Domain(D, 0, 9),
)
HERE = Place(Site("f", 1, 0), ())


def apply(op: Op, *args: Term | int | bool | Fraction) -> Apply:
    terms = tuple(
        const(argument) if isinstance(argument, int | Fraction) else argument for argument in args
    )
    if op in (Op.ADD, Op.SUB, Op.MUL, Op.NEG, Op.FLOORDIV, Op.MOD, Op.DIV, Op.ITE):
        real = op is Op.DIV or any(term.sort is Sort.REAL for term in terms)
        return Apply(op, terms, Sort.REAL if real else Sort.INT)
    return Apply(op, terms, Sort.BOOL)


def lt(left: Term | int | Fraction, right: Term | int | Fraction) -> Apply:
    return apply(Op.LT, left, right)


def le(left: Term | int | Fraction, right: Term | int | Fraction) -> Apply:
    return apply(Op.LE, left, right)


def eq(left: Term | int | bool, right: Term | int | bool) -> Apply:
    return apply(Op.EQ, left, right)


def ne(left: Term | int | bool, right: Term | int | bool) -> Apply:
    return apply(Op.NE, left, right)


def plus(left: Term | int, right: Term | int) -> Apply:
    return apply(Op.ADD, left, right)


def times(left: Term | int | Fraction, right: Term | int) -> Apply:
    return apply(Op.MUL, left, right)


def define(value: Term, at: int = 0) -> Def:
    return Def(HERE, (at,), value.sort, value)


def assert_all(chain: Chain, terms: Sequence[Term]) -> None:
    for term in terms:
        outcome = chain.check(term)
        assert isinstance(outcome, Feasible)
        chain.push(term, outcome.witness)


HALF = Fraction(1, 2)

# the asserted terms, the question, whether it is feasible, whether the graph alone knows
CASES = [
    pytest.param([], lt(X, Y), True, True, id="order"),
    pytest.param([lt(X, Y)], lt(Y, X), False, True, id="two-cycle"),
    pytest.param([lt(X, Y), lt(Y, Z)], le(Z, X), False, True, id="three-cycle"),
    pytest.param([le(X, Y), le(Y, Z)], le(Z, X), True, True, id="cycle-of-weight-0"),
    pytest.param([lt(X, Y), lt(Y, Z)], lt(Z, plus(X, 2)), False, True, id="no-integer-between"),
    pytest.param([lt(R, S)], lt(S, apply(Op.ADD, R, HALF)), True, True, id="a-real-between"),
    pytest.param([le(R, S), le(S, R)], lt(R, S), False, True, id="real-strict-in-0-cycle"),
    pytest.param([lt(R, S), lt(S, 1)], lt(HALF, R), True, True, id="reals-below-a-bound"),
    pytest.param([lt(1, R)], lt(R, 1), False, True, id="real-bounds"),
    pytest.param([], eq(times(2, X), times(2, Y)), True, True, id="common-factor"),
    pytest.param([], eq(times(2, X), 3), False, True, id="not-whole"),
    pytest.param([], ne(times(2, X), 3), True, True, id="never-whole"),
    pytest.param([], eq(times(2, X), plus(times(2, Y), 1)), False, True, id="parity"),
    pytest.param([lt(times(2, X), 5)], lt(2, X), False, True, id="bound-rounded-down"),
    pytest.param([lt(times(-2, X), -5)], lt(X, 3), False, True, id="bound-rounded-up"),
    pytest.param([], lt(X, apply(Op.DIV, Y, 2)), True, False, id="two-factors"),
    pytest.param([], lt(apply(Op.DIV, X, 2), apply(Op.DIV, Y, 2)), True, True, id="halves"),
    pytest.param([], eq(apply(Op.SUB, plus(X, Y), Y), X), True, True, id="cancels-to-true"),
    pytest.param([], lt(apply(Op.SUB, plus(X, Y), Y), X), False, True, id="cancels-to-false"),
    pytest.param([lt(D, 1)], eq(D, 0), True, True, id="declared-bound"),
    pytest.param([], lt(9, D), False, True, id="past-a-declared-bound"),
    pytest.param([lt(X, D)], lt(8, X), False, True, id="bound-through-order"),
    pytest.param([B], apply(Op.NOT, B), False, True, id="literal-denied"),
    pytest.param([B], C, True, True, id="two-literals"),
    pytest.param([B, eq(B, C)], apply(Op.NOT, C), False, True, id="equal-literals"),
    pytest.param([B, ne(B, C)], C, False, True, id="unequal-literals"),
    pytest.param([], eq(lt(X, Y), True), True, True, id="comparison-is-true"),
    pytest.param([lt(X, Y)], eq(False, lt(X, Y)), False, True, id="comparison-is-false"),
    pytest.param([lt(X, Y)], eq(B, lt(Y, X)), True, False, id="literal-is-comparison"),
    pytest.param([], apply(Op.AND, lt(X, Y), lt(Y, Z), lt(Z, X)), False, True, id="and"),
    pytest.param([], apply(Op.OR, lt(X, Y), lt(Y, X)), True, False, id="or"),
    pytest.param(
        [lt(X, Y)],
        apply(Op.NOT, apply(Op.OR, lt(X, Y), lt(Z, X))),
        False,
        True,
        id="denied-or",
    ),
    pytest.param([lt(Y, X)], apply(Op.AND, lt(X, Y), eq(times(X, X), 4)), False, True, id="part"),
    pytest.param([ne(X, Y)], eq(X, Y), False, True, id="disequality-denied"),
    pytest.param([ne(X, Y), ne(Y, Z)], ne(X, Z), True, True, id="all-different"),
    pytest.param([le(X, Y), le(Y, X)], ne(X, Y), False, True, id="disequality-of-equals"),
    pytest.param([le(0, X), le(X, 1), ne(X, 0)], ne(X, 1), False, True, id="nothing-left"),
    pytest.param([ne(R, 0), ne(R, 1), le(0, R)], le(R, 1), True, True, id="real-between"),
    pytest.param([ne(R, S), le(R, S)], le(S, R), False, True, id="real-disequality"),
    pytest.param([lt(X, R), lt(R, plus(X, 1))], lt(X, 0), True, False, id="integers-and-reals"),
    pytest.param([lt(X, R), lt(R, Y)], le(Y, X), False, False, id="integer-real-cycle"),
    pytest.param([eq(plus(X, Y), 7)], eq(plus(X, plus(Y, Z)), 3), True, False, id="three-cells"),
    pytest.param([eq(apply(Op.MOD, X, 3), 2)], lt(X, 0), True, False, id="mod"),
    pytest.param([eq(X, -7)], eq(apply(Op.FLOORDIV, X, 2), -4), True, False, id="floor"),
    pytest.param([eq(X, 7)], eq(apply(Op.FLOORDIV, X, -2), -4), True, False, id="floor-negative"),
    pytest.param([eq(X, 7)], eq(apply(Op.MOD, X, -2), -1), True, False, id="mod-negative"),
    pytest.param([eq(X, 7), eq(Y, -2)], ne(apply(Op.MOD, X, Y), -1), False, False, id="mod-y"),
    pytest.param([eq(Y, 0)], eq(apply(Op.MOD, X, Y), 1), False, False, id="divided-by-zero"),
    pytest.param([], eq(apply(Op.FLOORDIV, X, 0), 1), False, False, id="divided-by-constant-0"),
    pytest.param([lt(2, R)], lt(apply(Op.MOD, R, HALF), 0), False, False, id="real-mod"),
    pytest.param([B], eq(plus(plus(B, C), 0), 1), True, False, id="booleans-add"),
    pytest.param([B, C], ne(plus(B, C), 2), False, False, id="booleans-add-up"),
    pytest.param([lt(X, Y)], eq(apply(Op.ITE, lt(X, Y), X, Y), Y), False, False, id="minimum"),
    pytest.param([], eq(times(X, X), 2), False, False, id="no-integer-root"),
    pytest.param([lt(X, Y)], negate(lt(X, Y)), False, True, id="negated"),
    pytest.param([define(lt(X, Y))], define(lt(Y, X), 1), False, True, id="definitions"),
    pytest.param(
        [lt(X, define(plus(Y, 1)))], lt(define(plus(Y, 0), 1), X), False, True, id="sums-defined"
    ),
    pytest.param([], X, True, True, id="a-number-as-truth"),
    pytest.param([eq(X, 0)], X, False, True, id="zero-as-truth"),
]


def is_feasible(outcome: Outcome) -> bool | None:
    match outcome:
        case Feasible():
            return True
        case Infeasible():
            return False
        case Unknown():
            return None


def assert_witness(outcome: Outcome, terms: Sequence[Term]) -> None:
    if isinstance(outcome, Feasible):
        assert all(evaluate(term, outcome.witness) for term in terms)


@pytest.mark.parametrize(
    "layers", [ALL_LAYERS, frozenset({"z3"}), ALL_LAYERS - {"difference"}], ids=["all", "z3", "two"]
)
@pytest.mark.parametrize(("asserted", "question", "feasible", "_graph"), CASES)
def test_answers(
    asserted: list[Term], question: Term, feasible: bool, _graph: bool, layers: frozenset[str]
) -> None:
    chain = Chain(DOMAINS, layers=layers)
    assert_all(chain, asserted)
    outcome = chain.check(question)
    assert is_feasible(outcome) is feasible
    assert_witness(outcome, [*asserted, question])


@pytest.mark.parametrize(("asserted", "question", "feasible", "graph"), CASES)
def test_the_graph_alone_answers_or_passes(
    asserted: list[Term], question: Term, feasible: bool, graph: bool
) -> None:
    full = Chain(DOMAINS)
    assert_all(full, asserted)
    chain = Chain(DOMAINS, layers=frozenset({"difference"}))
    for term in asserted:
        chain.push(term, full.witness)
    outcome = chain.check(question)
    assert is_feasible(outcome) in ((feasible,) if graph else (feasible, None))
    assert_witness(outcome, [*asserted, question])


def test_stats_say_which_layer_answered() -> None:
    chain = Chain(DOMAINS)
    squares = apply(Op.ADD, apply(Op.MUL, X, X), apply(Op.MUL, Y, Y))
    for term in (const(True), le(X, Y), lt(X, Y), eq(apply(Op.MOD, X, 3), 2), eq(squares, 25)):
        assert isinstance(chain.check(term), Feasible)
    contradiction = apply(Op.AND, lt(plus(plus(X, Y), Z), 7), lt(7, plus(Z, plus(Y, X))))
    assert isinstance(chain.check(contradiction), Infeasible)
    six = dict.fromkeys(("constant", "witness", "difference", "sums", "nudge", "z3"), 1)
    assert chain.stats == {**six, "table": 0, "unknown": 0}


def test_pop_forgets() -> None:
    chain = Chain(DOMAINS)
    assert_all(chain, [lt(X, Y), ne(Y, Z), eq(apply(Op.MOD, X, 3), 2)])
    before = dict(chain.witness)
    assert_all(chain, [lt(Z, X), eq(apply(Op.MOD, Y, 3), 0)])
    assert chain.level == 5
    chain.pop(3)
    assert chain.level == 3
    assert dict(chain.witness) == before
    assert isinstance(chain.check(lt(Y, Z)), Feasible)
    chain.pop(0)
    assert_all(chain, [lt(Y, X)])
    with pytest.raises(ValueError, match="no level 2"):
        chain.pop(2)


def test_z3_is_told_only_what_still_stands() -> None:
    chain = Chain(DOMAINS)
    odd, even = (eq(apply(Op.MOD, X, 2), rest) for rest in (1, 0))
    assert_all(chain, [lt(X, Y), odd])
    assert isinstance(chain.check(even), Infeasible)
    chain.pop(1)
    assert_all(chain, [even])
    assert isinstance(chain.check(odd), Infeasible)
    chain.pop(0)
    assert_all(chain, [odd])
    assert isinstance(chain.check(even), Infeasible)


def test_a_witness_outlives_what_follows() -> None:
    chain = Chain(DOMAINS)
    first = chain.check(lt(X, Y))
    assert isinstance(first, Feasible)
    kept = dict(first.witness)
    chain.push(lt(X, Y), first.witness)
    assert_all(chain, [lt(plus(X, 5), Y), lt(Z, X)])
    chain.pop(0)
    assert_all(chain, [lt(Y, X)])
    assert dict(first.witness) == kept
    assert pickle.loads(pickle.dumps(first.witness)) == kept


def test_witnesses_have_the_sorts_of_their_cells() -> None:
    for layers in (ALL_LAYERS, frozenset({"z3"})):
        chain = Chain(DOMAINS, layers=layers)
        assert_all(chain, [lt(R, S), B, lt(X, Y)])
        types = {Sort.INT: int, Sort.REAL: Fraction, Sort.BOOL: bool}
        assert len(chain.witness) == len(DOMAINS)
        assert all(type(value) is types[cell.sort] for cell, value in chain.witness.items())


@pytest.mark.parametrize("layers", [ALL_LAYERS, frozenset({"z3"}), frozenset({"difference"})])
@pytest.mark.parametrize(
    "domain", [Domain(X, 3, 2), Domain(X, HALF, Fraction(3, 4)), Domain(R, 1, HALF)]
)
def test_an_empty_domain(domain: Domain, layers: frozenset[str]) -> None:
    chain = Chain([domain], layers=layers)
    assert isinstance(chain.check(const(True)), Infeasible)
    assert domain.cell in chain.witness


@pytest.mark.parametrize("layers", [ALL_LAYERS, frozenset({"z3"})])
def test_cells_without_a_domain_are_unbounded(layers: frozenset[str]) -> None:
    chain = Chain([], layers=layers)
    assert_all(chain, [lt(100, X), lt(X, Y), ne(eq(B, C), True)])
    assert chain.witness[X] > 100
    assert chain.witness[B] is not chain.witness[C]
    chain.pop(1)
    assert_all(chain, [lt(Y, X), eq(apply(Op.MOD, Z, 5), 3), lt(R, 0)])
    assert set(chain.witness) >= {X, Y, Z, R}


def test_one_name_may_have_two_values_on_two_paths() -> None:
    chain = Chain(DOMAINS)
    for value in (plus(X, 1), apply(Op.SUB, X, 1)):
        name = define(value)
        assert_all(chain, [lt(X, name) if value.op is Op.ADD else lt(name, X)])
        assert chain.evaluate(name) == evaluate(value, chain.witness)
        chain.pop(0)


def test_push_takes_a_plain_mapping() -> None:
    chain = Chain(DOMAINS)
    values: dict[Cell, Value] = {X: 3, Y: 5, R: Fraction(1, 3), B: True}
    for term in (lt(X, Y), eq(apply(Op.MOD, Y, 5), 0), B):
        chain.push(term, values)
    assert chain.evaluate(plus(X, Y)) == 8
    assert isinstance(chain.check(eq(plus(X, 1), Y)), Feasible)


def test_push_refuses_what_is_no_witness() -> None:
    chain = Chain(DOMAINS)
    assert_all(chain, [lt(X, Y)])
    with pytest.raises(ValueError, match="not a witness"):
        chain.push(lt(Y, X), chain.witness)
    with pytest.raises(ValueError, match="not a witness"):
        chain.push(lt(Z, X), {X: 2, Y: 1, Z: 1})
    with pytest.raises(ValueError, match="not a witness"):
        chain.push(eq(apply(Op.MOD, X, 3), 2), {X: 3, Y: 4})
    assert chain.level == 1


def test_unknown_layers_are_refused() -> None:
    with pytest.raises(ValueError, match="simplex"):
        Chain([], layers=frozenset({"simplex"}))


def test_without_z3_hard_terms_are_unknown() -> None:
    chain = Chain(DOMAINS, layers=ALL_LAYERS - {"z3"})
    assert isinstance(chain.check(eq(times(X, X), 4)), Unknown)
    assert chain.stats["unknown"] == 1


def test_an_irrational_witness_is_unknown() -> None:
    outcome = Chain(DOMAINS).check(eq(apply(Op.MUL, R, R), 2))
    assert isinstance(outcome, Unknown)
    assert "irrational" in outcome.reason


def test_a_timeout_is_unknown() -> None:
    cubes = [times(times(cell, cell), cell) for cell in (X, Y, Z)]
    outcome = Chain(DOMAINS, z3_timeout_ms=50).check(eq(plus(plus(*cubes[:2]), cubes[2]), 114))
    assert isinstance(outcome, Unknown)


@pytest.mark.parametrize("layers", [ALL_LAYERS, frozenset({"z3"})], ids=["all", "z3"])
def test_long_chains_of_definitions(layers: frozenset[str]) -> None:
    count: Term = X
    total: Term = X
    flag: Term = lt(X, Y)
    for i in range(5_000):
        count = define(plus(count, 1), i)
        total = define(plus(total, (Y, Z)[i % 2]), i)
        flag = define(apply(Op.NOT, flag), i)
    chain = Chain(DOMAINS, layers=layers)
    assert_all(chain, [lt(count, Y), eq(total, 1)])
    assert isinstance(chain.check(flag), Feasible)
    assert isinstance(chain.check(apply(Op.NOT, flag)), Infeasible)


def test_a_running_maximum() -> None:
    chain = Chain(DOMAINS)
    greatest: Term = X
    for i in range(5_000):
        cell = (Y, Z)[i % 2]
        greatest = define(apply(Op.ITE, lt(greatest, cell), cell, greatest), i)
        if i == 9:
            assert isinstance(chain.check(lt(greatest, Y)), Infeasible)
    assert_all(chain, [le(X, greatest)])


def test_wide_sums_are_left_to_z3() -> None:
    cells = [Cell("wide", (i,), Sort.INT) for i in range(200)]
    total: Term = cells[0]
    for i, cell in enumerate(cells[1:]):
        total = define(plus(total, cell), i)
    chain = Chain([Domain(cell, 0, 1) for cell in cells])
    assert_all(chain, [eq(total, 150)])
    assert chain.stats["z3"] == 1
    assert sum(chain.witness.values()) == 150


def test_z3_is_not_loaded_for_orders() -> None:
    script = (
        "import sys\n"
        "from xsynth.explore.feasibility import Chain\n"
        "from xsynth.trace.terms import *\n"
        "x, y = (Cell('a', (i,), Sort.INT) for i in range(2))\n"
        "Chain([]).check(Apply(Op.LT, (x, y), Sort.BOOL))\n"
        "assert 'z3' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_orders_get_small_witnesses() -> None:
    chain = Chain(DOMAINS)
    assert_all(chain, [lt(X, Y), lt(Y, Z), lt(Z, W), lt(R, S)])
    assert [chain.witness[cell] for cell in (X, Y, Z, W, R, S)] == [0, 1, 2, 3, 0, 1]


def test_a_branch_does_not_look_at_the_whole_path_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of sums of three: of what is asserted, only what a repair moves is evaluated."""
    looked = 0

    def counting(*arguments: object) -> Value:
        nonlocal looked
        looked += 1
        return evaluate(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("xsynth.explore.feasibility.chain.evaluate", counting)
    cells = [Cell("long", (i,), Sort.INT) for i in range(60)]
    chain = Chain([Domain(cell, None, None) for cell in cells])
    asserted: list[Term] = []
    for i in range(2, 60):
        for j in range(i):
            total = Def(HERE, (i, j), Sort.INT, apply(Op.ADD, cells[i], cells[j]))
            wanted = apply(Op.GT, total, apply(Op.ADD, cells[i - 1], 1))
            if not chain.holds(wanted):
                found = chain.check(wanted)
                assert isinstance(found, Feasible)
                chain.push(wanted, found.witness)
            else:
                chain.push(wanted, chain.witness)
            asserted.append(wanted)
    assert all(evaluate(term, dict(chain.witness)) for term in asserted)
    assert chain.stats["z3"] == 0
    assert looked < 5 * len(asserted)


TOUR = """
def tour(w: list[list[int]]) -> int:
    best = [None]
    go(w, 0, 1, 0, [True] + [False] * (len(w) - 1), best)
    return best[0]

def distance(w, i, j):
    return w[i][j] if i < j else w[j][i]

def go(w, at, count, length, visited, best):
    if best[0] is not None and length >= best[0]:
        return
    if count == len(w):
        if best[0] is None or length < best[0]:
            best[0] = length
        return
    for j in range(len(w)):
        if not visited[j]:
            visited[j] = True
            go(w, j, count + 1, length + distance(w, at, j), visited, best)
            visited[j] = False
"""


@pytest.mark.parametrize("without", [(), ("nudge",), ("nudge", "difference", "witness")])
def test_no_layer_changes_the_paths(without: tuple[str, ...], tmp_path: Path) -> None:
    """Sums that share elements, with much turning back: Z3 alone counts 191 paths."""
    source = tmp_path / "tour.py"
    source.write_text(TOUR)
    program = load(source, "tour", Options(ranges={"w": "0..100000"}))
    domains = [Domain(*bounds) for bounds in program.spec.domains(4)]
    search = Search(Chain(domains, layers=ALL_LAYERS - set(without)))
    assert sum(1 for _ in paths(search, program, 4, None)) == 191


def test_values_are_forgotten_where_terms_are_taken_back() -> None:
    """The witness may be the same before and after, but fewer definitions are watched."""
    total = Def(HERE, (0,), Sort.INT, apply(Op.ADD, X, apply(Op.ADD, Y, Z)))
    chain = Chain(DOMAINS)

    def raise_x() -> None:
        raised = apply(Op.GT, X, 5)
        found = chain.check(raised)
        assert isinstance(found, Feasible)
        chain.push(raised, found.witness)

    chain.push(apply(Op.GE, apply(Op.ADD, X, apply(Op.ADD, Y, W)), 0), chain.witness)
    chain.push(apply(Op.GE, total, 0), chain.witness)
    raise_x()
    chain.pop(2)
    assert chain.evaluate(total) == 0  # kept: it is watched now
    chain.pop(1)
    raise_x()
    assert chain.evaluate(total) == evaluate(total, dict(chain.witness))
    wanted = apply(Op.LT, total, Y)
    found = chain.check(wanted)
    assert isinstance(found, Feasible) and evaluate(wanted, dict(found.witness))


def test_many_values_that_all_differ_need_no_z3() -> None:
    cells = [Cell("k", (i,), Sort.INT) for i in range(200)]
    chain = Chain([Domain(cell, None, None) for cell in (*cells, X)])
    terms = [eq(cell, i) for i, cell in enumerate(cells)]
    # the last of these is the first that X violates, and every larger value is taken too
    for term in (*terms, *(ne(X, cell) for cell in reversed(cells))):
        found = chain.check(term)
        assert isinstance(found, Feasible)
        chain.push(term, found.witness)
    assert chain.stats["z3"] == chain.stats["unknown"] == 0
    assert chain.witness[X] not in range(200)


def test_what_differs_and_must_move_together() -> None:
    """Raising one value alone is not enough where another must stay above it."""
    chain = Chain(DOMAINS, layers=ALL_LAYERS - {"z3"})
    for term in (apply(Op.LE, X, Y), apply(Op.LE, Y, X), apply(Op.NE, Z, X)):
        found = chain.check(term)
        assert isinstance(found, Feasible)
        chain.push(term, found.witness)
    assert isinstance(chain.check(ne(X, Y)), Infeasible)
    equal = chain.check(apply(Op.AND, eq(X, 1), eq(Z, 0)))
    assert isinstance(equal, Feasible | Unknown)
