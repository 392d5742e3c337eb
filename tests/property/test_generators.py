"""Generators made by machine: text, expansion and learning."""

from __future__ import annotations

from fractions import Fraction

import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy.core.facts import InconsistentAssumptions

from xsynth.model.algebra import polynomial
from xsynth.model.expand import expand, length
from xsynth.model.fit import Fitted, FittedExpr, fit_values, learn_column
from xsynth.model.infer import NoGenerator, infer_one
from xsynth.model.isg import (
    Add,
    Const,
    Div,
    Expr,
    Factorial,
    Floor,
    Incre,
    Isg,
    Log2,
    Mul,
    N,
    Name,
    Neg,
    Num,
    Pow,
    Recur,
    Sqrt,
    Sub,
    Sum,
    evaluate,
    evaluate_int,
    parse,
)
from xsynth.model.sequence import (
    Tree,
    leaves,
    read_sequence,
    read_tokens,
    tokens_of_tree,
    write_sequence,
)


def expand_slowly(isg: Isg, n: int) -> list[int]:
    """Algorithms 1 and 2 as the paper prints them."""
    out = []
    match isg:
        case Incre(start=start, stop=stop, step=step):
            firsts, lasts = expand_slowly(start, n), expand_slowly(stop, n)
            steps = expand_slowly(step, n)
            if len(steps) == 1:
                steps *= len(firsts)
            for first, last, d in zip(firsts, lasts, steps, strict=True):
                j = first
                while j <= last if d > 0 else j >= last:
                    out.append(j)
                    j += d
        case Const(value=value, count=count):
            for v, times in zip(expand_slowly(value, n), expand_slowly(count, n), strict=True):
                for _ in range(times):
                    out.append(v)
        case Recur(start=start, stop=stop, times=p, offset=q, parts=r):
            times, by, parts = (evaluate_int(e, {"n": n}) for e in (p, q, r))
            firsts, bounds = expand_slowly(start, n), expand_slowly(stop, n)
            for begin, bound in zip(
                firsts, bounds * len(firsts) if len(bounds) == 1 else bounds, strict=True
            ):
                value, way = begin, (times * begin + by) // parts - begin
                while (bound - value) * way >= 0:
                    out.append(value)
                    after = (times * value + by) // parts
                    if (after - value) * way <= 0:
                        break
                    value = after
        case _:
            out.append(evaluate_int(isg, {"n": n}))
    return out


atoms = st.one_of(
    st.integers(-9, 9).map(Num), st.just(N), st.sampled_from(["rows", "m2", "_x"]).map(Name)
)
exprs: st.SearchStrategy[Expr] = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds(Neg, inner),
        st.builds(Add, inner, inner),
        st.builds(Sub, inner, inner),
        st.builds(Mul, inner, inner),
        st.builds(Div, inner, inner),
        st.builds(Pow, inner, inner),
        st.builds(Floor, inner),
        st.builds(Log2, inner),
        st.builds(Factorial, inner),
        st.builds(Sqrt, inner),
        st.builds(Sum, inner, st.just(Name("k")), inner, inner),
    ),
    max_leaves=12,
)
isgs: st.SearchStrategy[Isg] = st.recursive(
    exprs,
    lambda inner: st.one_of(
        st.builds(Incre, inner, inner, inner),
        st.builds(Const, inner, inner),
        st.builds(Recur, inner, inner, exprs, exprs, exprs),
    ),
    max_leaves=6,
)


@given(isgs)
def test_text_round_trip(isg: Isg) -> None:
    assert parse(str(isg)) == isg


