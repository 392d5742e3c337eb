"""What an input looks like, where a few words say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from shutil import get_terminal_size
from typing import Any

USUAL = 100
NARROWEST = 60
"""How many columns there are where nobody says, and how few at least."""
INDENTED = 2
MOST_LINES = 3


def in_words(value: object) -> str | None:
    """`increasing`, `all equal`, ...; None where there is no such word."""
    match value:
        case str() | bytes():
            return _sequence(list(value), "characters")
        case list() | tuple() if value and all(_is_number(item) for item in value):
            return _sequence(list(value), "elements")
        case list() | tuple() if len(value) > 1 and all(item == value[0] for item in value):
            return "all rows equal" if isinstance(value[0], list | tuple) else "all equal"
        case _:
            return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _sequence(items: Sequence[Any], what: str) -> str | None:
    if len(items) < 3:
        return None
    steps = list(pairwise(items))
    if all(a == b for a, b in steps):
        return f"all {what} equal"
    if all(a < b for a, b in steps):
        return "strictly increasing"
    if all(a > b for a, b in steps):
        return "strictly decreasing"
    if len(set(items[:-1])) == 1:
        return f"all {what} equal but the last"
    if len(set(items[1:])) == 1:
        return f"all {what} equal but the first"
    if all(a <= b for a, b in steps):
        return "increasing, with repetitions"
    if all(a >= b for a, b in steps):
        return "decreasing, with repetitions"
    if all(
        (a < b) != (b < c) and a != b != c
        for a, b, c in zip(items, items[1:], items[2:], strict=False)
    ):
        return "alternating up and down"
    if len(set(items)) == len(items):
        return f"all {what} different"
    return None


def input_lines(arguments: Mapping[str, object]) -> list[str]:
    """An argument after the other: its value, shortened, and the words for it.

    They are as wide as the terminal, with room to be indented.
    """
    width = max(NARROWEST, get_terminal_size((USUAL, 0)).columns) - INDENTED
    lines: list[str] = []
    for name, value in arguments.items():
        start = f"{name} = "
        own = _wrapped(repr(value), width - len(start))
        words = in_words(value)
        if words:
            words = f"({words})"
            if len(start) + len(own[-1]) + 3 + len(words) <= width:
                own[-1] += f"   {words}"
            else:
                own.append(words)
        lines += [start + own[0], *(" " * len(start) + rest for rest in own[1:])]
    return lines


def _wrapped(shown: str, width: int) -> list[str]:
    """Lines that end after a comma where there is one, the last of them cut off."""
    lines: list[str] = []
    left = shown
    while len(left) > width:
        if len(lines) == MOST_LINES - 1:
            return [*lines, left[: width - 3] + "..."]
        comma = left.rfind(", ", 0, width)
        end = width if comma < width // 2 else comma + 1
        lines.append(left[:end])
        left = left[end:] if comma < width // 2 else left[end + 1 :]
    return [*lines, left]
