"""The light tracer explores what the full one does, and finds out a program that varies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest

from xsynth.errors import UnsupportedError
from xsynth.explore.paths import chain_for, paths
from xsynth.explore.search import Search, Spent
from xsynth.explore.wise import Least
from xsynth.program.program import Program

SLOWEST = """
    def slowest(times: list[int]) -> int:
        order = sorted(range(len(times)), key=lambda i: times[i])
        total = 0
        for i in order:
            total += times[i]
            if total > 3 * times[0]:
                return sum(1 for j in order if times[j] > total)
        return total
"""
BUCKETS = """
    def buckets(keys: list[int]) -> int:
        table = [[] for _ in range(3)]
        for key in keys:
            row = table[key % 3]
            if key in row:
                raise ValueError(key)
            row.append(key)
        return max(len(row) for row in table)
"""
RISES = """
    def pairs(a):
        for i in range(len(a) - 1):
            yield a[i + 1] - a[i]

    def rises(a: list[int]) -> int:
        seen = {}
        for step in pairs(a):
            seen[step] = seen.get(step, 0) + 1
        return max(seen.values(), default=0)
"""


@pytest.mark.parametrize(
    ("source", "function", "scale", "options"),
    [
        pytest.param(SLOWEST, "slowest", 3, {}, id="sorts and sums"),
        pytest.param(BUCKETS, "buckets", 3, {"ranges": {"keys": "0..5"}}, id="values and raises"),
        pytest.param(RISES, "rises", 6, {}, id="a generator and a dict"),
        pytest.param(
            SLOWEST, "slowest", 3, {"assumptions": ("sorted(times)[0] > 2",)}, id="an assumption"
        ),
    ],
)
def test_the_same_paths_as_with_places(
    source: str,
    function: str,
    scale: int,
    options: dict[str, object],
    program: Callable[..., Program],
) -> None:
    made = program(source, function=function, **options)
    found = []
    for guide in (None, Least()):
        search = Search(chain_for(made, scale), guide=guide)
        assert (search.memory is None) is (guide is not None)
        found.append(
            [
                (path.answers, path.cost, path.outcome.decisions, path.outcome.raised)
                for path in paths(search, made, scale, None)
            ]
        )
        assert search.incomplete is None
    assert found[0] == found[1]
    assert len(found[0]) >= 12


@pytest.mark.parametrize("limit", [40, 150, 400])
def test_work_is_the_same_as_with_places(limit: int, program: Callable[..., Program]) -> None:
    made = program(SLOWEST, function="slowest")
    counts = []
    for guide in (None, Least()):
        search = Search(chain_for(made, 4), guide=guide, limit=limit)
        count = 0
        with pytest.raises(Spent):
            for _ in paths(search, made, 4, None):
                count += 1
        counts.append(count)
    assert counts[0] == counts[1]


VARIES = """
    def varies(a: list[int]) -> int:
        i = next(COUNTER)
        return 1 if a[i % 2] > a[2] else 0
"""


def test_a_program_that_does_not_repeat_its_decisions(program: Callable[..., Program]) -> None:
    made = program(VARIES, function="varies")
    made.tracing.namespace["COUNTER"] = iter(range(100))
    search = Search(chain_for(made, 3))
    with pytest.raises(UnsupportedError, match="another path on the same input"):
        list(islice(paths(search, made, 3, None), 10))
