"""Worst cases that are of another kind from some size on, which small scales show beside theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

import xsynth

# Small lists are looked through; larger ones are halved first, and one half costs more.
CUTOVER = """
def cutover(a: list[int]) -> int:
    found = 0
    if len(a) < 7:
        for x in a:
            if x > 0:
                found += 1
                found += 1
    else:
        for i in range(len(a)):
            if a[i] < 0:
                found += 1
            elif a[i] == 0:
                found += 2
                found -= 1
                found += i
    return found
"""

# A window of five slides from the fifth element on; before, nothing is compared.
WINDOW = """
def window(a: list[int]) -> int:
    total = 0
    for i in range(len(a)):
        if i < 5:
            if len(a) < 6 and a[i] > 3:
                total += 1
                total += 1
                total += 1
        elif a[i] > a[i - 5]:
            total += 1
            total += 2
    return total
"""


@pytest.mark.parametrize(
    ("name", "source", "cost", "since"),
    [
        # A statement for the loop and each of its turns, tests and assignments below it.
        ("cutover", CUTOVER, lambda n: 6 * n + 4, 7),
        ("window", WINDOW, lambda n: 5 * n - 7, 6),
    ],
    ids=["cutover", "window"],
)
def test_the_larger_scales_are_learned_from(
    tmp_path: Path, name: str, source: str, cost: object, since: int
) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    learned = xsynth.learn(path, scales=range(2, 7))
    assert learned.status == "learned", learned.reason
    assert learned.model is not None
    assert learned.model.holds_from == since
    made = learned.generate(120)
    assert made.verified
    assert callable(cost)
    assert made.observed == cost(120)
