"""How sums over the levels of a structure grow: k up to floor(log2(A)) (`levels.py`).

    floor((A - d*k)/b**k) from 1 on     A/(b - 1), but for something at most logarithmic
    bounded terms                       log A: the levels themselves
    terms that grow or fall as b**k     the largest of them, at most A
    terms that are at most A            A log A: all numbers up to A, level by level

A term is bounded by its form: `2**k * floor(A/2**j)` is at most A, a minimum with 1 is at most 1,
a maximum with 0 no more than what else it has.
"""

from __future__ import annotations

import enum
from fractions import Fraction

from xsynth.model.isg import (
    Add,
    Div,
    Expr,
    Floor,
    Log2,
    Max,
    Min,
    Mul,
    Name,
    Num,
    Pow,
    Sub,
    Sum,
)


class Size(enum.IntEnum):
    """How large the term of level k is; a product is sought by name, a sum is its largest."""

    BOUNDED = 0
    FALLING = 1
    RISING = 2
    WHOLE = 3


def elements(expr: Sum) -> Expr | None:
    """A, where the sum goes over the levels of A elements."""
    match expr:
        case Sum(low=Num(value=0 | 1), high=Floor(operand=Log2(operand=above))):
            return above
        case _:
            return None


def carried(expr: Sum) -> tuple[Expr, Fraction] | None:
    """A and 1/(b - 1) where the terms are floor((A - d*k)/b**k), less what a level begins with."""
    above = elements(expr)
    body = expr.body
    match body:
        case Max(left=Num(value=0), right=Sub(left=Floor() as whole, right=Num())):
            body = whole
        case _:
            pass
    match body:
        case Floor(operand=Div(left=late, right=Pow(base=Num(value=base), exponent=Name(name=k)))):
            begins = expr.low == Num(1) and base > 1 and k == expr.variable.name
            if above is not None and begins and _on_time(late, k) == above:
                return above, Fraction(1, base - 1)
        case _:
            pass
    return None


def level(expr: Sum) -> Size | None:
    """How large the terms are; None where their form does not tell."""
    return None if elements(expr) is None else _size(expr.body, expr.variable.name)


def _on_time(late: Expr, k: str) -> Expr:
    """A of `A - d*k`."""
    match late:
        case Sub(left=above, right=Name(name=name) | Mul(left=Num(), right=Name(name=name))):
            return above if name == k else late
        case _:
            return late


def _size(expr: Expr, k: str) -> Size | None:
    match expr:
        case Num():
            return Size.BOUNDED
        case Min(left=Num(), right=_):
            return Size.BOUNDED
        case Pow():
            return Size.RISING if _power_of(expr, k) else None
        case Floor(operand=Div(left=left, right=right)):
            return Size.FALLING if _power_of(right, k) and _is_late(left, k) else None
        case Max(left=Num(value=0), right=right):
            return _size(right, k)
        case Add(left=left, right=right) | Sub(left=left, right=right):
            one, other = _size(left, k), _size(right, k)
            return Size.WHOLE if _is_late(expr, k) else _larger(one, other)
        case Mul(left=Num(), right=right):
            return _size(right, k)
        case Mul(left=left, right=right):
            return _product(_size(left, k), _size(right, k))
        case Name(name=name):
            return None if name == k else Size.WHOLE
        case _:
            return None


def _larger(one: Size | None, other: Size | None) -> Size | None:
    if one is None or other is None:
        return None
    return max(one, other)


def _product(one: Size | None, other: Size | None) -> Size | None:
    if one is None or other is None:
        return None
    if Size.BOUNDED in (one, other):
        return max(one, other)
    return Size.WHOLE if {one, other} == {Size.FALLING, Size.RISING} else None


def _power_of(expr: Expr, k: str) -> bool:
    """`c*b**k` or `b**(k + c)`."""
    match expr:
        case Mul(left=Num(), right=right):
            return _power_of(right, k)
        case Pow(base=Num(), exponent=Name(name=name)):
            return name == k
        case Pow(base=Num(), exponent=Add(left=Name(name=name), right=Num())):
            return name == k
        case _:
            return False


def _is_late(expr: Expr, k: str) -> bool:
    """`e*n + a - d*k`"""
    match _on_time(expr, k):
        case Name(name=name) | Mul(left=Num(), right=Name(name=name)):
            return name != k
        case Add(left=left, right=Num()) | Sub(left=left, right=Num()):
            return _is_late(left, k)
        case _:
            return False
