"""`SymByteArray`: the bytearray of traced code, whose bytes may be symbolic.

Traced functions have it wherever they call `bytearray`, so that a symbolic number can be put
into one that began plain.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, Self

from xsynth.trace.proxies import build
from xsynth.trace.proxies.base import wrap
from xsynth.trace.proxies.characters import Characters, Unit, Units, units_equal
from xsynth.trace.proxies.current import decide
from xsynth.trace.proxies.number import SymInt
from xsynth.trace.proxies.text import SymBytes
from xsynth.trace.proxies.written import read


def byte(value: Any, what: str = "byte") -> Unit:
    """The unit of a number, which must be one of 0..255."""
    if not isinstance(value, SymInt):
        number = operator.index(value)
        if not 0 <= number < 256:
            raise ValueError(f"{what} must be in range(0, 256)")
        return number
    if not decide(build.between(0, value.term, 255)):
        raise ValueError(f"{what} must be in range(0, 256)")
    return value.term


class SymByteArray(SymBytes):
    """The units are replaced as a whole: a change makes a new tuple of them."""

    __slots__ = ()
    stands_for = bytearray  # type: ignore[assignment]

    @staticmethod
    def _plain(units: Iterable[int]) -> Any:
        return bytearray(units)

    @classmethod
    def _units(cls, value: object) -> Units | None:
        if isinstance(value, SymBytes):
            return value.units
        return tuple(value) if isinstance(value, bytes | bytearray) else None

    @classmethod
    def _make(cls, units: Iterable[Unit]) -> Any:
        """Always a new one: it can be changed."""
        return cls(tuple(units))

    def _item(self, unit: Unit) -> Any:
        return unit if isinstance(unit, int) else wrap(unit)

    def _is(self, name: str, unit: Unit) -> Any:
        return SymBytes(())._is(name, unit)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Self:
        return type(self)(self.units)

    def __deepcopy__(self, memo: object) -> Self:
        return type(self)(self.units)

    copy = __copy__

    def __radd__(self, other: object) -> Any:
        left = self._units(other)
        return NotImplemented if left is None else SymBytes._make(left + self.units)

    # Changing

    def _changed(self, change: Any) -> Any:
        units = list(self.units)
        result = change(units)
        self.units = tuple(units)
        return result

    def _new(self, value: Any) -> list[Unit]:
        own = self._units(value)
        return [byte(item) for item in value] if own is None else list(own)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            new = [0] * operator.index(value) if isinstance(value, int) else self._new(value)
            self._changed(lambda units: units.__setitem__(key, new))
        else:
            at = operator.index(key)
            if not -len(self.units) <= at < len(self.units):
                raise IndexError("bytearray index out of range")
            unit = byte(value)
            self._changed(lambda units: units.__setitem__(at, unit))

    def __delitem__(self, key: Any) -> None:
        at = key if isinstance(key, slice) else operator.index(key)
        self._changed(lambda units: units.__delitem__(at))

    def append(self, value: Any) -> None:
        self.units += (byte(value),)

    def extend(self, values: Any) -> None:
        self.units += tuple(self._new(values))

    def __iadd__(self, other: object) -> Self:
        more = self._units(other)
        if more is None:
            return NotImplemented
        self.units += more
        return self

    def __imul__(self, times: Any) -> Self:
        self.units *= operator.index(times)
        return self

    def insert(self, at: Any, value: Any) -> None:
        unit = byte(value)
        self._changed(lambda units: units.insert(operator.index(at), unit))

    def pop(self, at: Any = -1) -> Any:
        if not self.units:
            raise IndexError("pop from empty bytearray")
        return self._item(self._changed(lambda units: units.pop(operator.index(at))))

    def remove(self, value: Any) -> None:
        wanted = byte(value)
        for i, unit in enumerate(self.units):
            if units_equal(unit, wanted):
                del self[i]
                return
        raise ValueError("value not found in bytearray")

    def reverse(self) -> None:
        self.units = self.units[::-1]

    def clear(self) -> None:
        self.units = ()


def symbolic_bytearray(*arguments: Any, **options: Any) -> Any:
    """`bytearray`, always the one of traced code."""
    arguments = tuple(map(read, arguments))
    match arguments:
        case (SymBytes(units=units),):
            return SymByteArray(units)
        case (Characters() as text, *rest):
            return SymByteArray(text.encode(*rest, **options).units)
        case (str() | bytes() | bytearray() | int() | SymInt(), *_) | ():
            return SymByteArray(bytearray(*arguments, **options))
        case (items,):
            return SymByteArray([byte(item) for item in items])
        case _:
            return SymByteArray(bytearray(*arguments, **options))
