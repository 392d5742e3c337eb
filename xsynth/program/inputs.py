"""The inputs of a function: which cells there are at a scale, and what they build.

`read_spec` puts together what the signature, the decorator and the command line
say (the later, the stronger).  An `InputSpec` then answers, for any n: the
blocks of cells, the symbolic arguments over these cells, and the plain
arguments that given values of the cells make.  `describe` and `parse_described`
are its text form in a model file.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import assert_never

from xsynth.errors import InputSpecError
from xsynth.program.assumptions import check_assumption
from xsynth.program.expressions import (
    SizeExpr,
    ValueExpr,
    literal,
    parse_sizes,
    parse_value,
)
from xsynth.program.markers import Bound, Problem, Range
from xsynth.program.shapes import (
    FixedValue,
    Leaf,
    Limit,
    ListOf,
    Scalar,
    Shape,
    Text,
    TupleOf,
    annotation_of,
    bounded,
    leaves,
    rebuild,
    shape_of,
    type_text,
)
from xsynth.program.shapes import (
    sizes as lengths_of,
)
from xsynth.trace.terms import Cell, Sort, Value

RangeGiven: typing.TypeAlias = "str | tuple[Bound, Bound] | Range"


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Layout:
    """One block of cells of an input: a dense array."""

    name: str
    dims: tuple[int, ...]
    sort: Sort
    lo: Limit
    hi: Limit

    def cells(self) -> Iterator[Cell]:
        for index in itertools.product(*map(range, self.dims)):
            yield Cell(self.name, index, self.sort)


@dataclass(frozen=True, slots=True)
class InputSpec:
    params: tuple[Param, ...]
    assumptions: tuple[str, ...] = ()

    def layouts(self, n: int) -> tuple[Layout, ...]:
        return tuple(
            Layout(
                name,
                tuple(_length(size, n, name) for size in dims),
                leaf.sort if isinstance(leaf, Scalar) else Sort.INT,
                leaf.lo,
                leaf.hi,
            )
            for param in self.params
            for name, dims, leaf in leaves(param.shape, param.name)
        )

    def domains(self, n: int) -> list[tuple[Cell, Limit, Limit]]:
        return [
            (cell, layout.lo, layout.hi) for layout in self.layouts(n) for cell in layout.cells()
        ]

    def symbolic(self, n: int) -> dict[str, object]:
        """Proxies in real lists and tuples, by argument name."""
        from xsynth.trace.proxies import wrap
        from xsynth.trace.proxies.text import SymBytes, SymStr

        def make(leaf: Leaf, name: str, index: tuple[int, ...]) -> object:
            if isinstance(leaf, Scalar):
                return wrap(Cell(name, index, leaf.sort))
            length = _length(leaf.size, n, name)
            codes = tuple([Cell(name, (*index, i), Sort.INT) for i in range(length)])
            return SymStr(codes) if leaf.kind == "str" else SymBytes(codes)

        return {p.name: _build(p.shape, p.name, (), n, make) for p in self.params}

    def concrete(
        self, n: int, values: Callable[[str, tuple[int, ...]], Value]
    ) -> dict[str, object]:
        """Plain arguments, where cell `index` of block `name` is `values(name, index)`."""

        def make(leaf: Leaf, name: str, index: tuple[int, ...]) -> object:
            if isinstance(leaf, Scalar):
                return _plain(values(name, index), leaf.sort)
            length = _length(leaf.size, n, name)
            codes = [int(values(name, (*index, i))) for i in range(length)]
            return "".join(map(chr, codes)) if leaf.kind == "str" else bytes(codes)

        return {p.name: _build(p.shape, p.name, (), n, make) for p in self.params}


def _plain(value: Value, sort: Sort) -> object:
    match sort:
        case Sort.BOOL:
            return bool(value)
        case Sort.INT:
            return int(value)
        case Sort.REAL:
            return float(value)
        case _:
            assert_never(sort)


def _length(size: SizeExpr, n: int, name: str) -> int:
    length = size.evaluate({"n": n})
    if length < 0:
        raise InputSpecError(
            f"the size of {name} is {size.text}, which is {length} at n = {n}",
            f"Begin at a larger scale, or write max(0, {size.text}).",
        )
    return length


def _build(
    shape: Shape,
    name: str,
    index: tuple[int, ...],
    n: int,
    make: Callable[[Leaf, str, tuple[int, ...]], object],
) -> object:
    match shape:
        case Scalar() | Text():
            return make(shape, name, index)
        case ListOf(element=element, size=size, kind=kind):
            length = _length(size, n, name)
            items = [_build(element, name, (*index, i), n, make) for i in range(length)]
            return items if kind == "list" else tuple(items)
        case TupleOf(elements=elements):
            parts = enumerate(elements)
            return tuple([_build(e, f"{name}.{i}", index, n, make) for i, e in parts])
        case FixedValue(value=value):
            return value.evaluate({"n": n})
        case _:
            assert_never(shape)


# -- reading a function ---------------------------------------------------------------


def read_spec(
    function: Callable[..., object],
    *,
    sizes: Mapping[str, str | int] | None = None,
    fixes: Mapping[str, object] | None = None,
    ranges: Mapping[str, RangeGiven] | None = None,
    assumptions: Sequence[str] = (),
    inputs: Mapping[str, str] | None = None,
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
            shape = _fixed(name, fixes[name])
        elif name in said.fix and name not in shaped:
            value = said.fix[name]
            is_text = isinstance(value, str) and hints.get(name) is str
            shape = _fixed(name, literal(value) if is_text else value)
        else:
            shape = _unknown_shape(parameter, hints, name in described | shaped, function)
        if shape is None:
            continue
        if isinstance(shape, FixedValue):
            params.append(Param(name, shape))
            continue
        for given_sizes, given_ranges in ((said.size, said.range), (sizes, ranges)):
            shape = _resized(shape, name, given_sizes)
            shape = _ranged(shape, name, given_ranges)
        params.append(Param(name, shape))
    texts = tuple(_one_line(text) for text in (*said.assume, *assumptions))
    for text in texts:
        check_assumption(text, [param.name for param in params])
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


def _fixed(name: str, given: object) -> FixedValue:
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
    _only_scale(value, f"--fix {name}")
    return FixedValue(value)


def _only_scale(expression: SizeExpr | ValueExpr, option: str) -> None:
    for unknown in sorted(expression.names() - {"n"}):
        raise InputSpecError(
            f"{option}={expression.text} uses the unknown name {unknown}",
            f"The scale is called n; a string is written in quotes: '\"{unknown}\"'.",
        )


def _unknown_shape(
    parameter: inspect.Parameter,
    hints: Mapping[str, object],
    described: bool,
    function: Callable[..., object],
) -> Shape | None:
    """The shape of an argument that is not fixed; None leaves it to its default.

    A default of None stands for an argument left out, so it stays unless the
    user describes the parameter.
    """
    name, default = parameter.name, parameter.default
    optional = default is not inspect.Parameter.empty and not described
    if name in hints and not (optional and default is None):
        try:
            return shape_of(hints[name], name)
        except InputSpecError as error:
            if not optional:
                raise InputSpecError(f"{_where(function)}: {error.found}", error.advice) from None
    if optional:
        value = literal(default)
        return None if value is None else FixedValue(value)
    raise InputSpecError(
        f"{_where(function)}: parameter {name} has no annotation",
        f"Pass --fix {name}=VALUE or --input {name}=TYPE (such as list[int]), or annotate it.",
    )


def _under(name: str, key: str) -> bool:
    return name == key or name.startswith(key + ".")


def _resized(shape: Shape, name: str, given: Mapping[str, str | int]) -> Shape:
    for key in sorted((k for k in given if _under(k, name)), key=len):
        waiting = list(parse_sizes(str(given[key])))
        for size in waiting:
            _only_scale(size, f"--size {key}")

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


# -- the text form --------------------------------------------------------------------

_END = r"""(?:'(?:\\[^']+|\\'|[^'\\])'|"'"|-?\d+(?:/\d+)?)?"""
_RANGE = re.compile(rf"({_END})\.\.({_END})")
_RANGES = re.compile(rf"{_RANGE.pattern}(?:, {_RANGE.pattern})*")
_INPUT = re.compile(r"input (\w+): (.+?)(?: size (.+?))?(?: range (.+))?")
_FIXED = re.compile(r"input (\w+): fixed (.+)", re.DOTALL)


