"""Recursion without end is an exception of the program's, not the end of the process."""

from __future__ import annotations

import sys

import pytest

from xsynth.errors import UnsupportedError
from xsynth.explore.worst import explore
from xsynth.program.recursion import RECURSION_LIMIT, deep_recursion


def test_limits_are_those_of_before_when_the_run_is_over():
    resource = pytest.importorskip("resource")
    before = sys.getrecursionlimit(), resource.getrlimit(resource.RLIMIT_STACK)
    with deep_recursion():
        assert sys.getrecursionlimit() >= RECURSION_LIMIT
    assert (sys.getrecursionlimit(), resource.getrlimit(resource.RLIMIT_STACK)) == before


def test_deep_recursion_through_python_ends(program):
    source = """
        def depth(k: int) -> int:
            return 0 if k == 0 else 1 + max(depth(j) for j in [k - 1])
        def f(x: int) -> int:
            return depth(5000) if x > 0 else 0
    """
    case = explore(program(source, "f"), 1)
    assert case.exhaustive
    assert not case.findings


def test_a_template_that_is_not_known_is_refused(program):
    made = program("def f(s: str, x: int):\n    return s % x\n", "f")
    with pytest.raises(UnsupportedError, match=r"target\.py:2: `%` of a symbolic text"):
        explore(made, 1)
