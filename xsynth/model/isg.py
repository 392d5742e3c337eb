"""Generators of induction variable sequences (sections IV-A and IV-B of XSTRESSOR).

An `Isg` is a tree of `Incre` and `Const` over expressions of the scale.  It stands for
one sequence of integers at each scale: an expression for the sequence of its one
value, `Const` and `Incre` for what algorithms 1 and 2 of the paper make of their
argument sequences (`expand.py`).

An `Expr` is an exact function of the scale.  The text of either is what
`grammars/isg.lark` reads (`parse(str(x)) == x`), and sympy reads the text of an
expression as the same function.  The classes have the names of the grammar's rules.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, TypeAlias, assert_never, cast, get_args

from lark import Transformer
from lark.exceptions import UnexpectedInput

from xsynth.model.grammars import parser

DEPTH_LIMIT = 200
"""Deeper texts are no generators that anyone learned."""
BITS_LIMIT = 1 << 20
"""Powers and factorials beyond this size are refused rather than computed."""
TERMS_LIMIT = 100_000
"""Longer sums are refused rather than added up."""
WORDS = frozenset(
    {"incre", "const", "recur", "floor", "log", "factorial", "sqrt", "Sum", "Min", "Max"}
)


class _Text:
    __slots__ = ()

    def __str__(self) -> str:
        return text(cast("Isg", self))


@dataclass(frozen=True, slots=True)
class Num(_Text):
    """An integer.  A fraction is a `Div`: see `rational`."""

    value: int


@dataclass(frozen=True, slots=True)
class Name(_Text):
    """The scale, or one of several."""

    name: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", self.name) or self.name in WORDS:
            raise ValueError(f"{self.name!r} is no name for a scale")


@dataclass(frozen=True, slots=True)
class Neg(_Text):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Add(_Text):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Sub(_Text):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Mul(_Text):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Div(_Text):
    """The exact quotient."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Pow(_Text):
    base: Expr
    exponent: Expr


@dataclass(frozen=True, slots=True)
class Floor(_Text):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Log2(_Text):
    """The binary logarithm, `log(x, 2)`: exact below a floor, or of a power of two."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Factorial(_Text):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Sqrt(_Text):
    """The square root: exact below a floor, or of a square."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Sum(_Text):
    """`Sum(body, (k, low, high))`: the body for k from low to high, added up."""

    body: Expr
    variable: Name
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Min(_Text):
    """The smaller of two; with a capital letter, as sympy writes it."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Max(_Text):
    """The larger of two."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Incre(_Text):
    """For each j: from start[j] by steps of `step` as far as stop[j] (algorithm 1).

    `step` is one number for all runs or a sequence with one number a run.
    """

    start: Isg
    stop: Isg
    step: Isg


@dataclass(frozen=True, slots=True)
class Const(_Text):
    """For each j: value[j], count[j] times (algorithm 2)."""

    value: Isg
    count: Isg


@dataclass(frozen=True, slots=True)
class Recur(_Text):
    """For each j: from start[j], each next is floor((times*v + offset) / parts), to stop[j].

    The way from the start to its successor says which side of the stop is beyond it; a run
    ends also where nothing moves any more.  `stop` is one number for all runs or a sequence
    with one number a run.
    """

    start: Isg
    stop: Isg
    times: Expr
    offset: Expr
    parts: Expr


Expr: TypeAlias = (
    Num
    | Name
    | Neg
    | Add
    | Sub
    | Mul
    | Div
    | Pow
    | Floor
    | Log2
    | Factorial
    | Sqrt
    | Sum
    | Min
    | Max
)
Isg: TypeAlias = Incre | Const | Recur | Expr

N = Name("n")


# ------------------------------------------------------------------ text

_SUM, _PRODUCT, _SIGNED, _POWER, _ATOM = range(5)


def text(isg: Isg) -> str:
    """As the grammar reads it, with no bracket that it does not need."""
    match isg:
        case Incre(start=start, stop=stop, step=step):
            return f"incre({text(start)}, {text(stop)}, {text(step)})"
        case Const(value=value, count=count):
            return f"const({text(value)}, {text(count)})"
        case Recur(start=start, stop=stop, times=times, offset=offset, parts=parts):
            given = ", ".join(text(one) for one in (start, stop, times, offset, parts))
            return f"recur({given})"
        case _:
            return _text(isg, _SUM)


