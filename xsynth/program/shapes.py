"""Shapes: what an argument is made of, at every scale.

A closed union of frozen values, read off a Python annotation by `shape_of`.
Sizes are expressions of n and bounds are inclusive.  The leaves of a shape are
its `Scalar`s and `Text`s; tuples give them dotted names (`edges.0`), lists give
them dimensions.
"""

from __future__ import annotations

import ast
import collections.abc
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeAlias, assert_never

from xsynth.errors import InputSpecError
from xsynth.program.expressions import SizeExpr, ValueExpr
from xsynth.program.markers import Bound, Range
from xsynth.trace.terms import Sort

Limit: TypeAlias = "int | Fraction | None"

N = SizeExpr("n")
ACCEPTED = (
    "Accepted: int, bool, float, str, bytes, list[T], tuple[T, U], tuple[T, ...], "
    "Annotated[T, Range(lo, hi)]."
)
_LARGEST = {"str": 0x10FFFF, "bytes": 255}


@dataclass(frozen=True, slots=True)
class Scalar:
    """One number or Boolean; a float is a real number."""

    sort: Sort
    lo: Limit = None
    hi: Limit = None


@dataclass(frozen=True, slots=True)
class Text:
    """A string or bytes, as the codes of its characters."""

    kind: Literal["str", "bytes"]
    size: SizeExpr
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class ListOf:
    """`size` elements; `kind` is what the function receives them in."""

    element: Shape
    size: SizeExpr
    kind: Literal["list", "tuple"] = "list"


@dataclass(frozen=True, slots=True)
class TupleOf:
    elements: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class FixedValue:
    """Not an unknown: the same value in every run at one scale."""

    value: ValueExpr


Leaf: TypeAlias = Scalar | Text
Shape: TypeAlias = Scalar | ListOf | Text | TupleOf | FixedValue

STR = Text("str", N, 32, 126)
BYTES = Text("bytes", N, 0, 255)
_LEAVES: dict[object, Leaf] = {
    int: Scalar(Sort.INT),
    bool: Scalar(Sort.BOOL),
    float: Scalar(Sort.REAL),
    str: STR,
    bytes: BYTES,
}
_LISTS = (
    list,
    collections.abc.Sequence,
    collections.abc.MutableSequence,
    collections.abc.Iterable,
    collections.abc.Collection,
)


