"""Shapes: what an argument is made of, at every scale.

A closed union of frozen values, read off a Python annotation by `annotations.py`.
Sizes are expressions of n and bounds are inclusive.  The leaves of a shape are
its `Scalar`s, `Text`s and `Choice`s; tuples and objects give them dotted names (`edges.0`,
`point.x`), lists and dicts give them dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, TypeAlias, assert_never

from xsynth.program.expressions import SizeExpr, ValueExpr
from xsynth.program.values import Member
from xsynth.trace.terms import Sort

Limit: TypeAlias = "int | Fraction | None"
Plain: TypeAlias = "int | str | bytes | bool | None"

N = SizeExpr("n")


@dataclass(frozen=True, slots=True)
class Scalar:
    """One number or Boolean; a float is a real number."""

    sort: Sort
    lo: Limit | SizeExpr = None
    hi: Limit | SizeExpr = None


@dataclass(frozen=True, slots=True)
class Text:
    """A string or bytes, as the codes of its characters."""

    kind: Literal["str", "bytes"]
    size: SizeExpr
    lo: int
    hi: int
    given: bool = field(default=False, compare=False)
    """Whether the range is somebody's wish, and not only what is usual."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few plain values, or a member of an enumeration: the cell is its number.

    `names` instead of options is one of the first so many names (see `values.names`).
    """

    options: tuple[Plain | Member, ...]
    names: SizeExpr | None = None


@dataclass(frozen=True, slots=True)
class ListOf:
    """`size` elements; `kind` is what the function receives them in.

    Elements that are linked are objects, each with the next ones as its `links`: with one
    link a chain, with two a binary tree whose levels are full.  The function gets the first.
    """

    element: Shape
    size: SizeExpr
    kind: Literal["list", "tuple", "iterator", "deque", "linked"] = "list"
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TupleOf:
    elements: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class SetOf:
    """Any subset of the numbers below `size`, or of as many names: a Boolean for each.

    `neighbours` are a list, in ascending order, under one key of a dict: of its other keys.
    """

    key: Literal["int", "str"]
    size: SizeExpr
    kind: Literal["set", "frozenset", "neighbours"] = "set"


@dataclass(frozen=True, slots=True)
class DictOf:
    """An entry for each of the numbers below `size`, or for as many names."""

    key: Literal["int", "str"]
    value: Shape
    size: SizeExpr


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object of a class of the program's, made from the arguments of its constructor."""

    made_by: str
    fields: tuple[tuple[str, Shape], ...]


@dataclass(frozen=True, slots=True)
class FixedValue:
    """Not an unknown: the same value in every run at one scale."""

    value: ValueExpr


Leaf: TypeAlias = Scalar | Text | Choice
Shape: TypeAlias = (
    Scalar | Text | Choice | ListOf | TupleOf | SetOf | DictOf | ObjectOf | FixedValue
)

STR = Text("str", N, 32, 126)
BYTES = Text("bytes", N, 0, 255)
FLAG = Scalar(Sort.BOOL)


def type_text(shape: Shape) -> str:
    """The annotation, without sizes and bounds; `annotations.py` reads it back."""
    match shape:
        case Scalar(sort=Sort.REAL):
            return "float"
        case Scalar(sort=sort):
            return sort.value
        case Text(kind=kind):
            return kind
        case Choice(options=()):
            return "str"  # among names: what a dict of lists of names says
        case Choice(options=(Member(made_by=owner), *_) as options):
            return f"{owner}({', '.join(map(str, options))})"
        case Choice(options=options):
            return f"Literal[{', '.join(map(repr, options))}]"
        case ListOf(element=element, kind="tuple"):
            return f"tuple[{type_text(element)}, ...]"
        case ListOf(element=element, kind="linked", links=links):
            return f"linked[{', '.join([type_text(element), *links])}]"
        case ListOf(element=element, kind="iterator"):
            return f"Iterator[{type_text(element)}]"
        case ListOf(element=element, kind=kind):
            return f"{kind}[{type_text(element)}]"
        case TupleOf(elements=()):
            return "tuple[()]"
        case TupleOf(elements=elements):
            return f"tuple[{', '.join(map(type_text, elements))}]"
        case SetOf(key=key, kind=kind):
            return f"{kind}[{key}]"
        case DictOf(key=key, value=value):
            return f"dict[{key}, {type_text(value)}]"
        case ObjectOf(made_by=owner, fields=fields):
            return f"{owner}({', '.join(f'{name}={type_text(part)}' for name, part in fields)})"
        case FixedValue(value=value):
            return f"Fixed[{value.text}]"
        case _:
            assert_never(shape)


