"""A run that cannot end in its time is not begun, or only to see how fast it is."""

from __future__ import annotations

import time

import pytest

from xsynth.program.program import Options, Program, load
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.recipe import Recipe, Strategy
from xsynth.validate import fit_cost

SOURCE = """
def move(n: int) -> None:
    if n:
        move(n - 1)
        move(n - 1)


def towers(discs: list[int]) -> None:
    move(len(discs))
"""


@pytest.fixture(scope="module")
def towers(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("towers") / "towers.py"
    path.write_text(SOURCE)
    return load(path, "towers", Options())


def _recipe(program: Program) -> Recipe:
    costs = {n: program.replay({"discs": [0] * n}).cost or 0 for n in range(2, 9)}
    formula = fit_cost(dict(costs))
    assert formula is not None
    return Recipe(program, (), (), formula, free=True)


def test_a_long_replay_is_given_up_once_its_pace_is_known(towers: Program) -> None:
    start = time.monotonic()
    made = generate(_recipe(towers), 30, [Strategy.SYNTHESIZE], timeout=20.0)
    assert time.monotonic() - start < 10.0
    assert isinstance(made, Generated)
    assert made.verified is None
    assert f"a replay of {made.predicted} steps takes longer" in made.notes[0]


def test_a_long_path_is_not_followed(towers: Program) -> None:
    recipe = _recipe(towers)
    start = time.monotonic()
    made = generate(recipe, 40, [Strategy.GUIDED], timeout=60.0)
    assert time.monotonic() - start < 10.0
    assert isinstance(made, tuple)
    predicted = recipe.predicted(40)
    assert f"the predicted cost is {predicted}: such a run takes longer" in made[0].reason


def test_a_replay_that_ends_is_replayed(towers: Program) -> None:
    made = generate(_recipe(towers), 14, [Strategy.SYNTHESIZE], timeout=60.0)
    assert isinstance(made, Generated)
    assert made.verified