def shape_of(annotation: object, name: str, within: Range | None = None) -> Shape:
    """The shape an annotation describes; `within` bounds the leaves under it."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, type) and annotation in _LEAVES:
        leaf = _LEAVES[annotation]
        if within is None or annotation is bool:
            return leaf
        return bounded(leaf, within.lo, within.hi, name)
    if isinstance(annotation, str):
        return shape_of(annotation_of(annotation, name), name, within)
    if isinstance(annotation, typing.TypeVar):
        return shape_of(int, name, within)
    if origin is Annotated:
        ranges = [extra for extra in args[1:] if isinstance(extra, Range)]
        return shape_of(args[0], name, ranges[-1] if ranges else within)
    if origin in (typing.Union, types.UnionType):
        members = [member for member in args if member is not types.NoneType]
        if set(members) == {int, float}:
            return shape_of(float, name, within)
        if len(members) == 1:
            return shape_of(members[0], name, within)
    elif origin in _LISTS and args:
        return ListOf(shape_of(args[0], name, within), N)
    elif origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return ListOf(shape_of(args[0], name, within), N, "tuple")
        return TupleOf(tuple(shape_of(arg, name, within) for arg in args))
    for alias in ("__supertype__", "__value__"):  # NewType, and `type X = ...`
        if hasattr(annotation, alias):
            return shape_of(getattr(annotation, alias), name, within)
    raise _unknown(annotation, name)


def _unknown(annotation: object, name: str) -> InputSpecError:
    shown = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    if annotation in (list, tuple, typing.List, typing.Tuple):  # noqa: UP006
        return InputSpecError(
            f"parameter {name} is annotated {shown}, which does not say what is in it",
            f"Write {shown.rpartition('.')[2].lower()}[int], or pass --input {name}='list[int]'.",
        )
    return InputSpecError(
        f"parameter {name} is annotated {shown}, a shape that xsynth does not make",
        f"{ACCEPTED}\nOr pass --fix {name}=VALUE or --input {name}=TYPE.",
    )


_NAMED: dict[str, Any] = {
    **{kind.__name__: kind for kind in (int, bool, float, str, bytes, list, tuple)},
    **{kind.__name__: kind for kind in _LISTS},
    "List": list,
    "Tuple": tuple,
    "Optional": typing.Optional,
    "Union": typing.Union,
    "Annotated": Annotated,
}


def annotation_of(text: str, name: str) -> object:
    """The annotation that a text denotes, read without evaluating it."""
    try:
        return _annotation(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputSpecError(
            f"the type `{text}` of {name} cannot be read", f"{ACCEPTED}"
        ) from error


def _annotation(node: ast.expr) -> Any:
    match node:
        case ast.Name(id=known):
            return _NAMED[known]
        case ast.Attribute(attr=known):
            return _NAMED[known]
        case ast.Constant(value=None):
            return None
        case ast.Constant(value=str() as text):
            return _annotation(ast.parse(text, mode="eval").body)
        case ast.Constant(value=types.EllipsisType()):
            return Ellipsis
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return typing.Union[_annotation(left), _annotation(right)]  # noqa: UP007
        case ast.Subscript(value=outer, slice=ast.Tuple(elts=inner)):
            return _annotation(outer)[tuple([_annotation(part) for part in inner])]
        case ast.Subscript(value=outer, slice=inner):
            return _annotation(outer)[_annotation(inner)]
        case ast.Call(
            func=ast.Name(id="Range") | ast.Attribute(attr="Range"), args=args, keywords=named
        ):
            return Range(
                *[ast.literal_eval(a) for a in args],
                **{str(k.arg): ast.literal_eval(k.value) for k in named},
            )
        case _:
            raise ValueError(ast.unparse(node))


def type_text(shape: Shape) -> str:
    """The annotation, without sizes and bounds; `shape_of` reads it back."""
    match shape:
        case Scalar(sort=Sort.REAL):
            return "float"
        case Scalar(sort=sort):
            return sort.value
        case Text(kind=kind):
            return kind
        case ListOf(element=element, kind="tuple"):
            return f"tuple[{type_text(element)}, ...]"
        case ListOf(element=element):
            return f"list[{type_text(element)}]"
        case TupleOf(elements=()):
            return "tuple[()]"
        case TupleOf(elements=elements):
            return f"tuple[{', '.join(map(type_text, elements))}]"
        case FixedValue(value=value):
            return f"fixed {value.text}"
        case _:
            assert_never(shape)


def leaves(
    shape: Shape, name: str, dims: tuple[SizeExpr, ...] = ()
) -> Iterator[tuple[str, tuple[SizeExpr, ...], Leaf]]:
    """The leaves in order, each with its dotted name and its dimensions."""
    match shape:
        case Scalar():
            yield name, dims, shape
        case Text(size=size):
            yield name, (*dims, size), shape
        case ListOf(element=element, size=size):
            yield from leaves(element, name, (*dims, size))
        case TupleOf(elements=elements):
            for position, element in enumerate(elements):
                yield from leaves(element, f"{name}.{position}", dims)
        case FixedValue():
            return
        case _:
            assert_never(shape)


def sizes(shape: Shape) -> Iterator[SizeExpr]:
    """The lengths in a shape, outermost first."""
    match shape:
        case ListOf(element=element, size=size):
            yield size
            yield from sizes(element)
        case Text(size=size):
            yield size
        case TupleOf(elements=elements):
            for element in elements:
                yield from sizes(element)
        case Scalar() | FixedValue():
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
        case Scalar():
            return leaf(name, shape)
        case Text():
            return leaf(name, replace(shape, size=size(name, shape.size)))
        case ListOf():
            length = size(name, shape.size)
            return ListOf(rebuild(shape.element, name, size, leaf), length, shape.kind)
        case TupleOf(elements=elements):
            parts = enumerate(elements)
            return TupleOf(tuple(rebuild(e, f"{name}.{i}", size, leaf) for i, e in parts))
        case FixedValue():
            return shape
        case _:
            assert_never(shape)


def bounded(leaf: Leaf, lo: Bound, hi: Bound, name: str) -> Leaf:
    """The leaf with these bounds in place of its own; None is an open end."""
    match leaf:
        case Scalar(sort=Sort.BOOL):
            raise InputSpecError(f"{name} is a bool, which has no range", "Use --assume or --fix.")
        case Scalar(sort=sort):
            low, high = _number(lo, sort, name), _number(hi, sort, name)
            if low is not None and high is not None and low > high:
                raise _empty(name, lo, hi)
            return Scalar(sort, low, high)
        case Text(kind=kind):
            standard = STR if kind == "str" else BYTES
            first = standard.lo if lo is None else _code(lo, kind, name)
            last = standard.hi if hi is None else _code(hi, kind, name)
            if lo is None and last < first:
                first = 0
            if hi is None and last < first:
                last = _LARGEST[kind]
            if last < first:
                raise _empty(name, lo, hi)
            return replace(leaf, lo=first, hi=last)
        case _:
            assert_never(leaf)


def _empty(name: str, lo: Bound, hi: Bound) -> InputSpecError:
    return InputSpecError(
        f"the range {lo}..{hi} of {name} is empty", "Write the smaller end first."
    )


def _number(bound: Bound, sort: Sort, name: str) -> Limit:
    if bound is None or bound in (float("inf"), float("-inf")):
        return None
    try:
        exact = Fraction(str(bound))
    except (ValueError, ZeroDivisionError):
        raise InputSpecError(
            f"the range of {name} ends at {bound!r}, which is not a number",
            f"Write for example --range {name}=0..9.",
        ) from None
    if sort is Sort.REAL:
        return exact
    if exact.denominator != 1:
        raise InputSpecError(
            f"the range of {name} ends at {bound}, but {name} holds whole numbers",
            f"Write whole numbers, for example --range {name}=0..9.",
        )
    return int(exact)


def _code(bound: int | float | Fraction | str, kind: str, name: str) -> int:
    code = ord(bound) if isinstance(bound, str) and len(bound) == 1 else bound
    if not isinstance(code, int) or not 0 <= code <= _LARGEST[kind]:
        raise InputSpecError(
            f"the range of {name} ends at {bound!r}, which is not a character of {kind}",
            f"Write single characters, for example --range {name}=a..z.",
        )
    return code
