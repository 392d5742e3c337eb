"""The inputs of a function at every scale: which cells there are, and what they build.

Cells are named after the parameter and indexed by its lists: `a: list[int]` has
the cells `a[i]`, `w: list[list[int]]` the cells `w[i, j]`, a scalar the one cell
`k[]`.  A tuple has a block of cells for each component, `edges.0`, `edges.1`, an object
one for each argument of its constructor, `point.x`.
The cells of a text are the codes of its characters, those of a set say what is in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from xsynth.errors import InputSpecError
from xsynth.program.expressions import SizeExpr
from xsynth.program.shapes import (
    FLAG,
    Choice,
    DictOf,
    FixedValue,
    Leaf,
    Limit,
    ListOf,
    ObjectOf,
    Scalar,
    SetOf,
    Shape,
    Text,
    TupleOf,
    leaves,
)
from xsynth.program.values import Made, Option, Subset, keys, names
from xsynth.scale import Scale, named, shown
from xsynth.trace.proxies import SymBytes, SymStr, wrap
from xsynth.trace.terms import Cell, Sort, Value

LAST_CHARACTER = 0xD7FF
"""The last one before the surrogates, which no file can hold."""


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

    def layouts(self, n: Scale) -> tuple[Layout, ...]:
        return tuple(
            Layout(
                name,
                tuple(_length(size, n, name) for size in dims),
                leaf.sort if isinstance(leaf, Scalar) else Sort.INT,
                *_limits(leaf, n, name),
            )
            for param in self.params
            for name, dims, leaf in leaves(param.shape, param.name)
        )

    def roomy_layouts(self, n: Scale) -> tuple[Layout, ...]:
        """The same with all of Unicode's first characters for a `str` without a range.

        95 printable characters are enough to find out how a worst case grows, but a text of
        200 different ones is as good a text to Python.
        """
        texts = {
            name
            for param in self.params
            for name, _, leaf in leaves(param.shape, param.name)
            if isinstance(leaf, Text) and leaf.kind == "str" and not leaf.given
        }
        return tuple(
            replace(own, hi=LAST_CHARACTER) if own.name in texts else own for own in self.layouts(n)
        )

    def domains(self, n: Scale) -> list[tuple[Cell, Limit, Limit]]:
        return [
            (cell, layout.lo, layout.hi) for layout in self.layouts(n) for cell in layout.cells()
        ]

    def symbolic(self, n: Scale) -> dict[str, object]:
        """Proxies in real lists, tuples and dicts, by argument name; see `values.py`."""

        def make(leaf: Leaf, name: str, index: tuple[int, ...]) -> object:
            if isinstance(leaf, Scalar):
                return wrap(Cell(name, index, leaf.sort))
            if isinstance(leaf, Choice):
                return Option(options(leaf, n), wrap(Cell(name, index, Sort.INT)))
            length = _length(leaf.size, n, name)
            codes = tuple([Cell(name, (*index, i), Sort.INT) for i in range(length)])
            return SymStr(codes) if leaf.kind == "str" else SymBytes(codes)

        return {p.name: _build(p.shape, p.name, (), n, make) for p in self.params}

    def concrete(
        self, n: Scale, values: Callable[[str, tuple[int, ...]], Value]
    ) -> dict[str, object]:
        """Plain arguments, where cell `index` of block `name` is `values(name, index)`."""

        def make(leaf: Leaf, name: str, index: tuple[int, ...]) -> object:
            if isinstance(leaf, Scalar):
                return _KINDS[leaf.sort](values(name, index))
            if isinstance(leaf, Choice):
                return options(leaf, n)[int(values(name, index))]
            length = _length(leaf.size, n, name)
            codes = [int(values(name, (*index, i))) for i in range(length)]
            return "".join(map(chr, codes)) if leaf.kind == "str" else bytes(codes)

        return {p.name: _build(p.shape, p.name, (), n, make) for p in self.params}

    def of_blocks(self, n: Scale, blocks: Mapping[str, Sequence[Value]]) -> dict[str, object]:
        """Plain arguments, from the values of each block's cells one after another.

        Texts and lists of lists of numbers are made at once, the rest a cell at a time.
        """
        dims = {layout.name: layout.dims for layout in self.layouts(n)}
        found: dict[str, object] = {}
        for param in self.params:
            block = blocks.get(param.name)
            made = None if block is None else _at_once(param.shape, block, dims[param.name])
            if made is not None:
                found[param.name] = made

        def value(name: str, index: tuple[int, ...]) -> Value:
            flat = 0
            for size, i in zip(dims[name], index, strict=True):
                flat = flat * size + i
            return blocks[name][flat]

        rest = tuple(param for param in self.params if param.name not in found)
        single = InputSpec(rest).concrete(n, value)
        return {p.name: found[p.name] if p.name in found else single[p.name] for p in self.params}


def _at_once(shape: Shape, block: Sequence[Value], dims: tuple[int, ...]) -> object:
    """The argument whose cells these are, or None where its shape is not that of a table."""
    if isinstance(shape, Text):
        codes = list(map(int, block))
        return "".join(map(chr, codes)) if shape.kind == "str" else bytes(codes)
    inner: Shape = shape
    while isinstance(inner, ListOf) and inner.kind == "list":
        inner = inner.element
    if inner is shape or not isinstance(inner, Scalar) or 0 in dims:
        return None
    made: list[Any] = list(map(_KINDS[inner.sort], block))
    for size in reversed(dims[1:]):
        made = [made[low : low + size] for low in range(0, len(made), size)]
    return made


_KINDS: dict[Sort, Callable[[Value], object]] = {Sort.BOOL: bool, Sort.INT: int, Sort.REAL: float}


def options(choice: Choice, n: Scale) -> tuple[object, ...]:
    """What there is to choose from."""
    if choice.names is None:
        return choice.options
    return names(_length(choice.names, n, "the names"))


def possible(shape: SetOf, index: tuple[int, ...], count: int) -> tuple[object, ...]:
    """What a set may hold; neighbours are under a key, which is none of them."""
    if shape.kind != "neighbours":
        return keys(shape.key, count)
    own, every = index[-1], keys(shape.key, count + 1)
    return every[:own] + every[own + 1 :]


def _limits(leaf: Leaf, n: Scale, name: str) -> tuple[Limit, Limit]:
    """The least and the greatest value of a cell."""
    if isinstance(leaf, Choice):
        return 0, len(options(leaf, n)) - 1
    lo, hi = (
        end.evaluate(named(n)) if isinstance(end, SizeExpr) else end for end in (leaf.lo, leaf.hi)
    )
    if lo is not None and hi is not None and lo > hi:
        raise InputSpecError(
            f"the range of {name} is {lo}..{hi} at {shown(n)}, which is empty",
            "Begin at a larger scale, or give another range.",
        )
    return lo, hi


def _length(size: SizeExpr, n: Scale, name: str) -> int:
    length = size.evaluate(named(n))
    if length < 0:
        raise InputSpecError(
            f"the size of {name} is {size.text}, which is {length} at {shown(n)}",
            f"Begin at a larger scale, or write max(0, {size.text}).",
        )
    return length


def _build(
    shape: Shape,
    name: str,
    index: tuple[int, ...],
    n: Scale,
    make: Callable[[Leaf, str, tuple[int, ...]], object],
) -> object:
    match shape:
        case Scalar() | Text() | Choice():
            return make(shape, name, index)
        case ListOf(element=element, size=size, kind=kind):
            length = _length(size, n, name)
            items = [_build(element, name, (*index, i), n, make) for i in range(length)]
            return tuple(items) if kind == "tuple" else items
        case TupleOf(elements=elements):
            parts = enumerate(elements)
            return tuple([_build(e, f"{name}.{i}", index, n, make) for i, e in parts])
        case SetOf(key=key, size=size, kind=kind):
            members = possible(shape, index, _length(size, n, name))
            flags = tuple([make(FLAG, name, (*index, i)) for i in range(len(members))])
            if not all(isinstance(flag, bool) for flag in flags):
                return Subset(members, flags)
            found = [member for member, flag in zip(members, flags, strict=True) if flag]
            return {"set": set, "frozenset": frozenset, "neighbours": list}[kind](found)
        case DictOf(key=key, value=value, size=size):
            entries = enumerate(keys(key, _length(size, n, name)))
            return {k: _build(value, name, (*index, i), n, make) for i, k in entries}
        case ObjectOf(made_by=made_by, fields=fields):
            arguments = {f: _build(s, f"{name}.{f}", index, n, make) for f, s in fields}
            return Made(made_by, arguments)
        case FixedValue(value=fixed):
            return fixed.evaluate(named(n))
        case _:
            assert_never(shape)
