"""What inputs a function takes: its annotations, its decorator, the command line.

The later is the stronger: an option overrides `@problem`, which overrides
`Annotated`.  `InputSpec` (see `spec.py`) holds the answer, `describe` and
`parse_described` (see `described.py`) its text form.
"""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from xsynth.errors import InputSpecError
from xsynth.program.annotations import Reader, outer
from xsynth.program.assumptions import check_assumption
from xsynth.program.bounds import bounded, has_range
from xsynth.program.constructors import hints_of
from xsynth.program.described import describe, parse_described
from xsynth.program.expressions import SizeExpr, ValueExpr, literal, parse_sizes, parse_value
from xsynth.program.known import LEAVES, VAGUE, bare
from xsynth.program.markers import Bound, Problem, Range
from xsynth.program.shapes import (
    DictOf,
    FixedValue,
    Leaf,
    ListOf,
    ObjectOf,
    Shape,
    Text,
    TupleOf,
    opened,
    parts,
    rebuild,
    type_text,
)
from xsynth.program.spec import InputSpec, Layout, Param
from xsynth.program.variables import check_variables
from xsynth.program.vertices import with_vertices

__all__ = ["InputSpec", "Layout", "Param", "describe", "parse_described", "read_spec"]

RangeGiven: typing.TypeAlias = "str | tuple[Bound, Bound] | Range"


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter whose type was not said in full, and what it is taken for."""

    name: str
    type: str

    def __str__(self) -> str:
        name, colon, variable = self.name.partition(": ")
        what = f"{variable} in {name}" if colon else name
        return f"{what} is taken as {self.type}; --input {name}=TYPE changes that"


Guess: typing.TypeAlias = Callable[[Callable[..., object], str], str | None]
"""The type, as a text, that a parameter without an annotation seems to have."""


@typing.runtime_checkable
class Guessing(typing.Protocol):
    """A guess that knows the function's source."""

    def is_whole(self, function: Callable[..., object], name: str) -> bool: ...


def read_spec(
    function: Callable[..., object],
    *,
    sizes: Mapping[str, str | int] | None = None,
    fixes: Mapping[str, object] | None = None,
    ranges: Mapping[str, RangeGiven] | None = None,
    assumptions: Sequence[str] = (),
    inputs: Mapping[str, str] | None = None,
    variables: tuple[str, ...] = ("n",),
) -> InputSpec:
    """What the function takes: annotations, under its decorator, under these options."""
    return read_inputs(
        function,
        sizes=sizes,
        fixes=fixes,
        ranges=ranges,
        assumptions=assumptions,
        inputs=inputs,
        variables=variables,
        guess=None,
    )[0]


def read_inputs(
    function: Callable[..., object],
    *,
    sizes: Mapping[str, str | int] | None = None,
    fixes: Mapping[str, object] | None = None,
    ranges: Mapping[str, RangeGiven] | None = None,
    assumptions: Sequence[str] = (),
    inputs: Mapping[str, str] | None = None,
    variables: tuple[str, ...] = ("n",),
    receiver: type | None = None,
    guess: Guess | None,
) -> tuple[InputSpec, tuple[Taken, ...]]:
    """`read_spec`, with what was guessed; the first parameter of a method is its `receiver`.

    Without a `guess` nothing is taken for more than the annotations say.
    """
    sizes, fixes, ranges, inputs = sizes or {}, fixes or {}, ranges or {}, inputs or {}
    said = getattr(function, "__xsynth_problem__", None) or Problem({}, {}, {}, (), None)
    parameters = _parameters(function)
    for option, keys in (
        ("--size", sizes),
        ("--fix", fixes),
        ("--range", ranges),
        ("--input", inputs),
        ("@problem", {**said.size, **said.fix, **said.range}),
    ):
        _check_names(option, keys, parameters, function)
    shaped = {*sizes, *ranges, *inputs}
    described = {*said.size, *said.range}
    for name in sorted(_all_under(shaped) & set(fixes) | _all_under(described) & set(said.fix)):
        raise InputSpecError(
            f"{name} is fixed, and also given a size, a range or a type",
            f"Keep the fixed value of {name}, or leave it out.",
        )
    hints = hints_of(function)
    if receiver is not None:
        hints = {next(iter(parameters), ""): receiver, **hints}
    reader = Reader(
        namespace=_names_of(function),
        inputs=inputs,
        fixes={name: _fixed(name, value, variables).value for name, value in fixes.items()},
        variables=variables,
        described=frozenset(_all_under(shaped | described)),
        lenient=guess is not None,
    )
    if guess is not None:
        reader.guess = guess
    params: list[Param] = []
    for parameter in parameters.values():
        name = parameter.name
        shape: Shape | None
        if name in fixes:
            shape = FixedValue(reader.fixes[name])
        elif name in said.fix and name not in _all_under(shaped):
            value = said.fix[name]
            is_text = isinstance(value, str) and hints.get(name) is str
            shape = _fixed(name, literal(value) if is_text else value, variables)
        else:
            shape = _unknown_shape(parameter, hints, reader, function)
        if shape is None:
            continue
        told = {*sizes, *ranges, *inputs, *fixes} - reader.cut
        _check_paths(shape, name, sorted(told), function)
        if isinstance(shape, FixedValue):
            params.append(Param(name, shape))
            continue
        for given_sizes, given_ranges in ((said.size, said.range), (sizes, ranges)):
            shape = _resized(shape, name, given_sizes, variables)
            shape = _ranged(shape, name, given_ranges, variables)
        lengths = [key for key, size in {**said.size, **sizes}.items() if "," in str(size)]
        closed = {*lengths, *said.range, *ranges, *_mentioned((*said.assume, *assumptions))}
        shape = opened(shape, name, lambda at, c=closed: any(_under(at, key) for key in c))  # type: ignore[misc]
        params.append(Param(name, shape))
    if isinstance(guess, Guessing):
        closed = {*_all_under(shaped | described), *_mentioned((*said.assume, *assumptions))}
        whole = partial(guess.is_whole, function)
        params = with_vertices(params, closed, reader.notes, whole)
    texts = tuple(_one_line(text) for text in (*said.assume, *assumptions))
    attributes = {part for param in params for part in _attributes(param.shape)}
    for text in texts:
        check_assumption(text, [param.name for param in params], variables, attributes)
    check_variables(params, texts, variables)
    spec = InputSpec(tuple(params), texts)
    return spec, tuple(Taken(name, type) for name, type in reader.notes.items())


