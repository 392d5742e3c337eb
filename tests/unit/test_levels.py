"""Sums over the levels of amortised structures: their values, their formulas, and no others."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count

import pytest

from xsynth.model.growth import growth
from xsynth.model.isg import evaluate, parse_expr
from xsynth.model.levels import fit_levels
from xsynth.model.structures import Part, Structure, functions, structures, values

SOME = [
    Structure(2, 1, 0, 0),
    Structure(2, 1, 1, 1),
    Structure(2, 3, 0, -1),
    Structure(3, 1, 0, 0),
    Structure(3, 2, 1, 2),
    Structure(4, 3, 1, -2),
    Structure(2, 1, 0, -1, times=3),
]


@pytest.mark.parametrize("one", SOME, ids=str)
def test_functions_are_what_their_names_say(one: Structure) -> None:
    for n in (3, 4, 8, 17, 40):
        x = one.elements(n)
        there = [k for k in range(20) if x - one.delay * k >= one.lead * one.base**k]
        begun = [k for k in there if one.lead > 1 or k]
        known = dict(zip(Part, values(one, n), strict=True))
        assert known[Part.LEVELS] == len(begun)
        assert known[Part.SIZES] == sum(one.base**k for k in begun)
        assert known[Part.DIGITS] == sum(
            i // one.base**k % one.base for k in there for i in range(x - one.delay * k + 1)
        )
        assert known[Part.DEPTHS] == sum(
            i - one.delay * k >= one.lead * one.base**k for i in range(x + 1) for k in begun
        )
        assert known[Part.CARRIES] == sum(
            (x - one.delay * k) // one.base**k - one.lead + 1 for k in there if k
        )


@pytest.mark.parametrize("one", SOME, ids=str)
def test_expressions_have_the_values(one: Structure) -> None:
    for n in (3, 5, 8, 16, 17, 27, 100, 1000):
        for expr, value in zip(functions(one), values(one, n), strict=True):
            assert evaluate(expr, {"n": n}) == value
            assert parse_expr(str(expr)) == expr


CLASSES = {
    Part.ONE: "O(1)",
    Part.LEVELS: "O(log n)",
    Part.LEVELS_NEXT: "O(log n)",
    Part.PAIRS: "O(log n)",
    Part.DIGITS: "O(n log n)",
    Part.DIGITS_NEXT: "O(n log n)",
    Part.DEPTHS: "O(n log n)",
    Part.DEPTHS_WHOLE: "O(n log n)",
    Part.PLACES: "O(n log n)",
}


def test_every_function_has_its_class() -> None:
    for one in structures():
        for part, expr in zip(Part, functions(one), strict=True):
            assert growth(expr) == CLASSES.get(part, "O(n)"), expr


def _odometer(n: int, base: int) -> int:
    """Four for a step, three for a wheel that turns over, and the wheels are looked at."""
    wheels, total = [0], 0
    for _ in range(n):
        total += 4 + sum(wheels)
        for i in count():
            if i == len(wheels):
                wheels.append(0)
            wheels[i] = (wheels[i] + 1) % base
            if wheels[i]:
                break
            total += 3
    return total


def _copied(n: int, room: int, times: int) -> int:
    total = 0
    for used in range(n):
        total += 5
        if used == room:
            total += 2 * used + 7
            room *= times
    return total


def _rebuilt(n: int, least: int) -> int:
    """A table that is rebuilt at twice the size as soon as it is more than two thirds full."""
    size, total = least, 0
    for used in range(1, n + 1):
        total += 9
        if 3 * used > 2 * size:
            size *= 2
            total += 4 + size + 3 * used
    return total


def _relayed(n: int) -> int:
    """A level hands on every second of what it is given, at the next step: two for each level,
    nine for a level that hands on, and seven for a new one."""
    given, total = [0], 0
    for _ in range(n):
        total += 2 * len(given)
        for level in range(len(given) - 1, -1, -1):
            if given[level] == 2:
                total += 9
                given[level] = 0
                if level + 1 == len(given):
                    total += 7
                    given.append(0)
                given[level + 1] += 1
        given[0] += 1
    return total


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        pytest.param(lambda n: _odometer(n, 2), "O(n log n)", id="a binary counter"),
        pytest.param(lambda n: _odometer(n, 3), "O(n log n)", id="wheels of three"),
        pytest.param(lambda n: _copied(n, 3, 2), "O(n)", id="room for three, doubled"),
        pytest.param(lambda n: _copied(n, 5, 2), "O(n)", id="room for five, doubled"),
        pytest.param(lambda n: _copied(n, 1, 3), "O(n)", id="room for one, tripled"),
        pytest.param(lambda n: _rebuilt(n, 8), "O(n)", id="two thirds of eight"),
        pytest.param(lambda n: _rebuilt(n, 4), "O(n)", id="two thirds of four"),
        pytest.param(_relayed, "O(n log n)", id="levels that hear later"),
    ],
)
def test_formulas(cost: Callable[[int], int], expected: str) -> None:
    fitted = fit_levels([(n, cost(n)) for n in range(2, 49)])
    assert fitted is not None
    assert growth(fitted.expr) == expected
    for n in (49, 64, 81, 82, 100, 255, 256, 1000):
        assert evaluate(fitted.expr, {"n": n}) == cost(n)


def _enlarged(n: int) -> int:
    """Half as much room again: no power of anything."""
    room, total = 4, 0
    for used in range(n):
        total += 5
        if used == room:
            total += 2 * used
            room += room // 2
    return total


@pytest.mark.parametrize(
    "cost",
    [
        pytest.param(_enlarged, id="half as much room again"),
        pytest.param(lambda n: sum(math.isqrt(k) for k in range(n)), id="roots"),
        pytest.param(lambda n: n * n, id="squares"),
        pytest.param(lambda n: n * n // 7, id="sevenths"),
        pytest.param(lambda n: sum(math.gcd(k, n) for k in range(n)), id="divisors"),
        pytest.param(
            lambda n: sum(all(k % i for i in range(2, k)) for k in range(2, n)), id="primes"
        ),
        pytest.param(lambda n: 5 * n + pow(3, n, 101) % 7, id="noise"),
        pytest.param(lambda n: _copied(n, 3, 2) + (n == 20), id="one exception"),
        pytest.param(lambda n: 3 * n + 10 * (n > 10) + 9 * (n > 30), id="two steps"),
    ],
)
def test_what_has_no_levels_has_no_formula(cost: Callable[[int], int]) -> None:
    for scales in (range(2, 24), range(2, 36), range(2, 49)):
        assert fit_levels([(n, cost(n)) for n in scales]) is None


@pytest.mark.parametrize("most", [6, 10, 12])
def test_few_scales_do_not_suffice(most: int) -> None:
    assert fit_levels([(n, _relayed(n)) for n in range(2, most + 1)]) is None


def test_a_formula_from_fewer_scales_is_right_or_there_is_none() -> None:
    for cost in (lambda n: _odometer(n, 2), lambda n: _odometer(n, 3), _relayed):
        for most in range(12, 49, 3):
            fitted = fit_levels([(n, cost(n)) for n in range(2, most + 1)])
            for n in (200, 1000) if fitted is not None else ():
                assert fitted is not None
                assert evaluate(fitted.expr, {"n": n}) == cost(n), most


def test_the_smallest_scales_may_be_exceptions() -> None:
    costs = [(n, _copied(n, 3, 2) + (n < 4)) for n in range(2, 40)]
    fitted = fit_levels(costs)
    assert fitted is not None
    assert evaluate(fitted.expr, {"n": 1000}) == _copied(1000, 3, 2)
