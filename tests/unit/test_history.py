"""SPF-WCA: tries of histories, their ranking, and the alternation that needs a memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from xsynth.explore.guided import guided_test_gen
from xsynth.explore.history import (
    FollowHistory,
    HistoryPolicy,
    Trie,
    choose,
    learn_history,
    policy_of,
)
from xsynth.explore.wise import Follow, learn_wise
from xsynth.explore.worst import explore
from xsynth.program.program import Options, load
from xsynth.trace.terms import Site

A, B = Site("f", 1, 1), Site("f", 2, 2)

ALTERNATE = """
def alternate(a: list[int]) -> int:
    before = False
    work = 0
    for x in a:
        now = x > 0
        if now:
            if not before:
                work += 1
                for _ in range(3):
                    work += 1
            before = True
        else:
            if before:
                work += 1
                for _ in range(3):
                    work += 1
            before = False
    return work
"""


def alternating(n: int) -> list[tuple[Site, tuple[tuple[Site, bool], ...], bool]]:
    sides = [i % 2 == 0 for i in range(n)]
    return [(A, tuple((A, s) for s in reversed(sides[:i])), sides[i]) for i in range(n)]


def test_a_suffix_and_a_whole_history_are_told_apart() -> None:
    trie = Trie()
    trie.add((), True)
    trie.add(((A, True),), False)
    trie.add(((A, False), (A, True)), True)
    assert trie.choices((), 0) == {True, False}
    assert trie.choices((), 1) == {True}
    assert trie.choices(((A, True), (B, True)), 1) == {False}
    assert trie.choices(((A, False),), 2) == set()
    assert trie.height == 2


@pytest.mark.parametrize(("size", "still_open"), [(0, 1), (1, 0), (2, 0), (None, 0)])
def test_alternation_is_open_without_a_memory_only(size: int | None, still_open: int) -> None:
    policy = policy_of(alternating(6), size)
    assert policy.open == still_open
    if size is None:
        assert policy.size_at(A) == 1


def test_among_ties_the_most_determined_is_chosen() -> None:
    mixed = [(A, (), True), (A, (), False)]
    steady = [(A, (), True), (A, (), True)]
    assert choose([[mixed, steady]], 0).open == 0


def test_uniting_keeps_what_both_saw() -> None:
    one, other = policy_of([(A, (), True)], 0), policy_of([(A, (), False), (B, (), True)], 0)
    united = one.united(other)
    assert united.tries[A].sides == {True, False}
    assert united.rank == HistoryPolicy(0, united.tries).rank
    assert one.tries[A].sides == {True}


def test_a_memory_of_one_leaves_a_single_path_where_wise_leaves_many(tmp_path: Path) -> None:
    source = tmp_path / "alternate.py"
    source.write_text(ALTERNATE)
    program = load(source, "alternate")
    wise = learn_wise(program, (2, 3, 4, 5))
    remembered = learn_history(program, (2, 3, 4, 5), 1)
    assert wise is not None and remembered is not None
    assert guided_test_gen(program, 8, Follow(wise)).paths == 2**8
    found = guided_test_gen(program, 40, FollowHistory(remembered))
    assert found.paths == 1 and found.unresolved == 0
    small = guided_test_gen(program, 8, FollowHistory(remembered))
    assert small.cost == guided_test_gen(program, 8, Follow(wise)).cost


def test_a_merge_needs_one_decision_of_memory() -> None:
    """The shape of the paper's merge sort: one path with h = 1, many without memory."""
    path = Path(__file__).parents[2] / "benchmarks" / "programs" / "alternating_merge.py"
    program = load(path, "alternating_merge")
    remembered = learn_history(program, [5], 1)
    assert remembered is not None and not remembered.open
    found = guided_test_gen(program, 100, FollowHistory(remembered))
    assert (found.paths, found.finished) == (1, True)
    assert found.cost == 4 * 100 * 6 - 8 * 2**6 + 16 * 100 - 6
    forgetful = learn_history(program, [5], 0)
    assert forgetful is not None
    assert guided_test_gen(program, 5, FollowHistory(forgetful)).paths > 1


BUCKETS = """
def buckets(keys: list[int]) -> int:
    table = [[], [], []]
    work = 0
    for key in keys:
        chain = table[key % 3]
        for other in chain:
            work += 1
        chain.append(key)
    return work
"""

RING = """
def ring(moves: list[int]) -> int:
    work = 0
    for move in moves:
        cost = [1, 5, 2, 4][move]
        for _ in range(cost):
            work += 1
    return work
"""


@pytest.mark.parametrize(
    ("source", "name", "bounds", "cost"),
    [
        pytest.param(BUCKETS, "buckets", "0..11", lambda n: n * (n - 1) // 2, id="one bucket"),
        pytest.param(RING, "ring", "0..3", lambda n: 5 * n, id="the dearest value"),
    ],
)
def test_a_choice_of_value_is_a_decision_too(
    source: str, name: str, bounds: str, cost: Callable[[int], int], tmp_path: Path
) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(source)
    argument = "keys" if name == "buckets" else "moves"
    line = next(i for i, text in enumerate(source.splitlines(), 1) if "work += 1" in text)
    program = load(file, name, Options(ranges={argument: bounds}, cost=f"line:{line}"))
    policy = learn_history(program, [3], 0)
    assert policy is not None and policy.open == 0
    found = guided_test_gen(program, 30, FollowHistory(policy))
    assert (found.paths, found.finished, found.unresolved) == (1, True, 0)
    assert found.cost == cost(30)


@pytest.mark.parametrize(
    ("name", "sizes", "line", "counts"),
    [
        pytest.param("find_entry", {"keys": "n,15", "wanted": "15"}, 18, [16, 376], id="find"),
        pytest.param("ngram_lookup", {"table": "n,3", "gram": "3"}, 11, [4, 13, 40], id="n-gram"),
        pytest.param("password_check", {"used": "n,32", "new": "32"}, 9, [33], id="password"),
    ],
)
def test_the_paths_of_table_i(
    name: str, sizes: dict[str, str], line: int, counts: list[int]
) -> None:
    """As published: without a memory every path; with all but one character of it, one path."""
    path = Path(__file__).parents[2] / "benchmarks" / "programs" / f"{name}.py"
    program = load(path, name, Options(sizes=sizes, cost=f"line:{line}"))
    length = int(sizes[next(iter(sizes))].split(",")[1])
    forgetful = learn_history(program, [2], 0)
    assert forgetful is not None
    for scale, paths in enumerate(counts, 1):
        assert explore(program, scale).paths == paths
        assert guided_test_gen(program, scale, FollowHistory(forgetful)).paths == paths
    remembered = learn_history(program, [2], length - 1)
    assert remembered is not None
    found = guided_test_gen(program, 30, FollowHistory(remembered))
    assert (found.paths, found.finished, found.cost) == (1, True, 30 * length)


def test_a_limit_of_work_ends_a_search_at_the_same_place_each_time(tmp_path: Path) -> None:
    source = tmp_path / "alternate.py"
    source.write_text(ALTERNATE)
    program = load(source, "alternate")
    everything = FollowHistory(HistoryPolicy(0, {}))
    ends = [guided_test_gen(program, 8, everything, work=500) for _ in range(2)]
    assert ends[0].spent and not ends[0].finished and not ends[0].late
    assert 0 < ends[0].paths == ends[1].paths < 2**8
    assert ends[0].cost == ends[1].cost
    assert guided_test_gen(program, 8, everything, work=10**6).paths == 2**8
    assert explore(program, 8, work=500).incomplete == "there are too many paths"
