"""A tree explored in parts is the tree explored at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xsynth.explore.search import prefixes
from xsynth.explore.worst import WorstCase, explore, merged
from xsynth.program.program import load

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"

RAISES = """
def pick(a: list[int]) -> int:
    total = 0
    for x in a:
        if x > 5:
            raise ValueError
        if x > 2:
            total += 1
    return total
"""


def _plain(case: WorstCase) -> WorstCase:
    return replace(
        case,
        seconds=0.0,
        kept=tuple(replace(path, witness=dict(path.witness)) for path in case.kept),
        chosen={n: replace(p, witness=dict(p.witness)) for n, p in case.chosen.items()},
    )


@pytest.mark.parametrize("cut", [1, 3, 6])
@pytest.mark.parametrize(
    ("name", "scale"), [("insertion_sort", 5), ("mergesort", 5), ("tree_search", 3)]
)
def test_parts_give_the_same_result(name: str, scale: int, cut: int) -> None:
    program = load(PROGRAMS / f"{name}.py", name)
    parts = [explore(program, scale, prefix=prefix) for prefix in prefixes(program, scale, cut)]
    assert len(parts) > 1
    assert _plain(merged(parts)) == _plain(explore(program, scale))


def test_exceptions_are_counted_over_the_parts(tmp_path: Path) -> None:
    source = tmp_path / "pick.py"
    source.write_text(RAISES)
    program = load(source, "pick")
    parts = [explore(program, 4, prefix=prefix) for prefix in prefixes(program, 4, 3)]
    assert _plain(merged(parts)) == _plain(explore(program, 4))
