"""The budget bounds the whole of `learn`, whatever part of it would go on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from xsynth.explore.feasibility.chain import Chain, Domain
from xsynth.limit import OutOfTime, call_until
from xsynth.pipeline import EXPLORING, Status, learn
from xsynth.program.program import Options, load
from xsynth.trace.terms import Apply, Cell, Op, Sort, const
from xsynth.trace.tracer import Deadline

BUDGET = 5.0
GENEROUS = 15.0

PROGRAMS = [
    pytest.param(
        # One question of this takes Z3 a minute: there is no end to the exploring.
        """
def cubes(a: list[int]) -> int:
    count = 0
    for i in range(len(a) - 1):
        if a[i] ** 3 + a[i + 1] ** 3 + a[0] ** 3 == 33 and a[i] % (a[i + 1] * a[0] + 7) == 5:
            count += 1
    return count
""",
        (2, 3, 4),
        id="Z3 gives no answer",
    ),
    pytest.param(
        """
def pairs(a: list[int]) -> int:
    count = 0
    for x in a:
        for y in a:
            if x < y:
                count += 1
    return count
""",
        tuple(range(2, 40)),
        id="there is always another scale",
    ),
    pytest.param(
        """
def words(s: str, i: int = 0) -> bool:
    if i == len(s):
        return True
    if s[i] == "a" and words(s, i + 1):
        return True
    return i + 1 < len(s) and s[i] == "a" and s[i + 1] == "a" and words(s, i + 2)


def run(s: str) -> bool:
    return words(s)
""",
        tuple(range(2, 10)),
        id="generators are sought without end",
    ),
]


@pytest.mark.parametrize(("source", "scales"), PROGRAMS)
def test_learning_ends_with_its_budget(
    source: str, scales: tuple[int, ...], tmp_path: Path
) -> None:
    path = tmp_path / "target.py"
    path.write_text(source)
    function = "run" if "def run" in source else None
    program = load(path, function, Options())
    start = time.monotonic()
    learning = learn(program, scales, budget=BUDGET)
    assert time.monotonic() - start < GENEROUS
    assert sum(case.seconds for case in learning.worst) < EXPLORING * BUDGET + 2.0
    if learning.status is Status.NOT_LEARNED:
        assert "budget" in learning.reason


def test_z3_is_not_asked_past_the_deadline() -> None:
    x, y = (Cell(name, (), Sort.INT) for name in "xy")
    product = Apply(Op.EQ, (Apply(Op.MUL, (x, y), Sort.INT), const(91)), Sort.BOOL)
    domains = [Domain(cell, None, None) for cell in (x, y)]
    late = Chain(domains, layers=frozenset({"z3"}), deadline=time.monotonic() - 1.0)
    with pytest.raises(Deadline):
        late.check(product)


def test_a_stage_is_broken_off() -> None:
    start = time.monotonic()
    with pytest.raises(OutOfTime):
        call_until(start + 0.2, _endless)
    assert time.monotonic() - start < GENEROUS
    time.sleep(0.6)  # nothing arrives later


def test_a_stage_that_catches_everything_is_broken_off() -> None:
    def stubborn() -> None:
        try:
            _endless()
        except BaseException:
            _endless()

    with pytest.raises(OutOfTime):
        call_until(time.monotonic() + 0.2, stubborn)


def test_a_stage_in_time_has_its_result() -> None:
    assert call_until(time.monotonic() + 60.0, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        call_until(time.monotonic() + 60.0, lambda: 1 // 0)


def test_it_is_not_raised_where_it_would_be_lost() -> None:
    class Slow:
        def __del__(self) -> None:
            until = time.monotonic() + 0.3
            while time.monotonic() < until:
                pass
            finished.append(self.__class__)

    finished: list[type] = []

    def stage() -> None:
        one = Slow()
        del one
        _endless()

    with pytest.raises(OutOfTime):
        call_until(time.monotonic() + 0.1, stage)
    assert finished == [Slow]


def _endless() -> None:
    while True:
        pass
