"""Formulas of the cost: found where the explored scales do not suffice, refuted by an input."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from xsynth.explore.families import families
from xsynth.explore.worst import explore
from xsynth.model.isg import evaluate_int, parse, parse_expr
from xsynth.model.learn import LearnedPoints, learn_points
from xsynth.model.model import GeneratorPoint, Piece
from xsynth.model.order import by_order
from xsynth.pipeline import Status, learn
from xsynth.program.program import Options, Program, load
from xsynth.trace.events import Trace
from xsynth.validate import Confirmed, _affordable, _beaten, _Beyond, confirm, fit_cost

SIFT = """
def sift(a: list[int], new: int) -> int:
    level = len(a)
    for x in a:
        if new >= x:
            return 0
    while level > 0:
        level = level // 2
    return level
"""
"""Where the new number is the least, the cost has a logarithm of n in it."""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    file = tmp_path / "sift.py"
    file.write_text(SIFT)
    return load(file, None, Options())


def _learned(program: Program, scales: range) -> tuple[LearnedPoints, tuple[Trace, ...]]:
    cases = [explore(program, n) for n in scales]
    traces = families(program, cases)["first"]
    learned = learn_points(traces, 1)
    assert isinstance(learned, LearnedPoints)
    return learned, traces


def test_too_few_scales_for_a_formula_are_joined_by_generated_ones(program: Program) -> None:
    learned, traces = _learned(program, range(2, 6))
    assert fit_cost({trace.scale: program.cost(trace.counts) for trace in traces}) is None
    confirmed = confirm(program, learned, traces, None, math.inf)
    assert isinstance(confirmed, Confirmed)
    assert confirmed.guided[0] == 6
    worst = program.replay({"a": [1] * 100, "new": 0}).cost
    assert evaluate_int(confirmed.formula, {"n": 100}) == worst


def test_a_formula_that_an_input_surpasses_is_given_up(program: Program) -> None:
    learned, traces = _learned(program, range(2, 6))
    confirmed = confirm(program, learned, traces, parse_expr("n"), math.inf)
    assert isinstance(confirmed, Confirmed)
    assert evaluate_int(confirmed.formula, {"n": 7}) > 7


def test_a_formula_that_no_input_reaches_is_reported(program: Program) -> None:
    """Three scales are too few to say that another formula is the right one."""
    learned, traces = _learned(program, range(2, 5))
    reason = confirm(program, learned, traces, parse_expr("n**3"), math.inf)
    assert isinstance(reason, str)
    assert "not 125" in reason


def test_nothing_is_confirmed_after_the_deadline(program: Program) -> None:
    learned, traces = _learned(program, range(2, 6))
    assert confirm(program, learned, traces, None, 0.0) == "the time budget was used up"


def test_the_order_view_of_no_comparisons_is_none(program: Program) -> None:
    assert by_order(Trace(2, (), ())) is None


HEAP = """
def push_all(a: list[int]) -> int:
    heap = []
    for x in a:
        heap.append(x)
        i = len(heap) - 1
        while i > 0 and heap[(i - 1) // 2] > heap[i]:
            heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
            i = (i - 1) // 2
    return len(heap)
"""


def test_a_formula_that_fails_further_on_is_not_the_last_one(tmp_path: Path) -> None:
    """The sum of logarithms looks like other things for long; its own values correct that."""
    file = tmp_path / "heap.py"
    file.write_text(HEAP)
    program = load(file, None, Options())
    found = learn(program, range(2, 7))
    assert found.status is Status.LEARNED
    assert found.model is not None
    assert found.model.formula is not None
    for n in (16, 33, 100):
        worst = program.replay({"a": list(range(n, 0, -1))}).cost
        assert evaluate_int(found.model.formula, {"n": n}) == worst


STEEPER = """
def steeper(a: list[int]) -> int:
    total = 0
    for x in a:
        if x > 3:
            total += 1
    for i in range(len(a) - 6):
        total += 1
    return total
"""


def test_a_chance_formula_gives_way_to_one_that_explains_what_was_generated(
    tmp_path: Path,
) -> None:
    """Costs that grow faster from 7 on look like n log n for a while."""
    file = tmp_path / "steeper.py"
    file.write_text(STEEPER)
    program = load(file, None, Options())
    cases = [explore(program, n) for n in range(3, 12)]
    traces = families(program, cases)["first"]
    learned = learn_points(traces, 1)
    assert isinstance(learned, LearnedPoints)
    too_much = parse_expr("5*n - 2 + floor(n/12)*n")
    confirmed = confirm(program, learned, traces, too_much, math.inf)
    assert isinstance(confirmed, Confirmed)
    worst = program.replay({"a": [4] * 100}).cost
    assert evaluate_int(confirmed.formula, {"n": 100}) == worst


@pytest.mark.parametrize(
    ("formula", "scales"),
    [
        pytest.param("6*2**n - 1", [14], id="nearer where it doubles"),
        pytest.param("3*n**2", [17], id="as far as it was"),
        pytest.param("factorial(n)*1000", [], id="none"),
    ],
)
def test_a_scale_far_off_must_be_affordable(formula: str, scales: list[int]) -> None:
    assert list(_affordable(parse_expr(formula), 10, (17,))) == scales


@pytest.mark.parametrize("formula", ["30 - 5*n", "20 - 3*n"])
def test_a_formula_below_0_is_told_as_one(program: Program, formula: str) -> None:
    _, traces = _learned(program, range(2, 6))
    beyond = _Beyond(program, lambda scale: (traces[0], 3), math.inf, {})
    said = beyond.look(9, parse_expr(formula))
    assert said == "the formula for the cost does not hold at scale 9, where it is below 0"
    assert _beaten(beyond, parse_expr(formula), 9) is not None
    assert "-" not in str(_beaten(beyond, parse_expr(formula), 9))


def test_generators_that_mean_nothing_further_on_are_told_without_internals(
    program: Program,
) -> None:
    learned, traces = _learned(program, range(2, 6))
    spoilt = LearnedPoints(tuple(_repeated_below_0(point) for point in learned.points), 1)
    said = confirm(program, spoilt, traces, None, math.inf)
    assert said == "the generators found do not go on at scale 6"


def _repeated_below_0(point: GeneratorPoint) -> GeneratorPoint:
    (piece,) = point.pieces
    none_at_6 = (parse("const(0, 5 - n)"),)
    counters, leaves = none_at_6 * len(piece.counters), none_at_6 * len(piece.leaves)
    return replace(point, pieces=(Piece(counters, leaves),))
