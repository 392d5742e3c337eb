"""`--cost work`: each weight, the same in a counted and in a traced run."""

from __future__ import annotations

import pytest

from xsynth.explore.worst import concrete, explore
from xsynth.pipeline import fit_cost, learn
from xsynth.program.program import Program

# The cost beyond the two steps of `f` (the expression, and return) at a = [3, 1, 2, 1].
WEIGHTS = [
    ("a[1:]", 3),
    ("a + a", 8),
    ("a * 2", 8),
    ("1 in a", 2),
    ("7 in a", 4),
    ("7 not in a", 4),
    ("a.index(1)", 2),
    ("a.count(1)", 4),
    ("a.remove(1)", 4),
    ("a.pop()", 0),
    ("a.pop(0)", 4),
    ("a.pop(-1)", 1),
    ("a.insert(1, 5)", 3),
    ("a.append(5)", 0),
    ("a.copy()", 4),
    ("a.sort()", 8),
    ("sorted(a)", 8),
    ("list(a)", 4),
    ("set(a)", 3),
    ("min(a)", 4),
    ("max(a[0], 2)", 0),
    ("sum(a)", 4),
    ("any(a)", 4),
    ("1 in {1, 2}", 0),
    ("'ab' + 'c'", 3),
    ("'-'.join(['a', 'b'])", 3),
    ("'abc'.find('c')", 3),
]


@pytest.mark.parametrize(("expression", "weight"), WEIGHTS, ids=[e for e, _ in WEIGHTS])
def test_weights(program, expression, weight):
    source = f"def f(a: list[int]) -> None:\n    {expression}\n    return\n"
    target = program(source, cost="work", ranges={"a": "0..2"})
    assert target.replay({"a": [3, 1, 2, 1]}).cost == 2 + weight
    agree(target, 3)


@pytest.mark.parametrize("statement", ["b += a", "b += [1]", "t += 'x'", "u += (1, 2)"])
def test_augmented_assignment(program, statement):
    source = "def f(a: list[int]) -> None:\n    b = []\n    t = 'ab'\n    u = ()\n    {}\n"
    agree(program(source.format(statement), cost="work"), 3)


def agree(target: Program, scale: int) -> None:
    for path in explore(target, scale).kept:
        assert target.replay(concrete(target, scale, path.witness)).cost == path.cost


SLICES = """
    def take(data: list[int]) -> int:
        total = 0
        while data:
            if data[0] > 0:
                total += 1
            data = data[1:]
        return total
"""


def test_a_loop_of_slices_is_quadratic(program):
    target = program(SLICES, cost="work")
    costs = {n: explore(target, n).cost for n in range(2, 7)}
    assert str(fit_cost(costs)).count("n**2") == 1
    assert learn(target, range(2, 6)).model is not None


def test_other_measures_charge_nothing(program):
    assert program(SLICES, cost="steps").replay({"data": [1, 1]}).cost == 1 + 1 + 2 * 4 + 1
