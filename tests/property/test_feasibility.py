"""The feasibility chain against solvers that share none of its code.

Sessions of checks, pushes and pops are compared, after every check, with a Z3
that starts from scratch (and has its own translation), and on small domains
with the enumeration of every input.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from xsynth.explore.feasibility import (
    ALL_LAYERS,
    Chain,
    Domain,
    Feasible,
    Infeasible,
    Unknown,
)
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
    Value,
    const,
    evaluate,
    negate,
)

INTS = [Cell("a", (i,), Sort.INT) for i in range(4)]
CHARS = [Cell("s", (i,), Sort.INT) for i in range(3)]
REALS = [Cell("r", (i,), Sort.REAL) for i in range(4)]
BOOLS = [Cell("b", (i,), Sort.BOOL) for i in range(3)]
DOMAINS = [
    *(Domain(cell, None, None) for cell in (*INTS[:3], *REALS[:3], *BOOLS)),
    Domain(INTS[3], -2, None),
    *(Domain(cell, 97, 100) for cell in CHARS),
    Domain(REALS[3], Fraction(-1, 2), 1),
]
COMPARISONS = sorted(COMPLEMENT, key=lambda op: op.value)

LAYERS = [
    pytest.param(ALL_LAYERS, id="all"),
    pytest.param(frozenset({"difference", "z3"}), id="difference-z3"),
    pytest.param(frozenset({"constant", "witness", "z3"}), id="witness-z3"),
    pytest.param(frozenset({"z3"}), id="z3"),
    pytest.param(frozenset({"difference"}), id="difference"),
    pytest.param(frozenset({"witness", "difference", "nudge"}), id="without z3"),
    pytest.param(frozenset({"witness", "sums", "z3"}), id="sums-z3"),
]

quiet = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def number(op: Op, *args: Term) -> Apply:
    real = op is Op.DIV or any(argument.sort is Sort.REAL for argument in args)
    return Apply(op, args, Sort.REAL if real else Sort.INT)


def small(sort: Sort) -> st.SearchStrategy[Const]:
    if sort is Sort.REAL:
        return st.fractions(-2, 2, max_denominator=3).map(const)
    return st.integers(-3, 3).map(const)


def differences(sort: Sort, cells: list[Cell]) -> st.SearchStrategy[Term]:
    """x op y, x op y + c, x op c, k*x op k*y + c."""
    cell, constant = st.sampled_from(cells), small(sort)
    shifted = st.builds(lambda x, c: number(Op.ADD, x, c), cell, constant)
    sides = st.one_of(cell, shifted, constant)

    def compare(op: Op, left: Term, right: Term, factor: Const | None) -> Term:
        if factor is not None:
            left, right = number(Op.MUL, factor, left), number(Op.MUL, right, factor)
        return Apply(op, (left, right), Sort.BOOL)

    factors = st.one_of(st.none(), small(sort))
    return st.builds(compare, st.sampled_from(COMPARISONS), cell, sides, factors)


def harder() -> st.SearchStrategy[Term]:
    """Three cells, division and remainder by constants, integers with reals, choices."""
    ints = st.sampled_from([*INTS, *CHARS])
    divisor = st.sampled_from([-3, -2, 2, 3]).map(const)
    mixed = st.sampled_from([*INTS, *REALS])
    sides = st.one_of(
        st.builds(lambda x, y: number(Op.ADD, x, y), ints, ints),
        st.builds(lambda x, y, z: number(Op.SUB, number(Op.ADD, x, y), z), ints, ints, ints),
        st.builds(lambda x, d: number(Op.FLOORDIV, x, d), ints, divisor),
        st.builds(lambda x, d: number(Op.MOD, x, d), ints, divisor),
        st.builds(lambda x, d: number(Op.DIV, x, d), mixed, divisor),
        st.builds(lambda b, x: number(Op.ADD, x, b), st.sampled_from(BOOLS), ints),
        mixed,
    )

    def choose(test: Term, left: Term, right: Term) -> Term:
        return number(Op.ITE, test, left, right)

    sides = st.one_of(sides, st.builds(choose, differences(Sort.INT, INTS), sides, sides))
    return st.builds(
        lambda op, left, right: Apply(op, (left, right), Sort.BOOL),
        st.sampled_from(COMPARISONS),
        sides,
        st.one_of(sides, small(Sort.INT)),
    )


def conditions(atoms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    """Atoms, denied, joined, defined."""
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            inner.map(negate),
            inner.map(lambda term: Apply(Op.NOT, (term,), Sort.BOOL)),
            st.lists(inner, min_size=1, max_size=3).map(
                lambda terms: Apply(Op.AND, tuple(terms), Sort.BOOL)
            ),
            st.lists(inner, min_size=1, max_size=3).map(
                lambda terms: Apply(Op.OR, tuple(terms), Sort.BOOL)
            ),
            inner.map(defined),
        ),
        max_leaves=3,
    )


HERE = Place(Site("f", 1, 0), ())


def defined(term: Term) -> Term:
    """The term under a name, and its left side too."""
    match term:
        case Apply(op=op, args=(left, right)) if op in COMPLEMENT:
            term = Apply(op, (Def(HERE, (), left.sort, left), right), Sort.BOOL)
    return Def(HERE, (), term.sort, term)


def named(term: Term) -> Term:
    """Names that differ within the term, but not from term to term, as on different paths."""
    names = itertools.count()

    def rename(part: Term) -> Term:
        match part:
            case Def(sort=sort, value=value):
                return Def(HERE, (next(names),), sort, rename(value))
            case Apply(op=op, args=args, sort=sort):
                return Apply(op, tuple(map(rename, args)), sort)
        return part

    return rename(term)


BOOLEAN = st.one_of(
    st.sampled_from(BOOLS),
    st.builds(
        lambda op, b, c: Apply(op, (b, c), Sort.BOOL),
        st.sampled_from([Op.EQ, Op.NE]),
        st.sampled_from(BOOLS),
        st.one_of(st.sampled_from(BOOLS), st.booleans().map(const), differences(Sort.INT, INTS)),
    ),
    st.booleans().map(const),
)
ORDERS = st.one_of(
    differences(Sort.INT, INTS), differences(Sort.INT, CHARS), differences(Sort.REAL, REALS)
)
EASY = st.one_of(ORDERS, ORDERS, ORDERS, BOOLEAN)
TERMS = conditions(st.one_of(EASY, EASY, harder())).map(named)


# --- the reference -----------------------------------------------------------


def variable(cell: Cell) -> Any:
    make = {Sort.INT: z3.Int, Sort.REAL: z3.Real, Sort.BOOL: z3.Bool}[cell.sort]
    return make(f"{cell.name}_{cell.index[0]}")


def as_number(expression: Any) -> Any:
    return z3.If(expression, 1, 0) if z3.is_bool(expression) else expression


def quotient(left: Any, divisor: int) -> Any:
    return left / divisor if divisor > 0 else (-left) / -divisor


def reference(term: Term) -> Any:
    match term:
        case Cell():
            return variable(term)
        case Const(value=bool() as value):
            return z3.BoolVal(value)
        case Const(value=Fraction() as value):
            return z3.RealVal(str(value))
        case Const(value=value):
            return z3.IntVal(value)
        case Def(value=value):
            return reference(value)
        case Apply(op=Op.AND, args=args):
            return z3.And(*map(reference, args))
        case Apply(op=Op.OR, args=args):
            return z3.Or(*map(reference, args))
        case Apply(op=Op.NOT, args=(inner,)):
            return z3.Not(reference(inner))
        case Apply(op=Op.ITE, args=(test, left, right)):
            return z3.If(reference(test), as_number(reference(left)), as_number(reference(right)))
        case Apply(op=Op.FLOORDIV, args=(left, Const(value=int() as divisor))):
            return quotient(reference(left), divisor)
        case Apply(op=Op.MOD, args=(left, Const(value=int() as divisor))):
            return reference(left) - divisor * quotient(reference(left), divisor)
        case Apply(op=Op.DIV, args=(left, Const(value=divisor))):
            return reference(left) * z3.RealVal(str(1 / Fraction(divisor)))
        case Apply(op=op, args=(first, second)):
            left, right = reference(first), reference(second)
            if not (op in (Op.EQ, Op.NE) and z3.is_bool(left) and z3.is_bool(right)):
                left, right = as_number(left), as_number(right)
            return {
                Op.ADD: lambda: left + right,
                Op.SUB: lambda: left - right,
                Op.MUL: lambda: left * right,
                Op.LT: lambda: left < right,
                Op.LE: lambda: left <= right,
                Op.GT: lambda: left > right,
                Op.GE: lambda: left >= right,
                Op.EQ: lambda: left == right,
                Op.NE: lambda: left != right,
            }[op]()
    raise AssertionError(term)


def from_scratch(terms: Sequence[Term]) -> bool:
    solver = z3.Solver()
    for domain in DOMAINS:
        if domain.lo is not None:
            solver.add(variable(domain.cell) >= z3.RealVal(str(domain.lo)))
        if domain.hi is not None:
            solver.add(variable(domain.cell) <= z3.RealVal(str(domain.hi)))
    for term in terms:
        solver.add(reference(term))
    verdict = solver.check()
    assert verdict != z3.unknown
    return bool(verdict == z3.sat)


def assert_proves(witness: Mapping[Cell, Value], terms: Sequence[Term]) -> None:
    for term in terms:
        assert evaluate(term, witness)
    for domain in DOMAINS:
        value = witness[domain.cell]
        assert domain.lo is None or domain.lo <= value
        assert domain.hi is None or value <= domain.hi


# --- the properties ----------------------------------------------------------

STEPS = st.one_of(
    *[TERMS.map(lambda term: ("push", term))] * 4,
    TERMS.map(lambda term: ("check", term)),
    st.integers(0, 6).map(lambda count: ("pop", count)),
)


@pytest.mark.parametrize("layers", LAYERS)
@quiet
@given(steps=st.lists(STEPS, max_size=14))
def test_a_session_agrees_with_z3_from_scratch(
    layers: frozenset[str], steps: list[tuple[str, Any]]
) -> None:
    chain = Chain(DOMAINS, layers=layers)
    asserted: list[Term] = []
    witnesses = [dict(chain.witness)]
    for action, what in steps:
        if action == "pop":
            level = max(0, len(asserted) - what)
            chain.pop(level)
            del asserted[level:], witnesses[level + 1 :]
            assert chain.level == level
            assert dict(chain.witness) == witnesses[-1]
            continue
        outcome = chain.check(what)
        expected = from_scratch([*asserted, what])
        match outcome:
            case Feasible(witness=witness):
                assert expected
                assert_proves(witness, [*asserted, what])
                if action == "push":
                    chain.push(what, witness)
                    asserted.append(what)
                    witnesses.append(dict(witness))
                    assert_proves(chain.witness, asserted)
                    assert chain.evaluate(what)
            case Infeasible():
                assert not expected
            case Unknown():
                assert "z3" not in layers


@pytest.mark.parametrize("sort", [Sort.INT, Sort.REAL], ids=["int", "real"])
@settings(quiet, max_examples=150)
@given(data=st.data())
def test_differences_never_need_z3(sort: Sort, data: st.DataObject) -> None:
    """Conjunctions of differences are the language of the graph: it must answer."""
    atoms = differences(sort, INTS if sort is Sort.INT else REALS)
    chain = Chain(DOMAINS, layers=frozenset({"difference"}))
    asserted: list[Term] = []
    for term in data.draw(st.lists(atoms, max_size=12)):
        outcome = chain.check(term)
        assert isinstance(outcome, Feasible) is from_scratch([*asserted, term])
        assert not isinstance(outcome, Unknown)
        if isinstance(outcome, Feasible):
            assert_proves(outcome.witness, [*asserted, term])
            chain.push(term, outcome.witness)
            asserted.append(term)


def sums(cells: list[Cell]) -> st.SearchStrategy[Term]:
    """c1*x1 + ... + ck*xk op c."""
    products = st.builds(
        lambda factor, cell: number(Op.MUL, factor, cell), small(Sort.INT), st.sampled_from(cells)
    )

    def compare(op: Op, parts: list[Term], least: Const) -> Term:
        total = parts[0]
        for part in parts[1:]:
            total = number(Op.ADD, total, part)
        return Apply(op, (total, least), Sort.BOOL)

    operators = st.sampled_from([Op.LT, Op.LE, Op.GT, Op.GE, Op.LT, Op.GE, Op.EQ, Op.NE])
    return st.builds(
        compare, operators, st.lists(products, min_size=2, max_size=4), small(Sort.INT)
    )


@settings(quiet, max_examples=150)
@given(
    steps=st.lists(
        st.one_of(sums([*INTS, *CHARS]), sums(INTS), differences(Sort.INT, INTS), st.integers(0, 4))
    )
)
def test_sums_agree_with_z3_from_scratch(steps: list[Term | int]) -> None:
    """Also what is refuted by a combination that another path has left behind."""
    chain = Chain(DOMAINS, layers=ALL_LAYERS - {"z3", "nudge"})
    asserted: list[Term] = []
    for what in steps:
        if isinstance(what, int):
            del asserted[max(0, len(asserted) - what) :]
            chain.pop(len(asserted))
            continue
        for question in (negate(what), what):
            outcome = chain.check(question)
            if not isinstance(outcome, Unknown):
                assert isinstance(outcome, Feasible) is from_scratch([*asserted, question])
            if isinstance(outcome, Feasible):
                assert_proves(outcome.witness, [*asserted, question])
                witness = outcome.witness
        if isinstance(outcome, Feasible):
            chain.push(what, witness)
            asserted.append(what)


TINY = [Cell("t", (i,), Sort.INT) for i in range(2)]
TINY_RANGE = range(-3, 4)
INPUTS: list[dict[Cell, Value]] = [
    {TINY[0]: x, TINY[1]: y, BOOLS[0]: b}
    for x, y, b in itertools.product(TINY_RANGE, TINY_RANGE, (False, True))
]


def expressions() -> st.SearchStrategy[Term]:
    leaves = st.one_of(st.sampled_from([*TINY, BOOLS[0]]), small(Sort.INT), small(Sort.REAL))
    operations = st.sampled_from(
        [Op.ADD, Op.SUB, Op.MUL, Op.FLOORDIV, Op.MOD, Op.DIV, Op.NEG, Op.ITE]
    )

    def join(op: Op, args: list[Term]) -> Term:
        return number(op, *args[: {Op.NEG: 1, Op.ITE: 3}.get(op, 2)])

    return st.recursive(
        leaves,
        lambda inner: st.builds(join, operations, st.lists(inner, min_size=3, max_size=3)),
        max_leaves=6,
    )


def holds(term: Term, values: Mapping[Cell, Value]) -> bool:
    try:
        return bool(evaluate(term, values))
    except ZeroDivisionError:
        return False


@pytest.mark.parametrize("layers", [ALL_LAYERS, frozenset({"z3"})], ids=["all", "z3"])
@settings(quiet, max_examples=80)
@given(
    comparisons=st.lists(
        st.tuples(st.sampled_from(COMPARISONS), expressions(), expressions()),
        min_size=1,
        max_size=3,
    )
)
def test_python_semantics_by_enumeration(
    layers: frozenset[str], comparisons: list[tuple[Op, Term, Term]]
) -> None:
    chain = Chain(
        [*(Domain(cell, -3, 3) for cell in TINY), Domain(BOOLS[0], None, None)],
        layers=layers,
        z3_timeout_ms=2_000,
    )
    left = INPUTS
    for op, first, second in comparisons:
        term = Apply(op, (first, second), Sort.BOOL)
        fitting = [values for values in left if holds(term, values)]
        outcome = chain.check(term)
        assume(not isinstance(outcome, Unknown))  # products of products, a few in a thousand
        assert isinstance(outcome, Feasible) is bool(fitting)
        if isinstance(outcome, Feasible):
            assert {cell: outcome.witness[cell] for cell in INPUTS[0]} in fitting
            chain.push(term, outcome.witness)
            left = fitting
