"""Every assignment of a few cells: exact where it answers, and silent where it is too much."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xsynth.explore.feasibility.chain import ALL_LAYERS, Chain, Domain
from xsynth.explore.feasibility.outcome import Feasible, Infeasible, Unknown
from xsynth.explore.worst import explore
from xsynth.program.program import Options, load
from xsynth.trace.terms import (
    COMPLEMENT,
    Apply,
    Cell,
    Const,
    Def,
    Op,
    Place,
    Site,
    Sort,
    Term,
    const,
    evaluate,
)

CELLS = [Cell("t", (i,), Sort.INT) for i in range(3)]
RANGE = range(-2, 4)
DOMAINS = [Domain(cell, RANGE[0], RANGE[-1]) for cell in CELLS]
TABLE = frozenset({"table"})
INPUTS = [dict(zip(CELLS, (a, b, c), strict=True)) for a in RANGE for b in RANGE for c in RANGE]


NAMES = itertools.count()


def _named(value: Term) -> Term:
    return Def(Place(Site("f", 1, 0), ()), (next(NAMES),), value.sort, value)


ARITHMETIC = [Op.ADD, Op.SUB, Op.MUL, Op.FLOORDIV, Op.MOD]
NUMBERS = st.recursive(
    st.sampled_from(CELLS) | st.integers(-3, 3).map(const),
    lambda inner: st.one_of(
        st.builds(
            lambda op, a, b: Apply(op, (a, b), Sort.INT), st.sampled_from(ARITHMETIC), inner, inner
        ),
        st.builds(lambda a: Apply(Op.NEG, (a,), Sort.INT), inner),
        inner.map(_named),
    ),
    max_leaves=5,
)
COMPARISONS = st.builds(
    lambda op, a, b: Apply(op, (a, b), Sort.BOOL),
    st.sampled_from(sorted(COMPLEMENT, key=lambda op: op.value)),
    NUMBERS,
    NUMBERS,
)
TERMS = st.one_of(
    COMPARISONS,
    st.builds(
        lambda op, a, b: Apply(op, (a, b), Sort.BOOL),
        st.sampled_from([Op.AND, Op.OR]),
        COMPARISONS,
        COMPARISONS,
    ),
    COMPARISONS.map(lambda a: Apply(Op.NOT, (a,), Sort.BOOL)),
    st.builds(
        lambda c, a, b: Apply(Op.GT, (Apply(Op.ITE, (c, a, b), Sort.INT), const(0)), Sort.BOOL),
        COMPARISONS,
        NUMBERS,
        NUMBERS,
    ),
)


def _holds(term: Term, values: dict[Cell, int]) -> bool:
    try:
        return bool(evaluate(term, values))
    except ZeroDivisionError:
        return False


@pytest.mark.parametrize("layers", [TABLE, ALL_LAYERS - {"z3"}], ids=["table", "all"])
@settings(max_examples=100, deadline=None)
@given(steps=st.lists(TERMS | st.integers(0, 3), max_size=8))
def test_it_agrees_with_every_input(layers: frozenset[str], steps: list[Term | int]) -> None:
    chain = Chain(DOMAINS, layers=layers)
    asserted: list[Term] = []
    for what in steps:
        if isinstance(what, int):
            del asserted[max(0, len(asserted) - what) :]
            chain.pop(len(asserted))
            continue
        outcome = chain.check(what)
        left = [one for one in INPUTS if all(_holds(term, one) for term in [*asserted, what])]
        match outcome:
            case Feasible(witness=witness):
                assert {cell: witness[cell] for cell in CELLS} in left
                chain.push(what, witness)
                asserted.append(what)
            case Infeasible():
                assert not left
            case Unknown():
                assert not any(isinstance(part, Cell) for part in _parts(what))


def _parts(term: Term) -> list[Term]:
    match term:
        case Apply(args=args):
            return [term, *(part for argument in args for part in _parts(argument))]
        case Def(value=value):
            return _parts(value)
        case Cell() | Const():
            return [term]


def test_what_is_too_much_is_left_to_others() -> None:
    wide = [Cell("w", (i,), Sort.INT) for i in range(2)]
    chain = Chain([Domain(cell, 0, 9999) for cell in wide], layers=TABLE)
    alone = Apply(Op.EQ, (Apply(Op.MOD, (wide[0], const(7)), Sort.INT), const(3)), Sort.BOOL)
    tied = Apply(Op.EQ, (Apply(Op.MOD, wide, Sort.INT), const(3)), Sort.BOOL)
    found = chain.check(alone)
    assert isinstance(found, Feasible)
    chain.push(alone, found.witness)
    assert isinstance(chain.check(tied), Unknown)
    large = Apply(Op.GT, (Apply(Op.MUL, (wide[0], const(1 << 60)), Sort.INT), const(5)), Sort.BOOL)
    assert isinstance(chain.check(large), Unknown)  # 64 bits do not hold it


def test_remainders_by_values_need_no_solver(tmp_path: Path) -> None:
    path = tmp_path / "divisor.py"
    path.write_text(
        "def divisor(a: list[int]) -> int:\n"
        "    g = 0\n"
        "    for x in a:\n"
        "        while x:\n"
        "            g, x = x, g % x\n"
        "    return g\n"
    )
    program = load(path, "divisor", Options(ranges={"a": "1..50"}))
    case = explore(program, 2)
    assert case.exhaustive
    worst = max(program.replay({"a": [a, b]}).cost or 0 for a in range(1, 51) for b in range(1, 51))
    assert case.cost == worst
    assert case.seconds < 10.0  # the first question alone takes Z3 a minute
