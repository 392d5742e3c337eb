"""Why nothing was learned: short, in a user's words, with one advice that fits."""

from __future__ import annotations

import pytest

from xsynth.model.learn import IRREGULAR
from xsynth.reasons import Attempt, Reasons


@pytest.mark.parametrize(
    ("notes", "further", "told"),
    [
        pytest.param(
            [(f"f.py:7: {IRREGULAR}", Attempt.GENERATORS), ("no end", Attempt.DECISIONS)],
            (),
            f"f.py:7: {IRREGULAR}; repeating their decisions at larger scales fails too (no end)."
            " More --scales may help, or the --cost of one line or loop may be regular where this"
            " is not",
            id="irregular",
        ),
        pytest.param(
            [(f"f.py:7: {IRREGULAR}", Attempt.GENERATORS), ("no end", Attempt.POLICIES)],
            (6, 7),
            f"f.py:7: {IRREGULAR}; preferring one side of each branch at larger scales fails too"
            " (no end). Scales up to 7 were explored as well and did not help: the --cost of one"
            " line or loop may be regular where this is not",
            id="more scales were tried",
        ),
        pytest.param(
            [("at scale 9 the input costs 3, not 2", Attempt.GENERATORS), ("x", Attempt.POLICIES)],
            (),
            "at scale 9 the input costs 3, not 2. Scales on both sides of the change would show"
            " both paths",
            id="overtaken",
        ),
        pytest.param(
            [("the cost has no formula", Attempt.GENERATORS)],
            (),
            "the cost has no formula. More --scales may show the formula",
            id="no formula",
        ),
        pytest.param(
            [("at scale 9: no input satisfies the path condition", Attempt.GENERATORS)],
            (6,),
            "at scale 9: no input satisfies the path condition. Scale 6 was explored as well and"
            " did not help: a larger --range may help where values run out",
            id="values run out",
        ),
    ],
)
def test_what_is_told(
    notes: list[tuple[str, Attempt]], further: tuple[int, ...], told: str
) -> None:
    reasons = Reasons()
    for reason, attempt in notes:
        reasons.note(reason, attempt)
    assert reasons.told(further) == told
    assert told.count(". ") == 1
