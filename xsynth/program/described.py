"""An `InputSpec` as lines of text, for a model file, and back.

    input edges: list[tuple[int, float]] size n*(n-1) range 0..9, 0..1/2
    input text: str size n range 'a'..'z'
    input graph: dict[int, list[int]] size n, 2 range 0..n-1
    input at: list[Point(x=int, y=Fixed[0])] size n
    input src: fixed n-1
    assume all(x <= y for x, y in zip(a, a[1:]))

Sizes stand outermost first.  There is one range for each leaf that can have one,
in order, or a single one where all are alike, or none where all are standard.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from xsynth.errors import InputSpecError
from xsynth.program.annotations import shape_of
from xsynth.program.bounds import bounded, has_range
from xsynth.program.expressions import SizeExpr, parse_sizes, parse_value
from xsynth.program.markers import Bound
from xsynth.program.shapes import (
    Choice,
    FixedValue,
    Leaf,
    Scalar,
    Shape,
    Text,
    leaves,
    rebuild,
    sizes,
    type_text,
)
from xsynth.program.spec import InputSpec, Param

_INPUT = re.compile(r"input (\w+): (.+)")
_NAME = re.compile(r"input (\w+): one of (.+) names")
_FIXED = re.compile(r"input (\w+): fixed (.+)", re.DOTALL)


def describe(spec: InputSpec) -> tuple[str, ...]:
    """One line for each parameter and each assumption; `parse_described` reads them."""
    inputs = (f"input {param.name}: {_shape_text(param)}" for param in spec.params)
    return (*inputs, *(f"assume {text}" for text in spec.assumptions))


def in_words(line: str) -> str:
    """A line of `describe` for people: a fixed part of an object says so."""
    start = line.find("=Fixed[")
    while start >= 0:
        end, depth = start + len("=Fixed["), 1
        while depth:
            if end == len(line):
                return line  # a text with a bracket in it
            depth += (line[end] == "[") - (line[end] == "]")
            end += 1
        value = line[start + len("=Fixed[") : end - 1]
        line = f"{line[:start]} fixed at {value}{line[end:]}"
        start = line.find("=Fixed[")
    return line


def _shape_text(param: Param) -> str:
    if isinstance(param.shape, FixedValue):
        return f"fixed {param.shape.value.text}"
    if isinstance(param.shape, Choice) and param.shape.names is not None:
        return f"one of {param.shape.names.text} names"
    text = type_text(param.shape)
    lengths = list(sizes(param.shape))
    if lengths:
        text += f" size {', '.join(size.text for size in lengths)}"
    ranged = _with_range(param.shape)
    bounds = [_range_text(leaf) for leaf in ranged]
    given = any(isinstance(leaf, Text) and leaf.given for leaf in ranged)
    standard = _resized(shape_of(type_text(param.shape), param.name), iter(lengths))
    if not given and bounds == [_range_text(leaf) for leaf in _with_range(standard)]:
        return text
    return f"{text} range {bounds[0] if len(set(bounds)) == 1 else ', '.join(bounds)}"


def _resized(shape: Shape, lengths: Iterator[SizeExpr]) -> Shape:
    return rebuild(shape, "", lambda _, old: next(lengths, old), lambda _, leaf: leaf)


def _with_range(shape: Shape) -> list[Scalar | Text]:
    found = (leaf for _, _, leaf in leaves(shape, ""))
    return [leaf for leaf in found if not isinstance(leaf, Choice) and has_range(leaf)]


def _range_text(leaf: Scalar | Text) -> str:
    if isinstance(leaf, Text) and leaf.kind == "str":
        return f"{chr(leaf.lo)!r}..{chr(leaf.hi)!r}"
    ends = (
        "" if e is None else e.text if isinstance(e, SizeExpr) else e for e in (leaf.lo, leaf.hi)
    )
    return "..".join(map(str, ends))


def parse_described(lines: Iterable[str]) -> InputSpec:
    params: list[Param] = []
    assumptions: list[str] = []
    for line in lines:
        if line.startswith("assume "):
            assumptions.append(line.removeprefix("assume "))
        elif fixed := _FIXED.fullmatch(line):
            params.append(Param(fixed[1], FixedValue(parse_value(fixed[2]))))
        elif name := _NAME.fullmatch(line):
            params.append(Param(name[1], Choice((), SizeExpr(name[2]))))
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


def _parse_param(line: str, name: str, text: str) -> Param:
    kind, bounds = _cut(text, " range ")
    kind, size = _cut(kind, " size ")
    shape = shape_of(kind, name)
    lengths = iter(parse_sizes(size) if size is not None else ())
    shape = _resized(shape, lengths)
    if next(lengths, None) is not None:
        raise _unreadable(line)
    if bounds is None:
        return Param(name, shape)
    ranges = [_cut(part, "..") for part in _split(bounds, ", ")]
    count = len(_with_range(shape))
    if len(ranges) == 1:
        ranges *= count
    if len(ranges) != count or not ranges:
        raise _unreadable(line)
    waiting = iter(ranges)

    def bound(_: str, leaf: Leaf) -> Leaf:
        if isinstance(leaf, Choice) or not has_range(leaf):
            return leaf
        lo, hi = next(waiting)
        if hi is None:
            raise _unreadable(line)
        return bounded(leaf, _end(lo, leaf), _end(hi, leaf), name)

    return Param(name, rebuild(shape, name, lambda _, old: old, bound))


def _cut(text: str, separator: str) -> tuple[str, str | None]:
    """The text before and after the first separator that stands outside quotes and brackets."""
    first, *rest = _split(text, separator, 1)
    return first, rest[0] if rest else None


def _split(text: str, separator: str, most: int = -1) -> list[str]:
    parts: list[str] = []
    start = at = depth = 0
    while at < len(text) and most != len(parts):
        if text[at] in "'\"":
            quote = text[at]
            at += 1
            while at < len(text) and text[at] != quote:
                at += 2 if text[at] == "\\" else 1
        elif depth == 0 and text.startswith(separator, at):
            parts.append(text[start:at])
            start = at = at + len(separator)
            continue
        else:
            depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    return [*parts, text[start:]]


def _end(text: str, leaf: Leaf) -> Bound:
    if text == "":
        return None
    if text[0] in "'\"":
        return str(ast.literal_eval(text))
    return int(text) if isinstance(leaf, Text) else text
