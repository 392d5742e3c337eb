"""Searches that know nothing but the cost."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from xsynth.bench.blind import hill_climb, random_search
from xsynth.program.program import Options, Program, load

SOURCE = """\
def ups(a: list[int]) -> int:
    count = 0
    for x in a:
        if x > 0:
            count += 1
    return count


def steps(a: list[int]) -> int:
    count = 0
    for x, y in zip(a, a[1:]):
        if x == y:
            count += 1
    return count
"""
SORTED = "all(x <= y for x, y in zip(a, a[1:]))"


def _program(folder: Path, function: str, **options: object) -> Program:
    path = folder / "counts.py"
    path.write_text(SOURCE)
    return load(path, function, Options(**options))  # type: ignore[arg-type]


def test_random_inputs_are_counted(tmp_path: Path) -> None:
    program = _program(tmp_path, "ups", ranges={"a": "0..9"})
    tried = random_search(program, 6, time.monotonic() + 0.5)
    assert tried.runs > 20
    assert tried.average is not None and tried.best is not None
    assert tried.average < tried.best <= 3 + 3 * 6


def test_preconditions_are_met_by_sorting(tmp_path: Path) -> None:
    program = _program(tmp_path, "steps", assumptions=(SORTED,), ranges={"a": "0..9"})
    tried = random_search(program, 30, time.monotonic() + 0.5)
    assert tried.runs > 5
    assert tried.refused == 0


def test_preconditions_that_are_not_met_are_told(tmp_path: Path) -> None:
    program = _program(tmp_path, "ups", assumptions=("a[0] > a[1] + 1998",))
    tried = random_search(program, 3, time.monotonic() + 0.3)
    assert tried.best is None
    assert tried.hindrance == f"none of {tried.refused} inputs met the preconditions"


def test_an_input_that_is_too_large_to_draw_is_told(tmp_path: Path) -> None:
    tried = hill_climb(_program(tmp_path, "ups"), 200_000, time.monotonic() + 20)
    assert tried.best is None
    assert "so large" in tried.hindrance


def test_hill_climbing_gets_further_than_chance(tmp_path: Path) -> None:
    """One of 10,000 random inputs of this kind has all five elements positive."""
    program = _program(tmp_path, "ups", ranges={"a": "-1000..200"})
    tried = hill_climb(program, 5, time.monotonic() + 5)
    assert tried.best == 3 + 3 * 5


def test_without_hypothesis_the_column_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    tried = hill_climb(_program(tmp_path, "ups"), 5, time.monotonic() + 5)
    assert "xsynth[bench]" in tried.missing
