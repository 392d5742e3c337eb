"""Decisions call by call: divide and conquer decides the same in calls of one size."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from xsynth.explore.similar import similar
from xsynth.explore.worst import explore
from xsynth.model.allowance import unlimited
from xsynth.model.model import Within
from xsynth.model.within import called, learn_within
from xsynth.pipeline import Status, learn
from xsynth.program.program import Program, load
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.recipe import Recipe, Strategy

# Only what is left of the lower half is put back, so the upper half must be used up first and
# the lower one all but its last: neither alternating nor the turns of the whole run say that.
MERGE = """
def sort(a: list[int]) -> None:
    part(a, 0, len(a))

def part(a, low, high):
    if high - low < 2:
        return
    middle = (low + high) // 2
    part(a, low, middle)
    part(a, middle, high)
    lower = a[low:middle]
    i, j, k = 0, middle, low
    while i < len(lower) and j < high:
        if a[j] < lower[i]:
            a[k] = a[j]
            j += 1
        else:
            a[k] = lower[i]
            i += 1
        k += 1
    while i < len(lower):
        a[k] = lower[i]
        i += 1
        k += 1
"""

# The same in another function, which knows two lengths and not where the parts come from.
WEAVE = """
def order(a: list[int]) -> list[int]:
    if len(a) < 2:
        return a
    middle = (len(a) + 1) // 2
    return weave(order(a[:middle]), order(a[middle:]))

def weave(left, right):
    out = []
    i = j = 0
    while i < len(left) and j < len(right):
        if right[j] <= left[i]:
            out.append(right[j])
            j += 1
        else:
            out.append(left[i])
            i += 1
    for value in right[j:]:
        out.append(value)
        value = None
    return out + left[i:]
"""


def _program(tmp_path: Path, source: str, function: str) -> Program:
    path = tmp_path / f"{function}.py"
    path.write_text(source)
    return load(path, function)


def test_calls_of_one_size_decide_the_same(tmp_path: Path) -> None:
    program = _program(tmp_path, MERGE, "sort")
    cases = [explore(program, n) for n in range(2, 7)]
    family = next(iter(similar(program, cases, time.monotonic() + 600)))
    (function,) = family.sizes
    assert family.sizes[function] == "high - low"
    seen: dict[int, set[tuple[bool, ...]]] = {}
    for trace in family.traces:
        for call in called(trace):
            sides = tuple(side for _, _, side in call.steps)
            seen.setdefault(call.size("high - low"), set()).add(sides)
    assert seen == {n: {(False,) * (n // 2 - 1) + (True,) * (n - n // 2)} for n in range(2, 7)}


def test_the_rule_is_a_generator_in_the_size_of_the_call(tmp_path: Path) -> None:
    program = _program(tmp_path, MERGE, "sort")
    cases = [explore(program, n) for n in range(2, 8)]
    family = next(iter(similar(program, cases, time.monotonic() + 600)))
    (rule,) = learn_within(family.traces, family.sizes, unlimited()).values()
    assert rule.usual is False
    assert [tuple(map(str, columns)) for columns in rule.exceptions] == [
        ("incre(floor((n - 2)/2), n - 2, 1)", "const(0, floor((n + 1)/2))")
    ]


def _worst_merges(n: int) -> int:
    """All of the upper half, and the last of the lower half alone afterwards."""
    return 0 if n < 2 else _worst_merges(n // 2) + _worst_merges(n - n // 2) + n - 1


@pytest.mark.parametrize(
    ("source", "function", "scales"),
    [(MERGE, "sort", range(2, 7)), (WEAVE, "order", range(2, 7))],
    ids=["merge", "weave"],
)
def test_divide_and_conquer_is_directed(
    tmp_path: Path, source: str, function: str, scales: range
) -> None:
    program = _program(tmp_path, source, function)
    learned = learn(program, scales)
    assert learned.status is not Status.NOT_LEARNED, learned.reason
    model = learned.model
    assert model is not None
    recipe = Recipe(program, (), model.policies, model.formula, decisions=model.decisions)
    made = generate(recipe, 100, [Strategy.DIRECT])
    assert isinstance(made, Generated)
    assert made.verified
    assert any(isinstance(decision, Within) for decision in model.decisions)
    assert made.effort is not None
    assert made.effort.by["call"] == _worst_merges(100)
