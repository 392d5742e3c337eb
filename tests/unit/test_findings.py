"""Exceptions that inputs provoke, and which values of a number are tried."""

from __future__ import annotations

import time

import pytest

from xsynth.explore.search import UNBOUNDED
from xsynth.explore.worst import explore


def test_an_exception_of_symbolic_values_alone_is_no_finding(program):
    """`timeit` looks at the type of what it is given, and finds no text."""
    target = program("""
    import timeit
    def f(s: str):
        if s[0] == "1":
            return timeit.timeit("1", s, number=1)
        return 0
    """)
    found = explore(target, 1)
    assert found.findings == ()
    assert not found.exhaustive
    assert (
        "target.py:5: ValueError with symbolic values and not with plain ones" in found.incomplete
    )


def test_an_exception_of_the_program_is_a_finding(program):
    target = program("""
    def f(a: list[int]):
        if a[0] > 3:
            raise KeyError(a[0])
        return 1
    """)
    found = explore(target, 1)
    assert found.exhaustive
    ((kind, arguments),) = [(one.raised.kind, one.arguments) for one in found.findings]
    assert kind == "KeyError"
    assert arguments["a"][0] > 3


def test_counts_are_tried_above_zero_too(program):
    target = program("""
    def f(n: int):
        table = [0] * n
        table[2] = 1
        return table
    """)
    found = explore(target, 1)
    assert "unbounded" in found.incomplete
    assert found.ties >= 3
    assert [one.raised.kind for one in found.findings] == ["IndexError"]


@pytest.mark.parametrize(("n", "seconds"), [(2, 600.0), (6, 1.0)])
def test_where_an_integer_has_no_end_is_told_before_the_time(program, n, seconds):
    source = """
        def first(x: int) -> str:
            return str(x)[0]
        def f(a: list[int]) -> int:
            return sum(1 for x in a if first(x) == "1")
    """
    case = explore(program(source, "f"), n, time.monotonic() + seconds)
    assert case.incomplete == f"target.py:3: {UNBOUNDED}"


def test_an_exception_that_does_not_come_again_is_no_finding(program, monkeypatch):
    """The first call leaves something behind where xsynth does not put things back."""
    monkeypatch.setattr("string.calls", [], raising=False)
    target = program("""
    import string
    def f(x: int):
        string.calls.append(x)
        if len(string.calls) == 1:
            raise ValueError("first")
        return 0
    """)
    found = explore(target, 1)
    assert found.findings == ()
    assert not found.exhaustive