def leaves(
    shape: Shape, name: str, dims: tuple[SizeExpr, ...] = ()
) -> Iterator[tuple[str, tuple[SizeExpr, ...], Leaf]]:
    """The leaves in order, each with its dotted name and its dimensions."""
    match shape:
        case Scalar() | Choice():
            yield name, dims, shape
        case Text(size=size):
            yield name, (*dims, size), shape
        case SetOf(size=size):
            yield name, (*dims, size), FLAG
        case ListOf(element=element, size=size) | DictOf(value=element, size=size):
            yield from leaves(element, name, (*dims, size))
        case TupleOf() | ObjectOf():
            for part, element in parts(shape):
                yield from leaves(element, f"{name}.{part}", dims)
        case FixedValue():
            return
        case _:
            assert_never(shape)


def parts(shape: TupleOf | ObjectOf) -> tuple[tuple[str, Shape], ...]:
    """The components by name: a tuple's are numbered."""
    if isinstance(shape, ObjectOf):
        return shape.fields
    return tuple((str(i), element) for i, element in enumerate(shape.elements))


def sizes(shape: Shape) -> Iterator[SizeExpr]:
    """The lengths in a shape, outermost first."""
    match shape:
        case ListOf(element=element, size=size) | DictOf(value=element, size=size):
            yield size
            yield from sizes(element)
        case Text(size=size) | SetOf(size=size):
            yield size
        case TupleOf() | ObjectOf():
            for _, element in parts(shape):
                yield from sizes(element)
        case Scalar() | Choice() | FixedValue():
            return
        case _:
            assert_never(shape)


def rebuild(
    shape: Shape,
    name: str,
    size: Callable[[str, SizeExpr], SizeExpr],
    leaf: Callable[[str, Leaf], Leaf],
) -> Shape:
    """The shape with its lengths and leaves replaced, visited outermost first."""
    match shape:
        case Scalar() | Choice():
            return leaf(name, shape)
        case Text():
            return leaf(name, replace(shape, size=size(name, shape.size)))
        case SetOf():
            return replace(shape, size=size(name, shape.size))
        case ListOf():
            length = size(name, shape.size)
            return replace(shape, element=rebuild(shape.element, name, size, leaf), size=length)
        case DictOf(key=key):
            length = size(name, shape.size)
            value = with_nodes(shape.value, key, length, shape.size)
            return replace(shape, value=rebuild(value, name, size, leaf), size=length)
        case TupleOf(elements=elements):
            inner = enumerate(elements)
            return TupleOf(tuple(rebuild(e, f"{name}.{i}", size, leaf) for i, e in inner))
        case ObjectOf(fields=fields):
            return replace(
                shape,
                fields=tuple(
                    (part, rebuild(e, f"{name}.{part}", size, leaf)) for part, e in fields
                ),
            )
        case FixedValue():
            return shape
        case _:
            assert_never(shape)


def with_nodes(
    value: Shape, key: Literal["int", "str"], size: SizeExpr, before: SizeExpr | None = None
) -> Shape:
    """The value of a dict, where its lists name keys of that dict: a graph.

    These are the elements of a list, or the first components of its tuples.  With `before`
    only those change that named the keys of a dict of that size.
    """
    plain: Leaf = Scalar(Sort.INT) if key == "int" else STR
    old = plain if before is None else node(key, before)
    match value:
        case ListOf(element=element) if element == old:
            return replace(value, element=node(key, size))
        case ListOf(element=TupleOf(elements=(first, *rest))) if first == old:
            return replace(value, element=TupleOf((node(key, size), *rest)))
        case SetOf(kind="neighbours", size=count) if before is not None and count == others(before):
            return replace(value, size=others(size))
        case _:
            return value


def others(size: SizeExpr) -> SizeExpr:
    """One less than a size."""
    text = size.text
    if text.isdigit():
        return SizeExpr(str(int(text) - 1))
    return SizeExpr(f"{text}-1" if text.isidentifier() else f"({text})-1")


def opened(shape: Shape, name: str, closed: Callable[[str], bool]) -> Shape:
    """The shape with any graph in place of graphs in which every key has one neighbour.

    `closed` names those of which more is said: they stay as they are.
    """
    match shape:
        case DictOf(key=key, value=ListOf(element=element, kind="list"), size=size) if (
            element == node(key, size) and not closed(name)
        ):
            return replace(shape, value=SetOf(key, others(size), "neighbours"))
        case DictOf(value=inner):
            return replace(shape, value=opened(inner, name, closed))
        case ListOf(element=inner):
            return replace(shape, element=opened(inner, name, closed))
        case TupleOf(elements=elements):
            inside = enumerate(elements)
            return TupleOf(tuple(opened(e, f"{name}.{i}", closed) for i, e in inside))
        case ObjectOf(fields=fields):
            within = tuple((part, opened(e, f"{name}.{part}", closed)) for part, e in fields)
            return replace(shape, fields=within)
        case Scalar() | Text() | Choice() | SetOf() | FixedValue():
            return shape
        case _:
            assert_never(shape)


def node(key: Literal["int", "str"], size: SizeExpr) -> Leaf:
    """A key of a dict of that size."""
    if key == "str":
        return Choice((), size)
    last = others(size)
    return Scalar(Sort.INT, 0, int(last.text) if size.text.isdigit() else last)
