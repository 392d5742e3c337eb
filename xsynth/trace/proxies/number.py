"""`SymInt` and `SymReal`: numbers that are terms.

Operators build terms; comparisons give a `SymBool`.  Where Python needs the
number itself (an index, a hash, text) the recorder chooses one.  Floats are exact
reals: there is no rounding and no overflow; infinities and nan stay plain floats
and meet proxies only where the answer does not depend on the proxy's sign.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Self

from xsynth.trace.proxies import base, bits, build, reals
from xsynth.trace.proxies.base import Symbolic, wrap
from xsynth.trace.proxies.boolean import SymBool
from xsynth.trace.proxies.current import (
    active,
    concrete,
    decide,
    hashes_by_identity,
    named,
    unsupported,
)
from xsynth.trace.terms import Apply, Const, Op, Sort, Term

BOOL = Sort.BOOL  # a look-up in an enum costs as much as a proxy
BINARY = Callable[[Any, Any], Any]
_LARGEST_EXPONENT = 64
_COMPARISONS: dict[Op, Callable[[Any, Any], bool]] = {
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
}


def operand(value: object) -> Term | float | None:
    """The term of a number; inf and nan as they are; None for what is no number."""
    match value:
        case SymBool(term=term):
            return build.number(term)
        case Symbolic(term=term):
            return term
        case int():
            return build.integer(int(value))
        case float() if math.isfinite(value):
            return Const(Fraction(value), Sort.REAL)
        case float():
            return value
        case Fraction():
            return Const(value, Sort.REAL)
        case _:
            return None


# Operators that are made alike


def _comparison(op: Op) -> BINARY:
    def method(self: Symbolic, other: object) -> Any:
        kind = type(other)
        right: Any
        if kind is SymInt:
            right = other.term  # type: ignore[attr-defined]
        elif kind is int:
            right = build.integer(other)  # type: ignore[arg-type]
        else:
            right = operand(other)
            if right is None:
                return NotImplemented
            if not isinstance(right, Term):  # every finite number compares with it alike
                return _COMPARISONS[op](0.0, right)
        left = self.term
        if type(left) is Apply or type(right) is Const or left is right:
            return wrap(build.compare(op, left, right))
        return SymBool(Apply(op, (left, right), BOOL))  # nothing to fold

    return method


def _forward(symbol: str, make: Callable[[Term, Term], Term]) -> BINARY:
    def method(self: Symbolic, other: object) -> Any:
        kind = type(other)
        right: Any
        if kind is SymInt:
            right = other.term  # type: ignore[attr-defined]
        elif kind is int:
            right = build.integer(other)  # type: ignore[arg-type]
        else:
            right = operand(other)
            if right is None:
                return NotImplemented
            if not isinstance(right, Term):
                return _beyond_reals(symbol, self.term, right)
        return wrap(make(self.term, right))

    return method


def _reflected(symbol: str, make: Callable[[Term, Term], Term]) -> BINARY:
    def method(self: Symbolic, other: object) -> Any:
        left = operand(other)
        if left is None:
            return NotImplemented
        if isinstance(left, float):
            return _beyond_reals(symbol, left, self.term)
        return wrap(make(left, self.term))

    return method


def _augmented(forward: BINARY) -> BINARY:
    """The operator, then a name for what it computed: a new version of the variable."""

    def method(self: Symbolic, other: object) -> Any:
        result = forward(self, other)
        if isinstance(result, Symbolic) and type(result.term) is Apply:
            return wrap(named(result.term))
        return result

    return method


def _beyond_reals(symbol: str, left: Term | float, right: Term | float) -> float:
    """An operation with inf or nan on one side and any finite number on the other."""
    special = left if isinstance(left, float) else right
    if symbol == "/" and not isinstance(right, float):
        check_divisor(right)
    if symbol == "+" or math.isnan(special):  # type: ignore[arg-type]
        return special  # type: ignore[return-value]
    if symbol == "-":
        return special if special is left else -special  # type: ignore[operator, return-value]
    if symbol == "/" and special is right:
        return 0.0
    raise unsupported(
        f"{symbol!r} of a symbolic number and {special}",
        "Use a finite bound instead of infinity, or test the sign first.",
    )


def check_divisor(divisor: Term) -> None:
    if decide(build.compare(Op.EQ, divisor, build.ZERO)):
        raise ZeroDivisionError("division by zero")


def _floordiv(left: Term, right: Term) -> Term:
    check_divisor(right)
    if left.sort is Sort.REAL or right.sort is Sort.REAL:
        return reals.floordiv(left, right)
    return build.floordiv(left, right)


def _mod(left: Term, right: Term) -> Term:
    check_divisor(right)
    return _remainder(left, right)


def _remainder(left: Term, right: Term) -> Term:
    if left.sort is Sort.REAL or right.sort is Sort.REAL:
        return reals.mod(left, right)
    return build.mod(left, right)


def _div(left: Term, right: Term) -> Term:
    check_divisor(right)
    return build.div(left, right)


def _divmod(left: Term | float, right: Term | float) -> tuple[Any, Any]:
    if isinstance(left, float) or isinstance(right, float):
        result = _beyond_reals("divmod", left, right)
        return result, result
    quotient = _floordiv(left, right)
    return wrap(quotient), wrap(_remainder(left, right))


def _bitwise(make: Callable[[Term, Term], Term]) -> BINARY:
    def method(self: Symbolic, other: object) -> Any:
        right = operand(other)
        if right is None or isinstance(right, float) or right.sort is Sort.REAL:
            return NotImplemented
        return wrap(make(self.term, right))

    return method


def _plain_integer(value: object) -> int | None:
    """An exponent or a shift as a plain integer, chosen by the recorder if symbolic."""
    if isinstance(value, int | SymInt | SymBool):
        return operator.index(value)
    return None


class Number(Symbolic):  # noqa: PLW1641  (the hash is the subclasses')
    """What integers and reals share."""

    __slots__ = ()

    __lt__ = _comparison(Op.LT)
    __le__ = _comparison(Op.LE)
    __gt__ = _comparison(Op.GT)
    __ge__ = _comparison(Op.GE)
    __eq__ = _comparison(Op.EQ)
    __ne__ = _comparison(Op.NE)

    __add__ = _forward("+", build.add)
    __sub__ = _forward("-", build.sub)
    __mul__ = _forward("*", build.mul)
    __truediv__ = _forward("/", _div)
    __floordiv__ = _forward("//", _floordiv)
    __mod__ = _forward("%", _mod)

    __radd__ = _reflected("+", build.add)
    __rsub__ = _reflected("-", build.sub)
    __rmul__ = _reflected("*", build.mul)
    __rtruediv__ = _reflected("/", _div)
    __rfloordiv__ = _reflected("//", _floordiv)
    __rmod__ = _reflected("%", _mod)

    __iadd__ = _augmented(__add__)
    __isub__ = _augmented(__sub__)
    __imul__ = _augmented(__mul__)
    __itruediv__ = _augmented(__truediv__)
    __ifloordiv__ = _augmented(__floordiv__)
    __imod__ = _augmented(__mod__)

    def __divmod__(self, other: object) -> Any:
        right = operand(other)
        return NotImplemented if right is None else _divmod(self.term, right)

    def __rdivmod__(self, other: object) -> Any:
        left = operand(other)
        return NotImplemented if left is None else _divmod(left, self.term)

    def __pow__(self, exponent: object, modulus: object = None) -> Any:
        if isinstance(exponent, float) and exponent.is_integer():
            return wrap(build.real(self.term)) ** int(exponent)
        times = _plain_integer(exponent)
        if times is None:
            if operand(exponent) is None:
                return NotImplemented
            raise unsupported(
                "a symbolic number to a power that is no whole number",
                "Use a whole exponent; compare squares instead of roots.",
            )
        if abs(times) > _LARGEST_EXPONENT:
            raise unsupported(
                f"a symbolic number to the power {times}",
                f"Powers are carried to {_LARGEST_EXPONENT}; reduce or --fix the base.",
            )
        if times < 0:
            if modulus is not None:
                raise unsupported("a modular inverse of a symbolic number", "--fix the base.")
            check_divisor(self.term)
            return wrap(build.div(build.ONE, build.power(self.term, -times)))
        result = wrap(build.power(self.term, times))
        return result if modulus is None else result % modulus

    def __rpow__(self, other: object, modulus: object = None) -> Any:
        raise unsupported(
            "a power with a symbolic float as exponent",
            "Use an integer exponent, or --fix it.",
        )

    __ipow__ = _augmented(__pow__)

    def __neg__(self) -> Any:
        return wrap(build.neg(self.term))

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Any:
        return wrap(build.absolute(self.term))

    def __bool__(self) -> bool:
        return decide(build.compare(Op.NE, self.term, build.ZERO))

    @property
    def real(self) -> Self:
        return self

    @property
    def imag(self) -> int:
        return 0

    def conjugate(self) -> Self:
        return self


class SymInt(Number):
    __slots__ = ()
    stands_for = int

    __and__ = __rand__ = _bitwise(bits.bit_and)
    __or__ = __ror__ = _bitwise(bits.bit_or)
    __xor__ = __rxor__ = _bitwise(bits.bit_xor)
    __iand__ = _augmented(__and__)
    __ior__ = _augmented(__or__)
    __ixor__ = _augmented(__xor__)

    def __lshift__(self, other: object) -> Any:
        count = _plain_integer(other)
        return NotImplemented if count is None else self * (1 << count)

    def __rshift__(self, other: object) -> Any:
        count = _plain_integer(other)
        return NotImplemented if count is None else self // (1 << count)

    __ilshift__ = _augmented(__lshift__)
    __irshift__ = _augmented(__rshift__)

    def __rlshift__(self, other: object) -> Any:
        return other << self.__index__() if isinstance(other, int) else NotImplemented

    def __rrshift__(self, other: object) -> Any:
        return other >> self.__index__() if isinstance(other, int) else NotImplemented

    def __rpow__(self, other: Any, modulus: object = None) -> Any:
        if operand(other) is None:
            return NotImplemented
        return pow(other, self.__index__(), modulus)

    def __invert__(self) -> Any:
        return wrap(build.sub(build.neg(self.term), build.ONE))

    def __index__(self) -> int:
        return concrete(self.term)

    __int__ = __trunc__ = __index__

    def __hash__(self) -> int:
        return id(self) if hashes_by_identity() else hash(concrete(self.term))

    def __float__(self) -> float:
        return float(concrete(self.term))

    def __complex__(self) -> complex:
        return complex(concrete(self.term))

    def __str__(self) -> str:
        return str(concrete(self.term)) if active() else repr(self)

    def __format__(self, spec: str) -> str:
        return format(concrete(self.term), spec)

    def __round__(self, digits: Any = None) -> Any:
        places = None if digits is None else operator.index(digits)
        return self if places is None or places >= 0 else round(concrete(self.term), places)

    def __floor__(self) -> Self:
        return self

    __ceil__ = __floor__

    @property
    def numerator(self) -> Self:
        return self

    @property
    def denominator(self) -> int:
        return 1

    def as_integer_ratio(self) -> tuple[Self, int]:
        return self, 1

    def is_integer(self) -> bool:
        return True

    def bit_length(self) -> int:
        return concrete(self.term).bit_length()

    def bit_count(self) -> int:
        return concrete(self.term).bit_count()


_REAL_ADVICE = (
    "A symbolic float is a real number with no single value; compare it instead, "
    "declare the input as int, or --fix it."
)


def _no_conversion(what: str) -> Callable[..., Any]:
    def method(self: Symbolic, *arguments: object) -> Any:
        raise unsupported(f"{what} of a symbolic float", _REAL_ADVICE)

    return method


class SymReal(Number):
    __slots__ = ()
    stands_for = float

    def __hash__(self) -> int:
        if hashes_by_identity():
            return id(self)
        raise unsupported("a hash of a symbolic float", _REAL_ADVICE)

    __float__ = _no_conversion("float()")
    __complex__ = _no_conversion("complex()")

    def __int__(self) -> int:
        return concrete(reals.truncated(self.term))

    def __trunc__(self) -> Any:
        return wrap(reals.truncated(self.term))

    def __floor__(self) -> Any:
        return wrap(reals.floor(self.term))

    def __ceil__(self) -> Any:
        return wrap(reals.ceil(self.term))

    def __round__(self, digits: Any = None) -> Any:
        if digits is None:
            return wrap(reals.rounded(self.term))
        return wrap(build.real(reals.rounded(self.term, operator.index(digits))))

    def is_integer(self) -> Any:
        return wrap(reals.is_whole(self.term))

    def __str__(self) -> str:
        if active():
            raise unsupported("str() of a symbolic float", _REAL_ADVICE)
        return repr(self)

    __format__ = _no_conversion("format()")


base.PROXIES[Sort.INT] = SymInt
base.PROXIES[Sort.REAL] = SymReal
