"""The complexity class of a formula in several variables: `O(n*m)`, `O(n + m)`, `O(n^2 + m)`.

The formula becomes a sum of products of variables, logarithms and minima, in which what no
other term outgrows is kept.  A floor differs by less than one from what is in it, and the
larger of two numbers is their sum up to a factor of two.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product as choices
from typing import TypeAlias, assert_never

from xsynth.model.isg import (
    Add,
    Div,
    Expr,
    Factorial,
    Floor,
    Log2,
    Max,
    Min,
    Mul,
    Name,
    Neg,
    Num,
    Pow,
    Sqrt,
    Sub,
    Sum,
    text,
)
from xsynth.model.region import Region

Term: TypeAlias = tuple[tuple[str, int], ...]
"""Factors and their powers, sorted: `n`, `log m`, `min(n, m)`."""
Terms: TypeAlias = dict[Term, Fraction]

_POWER_LIMIT = 16


class _NotThisWay(Exception):  # noqa: N818  (caught below, never seen by a caller)
    pass


def growth_several(expr: Expr, region: Region | None = None) -> str:
    """What is no sum of products is its own class.  In a region one variable bounds another."""
    try:
        terms = _terms(expr)
    except _NotThisWay:
        return f"O({text(expr)})"
    kept = [
        one
        for one in terms
        if not any(one != other and _below(one, other, region) for other in terms)
    ]
    written = text(expr)
    kept.sort(key=lambda term: (-sum(power for _, power in term), _places(term, written)))
    return f"O({' + '.join(_text(term, written) for term in kept) or '1'})"


def _terms(expr: Expr) -> Terms:
    match expr:
        case Num(value=value):
            return {(): Fraction(value)} if value else {}
        case Name(name=name):
            return {((name, 1),): Fraction(1)}
        case Neg(operand=operand):
            return _product({(): Fraction(-1)}, _terms(operand))
        case Add(left=left, right=right):
            return _sum(_terms(left), _terms(right))
        case Sub(left=left, right=right):
            return _sum(_terms(left), _product({(): Fraction(-1)}, _terms(right)))
        case Mul(left=left, right=right):
            return _product(_terms(left), _terms(right))
        case Div(left=left, right=Num(value=value)) if value:
            return _product(_terms(left), {(): Fraction(1, value)})
        case Pow(base=base, exponent=Num(value=times)) if 0 <= times <= _POWER_LIMIT:
            total: Terms = {(): Fraction(1)}
            for _ in range(times):
                total = _product(total, _terms(base))
            return total
        case Floor(operand=operand):
            return _terms(operand)
        case Max(left=left, right=right):
            return _sum(_terms(left), _terms(right))
        case Log2(operand=Name(name=name)):
            return {((f"log {name}", 1),): Fraction(1)}
        case Min(left=Name(), right=Name()):
            return {((f"min({expr.left}, {expr.right})", 1),): Fraction(1)}
        case Pow() | Log2() | Factorial() | Sqrt() | Sum() | Min() | Div():
            raise _NotThisWay
        case _:
            assert_never(expr)


def _sum(one: Terms, other: Terms) -> Terms:
    total = dict(one)
    for term, factor in other.items():
        total[term] = total.get(term, Fraction(0)) + factor
    return {term: factor for term, factor in total.items() if factor}


def _product(one: Terms, other: Terms) -> Terms:
    total: Terms = {}
    for a, x in one.items():
        for b, y in other.items():
            powers = dict(a)
            for factor, power in b:
                powers[factor] = powers.get(factor, 0) + power
            total = _sum(total, {tuple(sorted(powers.items())): x * y})
    return total


def _below(one: Term, other: Term, region: Region | None) -> bool:
    """Whether a term grows no faster than another: by its powers, and log m below m."""
    most = dict(other)
    for bounded in _bounds(one, region):
        left = dict(most)
        for factor, power in bounded:
            left[factor] = left.get(factor, 0) - power
        # A logarithm that is left over may be paid for by a power of its variable.
        for factor in [f for f in left if f.startswith("log ") and left[f] < 0]:
            name = factor.removeprefix("log ")
            if left.get(name, 0) > 0:
                left[name] -= 1
                left[factor] = 0
        if all(power >= 0 for power in left.values()):
            return True
    return False


def _bounds(term: Term, region: Region | None) -> Iterator[list[tuple[str, int]]]:
    """The term, and those that it becomes when factors are replaced by larger ones."""
    options = [_larger(factor, region) for factor, power in term for _ in range(power)]
    for chosen in choices(*options):
        powers: dict[str, int] = {}
        for factor in chosen:
            powers[factor] = powers.get(factor, 0) + 1
        yield list(powers.items())


def _larger(factor: str, region: Region | None) -> list[str]:
    """Either side of a minimum; in a region, the variable that is at least as large."""
    if factor.startswith("min("):
        return [factor, *factor.removeprefix("min(").removesuffix(")").split(", ")]
    if region is not None and factor == region.right:
        return [factor, region.left]
    return [factor]


def _places(term: Term, written: str) -> list[int]:
    """Where the formula names the factors first."""
    return sorted(written.find(factor.rpartition(" ")[2]) for factor, _ in term)


def _text(term: Term, written: str) -> str:
    """The factors in the order in which the formula names them."""
    ordered = sorted(term, key=lambda factor: _places((factor,), written))
    shown = [factor if power == 1 else f"{factor}^{power}" for factor, power in ordered]
    return "*".join(shown) or "1"
