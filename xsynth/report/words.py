"""What an input looks like, where a few words say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

SHOWN = 70


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
    """One line an argument: its value, shortened, and the words for it."""
    lines = []
    for name, value in arguments.items():
        shown = repr(value)
        if len(shown) > SHOWN:
            shown = shown[: SHOWN - 3] + "..."
        words = in_words(value)
        lines.append(f"{name} = {shown}" + (f"   ({words})" if words else ""))
    return lines
