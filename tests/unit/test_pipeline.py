"""What `learn` does where the scales that were asked for do not suffice."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from xsynth.candidates import costs_of
from xsynth.explore.families import families
from xsynth.explore.plain import plain_families
from xsynth.explore.worst import explore
from xsynth.fallbacks import bootstrap
from xsynth.model.cost import fit_cost
from xsynth.model.isg import evaluate_int
from xsynth.pipeline import FURTHER_PATHS, FURTHER_SCALES, Status, _further, learn
from xsynth.program.program import Options, Program, load
from xsynth.reasons import Reasons

SEARCH = """
def search(a: list[int], x: int) -> int:
    for i in range(len(a)):
        if a[i] == x:
            return i
    return -1
"""
SORT = """
def sort(a: list[int]) -> list[int]:
    for i in range(1, len(a)):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a
"""
EVERY_THIRD = """
def count(a: list[int]) -> int:
    total = 0
    for i in range(0, len(a) - 1, 3):
        if a[i] > a[i + 1]:
            total += 1
    return total
"""


def _program(tmp_path: Path, source: str) -> Program:
    file = tmp_path / "program.py"
    file.write_text(source)
    return load(file, None, Options())


def test_cheap_scales_are_explored_further(tmp_path: Path) -> None:
    program = _program(tmp_path, SEARCH)
    worst = [explore(program, n) for n in (2, 4)]
    assert [case.scale for case in _further(program, worst, math.inf)] == [6, 8, 10, 12, 14]
    assert FURTHER_SCALES == 5


def test_dear_scales_are_not(tmp_path: Path) -> None:
    program = _program(tmp_path, SORT)
    worst = [explore(program, n) for n in (4, 5, 6)]
    further = _further(program, worst, math.inf)
    assert [case.scale for case in further] == [7]
    assert further[-1].paths * 8 > FURTHER_PATHS


def test_what_was_asked_for_is_enough_for_wide_steps(tmp_path: Path) -> None:
    """The last element has a period of three, but its bound has none."""
    found = learn(_program(tmp_path, EVERY_THIRD), range(2, 7))
    assert found.status is Status.LEARNED
    assert found.model is not None
    assert [record.scale for record in found.model.scales] == [2, 3, 4, 5, 6]


def test_policies_give_scales_beyond_and_generators_from_them(tmp_path: Path) -> None:
    program = _program(tmp_path, SORT)
    cases = [explore(program, n) for n in (2, 3, 4)]
    formula = fit_cost(costs_of(cases))
    made = bootstrap(program, families(program, cases), formula, Reasons(), math.inf)
    assert made is not None
    candidate, policies = made
    assert [policy.prefer for policy in policies] == [True]
    assert candidate.family.endswith("bootstrapped")
    assert candidate.guided[:3] == (5, 6, 7)
    assert candidate.points
    worst = program.replay({"a": list(range(60, 0, -1))}).cost
    assert evaluate_int(candidate.confirmed.formula, {"n": 60}) == worst


@pytest.mark.parametrize(
    ("source", "names"), [(SORT, ["falling"]), (SEARCH, ["rising, -1", "rising, n"])]
)
def test_plain_inputs_that_are_worst_cases(tmp_path: Path, source: str, names: list[str]) -> None:
    program = _program(tmp_path, source)
    found = list(plain_families(program, [explore(program, n) for n in (2, 3, 4, 5)]))
    assert [family.name for family in found][: len(names)] == names
    assert all(len(family.traces) == len(family.ordered) == 4 for family in found)
