"""Names that hold plain integers, told from the syntax alone."""

from __future__ import annotations

import ast

import pytest

from xsynth.explore.worst import explore
from xsynth.program.plain import plain_names

CASES = [
    pytest.param("i = 0\n    j = i + 1", {"i", "j"}, id="constants"),
    pytest.param("for i in range(a): pass", {"i"}, id="range"),
    pytest.param("for i, x in enumerate(a): pass", {"i"}, id="enumerate"),
    pytest.param("for i, x in enumerate(a, a[0]): pass", set(), id="enumerate from"),
    pytest.param("i = len(a)\n    i -= 1", {"i"}, id="len"),
    pytest.param("i = 0\n    i += a[0]", set(), id="spoiled by +="),
    pytest.param("i = 0\n    j = i\n    i = a[0]", set(), id="spoiled by way of another"),
    pytest.param("i, j = 0, a", {"i"}, id="pairs"),
    pytest.param("i, j = a", set(), id="unpacked"),
    pytest.param("i = 8\n    i /= 2", set(), id="no integer"),
    pytest.param("i = 0\n    if (i := a): pass", set(), id="walrus"),
    pytest.param("i = 0\n    with a as i: pass", set(), id="with"),
    pytest.param("i = 0\n    for i in a: pass", set(), id="for"),
    pytest.param("i = 0\n    def g():\n        nonlocal i\n        i = a", set(), id="nonlocal"),
    pytest.param("a = 1", set(), id="a parameter"),
    pytest.param("x = [i for i in range(3)]", {"i"}, id="comprehension"),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_plain_names(body, expected):
    tree = ast.parse(f"def f(a):\n    {body}\n")
    assert plain_names(tree.body[0], frozenset()) == expected


def test_a_built_in_of_another_meaning_tells_nothing():
    tree = ast.parse("def f(a):\n    for i in range(a): pass\n    j = len(a)\n")
    assert plain_names(tree.body[0], frozenset({"range", "len"})) == frozenset()


def test_an_index_without_bounds_is_asked_whether_it_fits(program):
    target = program("def f(a: list[int], i: int):\n    return a[i]\n")
    found = explore(target, 3)
    assert found.exhaustive
    assert found.paths == 2 * 3 + 1
    assert [finding.raised.message for finding in found.findings] == ["list index out of range"]
