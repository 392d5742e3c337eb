"""Basic blocks, and the cost measures as weights over them.

A run is summarised by how often each basic block was entered; every measure is a
weighted sum of these counts, so the same counters serve all of them, in the traced
run and in the plain replay alike.

    steps     every executed statement; a loop counts one on arrival and one a turn,
              a comprehension one a turn
    branches  every evaluated condition: if, while, assert, a conditional expression,
              the filter of a comprehension, and each operand of and/or
    calls     every call of a function of the program
    line:N    how often the statements that start on line N ran
    loop:N    how many turns the loop on line N took
    work      steps, and besides them what built-ins touch: see `work.py`
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from xsynth.errors import UsageError


class Kind(enum.Enum):
    PLAIN = "plain"
    CALL = "call"
    TURN = "turn"
    CONDITION = "condition"
    WORK = "work"


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that run one after another: the lines they start on.

    `line` is the loop's line for a turn; `conditions` counts the tests of if and while
    (a block that leaves a while loop takes back the test that its turn counted).
    """

    kind: Kind
    line: int
    lines: tuple[int, ...]
    conditions: int


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    weights: tuple[int, ...]

    def cost(self, counts: Sequence[int]) -> int:
        return sum(w * c for w, c in zip(self.weights, counts, strict=True) if c)


def measure(name: str, blocks: Sequence[Block]) -> Measure:
    """The measure of that name over these blocks."""
    kind, _, number = name.partition(":")
    match kind:
        case "steps" if not number:
            weights = [len(b.lines) for b in blocks]
        case "branches" if not number:
            weights = [b.conditions for b in blocks]
        case "work" if not number:
            weights = [1 if b.kind is Kind.WORK else len(b.lines) for b in blocks]
        case "calls" if not number:
            weights = [int(b.kind is Kind.CALL) for b in blocks]
        case "line" if number.isdigit():
            weights = [b.lines.count(int(number)) for b in blocks]
            _demand(any(weights), name, "no statement of a function starts on that line")
        case "loop" if number.isdigit():
            weights = [int(b.kind is Kind.TURN and b.line == int(number)) for b in blocks]
            _demand(any(weights), name, "no loop of a function starts on that line")
        case _:
            raise UsageError(
                f"--cost {name}: there is no such measure",
                "choose one of steps, branches, calls, work, line:N, loop:N",
            )
    return Measure(name, tuple(weights))


def _demand(condition: bool, name: str, reason: str) -> None:
    if not condition:
        raise UsageError(f"--cost {name}: {reason}", "give the line number of a statement or loop")
