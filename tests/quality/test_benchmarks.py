"""The benchmark programs: small scales against brute force, large ones verified."""

from __future__ import annotations

import pytest
from suite import CASES, POLICY_CASES, Case

from xsynth.explore.worst import explore
from xsynth.pipeline import Status, learn
from xsynth.program.program import Options, load
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.recipe import Recipe, Strategy


def _load(case: Case):
    return load(case.path, case.name, Options(**case.options))


@pytest.mark.parametrize(
    ("case", "scale"),
    [pytest.param(c, n, id=f"{c.name}-{n}") for c in CASES + POLICY_CASES for n in c.brute],
)
def test_exploration_finds_what_brute_force_finds(case: Case, scale: int) -> None:
    program = _load(case)
    found = explore(program, scale)
    brute = max(program.replay(arguments).cost for arguments in case.inputs(scale))
    assert found.exhaustive
    assert found.cost == brute == case.worst(scale)


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES])
def test_learned_and_verified_at_large_scales(case: Case) -> None:
    program = _load(case)
    learning = learn(program, case.scales)
    assert learning.status is Status.LEARNED, learning.reason
    model = learning.model
    assert model is not None
    recipe = Recipe(program, model.points, model.policies, model.formula)
    for scale in sorted({100, case.largest}):
        made = generate(recipe, scale, [Strategy.SYNTHESIZE])
        assert isinstance(made, Generated), made
        assert made.verified
        assert made.conforms is not False
        assert made.observed == made.predicted == case.worst(scale)
        assert made.stats is not None
        assert made.stats.solver_calls <= 1


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in POLICY_CASES])
def test_policies_reach_the_worst_cost(case: Case) -> None:
    program = _load(case)
    learning = learn(program, case.scales)
    assert learning.status is Status.POLICY_ONLY, learning.reason
    model = learning.model
    assert model is not None
    recipe = Recipe(program, model.points, model.policies, model.formula)
    made = generate(recipe, case.largest, [Strategy.GUIDED])
    assert isinstance(made, Generated), made
    assert made.verified
    assert made.observed == case.worst(case.largest)
