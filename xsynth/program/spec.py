"""The inputs of a function at every scale: which cells there are, and what they build.

Cells are named after the parameter and indexed by its lists: `a: list[int]` has
the cells `a[i]`, `w: list[list[int]]` the cells `w[i, j]`, a scalar the one cell
`k[]`.  A tuple has a block of cells for each component, `edges.0`, `edges.1`.
The cells of a text are the codes of its characters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from xsynth.errors import InputSpecError
from xsynth.program.expressions import SizeExpr
from xsynth.program.shapes import (
    FixedValue,
    Leaf,
    Limit,
    ListOf,
    Scalar,
    Shape,
    Text,
    TupleOf,
    leaves,
)
from xsynth.scale import Scale, named, shown
from xsynth.trace.proxies import SymBytes, SymStr, wrap
from xsynth.trace.terms import Cell, Sort, Value


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
                leaf.lo,
                leaf.hi,
            )
            for param in self.params
            for name, dims, leaf in leaves(param.shape, param.name)
        )

    def domains(self, n: Scale) -> list[tuple[Cell, Limit, Limit]]:
        return [
            (cell, layout.lo, layout.hi) for layout in self.layouts(n) for cell in layout.cells()
        ]

    def symbolic(self, n: Scale) -> dict[str, object]:
        """Proxies in real lists and tuples, by argument name."""

        def make(leaf: Leaf, name: str, index: tuple[int, ...]) -> object:
            if isinstance(leaf, Scalar):
                return wrap(Cell(name, index, leaf.sort))
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
            return value.evaluate(named(n))
        case _:
            assert_never(shape)
