"""Few paths at any scale: the worst case is found, and proved, by looking at all of them."""

from __future__ import annotations

import textwrap

import pytest

from xsynth.explore.enumerable import enumerated
from xsynth.explore.worst import explore
from xsynth.model.file import read_model, write_model
from xsynth.pipeline import Status, learn
from xsynth.program.program import Options, load
from xsynth.session import generate_from, reopen

DOUBLING = """
    def find(a: list[int], x: int) -> int:
        bound = 1
        while bound < len(a) and a[bound] < x:
            bound *= 2
        lo, hi = bound // 2, min(bound, len(a) - 1)
        while lo <= hi:
            mid = (lo + hi) // 2
            if a[mid] < x:
                lo = mid + 1
            elif a[mid] > x:
                hi = mid - 1
            else:
                return mid
        return -1
"""
SORTED = ("all(x <= y for x, y in zip(a, a[1:]))",)

SORT = """
    def sort(a: list[int]) -> list[int]:
        return sorted(a)
"""


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    path = tmp_path_factory.mktemp("doubling") / "find.py"
    path.write_text(textwrap.dedent(DOUBLING))
    target = load(path, None, Options(assumptions=SORTED))
    return target, learn(target, range(2, 8), budget=60)


def test_a_cost_without_a_formula_is_found_and_proved(learned):
    target, found = learned
    assert found.status is Status.POLICY_ONLY
    assert found.reason.startswith("there are few paths")
    assert found.model is not None
    assert found.model.enumerates
    made = generate_from(
        reopen(read_model(write_model(found.model)), target.path, target.path), 100
    )
    worst = max(
        target.replay({"a": list(range(0, 200, 2)), "x": x}, 10.0).cost for x in range(-1, 201)
    )
    assert made.verified
    assert made.predicted == made.observed == worst
    assert "all 201 were looked at" in made.notes[0]


def test_a_search_that_ends_early_proves_nothing(learned):
    target, found = learned
    opened = reopen(found.model, target.path, target.path)
    made = generate_from(opened, 3000, timeout=0.5)
    assert isinstance(made, tuple) or not made.verified


def test_many_paths_are_not_looked_at(program):
    target = program(SORT)
    worst = [explore(target, n) for n in range(2, 6)]
    assert enumerated(target, worst, None) is None
