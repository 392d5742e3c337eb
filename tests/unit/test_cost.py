"""Formulas of the cost, where the costs have none of the plain forms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xsynth.model.cost import fit_cost
from xsynth.model.growth import growth
from xsynth.model.isg import evaluate


def _rounds(n: int) -> int:
    """A knock-out among n: two for each match, five for each round, one for a bye."""
    total = 0
    while n > 1:
        total += 2 * (n // 2) + 5 + n % 2
        n = (n + 1) // 2
    return total


@pytest.mark.parametrize(
    "cost",
    [
        pytest.param(_rounds, id="rounds of a knock-out"),
        pytest.param(lambda n: sum(_rounds(k) for k in range(2, n + 1)), id="all of them"),
        pytest.param(lambda n: sum(k.bit_length() ** 1 * k for k in range(n)), id="weighted logs"),
    ],
)
def test_sums_have_formulas(cost: Callable[[int], int]) -> None:
    formula = fit_cost({n: cost(n) for n in range(2, 20)})
    assert formula is not None
    for n in (40, 64, 65, 100):
        assert evaluate(formula, {"n": n}) == cost(n)


def test_a_few_scales_have_no_sum() -> None:
    assert fit_cost({n: sum(_rounds(k) for k in range(2, n + 1)) for n in range(2, 8)}) is None


def _halves(n: int, work: Callable[[int], int]) -> int:
    """Divide and conquer: both halves, and what putting them together costs."""
    if n == 1:
        return 3
    return _halves(n // 2, work) + _halves(n - n // 2, work) + work(n)


@pytest.mark.parametrize(
    ("work", "scales"),
    [
        pytest.param(lambda n: 5 * n + 4, range(2, 9), id="all of it"),
        pytest.param(lambda n: 4 * n + (n + 1) // 2, range(2, 10), id="the larger half more"),
        pytest.param(lambda n: 4 * n + 2 * (n // 2) + 9, range(2, 10), id="the smaller half more"),
    ],
)
def test_divide_and_conquer_has_a_formula_from_few_scales(
    work: Callable[[int], int], scales: range
) -> None:
    formula = fit_cost({n: _halves(n, work) + 7 for n in scales})
    assert formula is not None
    assert growth(formula) == "O(n log n)"
    for n in (40, 64, 65, 100, 999):
        assert evaluate(formula, {"n": n}) == _halves(n, work) + 7


def _batched(n: int, size: int, each: int) -> int:
    """Every `size` elements are compared with the batches before them."""
    return sum(each * batch + 3 for batch in range(n // size)) + 5 * n + 2


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_batches_that_look_through_those_before_have_a_formula(size: int) -> None:
    formula = fit_cost({n: _batched(n, size, 7) for n in range(2, 3 * size + 7)})
    assert formula is not None
    assert growth(formula) == "O(n^2)"
    for n in (50, 61, 97, 120):
        assert evaluate(formula, {"n": n}) == _batched(n, size, 7)


def test_batches_want_a_period_to_spare() -> None:
    assert fit_cost({n: _batched(n, 5, 7) for n in range(2, 17)}) is None
