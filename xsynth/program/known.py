"""The types that an annotation may name, and what each is taken for."""

from __future__ import annotations

import collections
import collections.abc
import typing
from collections.abc import Iterator
from typing import Any, Literal, cast

from xsynth.program.shapes import BYTES, STR, Leaf, Scalar
from xsynth.trace.terms import Sort

ACCEPTED = (
    "Accepted: int, bool, float, str, bytes, list[T], tuple[T, U], tuple[T, ...], dict[int, T], "
    "set[int], Literal, enumerations, and classes with annotated constructors."
)
LEAVES: dict[object, Leaf] = {
    int: Scalar(Sort.INT),
    bool: Scalar(Sort.BOOL),
    float: Scalar(Sort.REAL),
    str: STR,
    bytes: BYTES,
}
LISTS: tuple[Any, ...] = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Iterable,
    collections.abc.Collection,
    collections.abc.Reversible,
    collections.abc.Container,
)
ITERATORS: tuple[Any, ...] = (collections.abc.Iterator, collections.abc.Generator)
SETS: dict[object, Literal["set", "frozenset"]] = {
    set: "set",
    frozenset: "frozenset",
    collections.abc.Set: "set",
    collections.abc.MutableSet: "set",
}
DICTS: tuple[Any, ...] = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
BARE: dict[object, Any] = {
    **dict.fromkeys(LISTS, list[int]),
    **dict.fromkeys(ITERATORS, collections.abc.Iterator[int]),
    **dict.fromkeys(SETS, set[int]),
    **dict.fromkeys(DICTS, dict[int, int]),
    frozenset: frozenset[int],
    collections.deque: collections.deque[int],
    tuple: tuple[int, ...],
}
"""What a collection without the type of its elements is taken for."""

VAGUE: tuple[object, ...] = (Any, object)
"""Annotations that say nothing."""


def bare(annotation: object) -> object:
    """The collection that an annotation names without its elements, else None."""
    origin = typing.get_origin(annotation)
    if origin is not None and not typing.get_args(annotation) and annotation != tuple[()]:
        annotation = origin  # typing.List
    return annotation if annotation in BARE else None


def _names() -> Iterator[tuple[str, Any]]:
    for kind in (*LEAVES, *LISTS, *ITERATORS, *SETS, *DICTS, tuple, collections.deque):
        yield cast(type, kind).__name__, kind
    yield from (("List", list), ("Tuple", tuple), ("Dict", dict), ("FrozenSet", frozenset))
    yield from (("Deque", collections.deque), ("AbstractSet", set), ("Set", set))
    for name in ("Optional", "Union", "Annotated", "Literal"):
        yield name, getattr(typing, name)


NAMED: dict[str, Any] = dict(_names())
