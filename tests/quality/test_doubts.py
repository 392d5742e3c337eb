"""Formulas that the explored scales make doubtful, though they are right at the largest."""

from __future__ import annotations

from pathlib import Path

import pytest

import xsynth

# Amounts that cannot be paid wait; every payment looks through those that wait.  The worst costs
# are 18, 28, 38, 51, 64, 80: from 4 to 6 they lie on a straight line.
LEDGER = """
def settle(amounts: list[int]) -> int:
    balance = 0
    waiting: list[int] = []
    for a in amounts:
        if balance + a < 0:
            waiting.append(a)
            continue
        balance += a
        if a > 0:
            still = []
            for p in waiting:
                if balance + p >= 0:
                    balance += p
                else:
                    still.append(p)
            waiting = still
    return len(waiting)
"""

# The rare side is quadratic with a small factor, the usual one linear with a large one.
RARE = """
def audit(a: list[int]) -> int:
    total = 0
    if a[0] == 2 * a[1] + 17:
        for i in range(len(a)):
            for j in range(i):
                total += 1
        return total
    for x in a:
        total += x
        total -= 1
        total += x
        total -= 1
        total += x
        total -= 1
        total += x
        total -= 1
        total += x
        total -= 1
        total += x
        total -= 1
    return total
"""

# The same where the rare lists are looked through in pairs.
PAIRS = """
def pairs(a: list[int], target: int) -> int:
    found = 0
    if a[0] == 3 * target + 31:
        for i in range(len(a)):
            for j in range(len(a)):
                found += 1
    else:
        for x in a:
            for k in range(20):
                found += k
    return found
"""


def _learned(tmp_path: Path, source: str, scales: range) -> xsynth.Learned:
    path = tmp_path / "program.py"
    path.write_text(source)
    return xsynth.learn(path, scales=scales)


def test_a_rival_that_explains_every_scale_is_put_to_the_test(tmp_path: Path) -> None:
    learned = _learned(tmp_path, LEDGER, range(2, 6))
    assert learned.status == "learned"
    assert learned.formula == "floor((3*n**2 + 22*n + 19)/4)"
    assert learned.generate(100).verified


MANY = RARE.replace("        total += x\n", "        if x > 0:\n            total += x\n", 1)


def test_paths_that_grow_faster_than_the_worst_are_told(tmp_path: Path) -> None:
    learned = _learned(tmp_path, MANY, range(2, 7))
    assert learned.status == "not learned"
    assert "paths through line 5 cost n**2 + n + 4" in learned.reason
    # The usual paths cost 14*n + 4.
    assert "overtake it at n = 14" in learned.reason


@pytest.mark.parametrize("source", [RARE, PAIRS], ids=["rare", "pairs"])
def test_where_there_are_few_paths_all_are_looked_at_instead(tmp_path: Path, source: str) -> None:
    learned = _learned(tmp_path, source, range(2, 7))
    assert learned.status == "policy only"
    assert learned.formula is None
    assert "overtake" in learned.reason
    if source is RARE:
        # The usual paths cost 13*n + 4, which are the worst up to 12.
        assert learned.generate(10).observed == 13 * 10 + 4
        assert learned.generate(40).observed == 40**2 + 40 + 4
    made = learned.generate(60)
    assert made.verified
    assert made.observed > 60**2


# What happens once within five elements is compared with all earlier times: 12*n + 5 up to n = 12.
BURSTS = """
def bursts(values: list[int], limit: int) -> int:
    tops = []
    spent = up = 0
    for i, value in enumerate(values):
        if value > limit:
            up += 1
            for attempt in range(4):
                spent += attempt
        else:
            if up >= 4:
                for top in tops:
                    spent += i - top
                tops.append(i)
            up = 0
    return spent
"""


def test_small_inputs_are_repeated(tmp_path: Path) -> None:
    learned = _learned(tmp_path, BURSTS, range(2, 8))
    program = learned.program
    worst = program.replay({"values": [1, 1, 1, 1, 0] * 40, "limit": 0}, 10.0).cost
    assert worst is not None and worst > 12 * 200 + 5
    if learned.status == "learned":
        assert learned.generate(200).observed >= worst
    else:
        assert "another input costs" in learned.reason
