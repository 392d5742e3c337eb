"""Between which values an integer term lies, as far as the ranges of the cells tell.

Interval arithmetic; None stands for no bound.  What is found holds on every path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Sort, Term

Interval: TypeAlias = "tuple[int | None, int | None]"
UNKNOWN: Interval = (None, None)
DEPTH = 32
"""Definitions are followed no deeper: chains of them grow with the scale."""


def bounds(term: Term, cells: Mapping[Cell, Interval], depth: int = DEPTH) -> Interval:
    if term.sort is not Sort.INT or depth == 0:
        return UNKNOWN
    match term:
        case Const(value=value):
            return int(value), int(value)
        case Cell():
            return cells.get(term, UNKNOWN)
        case Def(value=value):
            return bounds(value, cells, depth - 1)
        case Apply(op=Op.ITE, args=(_, then, otherwise)):
            return _hull(bounds(then, cells, depth - 1), bounds(otherwise, cells, depth - 1))
        case Apply(op=op, args=args):
            return _applied(op, [bounds(a, cells, depth - 1) for a in args])


def _hull(left: Interval, right: Interval) -> Interval:
    (a, b), (c, d) = left, right
    return (
        None if a is None or c is None else min(a, c),
        None if b is None or d is None else max(b, d),
    )


def _applied(op: Op, sides: list[Interval]) -> Interval:
    match op, sides:
        case Op.NEG, [(low, high)]:
            return _minus(high), _minus(low)
        case Op.ADD, [(a, b), (c, d)]:
            return _plus(a, c), _plus(b, d)
        case Op.SUB, [(a, b), (c, d)]:
            return _plus(a, _minus(d)), _plus(b, _minus(c))
        case Op.MUL, [(int(a), int(b)), (int(c), int(d))]:
            corners = [a * c, a * d, b * c, b * d]
            return min(corners), max(corners)
        case Op.FLOORDIV, [(low, high), (int(divisor), int(same))] if divisor == same > 0:
            return (
                None if low is None else low // divisor,
                None if high is None else high // divisor,
            )
        case Op.MOD, [(low, high), (int(divisor), int(same))] if divisor == same > 0:
            if low is not None and high is not None and low >= 0 and high < divisor:
                return low, high
            return 0, divisor - 1
        case _:
            return UNKNOWN


def _plus(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _minus(value: int | None) -> int | None:
    return None if value is None else -value