def _names_of(function: Callable[..., object]) -> dict[str, object]:
    """What names in an annotation stand for."""
    inner = inspect.unwrap(function)
    variables = getattr(inner, "__type_params__", ())  # def f[T](...)
    return {**getattr(inner, "__globals__", {}), **{v.__name__: v for v in variables}}


def _all_under(keys: Iterable[str]) -> set[str]:
    """The dotted names and those that they lie under."""
    return {key[:i] for key in keys for i in (*_dots(key), len(key))}


def _dots(key: str) -> list[int]:
    return [i for i, character in enumerate(key) if character == "."]


def _attributes(shape: Shape) -> set[str]:
    """The names by which an assumption may look into objects."""
    match shape:
        case ObjectOf(fields=fields):
            return {name for name, _ in fields}.union(*(_attributes(s) for _, s in fields))
        case ListOf(element=inner) | DictOf(value=inner):
            return _attributes(inner)
        case TupleOf(elements=elements):
            return set().union(*map(_attributes, elements))
        case _:
            return set()


def _check_paths(
    shape: Shape, name: str, keys: Iterable[str], function: Callable[..., object]
) -> None:
    """A dotted name of an option must lead somewhere."""
    known = set(_paths(shape, name))
    for key in keys:
        if key.startswith(f"{name}.") and key not in known:
            raise InputSpecError(
                f"{_where(function)} has no input {key}",
                f"There is {', '.join(sorted(known))}.",
            )


def _paths(shape: Shape, name: str) -> Iterator[str]:
    yield name
    match shape:
        case ObjectOf() | TupleOf():
            for part, inner in parts(shape):
                yield from _paths(inner, f"{name}.{part}")
        case ListOf(element=inner) | DictOf(value=inner):
            yield from _paths(inner, name)
        case _:
            pass


def _where(function: Callable[..., object]) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    name = getattr(function, "__qualname__", repr(function))
    return f"{Path(code.co_filename).name}::{name}" if code is not None else name


def _parameters(function: Callable[..., object]) -> dict[str, inspect.Parameter]:
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise InputSpecError(
            f"{_where(function)} has no signature that Python can read",
            "Write a Python function that calls it, with annotated parameters.",
        ) from error
    return {name: p for name, p in signature.parameters.items() if p.kind not in starred}


def _check_names(
    option: str,
    keys: Iterable[str],
    parameters: Mapping[str, object],
    function: Callable[..., object],
) -> None:
    for key in keys:
        if key.partition(".")[0] not in parameters:
            raise InputSpecError(
                f"{option} names {key}, which {_where(function)} does not take",
                f"Its parameters: {', '.join(parameters) or 'none'}.",
            )


def _fixed(name: str, given: object, variables: tuple[str, ...]) -> FixedValue:
    match given:
        case ValueExpr():
            value: ValueExpr | None = given
        case str():
            value = parse_value(given)
        case _:
            value = literal(given)
    if value is None:
        raise InputSpecError(
            f"{name} is fixed at {given!r}, which is not a Python literal",
            "Build such values in a function of your own that calls this one.",
        )
    _only_scale(value, f"--fix {name}", variables)
    return FixedValue(value)


def _only_scale(expression: SizeExpr | ValueExpr, option: str, variables: tuple[str, ...]) -> None:
    for unknown in sorted(expression.names() - set(variables)):
        called = f"The scale is called {variables[0]}"
        if len(variables) > 1:
            called = f"The scales are called {', '.join(variables)}"
        raise InputSpecError(
            f"{option}={expression.text} uses the unknown name {unknown}",
            f"{called} (--scales '{variables[0]}=2..5,{unknown}=2..4' has both);"
            f" a string is written in quotes: '\"{unknown}\"'.",
        )


