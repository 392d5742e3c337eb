"""Built-ins that compare what they are given, written out in Python.

A traced program calls these where a symbolic value is compared: they are instrumented like
the program, so that each comparison has its loop coordinates, and they cost nothing, since
the counted program calls the built-in itself.  The order of the comparisons need not be
that of the built-in; what they come to must be.
"""

from __future__ import annotations

from typing import Any


def sorted_(values: Any, keys: Any, reverse: bool) -> list[Any]:
    """The values by their keys; stable, also in reverse."""
    result, order = list(values), list(keys)
    if reverse:
        result.reverse()
        order.reverse()
    for i in range(1, len(order)):
        key, value = order[i], result[i]
        j = i
        while j > 0 and key < order[j - 1]:
            order[j], result[j] = order[j - 1], result[j - 1]
            j -= 1
        order[j], result[j] = key, value
    if reverse:
        result.reverse()
    return result


def least(values: Any, keys: Any) -> Any:
    best = 0
    for i in range(1, len(keys)):
        if keys[i] < keys[best]:
            best = i
    return values[best]


def greatest(values: Any, keys: Any) -> Any:
    best = 0
    for i in range(1, len(keys)):
        if keys[i] > keys[best]:
            best = i
    return values[best]


def position(items: Any, wanted: object, start: int, stop: int) -> int:
    """Where a list first holds a value; -1 if it does not."""
    for i in range(start, stop):
        if items[i] is wanted or items[i] == wanted:
            return i
    return -1


def occurrences(items: Any, wanted: object) -> int:
    found = 0
    for item in items:
        if item is wanted or item == wanted:
            found += 1
    return found


# Sets, where an element is symbolic


def gather(add: Any, items: Any) -> None:
    for item in items:
        add(item)


def among(items: Any, side: Any) -> list[Any]:
    result = []
    for item in items:
        if item in side:
            result.append(item)
    return result


def outside(items: Any, side: Any) -> list[Any]:
    result = []
    for item in items:
        if item not in side:
            result.append(item)
    return result


def some_among(items: Any, side: Any) -> bool:
    for item in items:  # noqa: SIM110  (a loop has coordinates of its own)
        if item in side:
            return True
    return False


def some_outside(items: Any, side: Any) -> bool:
    for item in items:  # noqa: SIM110
        if item not in side:
            return True
    return False
