"""Strings and bytes as sequences of characters, each plain or symbolic.

The length is always plain.  A unit is the code of one character: an `int`, or an
INT term.  Two texts are compared as Python does it, from the left, and every
comparison of a symbolic character is a decision of its own; the last one, if it
settles the answer, is left to the caller as a `SymBool`, so that
`if text[i] == "a"` is one clause.  A result with no symbolic character is plain.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Self, TypeAlias

from xsynth.trace.proxies import build
from xsynth.trace.proxies.base import wrap
from xsynth.trace.proxies.current import (
    active,
    concrete,
    decide,
    hashes_by_identity,
    unsupported,
)
from xsynth.trace.terms import Const, Op, Term

Unit: TypeAlias = "int | Term"
Units: TypeAlias = "tuple[int | Term, ...]"


def code(character: str | int | Term) -> Unit:
    if isinstance(character, str):
        return ord(character)
    if type(character) is Const:
        return int(character.value)
    return character


def term_of(unit: Unit) -> Term:
    return build.integer(unit) if isinstance(unit, int) else unit


def compare_units(op: Op, left: Unit, right: Unit) -> Term:
    return build.compare(op, term_of(left), term_of(right))


def units_equal(left: Unit, right: Unit) -> bool:
    """Whether this run takes two characters as equal."""
    if type(left) is int and type(right) is int:
        return left == right
    return decide(compare_units(Op.EQ, left, right))


def all_equal(left: Sequence[Unit], right: Sequence[Unit]) -> bool:
    """From the left to the first difference; the lengths are the same."""
    return all(map(units_equal, left, right))


class Characters:
    """The sequence: length, items, concatenation, comparison, conversion."""

    __slots__ = ("units",)

    stands_for: ClassVar[type] = object

    def __init__(self, characters: Iterable[str | int | Term]) -> None:
        self.units: Units = tuple(map(code, characters))

    # What differs between str and bytes

    @staticmethod
    def _plain(units: Iterable[int]) -> Any:
        raise NotImplementedError

    def _item(self, unit: Unit) -> Any:
        raise NotImplementedError

    @classmethod
    def _units(cls, value: object) -> Units | None:
        """The units of a text of this kind, plain or symbolic; None for other values."""
        if isinstance(value, cls):
            return value.units
        if isinstance(value, cls.stands_for):
            return tuple(map(code, value))  # type: ignore[call-overload]
        return None

    @classmethod
    def _must(cls, value: object) -> Units:
        units = cls._units(value)
        if units is None:
            raise TypeError(f"must be {cls.stands_for.__name__}, not {type(value).__name__}")
        return units

    @classmethod
    def _make(cls, units: Iterable[Unit]) -> Any:
        """A plain text if every unit is plain, else a proxy."""
        units = tuple(units)
        plain_units = [unit for unit in units if type(unit) is int]
        return cls._plain(plain_units) if len(plain_units) == len(units) else cls(units)

    # The sequence

    def __len__(self) -> int:
        return len(self.units)

    def __iter__(self) -> Iterator[Any]:
        return map(self._item, self.units)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._make(self.units[key])
        return self._item(self.units[key])

    def __add__(self, other: object) -> Any:
        right = self._units(other)
        return NotImplemented if right is None else self._make(self.units + right)

    def __radd__(self, other: object) -> Any:
        left = self._units(other)
        return NotImplemented if left is None else self._make(left + self.units)

    def __mul__(self, times: Any) -> Any:
        return self._make(self.units * operator.index(times))

    __rmul__ = __mul__

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    # Comparison

    def __eq__(self, other: object) -> Any:
        right = self._units(other)
        if right is None:
            return NotImplemented
        if len(right) != len(self.units):
            return False
        if len(right) == 1:
            return wrap(compare_units(Op.EQ, self.units[0], right[0]))
        return all_equal(self.units, right)

    def __ne__(self, other: object) -> Any:
        right = self._units(other)
        if right is None:
            return NotImplemented
        if len(right) != len(self.units):
            return True
        if len(right) == 1:
            return wrap(compare_units(Op.NE, self.units[0], right[0]))
        return not all_equal(self.units, right)

    def __lt__(self, other: object) -> Any:
        return self._order(Op.LT, Op.LE, other)

    def __le__(self, other: object) -> Any:
        return self._order(Op.LT, Op.LE, other, or_equal=True)

    def __gt__(self, other: object) -> Any:
        return self._order(Op.GT, Op.GE, other)

    def __ge__(self, other: object) -> Any:
        return self._order(Op.GT, Op.GE, other, or_equal=True)

    def _order(self, strict: Op, loose: Op, other: object, or_equal: bool = False) -> Any:
        """Lexicographic order; the last common character settles what is left."""
        left, right = self.units, self._units(other)
        if right is None:
            return NotImplemented
        if len(left) == len(right):
            holds_if_prefix = or_equal
        else:
            holds_if_prefix = (len(left) < len(right)) is (strict is Op.LT)
        last = min(len(left), len(right)) - 1
        if last < 0:
            return holds_if_prefix
        for i in range(last):
            if not units_equal(left[i], right[i]):
                return wrap(compare_units(strict, left[i], right[i]))
        return wrap(compare_units(loose if holds_if_prefix else strict, left[last], right[last]))

    # Conversion

    def plain(self) -> Any:
        """The text with every symbolic character chosen by the recorder."""
        return self._plain(
            [unit if isinstance(unit, int) else concrete(unit) for unit in self.units]
        )

    def __hash__(self) -> int:
        return id(self) if hashes_by_identity() else hash(self.plain())

    def __str__(self) -> str:
        return str(self.plain()) if active() else repr(self)

    def __format__(self, spec: str) -> str:
        return format(self.plain(), spec)

    def __repr__(self) -> str:
        if active():
            return repr(self.plain())
        shown = (
            repr(self._plain([unit])) if isinstance(unit, int) else build.show(unit)
            for unit in self.units
        )
        return f"<{self.stands_for.__name__} {' '.join(shown)}>"

    def __getattr__(self, name: str) -> Any:
        plain = self.stands_for
        if hasattr(plain, name) and not name.startswith("__"):
            raise unsupported(
                f"{plain.__name__}.{name} of a symbolic text",
                "Write it as a loop over the characters, or fix the argument with --fix.",
            )
        raise AttributeError(f"{plain.__name__!r} object has no attribute {name!r}")
