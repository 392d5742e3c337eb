"""`SymDict`: the dictionary of traced code.

It is a `dict`.  While its keys are plain and plain keys are looked up, every operation is
that of `dict`; a symbolic key is found by decisions (see `keys.py`).  The order is that of
insertion, as ever.  `defaultdict`, `OrderedDict` and `Counter` of traced code derive from
it (see `trace/containers.py`).
"""

from __future__ import annotations

import copyreg
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping
from typing import Any, ClassVar, Self

from xsynth.trace.proxies.hashed import object_of
from xsynth.trace.proxies.keys import ABSENT, find, is_symbolic, natively, settled, stored


class Keys(KeysView[Any]):
    """`d.keys()`, in which symbolic keys can be looked up."""

    _mapping: SymDict

    def __iter__(self) -> Iterator[Any]:
        return SymDict.__iter__(self._mapping)

    def __reversed__(self) -> Iterator[Any]:
        return SymDict.__reversed__(self._mapping)

    def __repr__(self) -> str:
        return f"dict_keys({list(self)})"

    @classmethod
    def _from_iterable(cls, items: Iterable[Any]) -> Any:
        return STANDS_FOR[set](items)


class Items(ItemsView[Any, Any]):
    """`d.items()`."""

    _mapping: SymDict

    def __iter__(self) -> Iterator[Any]:
        own = dict.items(self._mapping)
        return ((object_of(k), v) for k, v in own) if self._mapping._symbols else iter(own)

    def __reversed__(self) -> Iterator[Any]:
        return ((object_of(k), v) for k, v in reversed(dict.items(self._mapping)))

    def __repr__(self) -> str:
        return f"dict_items({list(self)})"

    @classmethod
    def _from_iterable(cls, items: Iterable[Any]) -> Any:
        return STANDS_FOR[set](items)


