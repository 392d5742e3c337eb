"""What decides while arguments are made of unknowns, before the function is called.

Instrumented like the pure forms (see `forms.py`): what a set holds, and which of several
values an argument is, are decisions of the path, with loop coordinates of their own.  In
traced code `dict` and `set` are those that know symbolic keys.
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


def argument_set(items: Any) -> Any:
    return set(items)


def argument_frozenset(items: Any) -> Any:
    return frozenset(items)


def argument_dict(keys: Any, values: Any) -> Any:
    made = dict()  # noqa: C408  (a display would be Python's own in plain code alone)
    for i in range(len(keys)):
        made[keys[i]] = values[i]
    return made


BUILDERS = frozenset(
    ["argument_each", "argument_members", "argument_chosen", "argument_set", "argument_dict"]
)
"""The functions by name, for those who tell a place."""
