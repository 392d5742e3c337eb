"""WISE: the lattice of policies, and what it finds against the published table."""

from __future__ import annotations

from pathlib import Path

import pytest

from xsynth.explore.guide import Permit
from xsynth.explore.guided import guided_test_gen
from xsynth.explore.wise import (
    BOTTOM,
    Follow,
    Policy,
    Summary,
    find_good_generator,
    learn_wise,
    summarize,
)
from xsynth.program.program import Options, Program, load
from xsynth.trace.terms import Site

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"
WISE = PROGRAMS.parent / "wise"
A, B = Site("f", 1, 1), Site("f", 2, 2)


def policy(**levels: float) -> Policy:
    """`a_true=0.5` and so on."""
    branches = {
        (A if name[0] == "a" else B, name.endswith("true")): level for name, level in levels.items()
    }
    return Policy(
        frozenset(branch for branch, level in branches.items() if level > 0),
        frozenset(branch for branch, level in branches.items() if level == 1),
    )


def _program(name: str) -> Program:
    return load(PROGRAMS / f"{name}.py", name)


def test_order_and_join_are_those_of_each_branch() -> None:
    low, other = policy(a_true=0.5, b_true=1), policy(a_true=1, b_false=0.5)
    joined = low.join(other)
    assert joined == policy(a_true=1, b_true=1, b_false=0.5)
    assert low <= joined and other <= joined and not joined <= low
    assert BOTTOM.join(low) == low and not low <= other
    assert joined.permit(B, False) is Permit.FORCED
    assert low.permit(A, False) is Permit.NEVER


def test_a_free_branch_is_permitted() -> None:
    with pytest.raises(ValueError, match="permitted"):
        Policy(frozenset(), frozenset({(A, True)}))


def test_the_greedy_choice_joins_what_a_smaller_scale_needs() -> None:
    even, odd, dear = policy(a_true=1), policy(b_true=1), policy(a_true=1, a_false=1, b_true=1)
    large = Summary(4, 9, 5, (even,), {even: 1, dear: 8})
    small = Summary(3, 2, 4, (dear, odd), {odd: 1, dear: 1})
    chosen = find_good_generator([small, large])
    assert chosen == even.join(odd)
    assert large.generated(chosen) == 1
    assert large.generated(dear) == 9


@pytest.mark.parametrize(
    ("name", "scales", "published"),
    [
        pytest.param("sorted_list_insert", (1, 2, 3, 4, 5), (1, 2, 6, 24, 120), id="list"),
        pytest.param("mergesort", (1, 2, 3, 4, 5), (1, 2, 6, 24, 120), id="mergesort"),
        pytest.param("tree_search", (1, 2, 3), (3, 13, 75), id="search tree"),
    ],
)
def test_exhaustive_counts_are_those_of_the_paper(
    name: str, scales: tuple[int, ...], published: tuple[int, ...]
) -> None:
    program = _program(name)
    assert tuple(summarize(program, n).paths for n in scales) == published


@pytest.mark.parametrize("name", ["sorted_list_insert", "tree_search"])
def test_one_guided_path_and_it_is_the_worst(name: str) -> None:
    program = _program(name)
    summaries = [summarize(program, n) for n in (1, 2, 3)]
    found = find_good_generator(summaries)
    beyond = guided_test_gen(program, 4, Follow(found))
    assert (beyond.paths, beyond.cost) == (1, summarize(program, 4).cost)
    far = guided_test_gen(program, 30, Follow(found))
    assert far.paths == 1 and far.finished and far.unresolved == 0


def test_the_generator_generates_as_many_paths_as_the_summary_says() -> None:
    program = _program("mergesort")
    summary = summarize(program, 4)
    for least in summary.counts:
        assert guided_test_gen(program, 4, Follow(least)).paths == summary.generated(least)


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        pytest.param(
            "salesman", Options(ranges={"distance": "0..1000"}), (1, 1, 3, 297), id="salesman"
        ),
        pytest.param("bellman_ford", Options(), (1, 2, 63), id="Bellman-Ford"),
        pytest.param("heap", Options(), (1, 2, 4, 12, 36), id="heap"),
    ],
)
def test_the_programs_of_table_1(name: str, options: Options, counts: tuple[int, ...]) -> None:
    program = load(WISE / f"{name}.py", name, options)
    found = [summarize(program, scale).paths for scale in range(1, len(counts) + 1)]
    assert found == list(counts)


def test_two_insertions_are_enough_for_the_heap() -> None:
    """By branches, as in the paper: a test of the loop that a break leaves out is not counted."""
    program = load(WISE / "heap.py", "heap", Options(cost="branches"))
    learned = learn_wise(program, (1, 2))
    assert learned is not None
    found = guided_test_gen(program, 31, Follow(learned))
    assert (found.paths, found.cost) == (1, 2 * 4 + 1)
