"""Sets of traced code: the order in which they are gone through, and what is asked."""

from __future__ import annotations

from itertools import product

from xsynth.explore.worst import explore

SOURCE = """
    def f(a: list[int]):
        best = -1
        for x in set(a):
            if x > best:
                best = x
        return best
"""


def test_an_assumed_order_that_matters_is_told(program):
    found = explore(program(SOURCE), 3)
    assert not found.exhaustive
    assert "the order of a set matters" in found.incomplete


def test_an_assumed_order_that_does_not_matter_is_no_harm(program):
    target = program("def f(a: list[int]):\n    n = 0\n    for x in set(a):\n        n += x\n")
    found = explore(target, 3)
    assert found.exhaustive
    assert found.cost == target.replay({"a": [5, 6, 7]}).cost


def test_the_order_of_few_values_is_pythons(program):
    target = program(SOURCE, ranges={"a": "0..9"})
    found = explore(target, 2)
    assert found.exhaustive
    inputs = ({"a": list(values)} for values in product(range(10), repeat=2))
    assert found.cost == max(target.replay(arguments).cost for arguments in inputs)


def test_what_needs_no_order_assumes_none(program):
    source = """
    def f(a: list[int], b: list[int]):
        s, t = set(a), frozenset(b)
        if len(s & t) > 1 or s <= t:
            return len(s | t)
        return 3 in s
    """
    found = explore(program(source), 2)
    assert found.exhaustive
    assert all(path.outcome.assumed is None for path in found.kept)


def test_one_clause_for_a_number_or_character_among_plain_ones(program):
    source = """
    def f(s: str, k: int):
        if s[0] in {"a", "e", "i"}:
            return 1
        if k in frozenset([3, 5, 4]):
            return 2
        return 3
    """
    assert explore(program(source), 1).paths == 3
