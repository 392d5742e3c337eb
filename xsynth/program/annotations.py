"""From an annotation, or the text of one, to a shape.

A text is parsed and walked, never evaluated; its names are the built-in types, those of
`typing` and `collections.abc`, and those of the program's own module.  What is taken for
more than the annotation says (a type variable for `int`, the first of several types) is
kept as a note, to be told to the user.
"""

from __future__ import annotations

import ast
import collections
import collections.abc
import enum
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from xsynth.errors import InputSpecError
from xsynth.program.bounds import bounded
from xsynth.program.constructors import LINKED, find, hints_of_class, links_of
from xsynth.program.expressions import SizeExpr, ValueExpr, literal, parse_value
from xsynth.program.known import (
    ACCEPTED,
    BARE,
    DICTS,
    ITERATORS,
    LEAVES,
    LISTS,
    NAMED,
    SETS,
    VAGUE,
    bare,
)
from xsynth.program.markers import Range
from xsynth.program.shapes import (
    Choice,
    DictOf,
    FixedValue,
    ListOf,
    N,
    ObjectOf,
    Scalar,
    SetOf,
    Shape,
    Text,
    TupleOf,
    others,
    type_text,
    with_nodes,
)
from xsynth.program.unshaped import is_written_in_python, unknown, written_in_c
from xsynth.program.values import Member
from xsynth.trace.terms import Sort


def shape_of(annotation: object, name: str, within: Range | None = None) -> Shape:
    """The shape an annotation describes; `within` bounds the leaves under it."""
    return Reader().shape(annotation, name, within)


def outer(shape: Shape) -> object:
    """The collection that a shape is."""
    match shape:
        case ListOf(kind="tuple") | TupleOf():
            return tuple
        case ListOf(kind="deque"):
            return collections.deque
        case ListOf():
            return list
        case SetOf(kind=kind):
            return {"set": set, "frozenset": frozenset, "neighbours": list}[kind]
        case DictOf():
            return dict
        case _:
            return None


