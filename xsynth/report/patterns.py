"""Patterns as people read them: `a[X1] > a[X2]`, where X1 and X2 are the leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from xsynth.model.isg import Const, Incre, Isg
from xsynth.model.model import GeneratorPoint, Piece
from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern, arity
from xsynth.trace.terms import Op, Place


def _line(place: Place) -> int:
    return place.site.line


def pattern_text(
    pattern: Pattern,
    leaves: Sequence[str] | None = None,
    line_of: Callable[[Place], int] = _line,
) -> str:
    """The pattern with these texts for its leaves: X1, X2, ... if none are given."""
    if leaves is None:
        leaves = [f"X{i + 1}" for i in range(arity(pattern))]
    return _write(pattern, iter(leaves), line_of, outermost=True)


def _write(
    pattern: Pattern, leaves: Iterator[str], line_of: Callable[[Place], int], *, outermost: bool
) -> str:
    match pattern:
        case CellHole(name=name, arity=0):
            return name
        case CellHole(name=name, arity=count):
            return name + "".join(f"[{next(leaves)}]" for _ in range(count))
        case DefHole(place=place, arity=count):
            at = ", ".join(next(leaves) for _ in range(count))
            return f"value@{line_of(place)}({at})"
        case IntHole():
            return next(leaves)
        case Fixed(value=value):
            return str(value)
        case Node(op=op, args=args):
            parts = [_write(arg, leaves, line_of, outermost=False) for arg in args]
            written = _operation(op, parts)
            return written if outermost or len(parts) == 1 else f"({written})"
        case _:
            assert_never(pattern)


def _operation(op: Op, parts: list[str]) -> str:
    match op:
        case Op.NEG:
            return f"-{parts[0]}"
        case Op.NOT:
            return f"not {parts[0]}"
        case Op.ITE:
            return f"{parts[1]} if {parts[0]} else {parts[2]}"
        case _:
            return f" {op.value} ".join(parts)


def piece_text(
    point: GeneratorPoint, piece: Piece, line_of: Callable[[Place], int] = _line
) -> tuple[str, tuple[str, ...]]:
    """The clause with plain expressions in place, and a line for each generator in it."""
    count = arity(point.pattern)
    names: list[str] = []
    lines: list[str] = []
    for isg in piece.leaves[:count]:
        if isinstance(isg, Incre | Const):
            names.append(f"X{len(lines) + 1}")
            lines.append(f"X{len(lines) + 1} = {isg}")
        else:
            names.append(str(isg))
    if not count and piece.leaves:
        lines.append(f"once for each of {_counted(piece.leaves[0])}")
    return pattern_text(point.pattern, names, line_of), tuple(lines)


def _counted(isg: Isg) -> str:
    return f"{isg.count} rows" if isinstance(isg, Const) else str(isg)
