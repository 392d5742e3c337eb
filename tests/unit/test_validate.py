"""Formulas of the cost: found where the explored scales do not suffice, refuted by an input."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from xsynth.explore.families import families
from xsynth.explore.worst import explore
from xsynth.model.isg import evaluate_int, parse_expr
from xsynth.model.learn import LearnedPoints, learn_points
from xsynth.model.order import by_order
from xsynth.program.program import Options, Program, load
from xsynth.trace.events import Trace
from xsynth.validate import Confirmed, confirm, fit_cost

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
    learned, traces = _learned(program, range(2, 6))
    reason = confirm(program, learned, traces, parse_expr("n**3"), math.inf)
    assert isinstance(reason, str)
    assert "not 216" in reason


def test_nothing_is_confirmed_after_the_deadline(program: Program) -> None:
    learned, traces = _learned(program, range(2, 6))
    assert confirm(program, learned, traces, None, 0.0) == "the time budget was used up"


def test_the_order_view_of_no_comparisons_is_none(program: Program) -> None:
    assert by_order(Trace(2, (), ())) is None
