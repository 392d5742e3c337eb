"""What decides while arguments are made of unknowns, before the function is called.

Instrumented like the pure forms (see `forms.py`): what a set holds, and which of several
values an argument is, are decisions of the path, with loop coordinates of their own.
"""

from __future__ import annotations

from typing import Any


def argument_each(make: Any, items: Any) -> list[Any]:
    made = []
    for item in items:
        made.append(make(item))
    return made


def argument_members(possible: Any, flags: Any) -> list[Any]:
    found = []
    for i in range(len(possible)):
        if flags[i]:
            found.append(possible[i])
    return found


def argument_chosen(values: Any, number: Any) -> Any:
    return values[number]


BUILDERS = frozenset({"argument_each", "argument_members", "argument_chosen"})
"""The functions by name, for those who tell a place."""
