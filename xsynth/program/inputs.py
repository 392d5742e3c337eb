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
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from xsynth.errors import InputSpecError
from xsynth.program.assumptions import check_assumption
from xsynth.program.described import describe, parse_described
from xsynth.program.expressions import SizeExpr, ValueExpr, literal, parse_sizes, parse_value
from xsynth.program.markers import Bound, Problem, Range
from xsynth.program.shapes import (
    FixedValue,
    Leaf,
    Scalar,
    Shape,
    Text,
    annotation_of,
    bounded,
    rebuild,
    shape_of,
    type_text,
)
from xsynth.program.spec import InputSpec, Layout, Param
from xsynth.program.variables import check_variables
from xsynth.trace.terms import Sort

__all__ = ["InputSpec", "Layout", "Param", "describe", "parse_described", "read_spec"]

RangeGiven: typing.TypeAlias = "str | tuple[Bound, Bound] | Range"


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
    shaped = {key.partition(".")[0] for key in (*sizes, *ranges, *inputs)}
    described = {key.partition(".")[0] for key in (*said.size, *said.range)}
    for name in sorted(shaped & set(fixes) | described & set(said.fix)):
        raise InputSpecError(
            f"{name} is fixed, and also given a size, a range or a type",
            f"Keep the fixed value of {name}, or leave it out.",
        )
    hints = _annotations(function)
    params: list[Param] = []
    for parameter in parameters.values():
        name = parameter.name
        if name in inputs:
            hints[name] = annotation_of(inputs[name], name)
        shape: Shape | None
        if name in fixes:
            shape = _fixed(name, fixes[name], variables)
        elif name in said.fix and name not in shaped:
            value = said.fix[name]
            is_text = isinstance(value, str) and hints.get(name) is str
            shape = _fixed(name, literal(value) if is_text else value, variables)
        else:
            shape = _unknown_shape(parameter, hints, name in described | shaped, function)
        if shape is None:
            continue
        if isinstance(shape, FixedValue):
            params.append(Param(name, shape))
            continue
        for given_sizes, given_ranges in ((said.size, said.range), (sizes, ranges)):
            shape = _resized(shape, name, given_sizes, variables)
            shape = _ranged(shape, name, given_ranges)
        params.append(Param(name, shape))
    texts = tuple(_one_line(text) for text in (*said.assume, *assumptions))
    for text in texts:
        check_assumption(text, [param.name for param in params], variables)
    check_variables(params, texts, variables)
    return InputSpec(tuple(params), texts)


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


def _annotations(function: Callable[..., object]) -> dict[str, object]:
    """Annotations by name; a text stays one where its names cannot be resolved."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # whatever the user's annotations raise
        return dict(getattr(inspect.unwrap(function), "__annotations__", {}))


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
    described: bool,
    function: Callable[..., object],
) -> Shape | None:
    """The shape of an argument that is not fixed; None leaves it to its default.

    A default is what callers get who say nothing, so it stays unless the user
    describes the parameter.
    """
    name, default = parameter.name, parameter.default
    if default is not inspect.Parameter.empty and not described:
        value = literal(default)
        return None if value is None else FixedValue(value)
    if name in hints:
        try:
            return shape_of(hints[name], name)
        except InputSpecError as error:
            raise InputSpecError(f"{_where(function)}: {error.found}", error.advice) from None
    raise InputSpecError(
        f"{_where(function)}: parameter {name} has no annotation",
        f"Pass --fix {name}=VALUE or --input {name}=TYPE (such as list[int]), or annotate it.",
    )


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


def _ranged(shape: Shape, name: str, given: Mapping[str, RangeGiven]) -> Shape:
    for key in sorted((k for k in given if _under(k, name)), key=len):
        touched: list[str] = []

        def bound(at: str, leaf: Leaf, key: str = key, touched: list[str] = touched) -> Leaf:
            if not _under(at, key) or leaf == Scalar(Sort.BOOL):
                return leaf
            touched.append(at)
            return bounded(leaf, *_ends(given[key], leaf, at), at)

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
