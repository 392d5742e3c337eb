"""Values of arguments that Python has no literal for, as plain data.

A program exists twice, counting and tracing, with classes of its own in each; and a model
file knows no classes at all.  So an object travels as the call that makes it (`Made`), a
member of an enumeration as its name (`Member`), and becomes the real thing where the
function is called (`received.py`).  Under symbolic execution a set is a flag for each
possible member (`Subset`) and a choice is a number (`Option`) until then.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """An object as the call of its class that makes it."""

    made_by: str
    arguments: Mapping[str, object]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{self.made_by}({shown})"


class Member(str):
    """A member of an enumeration: its name, and the class that it belongs to."""

    __slots__ = ("made_by",)
    __match_args__ = ("made_by",)
    made_by: str

    def __new__(cls, made_by: str, name: str) -> Member:
        member = super().__new__(cls, name)
        member.made_by = made_by
        return member

    def __repr__(self) -> str:
        return f"{self.made_by}.{self}"

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.made_by, str(self)


@dataclass(frozen=True, slots=True)
class Subset:
    """The members whose flags are true."""

    members: tuple[object, ...]
    flags: tuple[Any, ...]

    def __iter__(self) -> Iterator[object]:
        """The members; a flag that is symbolic is decided."""
        return (m for m, flag in zip(self.members, self.flags, strict=True) if flag)


@dataclass(frozen=True, slots=True)
class Option:
    """The value of that number."""

    values: tuple[object, ...]
    number: Any


def names(count: int) -> tuple[str, ...]:
    """So many names, as keys of a dict: a, b, ..., z, aa, ab, ..."""
    return tuple(_name(i) for i in range(count))


def _name(number: int) -> str:
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[letter] + name
    return name


def keys(kind: str, count: int) -> tuple[object, ...]:
    """The keys of a dict and the possible members of a set."""
    return tuple(range(count)) if kind == "int" else names(count)


def fresh(value: Any, memo: dict[int, Any]) -> Any:
    """`copy.deepcopy`, fifty times as fast for lists of numbers and texts."""
    if type(value) in _UNCHANGING:
        return value
    if type(value) is not list or id(value) in memo:
        return copy.deepcopy(value, memo)
    own: list[Any] = []
    memo[id(value)] = own  # deepcopy keeps its copies there too, so what was one stays one
    own.extend(
        value if _UNCHANGING.issuperset(map(type, value)) else [fresh(v, memo) for v in value]
    )
    return own


_UNCHANGING = frozenset({bool, bytes, float, int, str, type(None)})
