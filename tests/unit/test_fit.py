"""Exact formulas with scales to spare."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from xsynth.model.bases import FittedExpr, solve
from xsynth.model.fit import (
    Fitted,
    NoFit,
    fit,
    fit_values,
    interpolate,
    learn_column,
)
from xsynth.model.infer import ConstFamily, NoGenerator, Parameter
from xsynth.model.isg import evaluate, parse_expr

Values = Callable[[int], int]


def ceil_log2(n: int) -> int:
    return (n - 1).bit_length()


FORMULAS = [
    pytest.param(lambda n: 0, range(2, 7), "0", 4, id="zero"),
    pytest.param(lambda n: -3, range(2, 4), "-3", 1, id="constant from two"),
    pytest.param(lambda n: n - 1, range(2, 5), "n - 1", 1, id="line from three"),
    pytest.param(lambda n: 5 - 2 * n, range(2, 7), "-2*n + 5", 3, id="falling"),
    pytest.param(lambda n: n * (n - 1) // 2, range(2, 6), "n**2/2 - n/2", 1, id="triangle"),
    pytest.param(lambda n: n * n, (2, 3, 5, 9), "n**2", 1, id="uneven scales"),
    pytest.param(
        lambda n: n * (n + 1) * (2 * n + 1) // 6,
        range(1, 7),
        "n**3/3 + n**2/2 + n/6",
        2,
        id="pyramid",
    ),
    pytest.param(lambda n: n // 2, range(2, 7), "floor(n/2)", 2, id="half"),
    pytest.param(lambda n: -(-n // 2), range(2, 7), "floor((n + 1)/2)", 2, id="half, up"),
    pytest.param(lambda n: 3 * n // 2 - 2, range(2, 7), "floor((3*n - 4)/2)", 2, id="max and min"),
    pytest.param(lambda n: n * n // 4, range(2, 8), "floor(n**2/4)", 2, id="quarter square"),
    pytest.param(lambda n: n % 2, range(2, 6), "n - 2*floor(n/2)", 2, id="parity"),
    pytest.param(
        lambda n: 3 * n + 5 * (n % 2), range(2, 7), "8*n - 10*floor(n/2)", 2, id="odd ones"
    ),
    pytest.param(lambda n: n // 3, range(2, 8), "floor(n/3)", 3, id="third"),
    pytest.param(lambda n: (3 * n + 1) // 4, range(2, 9), "floor((3*n + 1)/4)", 4, id="quarters"),
    pytest.param(lambda n: 4 - n // 3, range(2, 8), "floor((-n + 14)/3)", 3, id="falling thirds"),
]

EXOTIC = [
    pytest.param(lambda n: 2 ** (n - 1), range(1, 7), "2**n/2", id="doubling"),
    pytest.param(lambda n: 2**n - n, range(1, 7), "2**n - n", id="doubling less n"),
    pytest.param(lambda n: n.bit_length() - 1, range(2, 9), "floor(log(n, 2))", id="log"),
    pytest.param(lambda n: n.bit_length() - 1, range(2, 10), "floor(log(n, 2))", id="log to 9"),
    pytest.param(
        lambda n: 3 * ceil_log2(n) + 1, range(2, 8), "3*floor(log(n - 1, 2)) + 4", id="log, up"
    ),
    pytest.param(
        lambda n: 3 * math.factorial(n) - 1, range(2, 7), "3*factorial(n) - 1", id="factorial"
    ),
    pytest.param(
        lambda n: sum(ceil_log2(k) for k in range(1, n + 1)),
        range(2, 9),
        "n*floor(log(n, 2)) - 2*2**floor(log(n, 2)) + n + 1",
        id="merge sort",
    ),
    pytest.param(
        lambda n: 2 * n - n.bit_count(),
        range(2, 14),
        "Sum(floor(n/2**k), (k, 1, floor(log(n, 2)))) + n",
        id="carries",
    ),
    pytest.param(
        lambda n: sum(math.factorial(n - 1) // math.factorial(k) for k in range(n)) + 3,
        range(2, 7),
        "Sum(factorial(n - 1)/factorial(k), (k, 0, n - 1)) + 3",
        id="arrangements",
    ),
    pytest.param(
        lambda n: 3 * math.isqrt(n) + n // math.isqrt(n) - 1,
        range(2, 20),
        "floor(n/floor(sqrt(n))) + 3*floor(sqrt(n)) - 1",
        id="blocks",
    ),
]


def test_what_repeats_with_a_period_has_a_formula() -> None:
    for period in (3, 4, 6):
        wanted = {n: n * n + (0, 5, 3, 4, 9, 1)[n % period] for n in range(2, 25)}
        fitted = fit_values({n: wanted[n] for n in range(2, 4 + 2 * period + 3)})
        assert isinstance(fitted, FittedExpr)
        assert all(evaluate(fitted.expr, {"n": n}) == value for n, value in wanted.items())


@pytest.mark.parametrize(("values", "scales", "text", "spare"), FORMULAS)
def test_formulas(values: Values, scales: range, text: str, spare: int) -> None:
    fitted = fit_values({n: values(n) for n in scales})
    assert isinstance(fitted, FittedExpr)
    assert (str(fitted.expr), fitted.spare) == (text, spare)
    for n in range(1, 40):
        assert evaluate(fitted.expr, {"n": n}) == values(n)


@pytest.mark.parametrize(("values", "scales", "text"), EXOTIC)
def test_exotic_formulas_on_request(values: Values, scales: range, text: str) -> None:
    known: dict[int, int | None] = {n: values(n) for n in scales}
    assert isinstance(fit_values(known), NoFit)
    fitted = fit_values(known, exotic=True)
    assert isinstance(fitted, FittedExpr)
    assert str(fitted.expr) == text
    for n in range(2, 40):
        assert evaluate(fitted.expr, {"n": n}) == values(n)


def test_a_half_and_a_logarithm_that_agree_so_far_give_no_formula() -> None:
    """From 2 to 6 nobody can tell the two; more scales will."""
    both: dict[int, int | None] = {n: ceil_log2(n) for n in range(2, 7)}
    assert isinstance(fit_values(both, exotic=True), NoFit)
    more: dict[int, int | None] = {n: ceil_log2(n) for n in range(2, 12)}
    fitted = fit_values(more, exotic=True)
    assert isinstance(fitted, FittedExpr)
    assert evaluate(fitted.expr, {"n": 1000}) == 10


@pytest.mark.parametrize(
    "height",
    [
        pytest.param(lambda n: 5 * (n + 1).bit_length() + 2, id="a heap of n + 1"),
        pytest.param(
            lambda n: (n + 2).bit_length() + ((n + 2) // 3).bit_length(), id="a red-black tree"
        ),
    ],
)
def test_logarithms_of_a_shifted_scale(height: Callable[[int], int]) -> None:
    fitted = fit_values({n: height(n) for n in range(1, 16)}, exotic=True)
    assert isinstance(fitted, FittedExpr)
    for n in (31, 62, 63, 94, 1000):
        assert evaluate(fitted.expr, {"n": n}) == height(n)
    assert isinstance(fit_values({n: height(n) for n in range(1, 5)}, exotic=True), NoFit)


@pytest.mark.parametrize(
    "values",
    [
        {n: 2 ** (n - 1) for n in range(1, 7)},
        {2: 1, 3: 4},
        {2: 7},
        {2: 0, 3: 1, 4: 1, 5: 2, 6: 3, 7: 5},
        {2: 0, 3: 0, 4: 1, 5: 1},
        {2: 1, 3: 1, 4: 2, 5: 2, 6: 2},
        {1: 2, 2: 3, 3: 5, 4: 7, 5: 11, 6: 13, 7: 17},
    ],
    ids=["2**n", "two points", "one point", "fibonacci", "short half", "log or third", "primes"],
)
def test_no_formula_without_scales_to_spare(values: dict[int, int | None]) -> None:
    answer = fit_values(values)
    assert isinstance(answer, NoFit)
    assert "1 scale to spare" in answer.reason


def test_spare_counts() -> None:
    line: dict[int, int | None] = {n: 2 * n for n in range(2, 6)}
    assert fit_values(line, spare=2) == FittedExpr(parse_expr("2*n"), 2)
    assert isinstance(fit_values(line, spare=3), NoFit)


def test_hypotheses_without_spare_are_lines_at_most() -> None:
    assert fit_values({3: 5}, spare=0) == FittedExpr(parse_expr("5"), 0)
    assert fit_values({3: 2, 4: 1}, spare=0) == FittedExpr(parse_expr("-n + 5"), 0)
    squares: dict[int, int | None] = {3: 9, 4: 16, 5: 25}
    assert isinstance(fit_values(squares, spare=0), NoFit)
    assert fit_values(squares, spare=0, max_degree=2) == FittedExpr(parse_expr("n**2"), 0)


def test_max_degree_bounds_the_polynomial() -> None:
    cubes: dict[int, int | None] = {n: n**3 for n in range(2, 9)}
    assert isinstance(fit_values(cubes), FittedExpr)
    assert isinstance(fit_values(cubes, max_degree=2), NoFit)


def test_unknown_values_are_filled() -> None:
    assert fit_values({2: None, 3: 0, 4: 1, 5: 2}) == FittedExpr(parse_expr("n - 3"), 1)
    assert fit_values({2: None, 3: None}) == FittedExpr(parse_expr("0"), 1)


def test_the_weakest_parameter_counts() -> None:
    family = ConstFamily(
        Parameter(dict.fromkeys(range(2, 7), 4)), Parameter({n: n * n for n in range(2, 7)})
    )
    fitted = fit(family)
    assert isinstance(fitted, Fitted)
    assert (str(fitted.isg), fitted.spare) == ("const(4, n**2)", 2)


def test_learning_says_what_was_missing() -> None:
    ups = {n: tuple(range(2**n)) for n in range(1, 6)}
    assert isinstance(learn_column(ups), NoFit)
    learned = learn_column(ups, exotic=True)
    assert isinstance(learned, Fitted)
    assert str(learned.isg) == "incre(0, 2**n - 1, 1)"
    assert isinstance(learn_column({3: (1, 2, 4)}), NoGenerator)


def test_what_was_learned_must_give_back_every_sequence() -> None:
    """The holes at scale 2 hide that the formula for the stops asks for elements there."""
    trees = {2: (), 3: (0, 1, 2), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, 4)}
    answer = learn_column(trees)
    assert isinstance(answer, NoFit)
    assert "incre(0, n - 1, 1) is wrong at scale 2" in answer.reason


def test_interpolate_finds_the_lowest_degree() -> None:
    assert interpolate([(1, 5), (2, 5), (7, 5)]) == [5]
    assert interpolate([(2, 4), (4, 16), (5, 25), (9, 81)]) == [0, 0, 1]


def test_solve_wants_one_solution() -> None:
    one, two = Fraction(1), Fraction(2)
    assert solve([[one, one], [one, two], [two, one]], [two, two, two * 2]) == [2, 0]
    assert solve([[one, one], [two, two]], [one, two]) is None
    assert solve([[one], [one]], [one, two]) is None


def test_a_bound_serves_where_the_last_element_has_no_formula() -> None:
    for step, text in ((5, "incre(0, n - 1, 5)"), (-7, "incre(2*n, 3, -7)")):
        first = 0 if step > 0 else 2
        ends = {n: n if step > 0 else 2 for n in range(3, 20)}
        trees = {n: tuple(range(first * n, ends[n], step)) for n in range(3, 20)}
        learned = learn_column(trees)
        assert isinstance(learned, Fitted)
        assert str(learned.isg) == text
