"""From plain arguments to the cells that they fill: the way back of `InputSpec.concrete`."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from fractions import Fraction
from typing import assert_never

from xsynth.errors import InputSpecError
from xsynth.program.inputs import InputSpec
from xsynth.program.shapes import (
    Choice,
    DictOf,
    FixedValue,
    ListOf,
    ObjectOf,
    Scalar,
    SetOf,
    Shape,
    Text,
    TupleOf,
)
from xsynth.program.spec import options, possible
from xsynth.program.values import Made, keys
from xsynth.scale import Scale, named
from xsynth.trace.terms import Cell, Sort, Value


def cells_of(spec: InputSpec, scale: Scale, arguments: Mapping[str, object]) -> dict[Cell, Value]:
    """The value of every cell; arguments of another shape are an InputSpecError."""
    found: dict[Cell, Value] = {}
    names = {param.name for param in spec.params}
    if set(arguments) != names:
        raise InputSpecError(
            f"the input has the arguments {_names(arguments)}, the function takes {_names(names)}",
            "give one value for each argument, by name",
        )
    for param in spec.params:
        _fill(found, param.shape, param.name, (), arguments[param.name], scale)
    return found


def _names(names: object) -> str:
    return ", ".join(sorted(str(n) for n in names)) or "none"  # type: ignore[attr-defined]


def _fill(
    found: dict[Cell, Value],
    shape: Shape,
    name: str,
    index: tuple[int, ...],
    value: object,
    scale: Scale,
) -> None:
    match shape:
        case FixedValue():
            return
        case Scalar(sort=sort):
            found[Cell(name, index, sort)] = _scalar(value, sort, name, index)
        case Text(size=size):
            if not isinstance(value, str | bytes | bytearray):
                raise _mismatch(name, index, "a text", value)
            _demand_length(value, size.evaluate(named(scale)), name, index, scale)
            codes = map(ord, value) if isinstance(value, str) else iter(value)
            for i, code in enumerate(codes):
                found[Cell(name, (*index, i), Sort.INT)] = code
        case ListOf(element=element, size=size):
            if not isinstance(value, list | tuple):
                raise _mismatch(name, index, "a list", value)
            _demand_length(value, size.evaluate(named(scale)), name, index, scale)
            for i, item in enumerate(value):
                _fill(found, element, name, (*index, i), item, scale)
        case TupleOf(elements=elements):
            if not isinstance(value, list | tuple):
                raise _mismatch(name, index, "a tuple", value)
            _demand_length(value, len(elements), name, index, scale)
            for i, (element, item) in enumerate(zip(elements, value, strict=True)):
                _fill(found, element, f"{name}.{i}", index, item, scale)
        case Choice():
            values = options(shape, scale)
            if value not in values:
                raise _mismatch(name, index, f"one of {', '.join(map(repr, values[:8]))}", value)
            found[Cell(name, index, Sort.INT)] = values.index(value)
        case SetOf(kind="neighbours", size=size):
            members = possible(shape, index, size.evaluate(named(scale)))
            if not isinstance(value, list | tuple):
                raise _mismatch(name, index, "a list", value)
            if list(value) != [member for member in members if member in value]:
                raise _mismatch(name, index, "a list of other keys in their order", value)
            for i, member in enumerate(members):
                found[Cell(name, (*index, i), Sort.BOOL)] = member in value
        case SetOf(key=key, size=size):
            if not isinstance(value, set | frozenset):
                raise _mismatch(name, index, "a set", value)
            members = keys(key, size.evaluate(named(scale)))
            for other in sorted(value - set(members), key=str):
                raise _mismatch(name, index, f"a set of {key} below its size", other)
            for i, member in enumerate(members):
                found[Cell(name, (*index, i), Sort.BOOL)] = member in value
        case DictOf(key=key, value=inner, size=size):
            if not isinstance(value, dict):
                raise _mismatch(name, index, "a dict", value)
            expected = keys(key, size.evaluate(named(scale)))
            _demand_length(value, len(expected), name, index, scale)
            for i, own in enumerate(expected):
                if own not in value:
                    raise _mismatch(name, index, f"a dict with the key {own!r}", value)
                _fill(found, inner, name, (*index, i), value[own], scale)
        case ObjectOf(made_by=made_by, fields=fields):
            if not isinstance(value, Made) or set(value.arguments) != {f for f, _ in fields}:
                raise _mismatch(name, index, f"what makes a {made_by}", value)
            for part, inner in fields:
                _fill(found, inner, f"{name}.{part}", index, value.arguments[part], scale)
        case _:
            assert_never(shape)


def _scalar(value: object, sort: Sort, name: str, index: tuple[int, ...]) -> Value:
    match sort:
        case Sort.BOOL if isinstance(value, bool):
            return value
        case Sort.INT if isinstance(value, int) and not isinstance(value, bool):
            return value
        case Sort.REAL if isinstance(value, int | float | Fraction):
            return Fraction(value)
        case _:
            raise _mismatch(name, index, f"a {sort.value}", value)


def _demand_length(
    value: Sized, wanted: int, name: str, index: tuple[int, ...], scale: Scale
) -> None:
    if len(value) != wanted:
        raise InputSpecError(
            f"{_place(name, index)} has {len(value)} elements; at scale {scale} it has {wanted}",
            "is it an input of another scale, or of another program?",
        )


def _place(name: str, index: tuple[int, ...]) -> str:
    return name + "".join(f"[{i}]" for i in index)


def _mismatch(name: str, index: tuple[int, ...], wanted: str, value: object) -> InputSpecError:
    found = f"{type(value).__name__} {str(value)[:40]!r}"
    return InputSpecError(
        f"{_place(name, index)} should be {wanted}, and is {found}",
        "is it an input of another program?",
    )