def _text(expr: Expr, least: int) -> str:
    """`expr`, in brackets if it binds less tightly than `least`."""
    written, binds = _bare(expr)
    return written if binds >= least else f"({written})"


def _bare(expr: Expr) -> tuple[str, int]:
    match expr:
        case Num(value=value):
            return str(value), _ATOM if value >= 0 else _SIGNED
        case Name(name=name):
            return name, _ATOM
        case Neg(operand=Num(value=value)):
            return f"-({value})", _SIGNED
        case Neg(operand=operand):
            return f"-{_text(operand, _POWER)}", _SIGNED
        case Add(left=left, right=right):
            return f"{_text(left, _SUM)} + {_text(right, _PRODUCT)}", _SUM
        case Sub(left=left, right=right):
            return f"{_text(left, _SUM)} - {_text(right, _PRODUCT)}", _SUM
        case Mul(left=left, right=right):
            return f"{_text(left, _PRODUCT)}*{_text(right, _SIGNED)}", _PRODUCT
        case Div(left=left, right=right):
            return f"{_text(left, _PRODUCT)}/{_text(right, _SIGNED)}", _PRODUCT
        case Pow(base=base, exponent=exponent):
            return f"{_text(base, _ATOM)}**{_text(exponent, _SIGNED)}", _POWER
        case Floor(operand=operand):
            return f"floor({_text(operand, _SUM)})", _ATOM
        case Log2(operand=operand):
            return f"log({_text(operand, _SUM)}, 2)", _ATOM
        case Factorial(operand=operand):
            return f"factorial({_text(operand, _SUM)})", _ATOM
        case Sqrt(operand=operand):
            return f"sqrt({_text(operand, _SUM)})", _ATOM
        case Sum(body=body, variable=variable, low=low, high=high):
            bounds = f"({variable.name}, {_text(low, _SUM)}, {_text(high, _SUM)})"
            return f"Sum({_text(body, _SUM)}, {bounds})", _ATOM
        case Min(left=left, right=right) | Max(left=left, right=right):
            name = type(expr).__name__
            return f"{name}({_text(left, _SUM)}, {_text(right, _SUM)})", _ATOM
        case _:
            assert_never(expr)


def _builder(kind: Callable[..., Isg]) -> Callable[[object, list[Any]], Isg]:
    return lambda _, children: kind(*children)


_RULES: dict[str, Callable[..., Isg]] = {kind.__name__.lower(): kind for kind in get_args(Isg)}
_RULES["num"] = lambda *digits: Num(int("".join(digits)))
_RULES["name"] = lambda name: Name(str(name))
_Build = type("_Build", (Transformer,), {rule: _builder(make) for rule, make in _RULES.items()})
_BUILD: Transformer[Any, Isg] = _Build()


def parse(source: str) -> Isg:
    """The generator of a text; ValueError with the position where it is none."""
    return _parse(source, "isg")


def parse_expr(source: str) -> Expr:
    """The expression of a text; ValueError with the position where it is none."""
    return cast("Expr", _parse(source, "expr"))


def _parse(source: str, start: str) -> Isg:
    try:
        isg = parser("isg", "isg", "expr", transformer=_BUILD).parse(source, start)
    except UnexpectedInput as error:
        column = (
            error.column if isinstance(error.column, int) and error.column > 0 else len(source) + 1
        )
        line = error.line if isinstance(error.line, int) and error.line > 0 else 1
        raise ValueError(f"line {line}, column {column}: not expected here in {source!r}") from None
    if depth(cast("Isg", isg)) > DEPTH_LIMIT:
        raise ValueError(f"nested deeper than {DEPTH_LIMIT}: {source[:40]!r}...")
    return cast("Isg", isg)


def children(isg: Isg) -> Iterator[Isg]:
    for field in fields(isg):
        value = getattr(isg, field.name)
        if not isinstance(value, int | str):
            yield value


def parts(isg: Isg) -> Iterator[Isg]:
    """The expression, and all that it is made of."""
    stack = [isg]
    while stack:
        part = stack.pop()
        yield part
        stack += children(part)


