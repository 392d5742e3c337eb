"""Bounds of the numbers and characters in an input; an end may be an expression of n."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from xsynth.errors import InputSpecError
from xsynth.program.expressions import SizeExpr, parse_size
from xsynth.program.markers import Bound
from xsynth.program.shapes import BYTES, STR, Choice, Leaf, Limit, Scalar, Text
from xsynth.trace.terms import Sort

_LARGEST = {"str": 0x10FFFF, "bytes": 255}


def has_range(leaf: Leaf) -> bool:
    """Whether a range means anything for it."""
    return isinstance(leaf, Text) or (isinstance(leaf, Scalar) and leaf.sort is not Sort.BOOL)


def bounded(
    leaf: Leaf, lo: Bound, hi: Bound, name: str, variables: Collection[str] | None = None
) -> Leaf:
    """The leaf with these bounds in place of its own; None is an open end.

    An end may be an expression of the variables, of any where none are told.
    """
    match leaf:
        case Scalar(sort=Sort.BOOL):
            raise InputSpecError(f"{name} is a bool, which has no range", "Use --assume or --fix.")
        case Scalar(sort=sort):
            low, high = (_number(end, sort, name, variables) for end in (lo, hi))
            if isinstance(low, int | Fraction) and isinstance(high, int | Fraction) and low > high:
                raise _empty(name, lo, hi)
            return Scalar(sort, low, high)
        case Choice():
            raise InputSpecError(
                f"{name} is one of a few values, which have no range", "Use --assume or --fix."
            )
        case Text(kind=kind):
            standard = STR if kind == "str" else BYTES
            first = standard.lo if lo is None else _code(lo, kind, name)
            last = standard.hi if hi is None else _code(hi, kind, name)
            if lo is None and last < first:
                first = 0
            if hi is None and last < first:
                last = _LARGEST[kind]
            if last < first:
                raise _empty(name, lo, hi)
            return replace(leaf, lo=first, hi=last, given=True)
        case _:
            assert_never(leaf)


def _empty(name: str, lo: Bound, hi: Bound) -> InputSpecError:
    return InputSpecError(
        f"the range {lo}..{hi} of {name} is empty", "Write the smaller end first."
    )


def _number(
    bound: Bound, sort: Sort, name: str, variables: Collection[str] | None
) -> Limit | SizeExpr:
    if bound is None or bound in (float("inf"), float("-inf")):
        return None
    try:
        exact = Fraction(str(bound))
    except (ValueError, ZeroDivisionError):
        if isinstance(bound, str) and (expression := _expression(bound, variables)) is not None:
            return expression
        raise InputSpecError(
            f"the range of {name} ends at {bound!r}, which is not a number",
            f"Write for example --range {name}=0..9 or --range {name}=0..n-1.",
        ) from None
    if sort is Sort.REAL:
        return exact
    if exact.denominator != 1:
        raise InputSpecError(
            f"the range of {name} ends at {bound}, but {name} holds whole numbers",
            f"Write whole numbers, for example --range {name}=0..9.",
        )
    return int(exact)


def _code(bound: int | float | Fraction | str, kind: str, name: str) -> int:
    code = ord(bound) if isinstance(bound, str) and len(bound) == 1 else bound
    if not isinstance(code, int) or not 0 <= code <= _LARGEST[kind]:
        raise InputSpecError(
            f"the range of {name} ends at {bound!r}, which is not a character of {kind}",
            f"Write single characters, for example --range {name}=a..z.",
        )
    return code


def _expression(text: str, variables: Collection[str] | None) -> SizeExpr | None:
    try:
        expression = parse_size(text)
    except InputSpecError:
        return None
    return expression if variables is None or expression.names() <= set(variables) else None
