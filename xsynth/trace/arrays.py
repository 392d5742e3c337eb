"""`array.array`, written out in Python.

A traced program has it in place of the library's, which asks every number for its value.  The
module is instrumented like the pure forms and costs nothing.  A number must fit its type, which
is a decision where it is symbolic.
"""

# ruff: noqa: N801

from __future__ import annotations

import array as library
import operator
from types import GenericAlias
from typing import Any

from xsynth.trace.proxies.numerals import bytes_of, numbers_of, single

typecodes = library.typecodes
_TEXTS = "uw"
_REALS = "fd"


def _bounds(typecode: str, size: int) -> tuple[int, int]:
    if typecode.isupper():
        return 0, 256**size - 1
    return -(256**size) // 2, 256**size // 2 - 1


class array:
    def __init__(self, typecode: Any, initializer: Any = (), /) -> None:
        plain = library.array(typecode)
        self.typecode: str = plain.typecode
        self.itemsize: int = plain.itemsize
        self._items: list[Any] = []
        if isinstance(initializer, bytes | bytearray):
            self.frombytes(initializer)
        elif isinstance(initializer, str) and self.typecode not in _TEXTS:
            raise TypeError(f"cannot use a str to initialize an array with typecode {typecode!r}")
        else:
            for item in initializer:
                self.append(item)

    __class_getitem__: Any = classmethod(GenericAlias)

    def _fitting(self, value: Any) -> Any:
        if self.typecode in _TEXTS:
            if not isinstance(value, str) or len(value) != 1:
                raise TypeError("array item must be a unicode character")
            return value
        if self.typecode in _REALS:
            if isinstance(value, str | bytes):
                raise TypeError("must be real number")
            return single(value) if self.typecode == "f" else float(value)
        if isinstance(value, bool):
            value = int(value)
        elif not isinstance(value, int):
            value = operator.index(value)
        low, high = _bounds(self.typecode, self.itemsize)
        if not low <= value <= high:
            raise OverflowError("the number does not fit the type of the array")
        return value

    def _of(self, items: Any) -> array:
        made = array(self.typecode)
        made._items = list(items)
        return made

    def _alike(self, other: array) -> list[Any]:
        if other.typecode != self.typecode:
            raise TypeError("bad argument type for built-in operation")
        return other._items

    # Changing

    def append(self, value: Any) -> None:
        self._items.append(self._fitting(value))

    def extend(self, items: Any) -> None:
        if isinstance(items, array):
            self._items.extend(self._alike(items))
        else:
            for item in items:
                self.append(item)

    def fromlist(self, items: Any) -> None:
        self._items.extend([self._fitting(item) for item in items])

    def fromunicode(self, text: Any) -> None:
        self.fromlist(list(text))

    def frombytes(self, data: Any) -> None:
        self._items.extend(numbers_of(self.typecode, data))

    def insert(self, at: Any, value: Any) -> None:
        self._items.insert(at, self._fitting(value))

    def pop(self, at: Any = -1) -> Any:
        return self._items.pop(at)

    def remove(self, value: Any) -> None:
        self._items.remove(value)

    def reverse(self) -> None:
        self._items.reverse()

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            if not isinstance(value, array):
                raise TypeError("can only assign array to array slice")
            self._items[key] = self._alike(value)
        else:
            self._items[key] = self._fitting(value)

    def __delitem__(self, key: Any) -> None:
        del self._items[key]

    def __iadd__(self, other: Any) -> array:
        if not isinstance(other, array):
            raise TypeError("can only extend with array")
        self._items.extend(self._alike(other))
        return self

    def __imul__(self, times: Any) -> array:
        self._items *= times
        return self

    # Reading

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Any:
        return iter(self._items)

    def __contains__(self, value: Any) -> Any:
        return value in self._items

    def __getitem__(self, key: Any) -> Any:
        found = self._items[key]
        return self._of(found) if isinstance(key, slice) else found

    def index(self, value: Any, *window: Any) -> int:
        return self._items.index(value, *window)

    def count(self, value: Any) -> int:
        return self._items.count(value)

    def tolist(self) -> list[Any]:
        return list(self._items)

    def tounicode(self) -> Any:
        return "".join(self._items)

    def tobytes(self) -> Any:
        return bytes_of(self.typecode, self._items)

    __bytes__ = tobytes

    def __add__(self, other: Any) -> array:
        if not isinstance(other, array):
            raise TypeError("can only append array to array")
        return self._of([*self._items, *self._alike(other)])

    def __mul__(self, times: Any) -> array:
        return self._of(self._items * times)

    __rmul__ = __mul__

    def __copy__(self) -> array:
        return self._of(self._items)

    def __deepcopy__(self, memo: Any) -> array:
        return self._of(self._items)

    def __repr__(self) -> str:
        if not self._items:
            return f"array({self.typecode!r})"
        shown = self.tounicode() if self.typecode in _TEXTS else self._items
        return f"array({self.typecode!r}, {shown!r})"

    # Comparing

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Any:
        return self._items == other._items if isinstance(other, array) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return self._items != other._items if isinstance(other, array) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self._items < other._items if isinstance(other, array) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return self._items <= other._items if isinstance(other, array) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return self._items > other._items if isinstance(other, array) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self._items >= other._items if isinstance(other, array) else NotImplemented


ArrayType = array
