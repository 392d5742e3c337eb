"""Worst inputs that are regular where neither the path's constraints nor their order are."""

from __future__ import annotations

from itertools import product

import pytest

from xsynth.pipeline import Status, learn
from xsynth.program.program import Program
from xsynth.session import generate_from, reopen

LEAST_FIRST = """
    def least_first(data: list[int]) -> list[int]:
        for i in range(len(data)):
            least = i
            for j in range(i + 1, len(data)):
                if data[j] < data[least]:
                    least = j
            if least != i:
                data[i], data[least] = data[least], data[i]
        return data
"""

GREATEST_FIRST = """
    def greatest_first(scores: list[int]) -> int:
        changes = 0
        for start in range(len(scores)):
            best = start
            k = start + 1
            while k < len(scores):
                if scores[best] < scores[k]:
                    best = k
                    changes += 1
                k += 1
            if best > start:
                scores[best], scores[start] = scores[start], scores[best]
        return changes
"""


def cost(target: Program, values: list[int]) -> int:
    return target.replay({target.spec.params[0].name: values}, 10.0).cost


@pytest.mark.parametrize("source", [LEAST_FIRST, GREATEST_FIRST], ids=["least", "greatest"])
def test_a_worst_input_by_value_goes_on(program, source):
    target = program(source)
    found = learn(target, range(2, 8), budget=60)
    assert found.status is Status.LEARNED
    assert found.model is not None
    assert found.model.family == "the input by value"
    for record in found.model.scales[:4]:
        n = record.scale
        assert record.cost == max(cost(target, list(v)) for v in product(range(n), repeat=n))
    made = generate_from(reopen(found.model, target.path, target.path), 60)
    assert made.verified
    assert made.conforms
    for plain in (range(60), range(60, 0, -1), [0] * 60):
        assert made.observed > cost(target, list(plain))
