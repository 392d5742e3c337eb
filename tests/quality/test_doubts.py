"""Formulas that the explored scales make doubtful, though they are right at the largest."""

from __future__ import annotations

from pathlib import Path

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


def test_paths_that_grow_faster_than_the_worst_are_told(tmp_path: Path) -> None:
    learned = _learned(tmp_path, RARE, range(2, 7))
    assert learned.status == "not learned"
    assert "paths through line 5 cost n**2 + n + 4" in learned.reason
    # The usual paths cost 13*n + 4.
    assert "overtake it at n = 13" in learned.reason


def test_they_are_told_where_a_loop_hides_them(tmp_path: Path) -> None:
    learned = _learned(tmp_path, PAIRS, range(2, 7))
    assert learned.status == "not learned"
    assert "overtake" in learned.reason
