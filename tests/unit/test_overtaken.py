"""Paths that start cheaper than the worst one and grow faster: no formula may miss them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from xsynth.explore.probes import beaten_by
from xsynth.model.isg import evaluate
from xsynth.pipeline import learn
from xsynth.program.program import Program

SHELVES = """
    def shelves(ops: list[int]) -> int:
        left, right = [], []
        moved = 0
        for op in ops:
            if op > 0:
                left.append(op)
                right = []
            elif op == 0:
                while left:
                    right.append(left.pop())
                    moved += 1
            else:
                while right:
                    left.append(right.pop())
                    moved += 1
        return moved
"""

MACROS = """
    def expand(code: str) -> int:
        parts = []
        steps = 0
        for op in code:
            if op == "w":
                parts = parts + parts
            elif op == "r":
                for part in parts:
                    steps += part
            elif op.isdigit():
                parts.append(int(op))
            else:
                steps += 1
                steps += 2
                steps += 3
                steps += 4
        return steps
"""

QUOTES = """
    def quotes(text: str) -> int:
        i = found = 0
        while i < len(text):
            if text[i] == "[":
                j = i + 1
                while j < len(text) and text[j] != "]":
                    j += 1
                if j < len(text):
                    i = j
            elif text[i] == "#":
                found += 1
                found += 2
                found += 3
                found += 4
            i += 1
        return found
"""

PAIRS = """
    def pairs(bits: list[bool]) -> int:
        ends = []
        total = run = 0
        for i, bit in enumerate(bits):
            if bit:
                run += 1
                for _ in range(5):
                    total += 1
            else:
                if run == 2:
                    for end in ends:
                        total += 1
                        total += i - end
                    ends.append(i)
                run = 0
        return total
"""

TAGS = """
    def tags(text: str) -> int:
        seen = state = 0
        for c in text:
            if state == 0 and c == "<":
                state = 1
            elif state == 1 and c == "/":
                state = 2
            elif state == 2 and c == ">":
                state = 0
                seen += 1
                for _ in range(6 * seen):
                    state += 0
                    state += 0
            elif c == ";":
                seen -= 0
                seen -= 0
                seen -= 0
                seen -= 0
                seen -= 0
        return seen
"""


@pytest.mark.parametrize(
    ("source", "scales", "better"),
    [
        (SHELVES, range(2, 7), {"ops": [1] * 20 + [0, -1] * 10}),
        (MACROS, range(2, 6), {"code": "1" + "w" * 10 + "r"}),
        (QUOTES, range(2, 6), {"text": "[" * 30}),
        (PAIRS, range(2, 8), {"bits": [True, True, False] * 20}),
        (TAGS, range(2, 6), {"text": "</>" * 20}),
    ],
)
def test_what_grows_faster_is_not_missed(
    source: str, scales: range, better: dict[str, object], program: Callable[..., Program]
) -> None:
    target = program(source)
    learning = learn(target, scales)
    cost = target.replay(better).cost
    assert cost is not None
    n = len(next(iter(better.values())))  # type: ignore[arg-type]
    if learning.model is not None:
        assert learning.model.formula is not None
        assert evaluate(learning.model.formula, {"n": n}) >= cost


def test_what_the_source_mentions_is_tried(program: Callable[..., Program]) -> None:
    target = program(QUOTES)
    beaten = beaten_by(target, 30, 300, steps=1_000_000, climb=False)
    assert beaten is not None and beaten.cost is not None and beaten.cost > 300
