"""Sets of traced code: the order in which they are gone through, and what is asked."""

from __future__ import annotations

from itertools import product

import pytest

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


def test_an_order_that_matters_for_other_inputs_of_a_path_is_told(program):
    """The input of the path itself may happen to have the order of insertion."""
    source = """
    def f(a: list[int]):
        for x in set(a):
            if x == a[0]:
                break
    """
    found = explore(program(source), 3)
    assert "the order of a set matters" in found.incomplete


def test_the_order_of_texts_is_never_taken_for_pythons(program):
    """It changes from process to process."""
    source = """
    def f(s: str):
        for x in set(s):
            if x == s[0]:
                break
    """
    found = explore(program(source, ranges={"s": "97..99"}), 2)
    assert "the order of a set matters" in found.incomplete


@pytest.mark.parametrize("items", ["{1.0, 2.5, 'x'}", "{True, None}", "{Kind.ONE}", "{0, 2.0}"])
def test_numbers_of_other_types_are_equal_to_integers(program, items):
    source = f"""
    import enum

    class Kind(enum.IntEnum):
        ONE = 1

    def f(a: list[int]):
        known = {items}
        n = 0
        for x in a:
            if x in known:
                n += 1
    """
    target = program(source, "f", ranges={"a": "0..2"})
    found = explore(target, 2)
    inputs = ({"a": list(values)} for values in product(range(3), repeat=2))
    assert found.cost == max(target.replay(arguments).cost for arguments in inputs)
    assert found.paths == 4


def test_what_was_looked_up_is_forgotten_when_a_plain_element_goes(program):
    source = """
    def f(s: str):
        known = {"ab", "cd"}
        if s in known:
            known.discard("ab")
            if s in known:
                n = 1
                known.pop()
                if s in known:
                    n = 2
    """
    target = program(source)
    costs = [path.cost for path in explore(target, 2).kept]
    assert costs == [target.replay({"s": "cd"}).cost]