@dataclass
class Reader:
    """Reads annotations of one function; options reach the constructors of its objects."""

    namespace: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    fixes: Mapping[str, ValueExpr] = field(default_factory=dict)
    variables: tuple[str, ...] = ("n",)
    described: frozenset[str] = frozenset()
    """Dotted names that an option speaks of: their defaults do not hold."""
    lenient: bool = False
    """Whether a bare collection is taken for one of numbers, with a note."""
    guess: Callable[[Callable[..., object], str], str | None] = lambda function, name: None
    """The type that a parameter without an annotation is taken for."""
    notes: dict[str, str] = field(default_factory=dict)
    """By dotted name, the type that a parameter is taken for."""
    _within: tuple[type, ...] = ()
    cut: set[str] = field(default_factory=set)
    """Links that a constructor sets to None itself, and that an option says stay so."""

    def shape(self, annotation: Any, name: str, within: Range | None = None) -> Shape:
        if isinstance(annotation, ObjectOf | Choice | FixedValue | ListOf | SetOf):
            return annotation  # a text described it
        if isinstance(annotation, str):
            return self.shape(self.annotation(annotation, name), name, within)
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if isinstance(annotation, type) and annotation in LEAVES:
            return self._leaf(annotation, name, within)
        if isinstance(annotation, typing.TypeVar):
            return self._variable(annotation, name, within)
        if origin is Annotated:
            ranges = [extra for extra in args[1:] if isinstance(extra, Range)]
            return self.shape(args[0], name, ranges[-1] if ranges else within)
        if origin in (typing.Union, types.UnionType):
            return self._union(annotation, args, name, within)
        if origin is Literal:
            return _choice(annotation, args, name)
        for alias in ("__supertype__", "__value__"):  # NewType, and `type X = ...`
            if hasattr(annotation, alias):
                return self.shape(getattr(annotation, alias), name, within)
        collection = bare(annotation)
        if collection is not None and self.lenient:
            return self._taken_as(BARE[collection], name, within)
        found = self._collection(origin, args, name, within) if args else None
        if annotation == tuple[()]:
            found = TupleOf(())
        kind = annotation if origin is None else origin
        if found is None and isinstance(kind, type) and _is_class(kind):
            found = self._class(kind, name)
        if found is None:
            raise unknown(annotation, name)
        return found

    def _leaf(self, annotation: object, name: str, within: Range | None) -> Shape:
        leaf = LEAVES[annotation]
        if within is None or annotation is bool:
            return leaf
        return bounded(leaf, within.lo, within.hi, name, self.variables)

    def _taken_as(
        self, annotation: object, name: str, within: Range | None, what: str | None = None
    ) -> Shape:
        shape = self.shape(annotation, name, within)
        self.notes[what or name] = type_text(shape)
        return shape

    def _variable(self, variable: typing.TypeVar, name: str, within: Range | None) -> Shape:
        """A type variable: its bound or first constraint where that has a shape, else int."""
        self.notes[f"{name}: {variable.__name__}"] = "int"
        for candidate in (*variable.__constraints__, variable.__bound__):
            try:
                shape = self._quiet(candidate, name, within)
            except InputSpecError:
                continue
            self.notes[f"{name}: {variable.__name__}"] = type_text(shape)
            return shape
        return self.shape(int, name, within)

    def _quiet(self, annotation: object, name: str, within: Range | None) -> Shape:
        if annotation is None:
            raise unknown(annotation, name)
        if annotation in VAGUE and self.lenient:
            shown = getattr(annotation, "__name__", str(annotation))
            return self._taken_as(int, name, within, f"{name}: {shown}")
        if isinstance(annotation, typing.ForwardRef):
            annotation = annotation.__forward_arg__
        return self.shape(annotation, name, within)

    def _union(
        self, annotation: object, args: tuple[Any, ...], name: str, within: Range | None
    ) -> Shape:
        """The one member that is not None; of several, the first that has a shape."""
        members = [member for member in args if member is not types.NoneType]
        if set(members) == {int, float}:
            return self.shape(float, name, within)
        if len(members) == 1:
            return self._quiet(members[0], name, within)
        for member in members if self.lenient else ():
            try:
                return self._taken_as(member, name, within)
            except InputSpecError:
                continue
        raise unknown(annotation, name)

    def _collection(
        self, origin: object, args: tuple[Any, ...], name: str, within: Range | None
    ) -> Shape | None:
        if origin in LISTS:
            return ListOf(self._quiet(args[0], name, within), N)
        if origin in ITERATORS:
            return ListOf(self._quiet(args[0], name, within), N, "iterator")
        if origin is collections.deque:
            return ListOf(self._quiet(args[0], name, within), N, "deque")
        if origin in SETS:
            return SetOf(self._key(args[0], name, "a set of"), N, SETS[origin])
        if origin in DICTS:
            key = self._key(args[0], name, "a dict with keys that are")
            value = self._quiet(args[1], name, within)
            return DictOf(key, _graph(with_nodes(value, key, N), value), N)
        if origin is tuple and args:
            if len(args) == 2 and args[1] is Ellipsis:
                return ListOf(self._quiet(args[0], name, within), N, "tuple")
            parts = enumerate(args)
            return TupleOf(tuple(self._quiet(a, f"{name}.{i}", within) for i, a in parts))
        return None

    def _key(self, annotation: Any, name: str, what: str) -> Literal["int", "str"]:
        """What a key of a dict or a member of a set is: they are plain, not unknown."""
        shape = self._quiet(annotation, name, None)
        if isinstance(shape, Scalar) and shape.sort is Sort.INT:
            return "int"
        if isinstance(shape, Text) and shape.kind == "str":
            return "str"
        shown = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        raise InputSpecError(
            f"parameter {name} is {what} {shown}, which xsynth does not make",
            "They may be int or str. Or build the value in a function of your own.",
        )

    # -- classes of the program

    def _class(self, annotation: type, name: str) -> Shape | None:
        if inspect.isabstract(annotation) or getattr(annotation, "_is_protocol", False):
            return None
        if not is_written_in_python(annotation):
            raise written_in_c(annotation, name)
        if issubclass(annotation, enum.Enum):
            made_by = self._reached(annotation, name)
            members = tuple(Member(made_by, member) for member in annotation.__members__)
            return Choice(members) if members else None
        if annotation in self._within:
            raise InputSpecError(
                f"parameter {name} is a {annotation.__name__} inside of a {annotation.__name__}",
                f"Give it a default, or fix it: --fix {name}=None. "
                "Or build the structure in a function of your own.",
            )
        try:
            signature = inspect.signature(annotation)
        except (TypeError, ValueError):
            return None
        return self._object(annotation, signature, name)

    def _object(self, made_by: type, signature: inspect.Signature, name: str) -> Shape:
        hints = hints_of_class(made_by)
        inner = self._inside(made_by)
        links = () if self._within else links_of(made_by, signature, hints)
        fields: list[tuple[str, Shape]] = []
        for parameter in signature.parameters.values():
            path = f"{name}.{parameter.name}"
            bare_node = links and self.lenient and parameter.default is parameter.empty
            if bare_node and hints.get(parameter.name, Any) in VAGUE:
                hints[parameter.name] = int  # what nodes hold, where nothing says so
                self.notes[path] = "int"
            if type(parameter.default) in LEAVES:
                hints.setdefault(parameter.name, type(parameter.default))
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            if parameter.kind is parameter.POSITIONAL_ONLY:
                raise InputSpecError(
                    f"{made_by.__name__} takes {parameter.name} by position only",
                    "Write a function that makes the object, and learn that.",
                )
            if parameter.name in links and path not in self.fixes:
                continue
            if path in self.fixes:
                fields.append((parameter.name, FixedValue(self.fixes[path])))
            elif path in self.inputs:
                fields.append((parameter.name, inner.shape(self.inputs[path], path)))
            elif parameter.default is not parameter.empty and path not in self.described:
                value = literal(parameter.default)
                if links and type(parameter.default) in LEAVES:
                    fields.append((parameter.name, LEAVES[type(parameter.default)]))
                elif value is not None:
                    fields.append((parameter.name, FixedValue(value)))
            else:
                fields.append((parameter.name, inner.field(made_by, parameter.name, hints, path)))
        made = ObjectOf(self._reached(made_by, name), tuple(fields))
        free = tuple(link for link in links if f"{name}.{link}" not in self.fixes)
        for link in set(links) - set(free) - set(signature.parameters):
            if self.fixes[f"{name}.{link}"].text == "None":
                self.cut.add(f"{name}.{link}")
        if not free:
            return made
        self.notes[name] = f"{LINKED[len(free)]} of n objects, by {', '.join(free)}"
        return ListOf(made, N, "linked", free)

    def _inside(self, made_by: type) -> Reader:
        return Reader(
            self.namespace,
            self.inputs,
            self.fixes,
            self.variables,
            self.described,
            self.lenient,
            self.guess,
            self.notes,
            (*self._within, made_by),
        )

    def field(self, made_by: type, name: str, hints: Mapping[str, object], path: str) -> Shape:
        if name in hints:
            return self.shape(hints[name], path)
        guessed = self.guess(made_by.__init__, name)  # type: ignore[misc]
        if guessed is not None:
            self.notes[path] = guessed
            return self.shape(guessed, path)
        raise InputSpecError(
            f"the constructor of {made_by.__name__} takes {name}, which has no annotation",
            f"Pass --input {path}=TYPE or --fix {path}=VALUE, or annotate it.",
        )

    def _reached(self, made_by: type, name: str) -> str:
        """The name by which the program's module reaches a class."""
        wanted = made_by.__qualname__
        if find(self.namespace, wanted) is made_by:
            return wanted
        for key, value in self.namespace.items():
            if value is made_by:
                return key
            if isinstance(value, types.ModuleType) and value.__dict__.get(wanted) is made_by:
                return f"{key}.{wanted}"
        raise InputSpecError(
            f"parameter {name} is of the class {wanted}, which the file does not name",
            f"Import it there: from {made_by.__module__} import {wanted}.",
        )

    # -- texts

    def annotation(self, text: str, name: str) -> object:
        """The annotation that a text denotes, read without evaluating it."""
        try:
            return self._read(ast.parse(text.strip(), mode="eval").body, name)
        except (SyntaxError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputSpecError(f"the type `{text}` of {name} cannot be read", ACCEPTED) from error

    def _read(self, node: ast.expr, name: str) -> Any:
        match node:
            case ast.Name(id=known) if known in self.namespace:
                return self.namespace[known]
            case ast.Name(id=known):
                return NAMED[known]
            case ast.Attribute(attr=known):
                own = find(self.namespace, ast.unparse(node))
                return NAMED[known] if own is None else own
            case ast.Constant(value=None):
                return None
            case ast.Constant(value=str() as text):
                return self._read(ast.parse(text, mode="eval").body, name)
            case ast.Constant(value=types.EllipsisType()):
                return Ellipsis
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return typing.Union[self._read(left, name), self._read(right, name)]  # noqa: UP007
            case ast.Subscript(value=ast.Name(id="Fixed"), slice=inner):
                return FixedValue(parse_value(ast.unparse(inner)))
            case ast.Subscript(
                value=ast.Name(id="linked"), slice=ast.Tuple(elts=[element, *links])
            ):
                made = self.shape(self._read(element, name), name)
                return ListOf(made, N, "linked", tuple(_identifier(link) for link in links))
            case ast.Subscript(
                value=ast.Name(id="neighbours"), slice=ast.Name(id="int" | "str" as key)
            ):
                return SetOf(key, others(N), "neighbours")
            case ast.Subscript(value=outer, slice=inner):
                return self._subscript(self._read(outer, name), inner, name)
            case ast.Call(func=owner, args=[], keywords=keywords):
                fields = [(str(k.arg), self._read_shape(k.value, name, k.arg)) for k in keywords]
                return ObjectOf(ast.unparse(owner), tuple(fields))
            case ast.Call(func=owner, args=members, keywords=[]):
                made_by = ast.unparse(owner)
                return Choice(tuple(Member(made_by, _identifier(m)) for m in members))
            case _:
                raise ValueError(ast.unparse(node))

    def _read_shape(self, node: ast.expr, name: str, part: str | None) -> Shape:
        return self.shape(self._read(node, name), f"{name}.{part}")

    def _subscript(self, outer: Any, inner: ast.expr, name: str) -> Any:
        items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if outer is Literal:
            return Literal[tuple([ast.literal_eval(item) for item in items])]
        if outer is Annotated:
            extras = [_range(item) for item in items[1:]]
            return Annotated[(self._read(items[0], name), *[e for e in extras if e is not None])]
        read = [self._read(item, name) for item in items]
        return outer[read[0]] if not isinstance(inner, ast.Tuple) else outer[tuple(read)]


def _is_class(kind: type) -> bool:
    """Whether objects of a type may be made by its constructor."""
    return kind.__module__ not in ("builtins", "collections.abc", "typing")


def _identifier(node: ast.expr) -> str:
    if not isinstance(node, ast.Name):
        raise ValueError(ast.unparse(node))
    return node.id


def _range(node: ast.expr) -> Range | None:
    match node:
        case ast.Call(
            func=ast.Name(id="Range") | ast.Attribute(attr="Range"), args=args, keywords=named
        ):
            return Range(
                *[ast.literal_eval(a) for a in args],
                **{str(k.arg): ast.literal_eval(k.value) for k in named},
            )
        case _:
            return None


def _graph(value: Shape, before: Shape) -> Shape:
    """In a graph by lists every key has one neighbour, unless a size says otherwise."""
    if value == before:
        return value
    assert isinstance(value, ListOf)
    return ListOf(value.element, SizeExpr("1"), value.kind)


def _choice(annotation: object, args: tuple[Any, ...], name: str) -> Choice:
    if any(literal(option) is None for option in args):
        raise unknown(annotation, name)
    return Choice(args)
