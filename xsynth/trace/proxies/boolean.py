"""`SymBool`: a truth value that is a term.

`if`, `while`, `and`, `or`, `not` ask for its side and are decisions; `&`, `|`,
`^`, `==`, `!=` with other Booleans build terms.  As a number it is the choice
between 1 and 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from xsynth.trace.proxies import base, build
from xsynth.trace.proxies.base import PROXIES, Symbolic, wrap
from xsynth.trace.proxies.current import active, decide, hashes_by_identity, named
from xsynth.trace.terms import Apply, Sort, Term, negate

METHOD = Callable[..., Any]


def _truth(value: object) -> Term | None:
    """The term of a Boolean; None for anything else."""
    if isinstance(value, SymBool):
        return value.term
    if isinstance(value, bool):
        return build.TRUE if value else build.FALSE
    return None


def _differ(left: Term, right: Term) -> Term:
    return negate(build.equal(left, right))


def _as_number(name: str) -> METHOD:
    """The method of that name, of this Boolean as an integer."""

    def method(self: SymBool, *arguments: object) -> Any:
        return getattr(PROXIES[Sort.INT](build.number(self.term)), name)(*arguments)

    return method


def _between_booleans(name: str, make: Callable[[Term, Term], Term]) -> METHOD:
    """A Boolean operation; beside an integer, the integers' operation of that name."""
    numeric = _as_number(name)

    def method(self: SymBool, other: object) -> Any:
        right = _truth(other)
        return numeric(self, other) if right is None else wrap(make(self.term, right))

    return method


def _augmented(forward: METHOD) -> METHOD:
    def method(self: SymBool, other: object) -> Any:
        result = forward(self, other)
        if isinstance(result, Symbolic) and type(result.term) is Apply:
            return wrap(named(result.term))
        return result

    return method


class SymBool(Symbolic):
    __slots__ = ()
    stands_for = bool

    def __bool__(self) -> bool:
        return decide(self.term)

    def __index__(self) -> int:
        return int(decide(self.term))

    __int__ = __trunc__ = __index__

    def __hash__(self) -> int:
        return id(self) if hashes_by_identity() else hash(decide(self.term))

    def __float__(self) -> float:
        return float(decide(self.term))

    def __complex__(self) -> complex:
        return complex(decide(self.term))

    def __str__(self) -> str:
        return str(decide(self.term)) if active() else repr(self)

    def __format__(self, spec: str) -> str:
        return format(decide(self.term), spec)

    __and__ = __rand__ = _between_booleans("__and__", build.conj)
    __or__ = __ror__ = _between_booleans("__or__", build.disj)
    __xor__ = __rxor__ = _between_booleans("__xor__", _differ)
    __iand__ = _augmented(__and__)
    __ior__ = _augmented(__or__)
    __ixor__ = _augmented(__xor__)

    __eq__ = _between_booleans("__eq__", build.equal)
    __ne__ = _between_booleans("__ne__", _differ)
    __lt__ = _as_number("__lt__")
    __le__ = _as_number("__le__")
    __gt__ = _as_number("__gt__")
    __ge__ = _as_number("__ge__")

    __add__, __radd__ = _as_number("__add__"), _as_number("__radd__")
    __sub__, __rsub__ = _as_number("__sub__"), _as_number("__rsub__")
    __mul__, __rmul__ = _as_number("__mul__"), _as_number("__rmul__")
    __truediv__, __rtruediv__ = _as_number("__truediv__"), _as_number("__rtruediv__")
    __floordiv__, __rfloordiv__ = _as_number("__floordiv__"), _as_number("__rfloordiv__")
    __mod__, __rmod__ = _as_number("__mod__"), _as_number("__rmod__")
    __divmod__, __rdivmod__ = _as_number("__divmod__"), _as_number("__rdivmod__")
    __pow__, __rpow__ = _as_number("__pow__"), _as_number("__rpow__")
    __lshift__, __rlshift__ = _as_number("__lshift__"), _as_number("__rlshift__")
    __rshift__, __rrshift__ = _as_number("__rshift__"), _as_number("__rrshift__")
    __neg__ = _as_number("__neg__")
    __pos__ = _as_number("__pos__")
    __abs__ = _as_number("__abs__")
    __invert__ = _as_number("__invert__")
    __round__ = _as_number("__round__")
    __floor__ = __ceil__ = _as_number("__floor__")

    @property
    def real(self) -> Any:
        return wrap(build.number(self.term))

    @property
    def imag(self) -> int:
        return 0

    numerator = real

    @property
    def denominator(self) -> int:
        return 1

    def conjugate(self) -> Any:
        return wrap(build.number(self.term))

    def bit_length(self) -> Self | Any:
        return wrap(build.number(self.term))

    bit_count = bit_length


base.PROXIES[Sort.BOOL] = SymBool
