"""An `InputSpec` as lines of text, for a model file, and back.

    input edges: list[tuple[int, float]] size n*(n-1) range 0..9, 0..1/2
    input text: str size n range 'a'..'z'
    input src: fixed n-1
    assume all(x <= y for x, y in zip(a, a[1:]))

Sizes stand outermost first.  There is one range for each leaf that can have one,
in order, or a single one where all are alike, or none where all are standard.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from fractions import Fraction

from xsynth.errors import InputSpecError
from xsynth.program.expressions import SizeExpr, parse_sizes, parse_value
from xsynth.program.markers import Bound
from xsynth.program.shapes import (
    FixedValue,
    Leaf,
    Scalar,
    Shape,
    Text,
    annotation_of,
    bounded,
    leaves,
    rebuild,
    shape_of,
    sizes,
    type_text,
)
from xsynth.program.spec import InputSpec, Param
from xsynth.trace.terms import Sort

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
    lengths = [size.text for size in sizes(param.shape)]
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
