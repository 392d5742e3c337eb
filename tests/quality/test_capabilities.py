"""One small program for each thing that a model can express, learned and verified at a size
where nothing could be searched.

The programs stand here so that what they need is seen beside them.  The expected cost is that
of an input written down by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from xsynth.model.isg import evaluate_int
from xsynth.pipeline import Status, learn
from xsynth.program.program import Options, load
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.recipe import Recipe, Strategy

SORTED = "all(x <= y for x, y in zip(a, a[1:]))"


@dataclass(frozen=True)
class Case:
    needs: str
    source: str
    worst: Callable[[int], Mapping[str, object]]
    """An input of the worst cost."""
    scales: range = range(2, 7)
    options: Mapping[str, object] = field(default_factory=dict)
    function: str | None = None
    at: int = 100


CASES = [
    Case(
        "a recurrence that depends on n: the middles of a search to the right",
        """
def search(a: list[int], x: int) -> int:
    low, high = 0, len(a) - 1
    while low <= high:
        mid = (low + high) // 2
        if a[mid] == x:
            return mid
        if a[mid] < x:
            low = mid + 1
        else:
            high = mid - 1
    return -1
""",
        lambda n: {"a": list(range(n)), "x": n},
        options={"assumptions": (SORTED,)},
    ),
    Case(
        "a recurrence with a bound of its own: doubling",
        """
def gallop(a: list[int], x: int) -> int:
    i = 1
    while i < len(a) and a[i] < x:
        i *= 2
    return i
""",
        lambda n: {"a": list(range(n)), "x": n},
        range(2, 10),
    ),
    Case(
        "a sum of logarithms in the cost, with a square",
        """
def binary_insertion(a: list[int]) -> list[int]:
    for i in range(1, len(a)):
        low, high = 0, i
        while low < high:
            middle = (low + high) // 2
            if a[i] < a[middle]:
                high = middle
            else:
                low = middle + 1
        x = a[i]
        for j in range(i, low, -1):
            a[j] = a[j - 1]
        a[low] = x
    return a
""",
        lambda n: {"a": list(range(n, 0, -1))},
    ),
    Case(
        "a cost whose linear term has a period",
        """
def odd_even_sort(a: list[int]) -> list[int]:
    done = False
    while not done:
        done = True
        for start in (1, 0):
            for i in range(start, len(a) - 1, 2):
                if a[i] > a[i + 1]:
                    a[i], a[i + 1] = a[i + 1], a[i]
                    done = False
    return a
""",
        lambda n: {"a": list(range(n, 0, -1))},
    ),
    Case(
        "the order of a whole input, where the comparisons made have no generator",
        """
def knock_out(a: list[int]) -> int:
    left = list(a)
    while len(left) > 1:
        winners = []
        for i in range(0, len(left) - 1, 2):
            if left[i] < left[i + 1]:
                best = left[i + 1]
                winners.append(best)
            else:
                winners.append(left[i])
        if len(left) % 2:
            winners.append(left[-1])
        left = winners
    return left[0]
""",
        lambda n: {"a": list(range(n))},
    ),
    Case(
        "offsets that differ from turn to turn: a version of the turn before, or of that before it",
        """
def spread(gain: list[int]) -> list[int]:
    n = len(gain)
    level = [0] * n
    for giver in range(n):
        for taker in range(n):
            if giver != taker and level[giver] + gain[taker] > level[taker]:
                level[taker] = level[giver] + gain[taker]
    return level
""",
        lambda n: {"gain": [1] * n},
        scales=range(2, 6),
    ),
    Case(
        "offsets of versions in three loops, from scales that a directed run reached",
        """
def potentials(weight: list[list[int]]) -> list[int]:
    n = len(weight)
    height = [0] * n
    for _ in range(n):
        for u in range(n):
            for v in range(n):
                if u != v and height[u] + weight[u][v] < height[v]:
                    height[v] = height[u] + weight[u][v]
    return height
""",
        lambda n: {"weight": [[-1] * n for _ in range(n)]},
        scales=range(2, 4),
        at=15,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.needs)
def test_learned_and_verified(case: Case, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(case.source)
    program = load(file, case.function, Options(**case.options))  # type: ignore[arg-type]
    found = learn(program, case.scales)
    assert found.status is Status.LEARNED, found.reason
    assert found.model is not None
    assert found.model.formula is not None
    for n in (2 * case.at // 5 + 1, case.at):
        worst = program.replay(case.worst(n)).cost
        assert evaluate_int(found.model.formula, {"n": n}) == worst
    recipe = Recipe(program, found.model.points, found.model.policies, found.model.formula)
    made = generate(recipe, case.at, [Strategy.SYNTHESIZE])
    assert isinstance(made, Generated)
    assert made.verified


SEARCHES = [
    pytest.param(
        """
def route(step: list[list[int]]) -> int:
    return walk(step, 0, list(range(1, len(step))), 0, 10**9)


def walk(step, here, left, total, best):
    if total > best:
        return best
    if not left:
        return min(best, total)
    for i in range(len(left)):
        rest = left[:i] + left[i + 1 :]
        best = walk(step, left[i], rest, total + step[here][left[i]], best)
    return best
""",
        "route",
        "step",
        range(1, 5),
        id="open tours",
    ),
    pytest.param(
        """
def assign(cost: list[list[int]]) -> int:
    return place(cost, 0, list(range(len(cost))), 0, 10**9)


def place(cost, row, left, total, best):
    if total > best:
        return best
    if not left:
        return min(best, total)
    for i in range(len(left)):
        rest = left[:i] + left[i + 1 :]
        best = place(cost, row + 1, rest, total + cost[row][left[i]], best)
    return best
""",
        "assign",
        "cost",
        range(1, 4),
        id="assignments",
    ),
]


@pytest.mark.parametrize(("source", "function", "name", "scales"), SEARCHES)
def test_a_search_for_the_least_sum(
    source: str, function: str, name: str, scales: range, tmp_path: Path
) -> None:
    """Needs a formula with sums of factorials, few scales to confirm it at, and plain values:
    a solver takes minutes for the sums along all ways."""
    file = tmp_path / "program.py"
    file.write_text(source)
    program = load(file, function, Options(ranges={name: "0..1000"}))
    found = learn(program, scales)
    assert found.model is not None, found.reason
    assert found.model.formula is not None
    n = 7
    worst = program.replay({name: [[1] * n for _ in range(n)]}).cost
    assert evaluate_int(found.model.formula, {"n": n}) == worst
    model = found.model
    recipe = Recipe(program, (), model.policies, model.formula, decisions=model.decisions)
    made = generate(recipe, n, [Strategy.DIRECT])
    assert isinstance(made, Generated)
    assert made.verified
