"""Decision sequences: learned from the small scales, followed at a large one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from xsynth.explore.alike import alike
from xsynth.explore.families import families
from xsynth.explore.guide import Preferences
from xsynth.explore.worst import WorstCase, explore
from xsynth.model.decision_text import decision_lines, places_of
from xsynth.model.decisions import LearnedDecisions, learn_decisions
from xsynth.model.isg import parse_expr
from xsynth.program.program import Options, Program, load
from xsynth.synthesize.direct import Undirected, direct
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.recipe import Failed, Recipe, Strategy

# The ring is left in an irregular order, but it is always the last one that is not positive.
RING = """
def ring(a: list[int]) -> int:
    left = list(range(len(a)))
    at = run = work = 0
    while left:
        at = (at + 2) % len(left)
        if a[left.pop(at)] > 0:
            run += 1
        else:
            for _ in range(run):
                work += 1
            run = 0
    return work
"""

# Batches of irregular lengths, each of which should alternate from its own start.
BATCHES = """
def batches(a: list[int]) -> int:
    changes = start = 0
    size = 1
    while start < len(a):
        changes += batch(a, start, min(len(a), start + size))
        start += size
        size = (size * 3 + 1) % 5 + 1
    return changes

def batch(a, low, high):
    changes = 0
    before = 0
    for i in range(low, high):
        side = 0
        if a[i] > 0:
            side = 1
        if side != before:
            changes += 1
        before = side
    return changes
"""

# What remains when one side is used up is copied at once: the worst merges alternate.
MERGE = """
def sort(a: list[int]) -> list[int]:
    if len(a) < 2:
        return a
    middle = len(a) // 2
    left, right = sort(a[:middle]), sort(a[middle:])
    merged = []
    p = q = 0
    while p < len(left) and q < len(right):
        if left[p] <= right[q]:
            merged.append(left[p])
            p += 1
        else:
            merged.append(right[q])
            q += 1
    return merged + left[p:] + right[q:]
"""

# A table that an element of the input points into: which entry is used is a plain value.
TABLE = """
def table(a: list[int]) -> int:
    costs = [0, 3, 1, 2]
    work = 0
    for k in range(len(a)):
        for _ in range(costs[a[k]]):
            work += 1
    return work
"""

ALTERNATE = [
    "decision p after 1",
    "  after start: {}",
    "  after p false: true",
    "  after p true: false",
]


@dataclass(frozen=True)
class Case:
    source: str
    function: str
    scales: range
    rule: list[str]
    worst: str
    options: Options = field(default_factory=Options)


CASES = [
    pytest.param(
        Case(
            RING,
            "ring",
            range(3, 8),
            ["decision p true", "  except const(0, 1); const(n - 1, 1); const(0, 1)"],
            "6*n + 3",
        ),
        id="turns",
    ),
    pytest.param(
        Case(
            BATCHES,
            "batches",
            range(3, 10),
            [line.format("true") for line in ALTERNATE],
            "n",
            Options(cost="line:19"),
        ),
        id="history",
    ),
    pytest.param(
        Case(
            MERGE,
            "sort",
            range(2, 7),
            [line.format("false") for line in ALTERNATE],
            # n log2 n - 2**k + 1 comparisons, if n is between 2**k and 2**(k + 1)
            "n*floor(log(n, 2)) + 2*n - 2*2**floor(log(n, 2)) - n + 1",
            Options(cost="line:10"),
        ),
        id="history among ties",
    ),
    pytest.param(
        Case(
            TABLE,
            "table",
            range(1, 5),
            [
                "decision p values",
                "  leaves const(1, n)"
                " | counters const(0, n); incre(0, n - 1, 1); const(-1, n); const(0, n)",
            ],
            "8*n + 4",
            Options(ranges={"a": "0..3"}),
        ),
        id="values",
    ),
]


def _learned(case: Case, folder: Path) -> tuple[Program, LearnedDecisions]:
    source = folder / f"{case.function}.py"
    source.write_text(case.source)
    program = load(source, case.function, case.options)
    cases: list[WorstCase] = [explore(program, scale) for scale in case.scales]
    found = dict(families(program, cases))
    if any(one.ties > 1 for one in cases):
        found |= dict(alike(program, cases, float("inf")))
    for traces in list(found.values())[::-1]:
        learned = learn_decisions(traces, remember=case.rule[0].endswith("after 1"))
        if not learned.open:
            return program, learned
    raise AssertionError("no family has rules for all its decisions")


@pytest.mark.parametrize("case", CASES)
def test_rules_decide_every_branch_far_beyond(case: Case, tmp_path: Path) -> None:
    program, learned = _learned(case, tmp_path)
    (rule,) = learned.rules
    text = list(decision_lines(rule, dict.fromkeys(places_of(rule), "p")))
    assert [text[0], *sorted(text[1:])] == [case.rule[0], *sorted(case.rule[1:])]
    recipe = Recipe(program, (), (), parse_expr(case.worst), decisions=learned.rules)
    made = generate(recipe, 500, [Strategy.DIRECT])
    assert isinstance(made, Generated), made
    assert made.verified, (made.predicted, made.observed)
    assert made.effort is not None and made.effort.paths == 1
    assert made.effort.unresolved == 0 and made.effort.solver_calls <= 1
    assert not made.effort.checks, "no feasibility check on the way"


def test_auto_says_why_synthesis_did_not_serve(tmp_path: Path) -> None:
    program, learned = _learned(CASES[0].values[0], tmp_path)  # type: ignore[arg-type]
    recipe = Recipe(program, (), (), parse_expr("6*n + 3"), decisions=learned.rules)
    made = generate(recipe, 40)
    assert isinstance(made, Generated) and made.strategy is Strategy.DIRECT
    assert made.failed == (Failed(Strategy.SYNTHESIZE, "the model has no generators"),)


SORT = """
def sort(a: list[int]) -> list[int]:
    for i in range(1, len(a)):
        for j in range(i, 0, -1):
            if a[j - 1] <= a[j]:
                break
            a[j - 1], a[j] = a[j], a[j - 1]
    if a[0] < a[len(a) - 1]:
        a[0] = a[1]
    return a
"""


def test_what_depends_on_feasibility_is_asked_of_the_graph(tmp_path: Path) -> None:
    """The last test is implied by the others: no rule and no Z3 are needed."""
    source = tmp_path / "sort.py"
    source.write_text(SORT)
    program = load(source, "sort")
    traces = next(iter(families(program, [explore(program, n) for n in (3, 4, 5)]).values()))
    (first, last) = learn_decisions(traces).rules
    found = direct(program, 30, [first], Preferences({}), most=10**6)
    assert not isinstance(found, Undirected)
    assert found.decisions == {
        "sequence": 435, "history": 0, "call": 0, "policy": 0, "implied": 1, "trusted": 0,
    }  # fmt: skip
    assert found.checks["z3"] == 0 and found.checks["difference"] >= 1
    stuck = direct(program, 30, [last], Preferences({}), most=10**6)
    assert isinstance(stuck, Undirected) and ".py:5" in stuck.reason
