"""A tree explored in parts is the tree explored at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xsynth.explore.paths import from_scratch, prefixes
from xsynth.explore.worst import WorstCase, concrete, explore, merged
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


def test_an_input_from_scratch_does_not_depend_on_how_the_search_was_shared_out(program):
    target = program(
        """
        def f(a: list[int]):
            seen = set()
            for i in range(1, len(a)):
                seen.add(a[i] if a[i] > a[i - 1] + 2 else -a[i])
            return [0, 1, 2][a[0] % 3]
        """
    )
    parts = [explore(target, 3, prefix=prefix) for prefix in prefixes(target, 3, 6)]
    whole, shared = explore(target, 3), merged(parts)
    assert len(parts) > 4 and len(whole.kept) > 1
    others = {path.answers: path for path in shared.kept}
    assert [path.answers for path in whole.kept] == [path.answers for path in shared.kept]
    for one in whole.kept:
        other = others[one.answers]
        again = from_scratch(target, 3, one, None)
        assert again is not one and again.cost == one.cost
        assert again.witness == from_scratch(target, 3, other, None).witness
        arguments = concrete(target, 3, again.witness)
        assert target.replay(arguments).cost == one.cost
