"""From solved arrays to the plain arguments that the function takes.

A list of lists of numbers is one array, and becomes Python's lists in one step; other
shapes (tuples, texts in lists) are built a cell at a time.
"""

from __future__ import annotations

from collections.abc import Mapping

from xsynth.program.inputs import InputSpec
from xsynth.program.shapes import ListOf, Scalar, Shape, Text
from xsynth.scale import Scale
from xsynth.synthesize.condition import Array
from xsynth.trace.terms import Sort


def plain_arguments(
    spec: InputSpec, scale: Scale, values: Mapping[str, Array]
) -> dict[str, object]:
    """The arguments whose cells have these values."""
    whole: dict[str, object] = {}
    for param in spec.params:
        found = _whole(param.shape, values.get(param.name))
        if found is not None:
            whole[param.name] = found
    rest = tuple(param for param in spec.params if param.name not in whole)
    single = InputSpec(rest).concrete(scale, lambda name, index: values[name][index])
    return {p.name: whole[p.name] if p.name in whole else single[p.name] for p in spec.params}


def _whole(shape: Shape, array: Array | None) -> object:
    """The argument at once, or None where its shape is no array."""
    if array is None:
        return None
    if isinstance(shape, Text):
        codes = array.tolist()
        return "".join(map(chr, codes)) if shape.kind == "str" else bytes(codes)
    inner: Shape = shape
    while isinstance(inner, ListOf) and inner.kind == "list":
        inner = inner.element
    if not isinstance(shape, ListOf) or not isinstance(inner, Scalar):
        return None
    return (array.astype(float) if inner.sort is Sort.REAL else array).tolist()
