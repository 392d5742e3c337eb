"""An input that the user gives: read from a file, and the scale that it has."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xsynth.errors import InputSpecError, UsageError
from xsynth.program.cells import cells_of
from xsynth.program.inputs import InputSpec
from xsynth.program.lengths import possible_scales
from xsynth.program.shapes import FixedValue
from xsynth.report import jsonable
from xsynth.scale import Scale, named, sizes_of
from xsynth.session import Opened


def read_input(source: str) -> tuple[dict[str, Any], Scale | None, str | None]:
    """The arguments; the scale and the function if they are told."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(
            f"{source}: no such file", "give a file that xsynth generate wrote, or - for stdin"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{source}: cannot be read: {error}", "is it a JSON file?") from None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{source}: not JSON: {error}", _INPUT_FORM) from None
    if not isinstance(found, dict):
        raise UsageError(f"{source}: a JSON {type(found).__name__}, not an object", _INPUT_FORM)
    if not isinstance(found.get("arguments"), dict):
        return found, None, None
    scale, function = found.get("scale"), found.get("function")
    own = scale.values() if isinstance(scale, dict) and scale else [scale]
    if scale is not None and not all(type(size) is int and size >= 1 for size in own):
        raise UsageError(f"{source}: the scale is {scale!r}", "a scale is a whole number from 1 on")
    own_scale = sizes_of(scale) if isinstance(scale, dict) else scale
    return found["arguments"], own_scale, function if isinstance(function, str) else None


_INPUT_FORM = 'give an object {"arguments": {name: value}, "scale": n}, as generate writes it'


def completed(spec: InputSpec, scale: Scale, given: Mapping[str, Any]) -> dict[str, Any]:
    """With the arguments that are fixed, where they were left out."""
    fixed = {
        param.name: param.shape.value.evaluate(named(scale))
        for param in spec.params
        if isinstance(param.shape, FixedValue)
    }
    return {**fixed, **given}


def out_of_range(spec: InputSpec, scale: Scale, arguments: Mapping[str, Any]) -> str | None:
    """The first value of an input that its range excludes, in words; the lengths are checked."""
    cells = cells_of(spec, scale, arguments)
    for layout in spec.roomy_layouts(scale):
        if layout.lo is None and layout.hi is None:
            continue
        for cell in layout.cells():
            value = cells[cell]
            below = layout.lo is not None and value < layout.lo
            if below or (layout.hi is not None and value > layout.hi):
                index = f"[{', '.join(map(str, cell.index))}]" if cell.index else ""
                return f"{cell.name}{index} is outside of its range"
    return None


def infer_scale(opened: Opened, given: Mapping[str, Any]) -> Scale:
    """The one scale at which the arguments have these lengths."""
    spec = opened.program.spec
    fixed = {p.name: p.shape.value for p in spec.params if isinstance(p.shape, FixedValue)}
    fitting: list[Scale] = []
    reason: InputSpecError | None = None
    for scale in possible_scales(spec, opened.model.variables, given):
        arguments = jsonable.decode_arguments(spec, scale, completed(spec, scale, given))
        try:
            cells_of(spec, scale, arguments)
        except InputSpecError as error:
            if reason is None or "should be" in error.found:  # tells more than a length does
                reason = error
            continue
        if all(arguments[name] == e.evaluate(named(scale)) for name, e in fixed.items()):
            fitting.append(scale)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting and reason is not None:
        if "should be" in reason.found or "the arguments" in reason.found:
            raise reason  # at no scale would it be right
        raise InputSpecError(reason.found, "say the scale: {" + '"arguments": ..., "scale": n}')
    raise UsageError("the scale of the input cannot be told from its lengths", _INPUT_FORM)
