"""The weights of `--cost work`: what built-ins touch (see `docs/costs.md`).

Counted and traced code call the same methods of `Charging`, each charges its amount to one
block of the counts, and so the two agree.  Where the measure is another the block is None,
and nothing is charged.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

SEQUENCES = (list, tuple, str, bytes, bytearray)
COLLECTIONS = (*SEQUENCES, set, frozenset, dict, deque, range)

WORK_METHODS = frozenset(
    [
        *("index", "count", "remove", "pop", "insert", "sort", "copy", "extend", "reverse"),
        *("join", "find", "rfind", "replace", "split", "startswith", "endswith"),
        *("lower", "upper", "strip", "lstrip", "rstrip", "rindex", "rsplit", "splitlines"),
        *("partition", "rpartition", "removeprefix", "removesuffix", "translate"),
    ]
)
"""Methods that are charged for."""

BUILT = ("list", "tuple", "set", "frozenset")
CONSUMERS = ("min", "max", "sum", "any", "all")
WORK_FUNCTIONS = frozenset([*BUILT, *CONSUMERS, "sorted"])
"""Built-ins that are charged for."""


def sorting(size: int) -> int:
    """n times the logarithm of n, rounded up: the comparisons of a sort."""
    return size * max(0, size - 1).bit_length()


class Charging:
    """Built-ins and methods that charge for what they touch."""

    def __init__(self, counts: list[int], work: int | None) -> None:
        self._counts = counts
        self._work = work

    # -- what traced code does in another way

    def is_text(self, value: object) -> bool:
        return isinstance(value, str | bytes)

    def is_sequence(self, value: object) -> bool:
        return isinstance(value, SEQUENCES)

    def bound(self, owner: Any, name: str) -> Callable[..., Any]:
        return getattr(owner, name)  # type: ignore[no-any-return]

    def position(self, items: Sequence[Any], wanted: object, start: int, stop: int) -> int:
        for i in range(start, stop):
            if items[i] is wanted or items[i] == wanted:
                return i
        return -1

    def holds(self, item: Any, container: Any) -> Any:
        return item in container

    # -- charges

    def charge(self, amount: int) -> None:
        if self._work is not None:
            self._counts[self._work] += amount

    def made(self, value: Any) -> Any:
        """A slice, a concatenation, a repetition: as long as the result."""
        if self._work is not None and self.is_sequence(value):
            self.charge(len(value))
        return value

    def grown(self, old: Any, value: Any) -> Any:
        """`old += value`: a list grows by what is added, a text is built anew."""
        if self._work is not None and (self.is_text(value) or isinstance(old, tuple)):
            self.charge(len(old) + len(value))
        elif isinstance(old, list) and isinstance(value, COLLECTIONS):
            self.charge(len(value))
        return value

    def within(self, item: Any, container: Any) -> Any:
        """`item in container`: up to the item, or to the end; a set or dict costs nothing."""
        if type(container) in (list, tuple) and self._work is not None:
            at = self.position(container, item, 0, len(container))
            self.charge(at + 1 if at >= 0 else len(container))
            return at >= 0
        if self.is_text(container):
            self.charge(len(container))
        return self.holds(item, container)

    def consumed(self, arguments: tuple[Any, ...]) -> None:
        """One collection is looked through; a generator has counted its own turns."""
        match arguments:
            case (items, *_) if isinstance(items, COLLECTIONS) or self.is_text(items):
                self.charge(len(items))
            case _:
                pass

    def method(self, owner: Any, name: str) -> Callable[..., Any]:
        """`owner.name`, which charges when it is called."""
        method = self.bound(owner, name)
        if self._work is None or name not in WORK_METHODS:
            return method
        if type(owner) is list:
            return self._of_list(owner, name, method)
        if self.is_text(owner):
            return self._of_text(owner, name, method)
        return method

    def _of_list(
        self, owner: list[Any], name: str, method: Callable[..., Any]
    ) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            size = len(owner)
            match name, arguments:
                case "pop", (at,):
                    self.charge(_moved(at, size))
                case "insert", (at, _):
                    self.charge(_moved(at, size))
                case "extend", (items,) if isinstance(items, COLLECTIONS):
                    self.charge(len(items))
                case "sort", _:
                    self.charge(sorting(size))
                case (("remove" | "count" | "copy" | "reverse"), _):
                    self.charge(size)
                case "index", (wanted,):
                    found = self.position(owner, wanted, 0, size)
                    self.charge(found + 1 if found >= 0 else size)
                    if found < 0:
                        raise ValueError("value is not in list")
                    return found
                case _:
                    pass
            return method(*arguments, **options)

        return call

    def _of_text(self, owner: Any, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            result = method(*arguments, **options)
            built = name in ("join", "replace") and self.is_text(result)
            self.charge(len(result) if built else len(owner))
            return result

        return call


def _moved(at: Any, size: int) -> int:
    """How many elements of a list move when one comes or goes."""
    position = operator.index(at)
    return min(size, -position) if position < 0 else max(0, size - position)


class CountingCalls(Charging):
    """What counted code calls: the turns of a comprehension, and what is charged for."""

    def __init__(self, counts: list[int], work: int | None = None) -> None:
        super().__init__(counts, work)
        for kind in (list, tuple, set, frozenset):
            setattr(self, f"{kind.__name__}_", self._building(kind))
        for consumer in (min, max, sum, any, all):
            setattr(self, f"{consumer.__name__}_", self._consuming(consumer))

    def turns(self, items: Iterable[object], block: int, line: int, loop: int) -> Iterable[object]:
        counts = self._counts
        for item in items:
            counts[block] += 1
            yield item

    def sorted_(self, items: Iterable[Any], **options: Any) -> list[Any]:
        result = sorted(items, **options)
        self.charge(sorting(len(result)))
        return result

    def _building(self, kind: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = kind(*arguments)
            self.charge(len(result))
            return result

        return call

    def _consuming(self, consumer: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            if len(arguments) == 1 or consumer is sum:
                self.consumed(arguments)
            return consumer(*arguments, **options)

        return call
