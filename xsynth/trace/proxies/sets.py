"""`SymSet` and `SymFrozenSet`: the sets of traced code.

They are a `set` and a `frozenset`.  While the elements are plain, and plain values are
looked up, every operation is that of the built-in; symbolic elements are found by decisions
(see `keys.py`).

Python goes through a set in an order that the values decide.  Where all elements are
numbers with few values they are decided, and the order is Python's (that of texts changes
from process to process); otherwise it is that of insertion, and the trace is told that it
was assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from fractions import Fraction
from typing import Any, ClassVar, Self

from xsynth.trace.proxies.base import wrap
from xsynth.trace.proxies.current import bounds, concrete, current, forms, hashes_by_identity
from xsynth.trace.proxies.hashed import Keyed, in_pythons_order, object_of
from xsynth.trace.proxies.keys import ABSENT, find, is_symbolic, natively, settled, stored
from xsynth.trace.proxies.mappings import STANDS_FOR
from xsynth.trace.proxies.number import SymInt
from xsynth.trace.proxies.text import SymStr, any_of

FEW = 16
"""An element with at most so many values is decided where the order of a set matters."""


class _Elements:  # noqa: PLW1641  (the hash is the subclasses')
    """What sets and frozen sets share.  `_order` is None while all elements are plain."""

    holds_symbols: ClassVar[bool] = True
    native: ClassVar[Any] = set

    _order: list[Any] | None
    _looked_up: tuple[Any, Any] | None

    @property
    def symbolic(self) -> bool:
        return self._order is not None

    def _elements(self) -> list[Any]:
        """In the order of insertion; where there are no symbolic ones, in one that is fixed."""
        if self._order is not None:
            return self._order
        return sorted(self.native.__iter__(self), key=_rank)

    def _found(self, item: Any) -> Any:
        last = self._looked_up
        if last is not None and last[0] is item:
            return last[1]
        found: Any
        if is_symbolic(item):
            found = find(self._elements(), item)
        elif self.native.__contains__(self, item):
            found = item
        else:
            found = find([e for e in self._order or () if is_symbolic(e)], item)
        self._looked_up = (item, found)
        return found

    def _insert(self, item: Any) -> None:
        item = settled(item)
        if self._order is None and not is_symbolic(item):
            set.add(self, item)  # type: ignore[arg-type]
            return
        if self._found(item) is not ABSENT:
            return
        if self._order is None:
            self._order = self._elements()
        made = stored(item)
        self._order.append(made)
        self._looked_up = (item, made)
        natively(set.add, self, made)

    def __contains__(self, item: object) -> bool:
        return bool(self.holds(item))

    def holds(self, item: Any) -> Any:
        """`item in self`; a symbolic number or character among plain ones is one clause."""
        item = settled(item)
        if self._order is None:
            if not is_symbolic(item):
                return self.native.__contains__(self, item)
            plain = self.native.__iter__(self)
            if type(item) is SymInt:
                return wrap(any_of(_integers(plain), item.term))
            if type(item) is SymStr and len(item) == 1:
                codes = [ord(v) for v in plain if isinstance(v, str) and len(v) == 1]
                return wrap(any_of(codes, item.units[0]))  # type: ignore[arg-type]
        return self._found(item) is not ABSENT

    def __iter__(self) -> Iterator[Any]:
        if self._order is None:
            return self.native.__iter__(self)  # type: ignore[no-any-return]
        return self._ordered()

    def _ordered(self, *, raw: bool = False) -> Iterator[Any]:
        """The elements; `raw` gives objects as they are stored."""
        assert self._order is not None
        if len(self._order) > 1:
            if all(_has_few_values(e) for e in self._order):
                return iter(self._decided_order(raw=raw))
            assumed = (
                "a set with symbolic elements was gone through, and the order of a set matters here"
            )
            if current().assume_order(assumed):
                return _walk(self, self._order[::-1], raw=raw)
        return _walk(self, self._order, raw=raw)

    def _decided_order(self, *, raw: bool) -> Iterable[Any]:
        assert self._order is not None
        if not any(type(e) is Keyed for e in self._order):
            return {_decided(e) for e in self._order}
        ordered = in_pythons_order(map(_decided, self._order))
        if not raw:
            return ordered
        return [next(e for e in self._order if object_of(e) is o) for o in ordered]

    # -- operations: those of the built-in, or by decisions in the order of insertion

    @classmethod
    def _alike(cls, items: Iterable[Any]) -> Any:
        """What an operation on this set gives: a set, or a frozen set."""
        return STANDS_FOR[cls.native](items)

    def _combined(self, name: str, others: tuple[Iterable[Any], ...]) -> Any:
        sides = [_container(other) for other in others]
        if self._order is None and not any(side.symbolic for side in sides):
            return self._alike(getattr(self.native, name)(self, *sides))
        items = self._elements()
        for side in sides:
            match name:
                case "intersection":
                    items = forms().among(items, side)
                case "difference":
                    items = forms().outside(items, side)
                case "symmetric_difference":
                    own = forms().outside(items, side)
                    items = [*own, *forms().outside(side._elements(), self)]
                case _:
                    items = [*items, *side._elements()]
        return self._alike(items)

    def union(self, *others: Iterable[Any]) -> Any:
        return self._combined("union", others)

    def intersection(self, *others: Iterable[Any]) -> Any:
        return self._combined("intersection", others)

    def difference(self, *others: Iterable[Any]) -> Any:
        return self._combined("difference", others)

    def symmetric_difference(self, other: Iterable[Any], /) -> Any:
        return self._combined("symmetric_difference", (other,))

    def _holds_all(self, other: Any) -> bool:
        if self._order is None and not other.symbolic:
            return bool(self.native.issuperset(self, other))
        return not forms().some_outside(other._elements(), self)

    def issuperset(self, other: Iterable[Any]) -> bool:
        return self._holds_all(_container(other))

    def issubset(self, other: Iterable[Any]) -> bool:
        return bool(_container(other)._holds_all(self))

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        side = _container(other)
        if self._order is None and not side.symbolic:
            return bool(self.native.isdisjoint(self, side))
        return not forms().some_among(side._elements(), self)

    def copy(self) -> Any:
        return self._alike(self)

    __copy__ = copy

    def __or__(self, other: Any) -> Any:
        return self.union(other) if isinstance(other, Set) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if isinstance(other, Set) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if isinstance(other, Set) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other) if isinstance(other, Set) else NotImplemented

    __ror__, __rxor__ = __or__, __xor__

    def __rand__(self, other: Any) -> Any:
        return _container(other).intersection(self) if isinstance(other, Set) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _container(other).difference(self) if isinstance(other, Set) else NotImplemented

    def __le__(self, other: Any) -> Any:
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and self.issubset(other)  # type: ignore[arg-type]

    def __lt__(self, other: Any) -> Any:
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self.issubset(other)  # type: ignore[arg-type]

    def __ge__(self, other: Any) -> Any:
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and self.issuperset(other)  # type: ignore[arg-type]

    def __gt__(self, other: Any) -> Any:
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self.issuperset(other)  # type: ignore[arg-type]

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Set):
            return NotImplemented
        if self._order is None and getattr(other, "_order", None) is None:
            return self.native.__eq__(self, other)
        return len(self) == len(other) and self.issubset(other)  # type: ignore[arg-type]

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self))
        name = type(self).__name__
        if name == "set":
            return f"{{{shown}}}" if shown else "set()"
        return f"{name}({{{shown}}})" if shown else f"{name}()"

    def __reduce__(self) -> Any:
        return type(self), (list(map(object_of, self._elements())),)


class SymSet(_Elements, set[Any]):
    stands_for: ClassVar[type] = set
    native = set

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        made = super().__new__(cls)
        made._order = None
        made._looked_up = None
        return made

    def __init__(self, items: Iterable[Any] = (), /) -> None:
        SymSet.clear(self)
        SymSet.update(self, items)

    __hash__ = None

    def add(self, item: Any, /) -> None:
        if self._order is None:
            self._looked_up = None
        self._insert(item)

    def update(self, *others: Iterable[Any]) -> None:
        self._looked_up = None
        for other in others:
            if self._order is None and _is_plain_set(other):
                set.update(self, other)  # which calls no `__hash__` again
            else:
                items = other._elements() if isinstance(other, _Elements) else other
                forms().gather(self._insert, items)

    def discard(self, item: Any, /) -> None:
        self._take(item)

    def remove(self, item: Any, /) -> None:
        if not self._take(item):
            raise KeyError(item)

    def _take(self, item: Any) -> bool:
        item = settled(item)
        if self._order is None and not is_symbolic(item):
            size = len(self)
            self._looked_up = None
            set.discard(self, item)
            return len(self) < size
        found = self._found(item)
        if found is ABSENT:
            return False
        self._drop(found)
        return True

    def _drop(self, found: Any) -> None:
        natively(set.discard, self, found)
        self._looked_up = None
        if self._order is not None:
            left = [e for e in self._order if e is not found]
            self._order = left if any(map(is_symbolic, left)) else None

    def pop(self) -> Any:
        if self._order is None:
            self._looked_up = None
            return set.pop(self)
        item = next(self._ordered(raw=True))
        self._drop(self._found(item))
        return object_of(item)

    def clear(self) -> None:
        set.clear(self)
        self._order = self._looked_up = None

    def _become(self, other: Any) -> Self:
        SymSet.clear(self)
        SymSet.update(self, other)
        return self

    def intersection_update(self, *others: Iterable[Any]) -> None:
        self._become(self.intersection(*others))

    def difference_update(self, *others: Iterable[Any]) -> None:
        self._become(self.difference(*others))

    def symmetric_difference_update(self, other: Iterable[Any], /) -> None:
        self._become(self.symmetric_difference(other))

    def __ior__(self, other: Any) -> Self:
        if not isinstance(other, Set):
            return NotImplemented
        self.update(other)
        return self

    def __iand__(self, other: Any) -> Self:
        return self._become(self & other)

    def __isub__(self, other: Any) -> Self:
        return self._become(self - other)

    def __ixor__(self, other: Any) -> Self:
        return self._become(self ^ other)


class SymFrozenSet(_Elements, frozenset[Any]):
    stands_for: ClassVar[type] = frozenset
    native = frozenset

    def __new__(cls, items: Iterable[Any] = (), /) -> Self:
        gathered = items if isinstance(items, _Elements) else SymSet(items)
        made = super().__new__(cls, gathered)  # a copy of the table, identities and all
        made._order = gathered._order
        made._looked_up = None
        return made

    def __hash__(self) -> int:
        if self._order is None or hashes_by_identity():
            return frozenset.__hash__(self)
        return hash(frozenset(map(_decided, self._order)))


def _container(other: Iterable[Any]) -> Any:
    """The other side of an operation as a set that can be asked for symbolic elements."""
    return other if isinstance(other, _Elements) else SymSet(other)


def _is_plain_set(value: object) -> bool:
    if isinstance(value, _Elements):
        return not value.symbolic
    return type(value) is set or type(value) is frozenset


def _walk(owner: Any, order: list[Any], *, raw: bool) -> Iterator[Any]:
    size = len(order)
    for i in range(size):
        if len(owner) != size:
            raise RuntimeError("Set changed size during iteration")
        yield order[i] if raw else object_of(order[i])


def _rank(item: object) -> tuple[str, Any]:
    """An order of plain elements that does not depend on their hashes, where there is one."""
    if isinstance(item, int | float):
        return "", item
    if isinstance(item, str | bytes):
        return type(item).__name__, item
    plain = type(item) is tuple and all(isinstance(part, int | float | str) for part in item)
    return "~", repr(item) if plain else ""


def _integers(items: Iterable[object]) -> list[int]:
    """The integers among plain elements, also those of another type: 1.0 and True are 1."""
    return [
        int(item)
        for item in items
        if isinstance(item, int) or (isinstance(item, float | Fraction) and item == item // 1)
    ]


def _has_few_values(item: object) -> bool:
    if isinstance(item, tuple):
        return all(map(_has_few_values, item))
    if type(item) is Keyed:
        return item.plain
    if type(item) is not SymInt:
        return type(item) in (int, bool, float)
    low, high = bounds(item.term)
    return low is not None and high is not None and high - low < FEW


def _decided(item: Any) -> Any:
    """The plain value that this run takes for an element."""
    if isinstance(item, tuple):
        return tuple(map(_decided, item))
    if type(item) is SymInt:
        return concrete(item.term)
    return item.plain() if hasattr(item, "units") else item


SymSet.__name__ = SymSet.__qualname__ = "set"
SymFrozenSet.__name__ = SymFrozenSet.__qualname__ = "frozenset"
STANDS_FOR[set] = SymSet
STANDS_FOR[frozenset] = SymFrozenSet
