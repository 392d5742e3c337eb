"""Shapes of plain inputs: what anyone would try first, by name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from xsynth.program.program import Program

MOST_CONSTANTS = 4

Shape: TypeAlias = Callable[[int, int], int]
"""The value of element i of m."""

ARRAYS: dict[str, Shape] = {
    "rising": lambda i, m: i,
    "falling": lambda i, m: m - 1 - i,
    "all 0": lambda i, m: 0,
    "all 1": lambda i, m: 1,
    "falling below 0": lambda i, m: -1 - i,
    "all -1": lambda i, m: -1,
    "alternating": lambda i, m: i % 2,
    "rising, then falling": lambda i, m: min(i, m - 1 - i),
    "falling, then rising": lambda i, m: max(i, m - 1 - i),
    "rising, then equal": lambda i, m: i if i < m // 2 else m // 2,
    "rising by pairs": lambda i, m: i // 2,
    "the last is greater": lambda i, m: 0 if i < m - 1 else 1,
    "rising and falling in turn": lambda i, m: i if i % 2 else m - i,
    "by threes": lambda i, m: i % 3,
    "the first is greater": lambda i, m: 0 if i else 1,
    "rising, the least last": lambda i, m: (i + 1) % m,
    "rising, the greatest first": lambda i, m: (i - 1) % m,
    "falling, the greatest last": lambda i, m: m - 2 - i if i < m - 1 else m - 1,
    "falling, the least first": lambda i, m: m - i if i else 0,
    "even before odd": lambda i, m: 2 * i if 2 * i < m else 2 * i - m + (m + 1) % 2,
    "two rising, interleaved": lambda i, m: i // 2 if i % 2 == 0 else (m + 1) // 2 + i // 2,
    "two falling, interleaved": lambda i, m: -(i // 2 if i % 2 == 0 else (m + 1) // 2 + i // 2),
    "least and greatest in turn": lambda i, m: i // 2 if i % 2 == 0 else m - 1 - i // 2,
    "greatest and least in turn": lambda i, m: m - 1 - i // 2 if i % 2 == 0 else i // 2,
    "halves exchanged": lambda i, m: (i + m // 2) % m,
}
SCALARS: dict[str, Shape] = {
    "-1": lambda i, m: -1,
    "n": lambda i, m: m,
    "0": lambda i, m: 0,
    "n - 1": lambda i, m: m - 1,
    "1": lambda i, m: 1,
    "2 n": lambda i, m: 2 * m,
}


def by_constants(program: Program) -> dict[str, Shape]:
    """Patterns of the numbers that the source mentions: what it compares with may matter.

    Equal to one of them, or rising and falling by it from element to element.
    """
    shapes: dict[str, Shape] = {}
    for number in _numbers(program.source):
        shapes |= {
            f"rising by {number}": lambda i, m, c=number: c * i,  # type: ignore[misc]
            f"falling by {number}": lambda i, m, c=number: c * (m - 1 - i),  # type: ignore[misc]
            f"all {number}": lambda i, m, c=number: c,  # type: ignore[misc]
        }
    return shapes


@lru_cache(maxsize=16)
def _numbers(source: str) -> tuple[int, ...]:
    found = {
        abs(node.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and type(node.value) is int
    }
    return tuple(sorted(found - {0, 1})[:MOST_CONSTANTS])