smooth = st.recursive(
    st.one_of(st.integers(-9, 9).map(Num), st.just(N)),
    lambda inner: st.one_of(
        st.builds(Neg, inner),
        st.builds(Add, inner, inner),
        st.builds(Sub, inner, inner),
        st.builds(Mul, inner, inner),
        st.builds(Div, inner, inner),
        st.builds(Pow, inner, st.integers(-2, 3).map(Num)),
        st.builds(Floor, inner),
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(smooth, st.integers(1, 9))
def test_sympy_reads_the_same_function(expr: Expr, n: int) -> None:
    try:
        value = evaluate(expr, {"n": n})
    except ValueError:
        assume(False)
    # Evaluated only after n is known: sympy would simplify n/n away where n could be 0.
    try:
        found = sympy.sympify(str(expr), evaluate=False).subs("n", n).doit()
    except InconsistentAssumptions:  # sympy contradicts itself on some powers of floors
        assume(False)
    assert found == sympy.Rational(value.numerator, value.denominator)


numbers = st.integers(-6, 6)


@st.composite
def generators(draw: st.DrawFn, count: int) -> Isg:
    """A generator of a sequence of a given length."""
    if count == 1 and draw(st.booleans()):
        return Num(draw(numbers))
    if draw(st.booleans()):
        return Const(Num(draw(numbers)), Num(count))
    start, step = draw(numbers), draw(numbers.filter(bool))
    slack = draw(st.integers(0, abs(step) - 1)) * (1 if step > 0 else -1)
    return Incre(Num(start), Num(start + (count - 1) * step + slack), Num(step))


@st.composite
def nested(draw: st.DrawFn) -> Isg:
    runs = draw(st.integers(0, 6))
    one = draw(generators(runs))
    two = draw(generators(runs))
    if draw(st.booleans()):
        return Const(one, two)
    if draw(st.booleans()):
        times, parts = draw(st.sampled_from([(1, 2), (2, 1), (3, 2), (1, 10)]))
        bound = draw(st.one_of(st.just(two), numbers.map(Num)))
        return Recur(one, bound, Num(times), Num(draw(numbers)), Num(parts))
    step = draw(numbers.filter(bool))
    if draw(st.booleans()):
        return Incre(one, two, Const(Num(step), Num(runs)))
    return Incre(one, two, Num(step))


@given(nested())
def test_expand_is_the_paper_algorithm(isg: Isg) -> None:
    slow = expand_slowly(isg, 0)
    if isinstance(isg, Const) and min(expand_slowly(isg.count, 0), default=0) < 0:
        try:
            expand(isg, 0)
        except ValueError:
            return
        raise AssertionError("a negative count passed")
    assert expand(isg, 0).tolist() == slow
    assert length(isg, 0) == len(slow)


def trees_of_depth(depth: int) -> st.SearchStrategy[Tree]:
    tree: st.SearchStrategy[Tree] = numbers
    for _ in range(depth):
        tree = st.lists(tree, max_size=4).map(tuple)
    return tree


@given(st.integers(0, 4).flatmap(trees_of_depth))
def test_sequences_round_trip(tree: Tree) -> None:
    assert read_sequence(write_sequence(tree)) == tree
    assert read_tokens(tokens_of_tree(tree)) == tree


@given(st.integers(0, 3).flatmap(trees_of_depth))
def test_what_is_inferred_from_one_scale_gives_it_back(tree: Tree) -> None:
    """Holes are filled by what goes on around them, so a rare empty run may not come back."""
    isg = infer_one(tree)
    if isinstance(isg, NoGenerator) or "()" in write_sequence(tree):
        return
    assert expand(isg, 0).tolist() == leaves(tree)


Affine = tuple[int, ...]
"""Constant, coefficient of n, coefficients of the counters."""


def value(affine: Affine, n: int, counters: tuple[int, ...]) -> int:
    return affine[0] + sum(a * x for a, x in zip(affine[1:], (n, *counters), strict=False))


@st.composite
def nests(draw: st.DrawFn) -> tuple[list[Affine], Affine]:
    """Trips and leaf of a loop nest; the trips are never negative within 2 <= n <= 20."""
    loops = draw(st.integers(0, 3))
    small = st.integers(-2, 2)
    trips: list[Affine] = []
    for level in range(loops):
        if level == 0:
            trips.append((draw(st.integers(-2, 3)), draw(st.sampled_from([1, 1, 1, 2]))))
        else:
            shape = draw(st.sampled_from(["fixed", "scale", "rising", "falling"]))
            extra = draw(st.integers(0, 2))
            others = (0,) * (level - 1)
            match shape:
                case "fixed":
                    trips.append((extra, 0))
                case "scale":
                    trips.append((extra - 1, 1))
                case "rising":
                    trips.append((extra, 0, *others, 1))
                case "falling":  # at most the trips of the loop around it
                    around = trips[-1]
                    padded = (*around, *(0,) * (level + 1 - len(around)))
                    trips.append((padded[0] - 1 + extra, *padded[1:], -1))
    leaf = tuple(draw(st.lists(small, min_size=2 + loops, max_size=2 + loops)))
    return trips, leaf


def run(trips: list[Affine], leaf: Affine, n: int, counters: tuple[int, ...] = ()) -> Tree:
    if len(counters) == len(trips):
        return value(leaf, n, counters)
    turns = value(trips[len(counters)], n, counters)
    assert turns >= 0
    return tuple(run(trips, leaf, n, (*counters, i)) for i in range(turns))


@settings(max_examples=300, deadline=None)
@given(nests())
def test_affine_nests_are_learned_from_small_scales(nest: tuple[list[Affine], Affine]) -> None:
    trips, leaf = nest
    learned = learn_column({n: run(trips, leaf, n) for n in range(2, 8)})
    assert isinstance(learned, Fitted), learned
    assert learned.spare >= 1
    assert parse(str(learned.isg)) == learned.isg
    for n in (8, 9, 12, 20):
        assert expand(learned.isg, n).tolist() == leaves(run(trips, leaf, n))


rationals = st.fractions(min_value=-9, max_value=9, max_denominator=6)


@given(st.lists(rationals, min_size=1, max_size=4))
def test_polynomials_are_found_exactly(coefficients: list[Fraction]) -> None:
    whole = [c * 60 for c in coefficients]
    expr = polynomial(whole)
    fitted = fit_values({n: evaluate_int(expr, {"n": n}) for n in range(1, 7)})
    assert isinstance(fitted, FittedExpr)
    assert fitted.expr == expr


@given(st.integers(-7, 7), st.integers(-9, 9), st.integers(2, 4))
def test_floors_are_found_exactly(p: int, q: int, r: int) -> None:
    fitted = fit_values({n: (p * n + q) // r for n in range(2, 14)})
    assert isinstance(fitted, FittedExpr)
    for n in range(1, 60):
        assert evaluate(fitted.expr, {"n": n}) == (p * n + q) // r


@given(st.dictionaries(st.integers(1, 12), st.integers(-50, 50), max_size=7), st.booleans())
def test_a_formula_gives_every_value(values: dict[int, int], exotic: bool) -> None:
    fitted = fit_values(values, exotic=exotic)
    if isinstance(fitted, FittedExpr):
        assert all(evaluate(fitted.expr, {"n": n}) == v for n, v in values.items())
        assert parse(str(fitted.expr)) == fitted.expr