def describe(spec: InputSpec) -> tuple[str, ...]:
    """One line for each parameter and each assumption; `parse_described` reads them."""
    inputs = (f"input {param.name}: {_shape_text(param)}" for param in spec.params)
    return (*inputs, *(f"assume {text}" for text in spec.assumptions))


def _shape_text(param: Param) -> str:
    text = type_text(param.shape)
    if isinstance(param.shape, FixedValue):
        return text
    lengths = [size.text for size in lengths_of(param.shape)]
    if lengths:
        text += f" size {', '.join(lengths)}"
    bounds = [_range_text(leaf) for leaf in _with_range(param.shape)]
    standard = [_range_text(leaf) for leaf in _with_range(_bare(param.shape))]
    if bounds == standard:
        return text
    return f"{text} range {bounds[0] if len(set(bounds)) == 1 else ', '.join(bounds)}"


def _bare(shape: Shape) -> Shape:
    return shape_of(annotation_of(type_text(shape), ""), "")


def _with_range(shape: Shape) -> list[Leaf]:
    return [leaf for _, _, leaf in leaves(shape, "") if leaf != Scalar(Sort.BOOL)]


def _range_text(leaf: Leaf) -> str:
    if isinstance(leaf, Text) and leaf.kind == "str":
        return f"{chr(leaf.lo)!r}..{chr(leaf.hi)!r}"
    return f"{'' if leaf.lo is None else leaf.lo}..{'' if leaf.hi is None else leaf.hi}"


