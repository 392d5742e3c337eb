"""The complexity class of a formula: the fastest growing term that does not cancel.

An expression becomes a sum of terms `factor * n!**f * b**n * n**k * log(n)**l * w`.
The wobble w is a bounded factor that rounding leaves behind: `floor(x)` is x minus
something between 0 and 1, so `n - 2*floor(n/2)` is O(1), and `n*floor(n/2) - n**2/2`
is O(n).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias, assert_never

from xsynth.model import growth_levels
from xsynth.model.growth_several import growth_several
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


class Rate(NamedTuple):
    """How a term grows; the order of the fields is the order of importance."""

    factorials: Fraction = Fraction(0)
    base: Fraction = Fraction(1)
    power: Fraction = Fraction(0)
    logs: Fraction = Fraction(0)
    wobble: tuple[str, ...] = ()


Terms: TypeAlias = dict[Rate, Fraction]

_ONE = Rate()
_POWER_LIMIT = 64


class _NotThisWay(Exception):  # noqa: N818  (caught below, never seen by a caller)
    pass


def growth(expr: Expr, region: Region | None = None) -> str:
    """`O(1)`, `O(log n)`, `O(n)`, `O(n log n)`, `O(n^2)`, ..., `O(2^n)`, `O(n!)`.

    What fits none of these is its own class: `O(2**(n**2))`.
    """
    names = _names(expr)
    try:
        if len(names) > 1:
            return growth_several(expr, region)
        rate = _leading(_terms(expr))
    except _NotThisWay:
        return f"O({text(expr)})"
    return f"O({_text(rate, names.pop() if names else 'n')})"


def _names(expr: Expr) -> set[str]:
    match expr:
        case Num():
            return set()
        case Name(name=name):
            return {name}
        case (
            Neg(operand=x)
            | Floor(operand=x)
            | Log2(operand=x)
            | Factorial(operand=x)
            | Sqrt(operand=x)
        ):
            return _names(x)
        case Sum(body=body, variable=variable, low=low, high=high):
            return (_names(body) - {variable.name}) | _names(low) | _names(high)
        case (
            Add(left=x, right=y)
            | Sub(left=x, right=y)
            | Mul(left=x, right=y)
            | Div(left=x, right=y)
            | Pow(base=x, exponent=y)
            | Min(left=x, right=y)
            | Max(left=x, right=y)
        ):
            return _names(x) | _names(y)
        case _:
            assert_never(expr)


def _terms(expr: Expr) -> Terms:
    match expr:
        case Num(value=value):
            return {_ONE: Fraction(value)} if value else {}
        case Name():
            return {Rate(power=Fraction(1)): Fraction(1)}
        case Neg(operand=operand):
            return _product({_ONE: Fraction(-1)}, _terms(operand))
        case Add(left=left, right=right):
            return _sum(_terms(left), _terms(right))
        case Sub(left=left, right=right):
            return _sum(_terms(left), _product({_ONE: Fraction(-1)}, _terms(right)))
        case Mul(left=left, right=right):
            return _product(_terms(left), _terms(right))
        case Div(left=left, right=right):
            return _product(_terms(left), _inverse(_terms(right)))
        case Pow(base=base, exponent=exponent):
            return _power(_terms(base), _terms(exponent))
        case Floor(operand=operand):
            return _sum(_terms(operand), {Rate(wobble=(text(expr),)): Fraction(-1)})
        case Log2(operand=operand):
            return _log(_leading(_terms(operand)), expr)
        case Factorial(operand=operand):
            return _factorial(_terms(operand))
        case Sqrt(operand=operand):
            return _root(_terms(operand), expr)
        case Sum():
            return _series(expr)
        case Min() | Max():
            raise _NotThisWay
        case _:
            assert_never(expr)


def _sum(one: Terms, other: Terms) -> Terms:
    total = dict(one)
    for rate, factor in other.items():
        total[rate] = total.get(rate, Fraction(0)) + factor
    return {rate: factor for rate, factor in total.items() if factor}


def _product(one: Terms, other: Terms) -> Terms:
    total: Terms = {}
    for a, x in one.items():
        for b, y in other.items():
            rate = Rate(
                a.factorials + b.factorials,
                a.base * b.base,
                a.power + b.power,
                a.logs + b.logs,
                tuple(sorted(a.wobble + b.wobble)),
            )
            total = _sum(total, {rate: x * y})
    return total


def _leading(terms: Terms) -> Rate:
    """The greatest rate; a constant, if nothing is left."""
    return max(terms, default=_ONE)


def _inverse(terms: Terms) -> Terms:
    """Of a sum that of its fastest term, up to a bounded factor."""
    if not terms:
        raise _NotThisWay
    rate = _leading(terms)
    factor = terms[rate]
    if rate.wobble:
        raise _NotThisWay
    if len(terms) > 1:
        near = (f"1/{sorted(terms.items())}",)
        return {Rate(-rate.factorials, 1 / rate.base, -rate.power, -rate.logs, near): Fraction(1)}
    return {Rate(-rate.factorials, 1 / rate.base, -rate.power, -rate.logs): 1 / factor}


def _power(base: Terms, exponent: Terms) -> Terms:
    if set(exponent) <= {_ONE}:
        times = exponent.get(_ONE, Fraction(0))
        if times.denominator != 1 or abs(times) > _POWER_LIMIT:
            raise _NotThisWay
        total: Terms = {_ONE: Fraction(1)}
        for _ in range(abs(int(times))):
            total = _product(total, base)
        return total if times >= 0 else _inverse(total)
    if set(base) != {_ONE} or base[_ONE] <= 0:
        raise _NotThisWay
    return _exponential(base[_ONE], exponent)


def _exponential(base: Fraction, exponent: Terms) -> Terms:
    """`base**exponent` where the exponent is a sum of n, log2(n), constants and wobbles."""
    found = {_ONE: Fraction(1)}
    for rate, factor in exponent.items():
        if factor.denominator != 1:
            raise _NotThisWay
        if rate == _ONE:
            term = {_ONE: base ** int(factor)}
        elif rate == Rate(power=Fraction(1)):
            term = {Rate(base=base ** int(factor)): Fraction(1)}
        elif rate == Rate(logs=Fraction(1)) and base == 2:
            term = {Rate(power=factor): Fraction(1)}
        elif rate == Rate(wobble=rate.wobble):
            term = {Rate(wobble=(f"{base}**({factor}*{rate.wobble})",)): Fraction(1)}
        else:
            raise _NotThisWay
        found = _product(found, term)
    return found


def _log(rate: Rate, expr: Expr) -> Terms:
    """The logarithm of a term, up to a bounded difference."""
    if rate.factorials:
        return {Rate(power=Fraction(1), logs=Fraction(1)): rate.factorials}
    if rate.base > 1:
        return {Rate(power=Fraction(1), wobble=(text(expr),)): Fraction(1)}
    if rate.power:
        near = {Rate(wobble=(text(expr),)): Fraction(1)}
        return _sum({Rate(logs=Fraction(1)): rate.power}, near)
    if rate.logs:
        raise _NotThisWay
    return {_ONE: Fraction(1)}


def _factorial(terms: Terms) -> Terms:
    """`(n + c)!` is n! times a polynomial of degree c."""
    scale = Rate(power=Fraction(1))
    if set(terms) <= {_ONE}:
        return {_ONE: Fraction(1)}
    if not set(terms) <= {_ONE, scale} or terms.get(scale) != 1:
        raise _NotThisWay
    return {Rate(factorials=Fraction(1), power=terms.get(_ONE, Fraction(0))): Fraction(1)}


def _root(terms: Terms, expr: Expr) -> Terms:
    """A square root, up to a bounded factor where it is not that of n**k."""
    rate = _leading(terms)
    if rate.factorials or rate.base != 1 or rate.logs or rate.wobble:
        raise _NotThisWay
    half = Rate(power=rate.power / 2)
    return {half if terms == {rate: 1} else half._replace(wobble=(text(expr),)): Fraction(1)}


def _series(expr: Sum) -> Terms:
    """A sum that has one of four forms.

    - the body for every number up to n: `_accumulated`;
    - `A/2**k` or `A/k!`, where A does not depend on k: the terms fall so fast that the sum is A
      times a bounded factor;
    - what is at most 2**k, as far as 2**k is at most A: A times a bounded factor;
    - the levels of a structure of A elements: `growth_levels.py`.
    """
    variable = expr.variable.name
    if (
        isinstance(expr.low, Num)
        and isinstance(expr.high, Name)
        and _names(expr.body) == {variable}
    ):
        return _accumulated(_terms(expr.body), expr)
    wobble = {Rate(wobble=(text(expr),)): Fraction(1)}
    levels = _levels(expr, wobble)
    if levels is not None:
        return levels
    match expr.body:
        case (
            Floor(operand=Div(left=above, right=Pow(base=Num(value=base), exponent=Name(name=k))))
            | Div(left=above, right=Pow(base=Num(value=base), exponent=Name(name=k)))
        ):
            falls = base > 1 and k == variable
        case Div(left=above, right=Factorial(operand=Name(name=k))):
            falls = k == variable
        case _:
            top = _top_of_doubling(expr)
            return _product(_terms(top), wobble)
    if not falls or variable in _names(above):
        raise _NotThisWay
    return _product(_terms(above), wobble)


def _levels(expr: Sum, wobble: Terms) -> Terms | None:
    """The forms of `growth_levels.py`."""
    carried = growth_levels.carried(expr)
    if carried is not None:
        above, times = carried
        return _sum(_product({_ONE: times}, _terms(above)), _product(_terms(Log2(above)), wobble))
    size, elements = growth_levels.level(expr), growth_levels.elements(expr)
    if size is None or elements is None:
        return None
    match size:
        case growth_levels.Size.BOUNDED:
            return _product(_terms(Log2(elements)), wobble)
        case growth_levels.Size.FALLING | growth_levels.Size.RISING:
            return _product(_terms(elements), wobble)
        case growth_levels.Size.WHOLE:
            return _product(_product(_terms(elements), _terms(Log2(elements))), wobble)
        case _:
            assert_never(size)


def _top_of_doubling(expr: Sum) -> Expr:
    """A, where the last k is floor(log2(A)) or the one before and no term is above a few 2**k."""
    match expr.high:
        case (
            Floor(operand=Log2(operand=top))
            | Sub(left=Floor(operand=Log2(operand=top)), right=Num())
        ):
            pass
        case _:
            raise _NotThisWay
    body = _without_remainders(expr.body)
    if not _names(body) <= {expr.variable.name}:
        raise _NotThisWay
    terms = _terms(body)
    doubling = Rate(base=Fraction(2))
    if _leading(terms)._replace(wobble=()) != doubling:
        raise _NotThisWay
    return top


def _without_remainders(expr: Expr) -> Expr:
    """The same but for bounded factors: the remainder `a - b*floor(a/b)` is one times b."""
    match expr:
        case Sub(left=a, right=Mul(left=b, right=Floor(operand=Div(left=c, right=d)))) if (
            a == c and b == d
        ):
            return _without_remainders(b)
        case Add(left=a, right=b):
            return Add(_without_remainders(a), _without_remainders(b))
        case Sub(left=a, right=b):
            # Bounded factors do not cancel, so a difference is no smaller than a sum.
            return Add(_without_remainders(a), _without_remainders(b))
        case Mul(left=a, right=b):
            return Mul(_without_remainders(a), _without_remainders(b))
        case _:
            return expr


def _accumulated(terms: Terms, expr: Expr) -> Terms:
    """The body for every number up to n: a power more, up to a bounded factor."""
    rate = _leading(terms)
    if rate.factorials or rate.base != 1 or rate.power < 0:
        raise _NotThisWay
    return {rate._replace(power=rate.power + 1, wobble=(text(expr),)): Fraction(1)}


def _text(rate: Rate, name: str) -> str:
    if rate < _ONE._replace(wobble=rate.wobble):
        return "1"
    parts = []
    if rate.power:
        parts.append(_raised(name, rate.power))
    if rate.logs:
        parts.append(f"log {name}" if rate.logs == 1 else f"log({name})^{rate.logs}")
    if rate.base != 1:
        base = str(rate.base) if rate.base.denominator == 1 else f"({rate.base})"
        parts.append(f"{base}^{name}")
    if rate.factorials:
        parts.append(_raised(f"{name}!", rate.factorials))
    return " ".join(parts) or "1"


def _raised(what: str, power: Fraction) -> str:
    if power == 1:
        return what
    return f"{what}^{power}" if power.denominator == 1 else f"{what}^({power})"