def depth(isg: Isg) -> int:
    deepest, stack = 0, [(isg, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack += [(child, level + 1) for child in children(node)]
    return deepest


# ------------------------------------------------------------------ values


def evaluate(expr: Expr, scales: Mapping[str, int]) -> Fraction:
    """The exact value; ValueError where there is none."""
    match expr:
        case Num(value=value):
            return Fraction(value)
        case Name(name=name):
            if name not in scales:
                raise ValueError(f"no value for {name}")
            return Fraction(scales[name])
        case Neg(operand=operand):
            return -evaluate(operand, scales)
        case Add(left=left, right=right):
            return evaluate(left, scales) + evaluate(right, scales)
        case Sub(left=left, right=right):
            return evaluate(left, scales) - evaluate(right, scales)
        case Mul(left=left, right=right):
            return evaluate(left, scales) * evaluate(right, scales)
        case Div(left=left, right=right):
            divisor = evaluate(right, scales)
            if not divisor:
                raise ValueError(f"division by zero in {expr}")
            return evaluate(left, scales) / divisor
        case Pow(base=base, exponent=exponent):
            return _power(evaluate(base, scales), evaluate(exponent, scales), expr)
        case Floor(operand=Log2(operand=operand)):
            return Fraction(_floor_log2(evaluate(operand, scales), expr))
        case Floor(operand=Sqrt(operand=operand)):
            return Fraction(_floor_sqrt(evaluate(operand, scales), expr))
        case Floor(operand=operand):
            return Fraction(math.floor(evaluate(operand, scales)))
        case Log2(operand=operand):
            inside = evaluate(operand, scales)
            exponent_of_two = _floor_log2(inside, expr)
            if inside != Fraction(2) ** exponent_of_two:
                raise ValueError(f"{expr} is not rational where its argument is {inside}")
            return Fraction(exponent_of_two)
        case Factorial(operand=operand):
            inside = evaluate(operand, scales)
            if inside.denominator != 1 or not 0 <= inside < BITS_LIMIT // 20:
                raise ValueError(f"{expr} where its argument is {inside}")
            return Fraction(math.factorial(int(inside)))
        case Sqrt(operand=operand):
            inside = evaluate(operand, scales)
            root = _floor_sqrt(inside, expr)
            if inside != root * root:
                raise ValueError(f"{expr} is not a whole number where its argument is {inside}")
            return Fraction(root)
        case Sum(body=body, variable=variable, low=low, high=high):
            first, last = evaluate_int(low, scales), evaluate_int(high, scales)
            if last - first >= TERMS_LIMIT:
                raise ValueError(f"{expr} has too many terms")
            terms = (evaluate(body, {**scales, variable.name: k}) for k in range(first, last + 1))
            return sum(terms, Fraction(0))
        case Min(left=left, right=right):
            return min(evaluate(left, scales), evaluate(right, scales))
        case Max(left=left, right=right):
            return max(evaluate(left, scales), evaluate(right, scales))
        case _:
            assert_never(expr)


def evaluate_int(expr: Expr, scales: Mapping[str, int]) -> int:
    value = evaluate(expr, scales)
    if value.denominator != 1:
        raise ValueError(f"{expr} is {value}, not an integer, where {_where(scales)}")
    return value.numerator


def _where(scales: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in scales.items())


def _power(base: Fraction, exponent: Fraction, expr: Expr) -> Fraction:
    if exponent.denominator != 1 or (base == 0 and exponent < 0):
        raise ValueError(f"{expr} where base and exponent are {base} and {exponent}")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(base) != 1 and bits * abs(exponent) > BITS_LIMIT:
        raise ValueError(f"{expr} is too large")
    return base ** int(exponent)


def _floor_log2(value: Fraction, expr: Expr) -> int:
    if value <= 0:
        raise ValueError(f"{expr} where its argument is {value}")
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if value >= Fraction(2) ** guess else guess - 1


def _floor_sqrt(value: Fraction, expr: Expr) -> int:
    if value < 0:
        raise ValueError(f"{expr} where its argument is {value}")
    return math.isqrt(math.floor(value))


def renamed(expr: Expr, name: str, other: Name) -> Expr:
    """The expression with another name in place of one; what a sum binds stays."""
    if isinstance(expr, Name):
        return other if expr.name == name else expr
    if isinstance(expr, Sum) and expr.variable.name == name:
        return expr
    changed = {
        field.name: renamed(getattr(expr, field.name), name, other)
        for field in fields(expr)
        if not isinstance(getattr(expr, field.name), int | str)
    }
    return cast("Expr", replace(cast("Any", expr), **changed))
