"""The scale of an input that does not say its own, from the lengths of its lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from xsynth.program.shapes import DictOf, ListOf, ObjectOf, Shape, Text, TupleOf
from xsynth.program.spec import InputSpec
from xsynth.scale import Scale, sizes_of


def possible_scales(
    spec: InputSpec, variables: tuple[str, ...], given: Mapping[str, Any]
) -> Iterator[Scale]:
    """Scales among which the one of these arguments is, if there is one.

    With several variables, one that is a length itself has just this value.
    """
    most = 1 + max((_longest(value) for value in given.values()), default=0)
    lengths: dict[str, int] = {}
    if len(variables) > 1:
        for param in spec.params:
            lengths |= dict(_lengths(param.shape, given.get(param.name)))
    options = [[lengths[v]] if v in lengths else range(1, most + 1) for v in variables]
    for values in product(*options):
        yield sizes_of(dict(zip(variables, values, strict=True)))


def _longest(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        return max([len(value), *(_longest(item) for item in inner)])
    return abs(value) if isinstance(value, int) and abs(value) < 10_000 else 0


def _lengths(shape: Shape, value: object) -> Iterator[tuple[str, int]]:
    """The text of each size, and how long the value (the first one, in a list) is there."""
    match shape:
        case Text(size=size) if isinstance(value, str | list):
            yield size.text, len(value)
        case ListOf(element=element, size=size) if isinstance(value, list):
            yield size.text, len(value)
            if value:
                yield from _lengths(element, value[0])
        case DictOf(value=inner, size=size) if isinstance(value, dict):
            yield size.text, len(value)
            for item in list(value.values())[:1]:
                yield from _lengths(inner, item)
        case ObjectOf(fields=fields) if isinstance(value, dict):
            for name, inner in fields:
                yield from _lengths(inner, value.get(name))
        case TupleOf(elements=elements) if isinstance(value, list):
            for element, item in zip(elements, value, strict=False):
                yield from _lengths(element, item)
        case _:
            return
