"""Counted runs: what each measure counts, statement by statement."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest

from xsynth.errors import UsageError
from xsynth.program.instrument import instrument
from xsynth.program.rewrite import COUNTS, SUBSTITUTED
from xsynth.program.rewrite import Options as How
from xsynth.trace.proxies.builtins import SUBSTITUTES

LOOP = """
    def f(a: list[int]) -> int:
        total = 0                 # line 3
        for x in a:               # line 4
            if x > 2 and x < 9:   # line 5
                total += x        # line 6
        while total > 10:         # line 7
            total -= 5            # line 8
        return total              # line 9
"""


@pytest.mark.parametrize(
    ("cost", "a", "expected"),
    [
        # total, for + 3 turns + 3 ifs, while + 0 turns, return
        pytest.param("steps", [0, 0, 0], 1 + 1 + 3 + 3 + 1 + 1, id="no branch taken"),
        # two additions; 5 + 8 = 13 takes one turn of two steps
        pytest.param("steps", [5, 8, 1], 1 + 1 + 3 + 3 + 2 + 1 + 2 + 1, id="branches taken"),
        pytest.param("line:6", [5, 8, 1], 2, id="a line"),
        pytest.param("loop:4", [5, 8, 1], 3, id="a for loop"),
        pytest.param("loop:7", [5, 8, 1], 1, id="a while loop"),
        pytest.param("calls", [5, 8, 1], 1, id="calls"),
        # three ifs, the second operand twice, the while test on arrival and once again
        pytest.param("branches", [5, 8, 1], 3 + 2 + 2, id="branches"),
    ],
)
def test_measures(program, cost, a, expected):
    assert program(LOOP, cost=cost).replay({"a": a}).cost == expected


@pytest.mark.parametrize(
    ("a", "expected"),
    [
        # outer test, (inner test, two ifs) for each element, inner test, outer test
        pytest.param([9, 9], 1 + 2 * 3 + 1 + 1, id="both loops to their end"),
        # ... of the element that breaks only the first if, and no inner test after it
        pytest.param([9, 0], 1 + 3 + 2 + 1, id="break"),
        pytest.param([9, 1], 1 + 3 + 3, id="return from two loops"),
    ],
)
def test_a_while_loop_that_is_left_is_not_tested_again(program, a, expected):
    target = program(
        """
        def f(a: list[int]) -> int:
            turns = 0
            while turns < 1:
                i = 0
                while i < len(a):
                    if a[i] == 0:
                        break
                    for _ in a:
                        break
                    if a[i] == 1:
                        return 7
                    i += 1
                turns += 1
            return turns
        """,
        cost="branches",
    )
    assert target.replay({"a": a}).cost == expected


@pytest.mark.parametrize("cost", ["line:1", "loop:5", "speed", "line:x", "steps:3", "loop"])
def test_measures_that_do_not_exist(program, cost):
    with pytest.raises(UsageError):
        program(LOOP, cost=cost)


def test_replay_leaves_the_arguments_alone(program):
    target = program(
        """
        def f(a: list[int]) -> None:
            a.sort()
        """
    )
    a = [3, 1, 2]
    target.replay({"a": a})
    assert a == [3, 1, 2]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            """
            cache = {}
            def f(k: int) -> int:
                if k not in cache:
                    cache[k] = k
                    cache[k] += 1
                return cache[k]
            """,
            id="a module-level dict",
        ),
        pytest.param(
            """
            import functools
            @functools.cache
            def square(k):
                return k * k
            def f(k: int) -> int:
                return square(k)
            """,
            id="a cached function",
        ),
        pytest.param(
            """
            def f(k: int, seen=[]) -> int:
                for _ in seen:
                    pass
                seen.append(k)
                return len(seen)
            """,
            id="a mutable default",
        ),
    ],
)
def test_a_run_does_not_see_what_the_last_one_left(program, source):
    target = program(source, "f")
    first = target.replay({"k": 3})
    assert target.replay({"k": 3}).cost == first.cost


def test_modules_beside_the_program_count_too(program, tmp_path):
    (tmp_path / "helper.py").write_text("def twice(x):\n    y = x\n    return y + y\n")
    target = program(
        """
        from helper import twice
        def f(k: int) -> int:
            return twice(k)
        """
    )
    assert target.replay({"k": 3}).cost == 3


def test_measured_parts_count_alone(program):
    target = program(
        """
        import xsynth
        def f(a: list[int]) -> int:
            total = 0
            for x in a:
                total += 1
            with xsynth.measured():
                total += 1
                total += 1
            return total
        """
    )
    assert target.replay({"a": [1, 2, 3]}).cost == 2


def test_comprehensions_count_their_turns(program):
    target = program(
        """
        def f(a: list[int]) -> list[int]:
            return [x + 1 for x in a if x > 1]
        """
    )
    assert target.replay({"a": [0, 1, 2, 3]}).cost == 1 + 4


def test_an_exception_is_an_outcome(program):
    target = program(
        """
        def f(k: int) -> int:
            if k > 3:
                raise ValueError("too large")
            return k
        """
    )
    replay = target.replay({"k": 4})
    assert replay.cost is None
    assert replay.raised is not None
    assert (replay.raised.kind, replay.raised.message, replay.raised.line) == (
        "ValueError",
        "too large",
        4,
    )


def test_every_substitute_is_called_in_place_of_its_built_in():
    assert {*SUBSTITUTES, "sum", "min", "max", "sorted"} == SUBSTITUTED


LIBRARY = Path(sysconfig.get_paths()["stdlib"])
SOURCES = sorted(path for path in LIBRARY.glob("[a-n]*.py") if path.stat().st_size < 40_000)
"""Modules of the standard library: Python as many people wrote it."""


@pytest.mark.parametrize("trace", [True, False])
def test_the_standard_library_can_be_instrumented(trace):
    assert len(SOURCES) > 40
    for path in SOURCES:
        how = How(str(path), trace, conditions=not trace, work=not trace)
        tree, blocks = instrument(path.read_text(encoding="utf-8"), how)
        compile(tree, str(path), "exec", dont_inherit=True)
        numbers = [
            node.slice.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id == COUNTS
        ]
        assert len(numbers) == len(set(numbers)) <= len(blocks)
