"""Probes: a path that is overtaken beyond the explored scales is caught."""

from __future__ import annotations

import pytest

from xsynth.explore.probes import beaten_by, plain_inputs

OVERTAKEN = """
    def f(xs: list[int]) -> int:
        total = 0
        if xs[0] > 0:
            for x in xs:
                total += 1
                total += 2
                total += 3
                total += 4
                total += 5
        else:
            for i in range(len(xs)):
                for j in range(i):
                    if xs[i] < xs[j]:
                        total += 1
        return total
"""


def _cost_of_the_straight_path(n):
    return 6 * n + 4


def test_a_steeper_path_is_found(program):
    target = program(OVERTAKEN)
    beaten = beaten_by(target, 12, _cost_of_the_straight_path(12), steps=100_000)
    assert beaten is not None
    assert beaten.cost == target.replay(beaten.arguments).cost > _cost_of_the_straight_path(12)


def test_a_worst_case_is_not_beaten(program):
    target = program(OVERTAKEN)
    worst = target.replay({"xs": [-i for i in range(12)]}).cost
    assert beaten_by(target, 12, worst, steps=100_000) is None


def test_without_effort_nothing_is_tried(program):
    assert beaten_by(program(OVERTAKEN), 12, 1, steps=0) is None


def test_preconditions_and_ranges_hold(program):
    target = program(
        """
        def f(xs: list[int], k: int) -> int:
            total = 0
            for x in xs:
                if x > 9 or x < 0 or k != 3:
                    total += 1
            return total
        """,
        ranges={"xs": "0..9"},
        assumptions=("k == 3",),
    )
    inside = target.replay({"xs": [0] * 8, "k": 3}).cost
    assert beaten_by(target, 8, inside, steps=100_000) is None


@pytest.mark.parametrize("steps", [1000, 50_000])
def test_the_same_effort_finds_the_same(program, steps):
    target = program(OVERTAKEN)
    assert beaten_by(target, 9, 57, steps=steps) == beaten_by(target, 9, 57, steps=steps)


def test_a_run_without_end_is_told(program, monkeypatch):
    monkeypatch.setattr("xsynth.explore.probes.SECONDS_A_RUN", 0.2)
    target = program(
        """
        def f(xs: list[int]) -> int:
            while xs[0] == 1:
                pass
            return 0
        """
    )
    beaten = beaten_by(target, 4, 100, steps=100_000)
    assert beaten is not None
    assert beaten.cost is None


def test_what_is_fixed_is_among_the_plain_inputs(program):
    """Only texts of the letter that the fixed word begins with cost more than a look at each."""
    target = program(
        """
        def f(text: str, marks: list[str], limit: int) -> int:
            total = 0
            for c in text:
                if c == marks[0]:
                    for d in text:
                        total += 1
                elif ord(c) == limit:
                    total += 1
            return total
        """,
        fixes={"marks": ["q", "zz"], "limit": 77},
    )
    tried = {name: blocks[0] for name, blocks in plain_inputs(target, 6)}
    assert tried["'q' repeated"] == [ord("q")] * 6
    assert tried["'zz' repeated"] == [ord("z")] * 6
    assert tried["all 77"] == [77] * 6
    beaten = beaten_by(target, 12, 100, steps=100_000, climb=False)
    assert beaten is not None and beaten.arguments["text"] == "q" * 12
