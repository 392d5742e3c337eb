"""Costs whose linear part repeats: of every few elements one looks through those before."""

from __future__ import annotations

from itertools import product

import pytest

from xsynth.pipeline import Status, learn
from xsynth.session import generate_from, reopen

EVERY_THIRD = """
    def every_third(events: list[bool]) -> int:
        fails = hits = 0
        bans = []
        for t, good in enumerate(events):
            if good:
                fails = 0
            else:
                fails += 1
                if fails == 3:
                    for b in bans:
                        hits += b
                    bans.append(t)
                    fails = 0
        return hits
"""

FLUSH_FIVE = """
    def flush_five(values: list[bool]) -> int:
        buffer = []
        done = []
        total = 0
        for v in values:
            if v:
                buffer.append(v)
            if len(buffer) == 5:
                for b in buffer:
                    for d in done:
                        total += 1
                    done.append(b)
                buffer = []
        return total
"""


@pytest.mark.parametrize(
    ("source", "name", "value"),
    [(EVERY_THIRD, "events", False), (FLUSH_FIVE, "values", True)],
    ids=["every third", "flush five"],
)
def test_a_cost_in_batches_is_learned(program, source, name, value):
    target = program(source)
    found = learn(target, range(2, 9), budget=60)
    assert found.status is Status.LEARNED
    assert found.model is not None and found.model.growth == "O(n^2)"
    for n in range(2, 9):
        worst = max(
            target.replay({name: list(v)}, 5.0).cost for v in product((False, True), repeat=n)
        )
        assert found.model.predicted(n) == worst
    for n in (31, 200, 500):
        made = generate_from(reopen(found.model, target.path, target.path), n)
        assert made.verified
        assert made.observed == target.replay({name: [value] * n}, 5.0).cost