class SymDict(dict[Any, Any]):
    __slots__ = ("_looked_up", "_symbols")

    stands_for: ClassVar[type] = dict

    _symbols: dict[int, Any]
    """The symbolic keys, by identity."""
    _looked_up: tuple[Any, Any] | None
    """The last symbolic key that was looked up, and what it was found to be."""

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        made = super().__new__(cls)
        made._symbols = {}
        made._looked_up = None
        return made

    def __init__(self, *arguments: Any, **options: Any) -> None:
        if len(arguments) > 1:
            raise TypeError(f"dict expected at most 1 argument, got {len(arguments)}")
        SymDict.update(self, *arguments, **options)

    # -- finding

    def _found(self, key: Any) -> Any:
        """The key that is present and equal, or ABSENT; for a key that needs decisions."""
        last = self._looked_up
        if last is not None and last[0] is key:
            return last[1]
        if is_symbolic(key):
            found = find(dict.__iter__(self), key)
        elif dict.__contains__(self, key):
            found = key
        else:
            found = find(list(self._symbols.values()), key)
        self._looked_up = (key, found)
        return found

    def _is_plain(self, key: Any) -> bool:
        """Whether the built-in's own look-up does."""
        return not self._symbols and not is_symbolic(key)

    def __getitem__(self, key: Any) -> Any:
        key = settled(key)
        if self._is_plain(key):
            return dict.__getitem__(self, key)
        found = self._found(key)
        if found is not ABSENT:
            return natively(dict.__getitem__, self, found)
        missing = getattr(type(self), "__missing__", None)
        if missing is None:
            raise KeyError(object_of(key))
        return missing(self, object_of(key))

    def __contains__(self, key: object) -> bool:
        key = settled(key)
        if self._is_plain(key):
            return dict.__contains__(self, key)
        return self._found(key) is not ABSENT

    def get(self, key: Any, default: Any = None, /) -> Any:
        key = settled(key)
        if self._is_plain(key):
            return dict.get(self, key, default)
        found = self._found(key)
        return default if found is ABSENT else natively(dict.__getitem__, self, found)

    # -- changing

    def __setitem__(self, key: Any, value: Any) -> None:
        key = settled(key)
        if self._is_plain(key):
            dict.__setitem__(self, key, value)
            self._looked_up = None
            return
        found = self._found(key)
        if found is ABSENT:
            found = stored(key)
            if is_symbolic(found):
                self._symbols[id(found)] = found
            self._looked_up = (key, found)
        natively(dict.__setitem__, self, found, value)

    def __delitem__(self, key: Any) -> None:
        key = settled(key)
        if self._is_plain(key):
            self._looked_up = None
            dict.__delitem__(self, key)
            return
        found = self._found(key)
        if found is ABSENT:
            raise KeyError(object_of(key))
        self._forget(found)
        natively(dict.__delitem__, self, found)

    def _forget(self, found: Any) -> None:
        self._symbols.pop(id(found), None)
        self._looked_up = None

    def pop(self, key: Any, *default: Any) -> Any:
        key = settled(key)
        if self._is_plain(key):
            self._looked_up = None
            return dict.pop(self, key, *default)
        found = self._found(key)
        if found is ABSENT:
            if default:
                return default[0]
            raise KeyError(object_of(key))
        self._forget(found)
        return natively(dict.pop, self, found)

    def popitem(self) -> tuple[Any, Any]:
        key, value = dict.popitem(self)
        self._forget(key)
        return object_of(key), value

    def clear(self) -> None:
        dict.clear(self)
        self._symbols.clear()
        self._looked_up = None

    def setdefault(self, key: Any, default: Any = None, /) -> Any:
        key = settled(key)
        if self._is_plain(key):
            self._looked_up = None
            return dict.setdefault(self, key, default)
        found = self._found(key)
        if found is not ABSENT:
            return natively(dict.__getitem__, self, found)
        SymDict.__setitem__(self, key, default)
        return default

    def update(self, *arguments: Any, **options: Any) -> None:
        if len(arguments) > 1:
            raise TypeError(f"update expected at most 1 argument, got {len(arguments)}")
        for source in arguments:
            if isinstance(source, SymDict) and type(source).__iter__ is SymDict.__iter__:
                for key, value in list(dict.items(source)):  # which calls no `__hash__` again
                    SymDict.__setitem__(self, key, value)
            elif isinstance(source, Mapping):
                for key in source:
                    SymDict.__setitem__(self, key, source[key])
            elif hasattr(source, "keys"):
                for key in source.keys():  # noqa: SIM118
                    SymDict.__setitem__(self, key, source[key])
            else:
                for i, pair in enumerate(source):
                    try:
                        key, value = pair
                    except ValueError:
                        raise ValueError(
                            f"dictionary update sequence element #{i} has length "
                            f"{len(tuple(pair))}; 2 is required"
                        ) from None
                    SymDict.__setitem__(self, key, value)
        for name, value in options.items():
            SymDict.__setitem__(self, name, value)

    # -- the whole

    def __iter__(self) -> Iterator[Any]:
        # That this is no method of `dict` keeps C code from copying the table as it is.
        own = dict.__iter__(self)
        return map(object_of, own) if self._symbols else own

    def __reversed__(self) -> Iterator[Any]:
        return map(object_of, dict.__reversed__(self))

    def keys(self) -> Any:
        return Keys(self)

    def items(self) -> Any:
        return Items(self)

    def copy(self) -> Any:
        return SymDict(self)

    __copy__ = copy

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        if not (self._symbols or getattr(other, "_symbols", None)):
            return dict.__eq__(self, other)
        if len(self) != len(other):
            return False
        mirror = other if isinstance(other, SymDict) else SymDict(other)
        for key, value in dict.items(self):
            there = SymDict.get(mirror, key, ABSENT)
            if there is ABSENT or not (value is there or value == there):
                return False
        return True

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = None

    def __or__(self, other: Any) -> Any:
        return _merged(self, other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return _merged(other, self) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any) -> Self:
        self.update(other)
        return self

    def __reduce__(self) -> Any:
        state = getattr(self, "__dict__", None) or None
        return copyreg.__newobj__, (type(self),), state, None, iter(self.items())  # type: ignore[attr-defined]


def _merged(left: Any, right: Any) -> SymDict:
    result = SymDict(left)
    result.update(right)
    return result


SymDict.__name__ = SymDict.__qualname__ = "dict"

STANDS_FOR: dict[type, type] = {dict: SymDict}
"""The built-in containers, and what traced code has in their place."""