def parse_described(lines: Iterable[str]) -> InputSpec:
    params: list[Param] = []
    assumptions: list[str] = []
    for line in lines:
        if line.startswith("assume "):
            assumptions.append(line.removeprefix("assume "))
        elif fixed := _FIXED.fullmatch(line):
            params.append(Param(fixed[1], FixedValue(parse_value(fixed[2]))))
        elif found := _INPUT.fullmatch(line):
            params.append(_parse_param(line, *found.groups()))
        else:
            raise _unreadable(line)
    return InputSpec(tuple(params), tuple(assumptions))


def _unreadable(line: str) -> InputSpecError:
    return InputSpecError(
        f"`{line}` does not describe an input",
        "Write `input NAME: TYPE size EXPR range LO..HI`, `input NAME: fixed VALUE`"
        " or `assume EXPR`.",
    )


def _parse_param(line: str, name: str, kind: str, size: str | None, bounds: str | None) -> Param:
    shape = shape_of(annotation_of(kind, name), name)
    lengths = iter(parse_sizes(size) if size is not None else ())
    ranges = _RANGE.findall(bounds) if bounds and _RANGES.fullmatch(bounds) else []
    count = len(_with_range(shape))
    if bounds is not None and len(ranges) == 1:
        ranges *= count
    if bounds is not None and (len(ranges) != count or not ranges):
        raise _unreadable(line)
    waiting = iter(ranges)

    def resize(_: str, old: SizeExpr) -> SizeExpr:
        return next(lengths, old)

    def bound(_: str, leaf: Leaf) -> Leaf:
        if not ranges or leaf == Scalar(Sort.BOOL):
            return leaf
        lo, hi = next(waiting)
        return bounded(leaf, _end(lo, leaf), _end(hi, leaf), name)

    shape = rebuild(shape, name, resize, bound)
    if next(lengths, None) is not None:
        raise _unreadable(line)
    return Param(name, shape)


def _end(text: str, leaf: Leaf) -> Bound:
    if text == "":
        return None
    if text[0] in "'\"":
        return str(ast.literal_eval(text))
    return int(text) if isinstance(leaf, Text) else Fraction(text)
