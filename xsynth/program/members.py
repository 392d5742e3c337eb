"""Sets in preconditions: their members under conditions, so that nothing is decided.

What is asked of a set of symbolic values is mostly a condition on them: two numbers differ,
all of one are in another, it is not empty.  What needs its members one by one decides which
of them are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from xsynth.program import conditions
from xsynth.program.conditions import (
    Emptiable,
    all_of,
    any_of,
    choose,
    compare,
    distinct,
    equal,
    invert,
    is_symbolic,
    total,
)
from xsynth.program.values import Subset
from xsynth.trace.proxies.mappings import STANDS_FOR


class Members(Emptiable):
    """The items whose conditions hold; equal ones are one member."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: Iterable[Any], present: Iterable[Any]) -> None:
        self.items = list(items)
        self.present = list(present)

    def holds(self, item: Any) -> Any:
        return any_of(
            all_of([there, equal(item, own)])
            for own, there in zip(self.items, self.present, strict=True)
        )

    def some(self) -> Any:
        return any_of(self.present)

    def first(self, i: int) -> Any:
        """Whether item i is there and none before it is the same member."""
        before = Members(self.items[:i], self.present[:i])
        return all_of([self.present[i], invert(before.holds(self.items[i]))])

    def count(self) -> Any:
        return total(choose(self.first(i), lambda: 1, lambda: 0) for i in range(len(self.items)))

    def sum(self) -> Any:
        return total(
            choose(self.first(i), partial(_itself, item), lambda: 0)
            for i, item in enumerate(self.items)
        )

    def at_least(self, many: int) -> Any:
        """Whether there are so many members: of one or two, and of all, with no counting."""
        if many <= 0:
            return True
        if many > len(self.items):
            return False
        if many == 1:
            return self.some()
        certain = all(there is True for there in self.present)
        if many == 2 and certain:
            return any_of(invert(equal(item, self.items[0])) for item in self.items[1:])
        if many == len(self.items):
            return all_of([*self.present, distinct(self.items)])
        return self.count() >= many

    # -- what Python asks of a set

    def issubset(self, other: Any) -> Any:
        side = members(other)
        return all_of(
            any_of([invert(there), side.holds(item)])
            for item, there in zip(self.items, self.present, strict=True)
        )

    def issuperset(self, other: Any) -> Any:
        return members(other).issubset(self)

    def isdisjoint(self, other: Any) -> Any:
        return invert(self.intersection(other).some())

    def _if(self, conditions: Iterable[Any]) -> Members:
        both = zip(self.present, conditions, strict=True)
        return Members(self.items, [all_of(pair) for pair in both])

    def intersection(self, *others: Any) -> Members:
        made = self
        for side in map(members, others):
            made = made._if([side.holds(item) for item in made.items])
        return made

    def difference(self, *others: Any) -> Members:
        made = self
        for side in map(members, others):
            made = made._if([invert(side.holds(item)) for item in made.items])
        return made

    def union(self, *others: Any) -> Members:
        made = self
        for side in map(members, others):
            made = Members([*made.items, *side.items], [*made.present, *side.present])
        return made

    def symmetric_difference(self, other: Any) -> Members:
        return self.difference(other).union(members(other).difference(self))

    def copy(self) -> Members:
        return self

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if is_set(other) else NotImplemented

    def __or__(self, other: Any) -> Any:
        return self.union(other) if is_set(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if is_set(other) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other) if is_set(other) else NotImplemented

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __rsub__(self, other: Any) -> Any:
        return members(other).difference(self) if is_set(other) else NotImplemented

    def __eq__(self, other: object) -> Any:
        return all_of([self <= other, self >= other]) if is_set(other) else False

    def __ne__(self, other: object) -> Any:
        return invert(self == other)

    def __le__(self, other: Any) -> Any:
        return self.issubset(other) if is_set(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self.issuperset(other) if is_set(other) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        if not is_set(other):
            return NotImplemented
        return all_of([self <= other, invert(self >= other)])

    def __gt__(self, other: Any) -> Any:
        return members(other) < self if is_set(other) else NotImplemented

    def __bool__(self) -> bool:
        return bool(self.some())

    def __contains__(self, item: object) -> bool:
        return bool(self.holds(item))

    # -- what needs them one by one

    def _decided(self) -> list[Any]:
        found: list[Any] = []
        for item, there in zip(self.items, self.present, strict=True):
            if there and not any(equal(item, other) for other in found):
                found.append(item)
        return found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._decided())

    def __len__(self) -> int:
        return len(self._decided())


def _itself(item: Any) -> Any:
    return item


def is_set(value: object) -> bool:
    return isinstance(value, Members | set | frozenset | Subset)


def members(values: Any = ()) -> Members:
    """The set of these values."""
    match values:
        case Members():
            return values
        case Subset(members=items, flags=flags):
            return Members(items, flags)
        case _:
            made = list(values)
            return Members(made, [True] * len(made))


def set_of(values: Any = ()) -> Any:
    """`set(values)`, which is Python's where the values are plain."""
    made = members(values)
    certain = all(there is True for there in made.present)
    return made if any(map(is_symbolic, made.items)) or not certain else set(made.items)


def dict_of(*items: Any, **named: Any) -> Any:
    """`dict(...)`, the one of traced code: a symbolic key is looked up by decisions."""
    return STANDS_FOR[dict](*items, **named)


@dataclass(frozen=True, slots=True)
class Count:
    """The number of members where it is compared, and need not be a number for that."""

    of: Members


def counted(value: Any) -> Any:
    return Count(value) if isinstance(value, Members) else length(value)


def length(value: Any) -> Any:
    return value.count() if isinstance(value, Members) else conditions.length(value)


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def compare_counts(symbol: str, left: Any, right: Any) -> Any:
    """`len(x) < y` and its like."""
    if not isinstance(left, Count):
        if isinstance(right, Count):
            return compare_counts(_MIRRORED[symbol], right, left)
        return compare(symbol, left, right)
    if isinstance(right, Count):
        right = right.of.count()
    if type(right) is not int:
        return compare(symbol, left.of.count(), right)
    match symbol:
        case ">=":
            return left.of.at_least(right)
        case ">":
            return left.of.at_least(right + 1)
        case "<":
            return invert(left.of.at_least(right))
        case "<=":
            return invert(left.of.at_least(right + 1))
        case "==":
            return all_of([left.of.at_least(right), invert(left.of.at_least(right + 1))])
        case _:
            return invert(compare_counts("==", left, right))


def contains(item: Any, container: Any) -> Any:
    if isinstance(container, Members):
        return container.holds(item)
    return conditions.contains(item, container)


def summed(values: Any, start: Any = 0) -> Any:
    if isinstance(values, Members):
        return start + values.sum()
    return total(values, start)


def extreme(which: str, symbol: str, values: Any, other: Any) -> Any:
    if isinstance(values, Members) and all(there is True for there in values.present):
        values = values.items
    return conditions.extreme(which, symbol, values, other)


HELPERS: dict[str, Callable[..., Any]] = {
    **conditions.HELPERS,
    "@set": set_of,
    "@frozenset": set_of,
    "@dict": dict_of,
    "@len": length,
    "@counted": counted,
    "@count": compare_counts,
    "@in": contains,
    "@sum": summed,
    "@extreme": extreme,
}
"""By the name that the rewritten tree calls them; no user can write such a name."""
