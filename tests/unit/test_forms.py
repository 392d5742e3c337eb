"""The pure forms against the built-ins they stand for, and their place in a trace."""

from __future__ import annotations

from itertools import product

import pytest

from xsynth.program.cells import cells_of
from xsynth.trace import forms
from xsynth.trace.events import Clause
from xsynth.trace.run import run
from xsynth.trace.source import Witness

LISTS = [list(values) for n in range(4) for values in product(range(3), repeat=n)]


@pytest.mark.parametrize("reverse", [False, True])
def test_sorting_is_stable_both_ways(reverse):
    for keys in LISTS:
        values = list(enumerate(keys))
        expected = sorted(values, key=lambda v: v[1], reverse=reverse)
        assert forms.sorted_(values, keys, reverse) == expected


def test_extremes_are_the_first_of_equals():
    for keys in filter(None, LISTS):
        values = list(range(len(keys)))
        assert forms.least(values, keys) == min(values, key=keys.__getitem__)
        assert forms.greatest(values, keys) == max(values, key=keys.__getitem__)


def test_looking_for_a_value():
    for items in LISTS:
        assert forms.occurrences(items, 1) == items.count(1)
        assert forms.position(items, 1, 0, len(items)) == (items.index(1) if 1 in items else -1)
        assert forms.among(items, {1, 2}) == [x for x in items if x in {1, 2}]
        assert forms.outside(items, {1, 2}) == [x for x in items if x not in {1, 2}]
        assert forms.some_among(items, {1}) is (1 in items)
        assert forms.some_outside(items, {1}) is any(x != 1 for x in items)


def clauses(program, arguments):
    scale = len(next(iter(arguments.values())))
    outcome = run(program, scale, Witness(cells_of(program.spec, scale, arguments)))
    return outcome, [e for e in outcome.trace.events if isinstance(e, Clause)]


def test_comparisons_inside_a_built_in_have_loop_coordinates_and_cost_nothing(program):
    target = program("def f(a: list[int]):\n    return sorted(a)\n")
    outcome, found = clauses(target, {"a": [3, 2, 1]})
    assert outcome.cost == target.replay({"a": [3, 2, 1]}).cost == 1
    assert len(found) == 3
    assert len({clause.at for clause in found}) == 3
    assert {clause.place.context[-1].function for clause in found} == {"sorted_"}


def test_a_key_that_is_looked_up_has_coordinates_and_is_asked_about_once(program):
    source = """
    def f(a: list[int]):
        seen = set()
        for x in a:
            if x not in seen:
                seen.add(x)
    """
    target = program(source)
    outcome, found = clauses(target, {"a": [3, 2, 1, 2]})
    assert outcome.cost == target.replay({"a": [3, 2, 1, 2]}).cost
    # 2 with 3; 1 with 3, 2; 2 with 3 and (equal) 2.  Adding asks nothing anew.
    assert [clause.taken for clause in found] == [False, False, False, False, True]
    assert len({clause.at for clause in found}) == 5


def test_heapq_and_bisect_are_traced_in_python(program):
    source = """
    import heapq
    from bisect import bisect_left

    def f(a: list[int]):
        heapq.heapify(a)
        return bisect_left(a, a[0])
    """
    outcome, found = clauses(program(source), {"a": [3, 2, 1]})
    assert outcome.raised is None
    assert {clause.place.site.function for clause in found} >= {"_siftup", "bisect_left"}


GENERATORS = {
    "for": "for x in a:\n        yield x",
    "while": "i = 0\n    while i < len(a):\n        yield a[i]\n        i += 1",
    "yield from": "yield from a",
    "nested": "for x in a:\n        for y in (x, x + 1):\n            yield y",
    "sent to": "for x in a:\n        got = yield x\n        if got: return",
}


@pytest.mark.parametrize("body", GENERATORS.values(), ids=GENERATORS)
def test_a_generator_keeps_its_own_brackets(program, body):
    """The consumer's turns are counted from 0 however the generator's loops run."""
    source = (
        f"def items(a):\n    {body}\n\n"
        "def f(a: list[int]):\n    big = 0\n    for x in items(a):\n"
        "        if x > 1:\n            big += 1\n    return big\n"
    )
    target = program(source, "f")
    arguments = {"a": [3, 0, 2]}
    outcome, found = clauses(target, arguments)
    assert outcome.cost == target.replay(arguments).cost
    line = source[: source.index("if x > 1")].count("\n") + 1
    turns = [clause.at[-1] for clause in found if clause.place.site.line == line]
    assert turns == list(range(len(turns)))
    assert len(turns) == (6 if "for y" in body else 3)


def test_a_generator_that_is_left_early_leaves_no_brackets_behind(program):
    source = """
    def items(a):
        for x in a:
            yield x

    def f(a: list[int]):
        for x in items(a):
            if x > 1:
                break
        for y in a:
            if y > 2:
                return True
        return False
    """
    _, found = clauses(program(source, "f"), {"a": [0, 3, 1]})
    assert [clause.at[-1] for clause in found if clause.place.site.line == 11] == [0, 1]