def _unknown_shape(
    parameter: inspect.Parameter,
    hints: Mapping[str, object],
    reader: Reader,
    function: Callable[..., object],
) -> Shape | None:
    """The shape of an argument that is not fixed; None leaves it to its default.

    A default is what callers get who say nothing, so it stays unless the user
    describes the parameter.
    """
    name, default = parameter.name, parameter.default
    if default is not inspect.Parameter.empty and name not in reader.described:
        value = literal(default)
        return None if value is None else FixedValue(value)
    hint = reader.inputs.get(name, hints.get(name))
    if hint is None and type(default) in LEAVES:
        hint = type(default)
    try:
        if isinstance(hint, str):
            hint = reader.annotation(hint, name)
        guessed = None
        if hint is None or hint in VAGUE or bare(hint) is not None:
            guessed = reader.guess(function, name)
        if guessed is not None:
            shape = reader.shape(guessed, name)
            if bare(hint) is None or bare(hint) is outer(shape):
                reader.notes[name] = type_text(shape)
                return shape
        if hint is not None:
            return reader.shape(hint, name)
    except InputSpecError as error:
        raise InputSpecError(f"{_where(function)}: {error.found}", error.advice) from None
    raise InputSpecError(
        f"{_where(function)}: parameter {name} has no annotation",
        f"Pass --fix {name}=VALUE or --input {name}=TYPE (such as list[int]), or annotate it.",
    )


def _mentioned(assumptions: Iterable[str]) -> set[str]:
    """The names in assumptions, which look at the lists of a graph."""
    return {word for text in assumptions for word in re.findall(r"[^\W\d]\w*", text)}


def _under(name: str, key: str) -> bool:
    return name == key or name.startswith(key + ".")


def _resized(
    shape: Shape, name: str, given: Mapping[str, str | int], variables: tuple[str, ...]
) -> Shape:
    for key in sorted((k for k in given if _under(k, name)), key=len):
        waiting = list(parse_sizes(str(given[key])))
        for size in waiting:
            _only_scale(size, f"--size {key}", variables)

        def resize(at: str, old: SizeExpr, key: str = key) -> SizeExpr:
            return waiting.pop(0) if waiting and _under(at, key) else old  # noqa: B023

        count = len(waiting)
        shape = rebuild(shape, name, resize, lambda _, leaf: leaf)
        if waiting:
            raise InputSpecError(
                f"--size {key}={given[key]} gives {count} sizes,"
                f" but {key} has {count - len(waiting)}",
                f"{name} is {type_text(shape)}; give one size for each dimension, outermost first.",
            )
    return shape


def _ranged(
    shape: Shape, name: str, given: Mapping[str, RangeGiven], variables: tuple[str, ...]
) -> Shape:
    for key in sorted((k for k in given if _under(k, name)), key=len):
        touched: list[str] = []

        def bound(at: str, leaf: Leaf, key: str = key, touched: list[str] = touched) -> Leaf:
            if not _under(at, key) or not has_range(leaf):
                return leaf
            touched.append(at)
            return bounded(leaf, *_ends(given[key], leaf, at), at, variables)

        shape = rebuild(shape, name, lambda _, size: size, bound)
        if not touched:
            raise InputSpecError(
                f"--range {key} bounds nothing: {name} is {type_text(shape)}",
                "A range applies to numbers and characters; NAME.0 is the first of a tuple.",
            )
    return shape


def _ends(given: RangeGiven, leaf: Leaf, name: str) -> tuple[Bound, Bound]:
    """The ends of `LO..HI`, read as what the leaf holds: numbers or characters."""
    if isinstance(given, Range):
        return given.lo, given.hi
    if not isinstance(given, str):
        return given[0], given[1]
    if isinstance(leaf, Text) and leaf.kind == "str":
        characters = re.fullmatch(r"(.?)\.\.(.?)", given, re.DOTALL)
        if characters is not None:
            return characters[1] or None, characters[2] or None
    lo, dots, hi = (part.strip() for part in given.partition(".."))
    if not dots:
        raise InputSpecError(
            f"the range `{given}` of {name} has no `..`",
            f"Write --range {name}=LO..HI; either end may be left out.",
        )
    if isinstance(leaf, Text):
        codes = [int(end) if end.isascii() and end.isdigit() else end for end in (lo, hi)]
        return (None if codes[0] == "" else codes[0]), (None if codes[1] == "" else codes[1])
    return lo or None, hi or None


def _one_line(text: str) -> str:
    stripped = text.strip()
    if len(stripped.splitlines()) == 1:
        return stripped
    try:
        return ast.unparse(ast.parse(stripped, mode="eval"))
    except SyntaxError:
        return " ".join(stripped.split())
