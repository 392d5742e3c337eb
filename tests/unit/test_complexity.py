"""Fits: the class that made the costs is found, and alternatives are told."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from xsynth.complexity import Fit, fitted, sizes_between
from xsynth.report.complexity import _fit


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        pytest.param("1", lambda n: 7, id="constant"),
        pytest.param("log n", lambda n: round(1000 * math.log(n)) + 3, id="log"),
        pytest.param("n", lambda n: 5 * n + 2, id="linear"),
        pytest.param("n log n", lambda n: round(9 * n * math.log(n)) + n, id="n log n"),
        pytest.param("n^2", lambda n: 3 * n * n - n + 1, id="square"),
        pytest.param("n^3", lambda n: n**3 + 4 * n, id="cube"),
        pytest.param("2^n", lambda n: 3 * 2**n - 1, id="exponential"),
        pytest.param("n!", lambda n: math.factorial(n) + n, id="factorial"),
    ],
)
def test_the_class_is_found(name: str, cost: Callable[[int], int]) -> None:
    sizes = range(2, 16) if name in ("2^n", "n!") else (2, 3, 4, 5, 10, 20, 40, 80, 160)
    best = fitted({n: cost(n) for n in sizes})[0]
    assert best.name == name
    assert best.r2 > 0.9999
    assert best.at(10) == pytest.approx(cost(10), rel=0.2, abs=20)


def test_large_sizes_leave_out_what_overflows() -> None:
    names = {fit.name for fit in fitted({n: n * n for n in (10, 100, 1000, 5000)})}
    assert "n!" not in names and "2^n" not in names


def test_three_sizes_are_too_few() -> None:
    assert fitted({2: 1, 3: 2, 4: 3}) == []


def test_sizes_rise_to_the_largest() -> None:
    sizes = sizes_between(6, 100)
    assert sizes[-1] == 100 and sizes == sorted(set(sizes)) and sizes[0] > 6
    assert sizes_between(6, 6) == []


def test_the_fitted_logarithm_is_the_natural_one() -> None:
    assert _fit(Fit("n log n", 7.765, -36.62, 0.9996)) == (
        "O(n log n), 7.765 * n ln n - 36.62, r^2 = 0.999600"
    )
    assert "6 * 2^n + 1," in _fit(Fit("2^n", 6.0, 1.0, 1.0))
