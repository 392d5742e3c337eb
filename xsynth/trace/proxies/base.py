"""What every scalar proxy shares: it holds one term, and plain values pass in and out."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any, Self

from xsynth.trace.proxies import build
from xsynth.trace.proxies.current import active, unsupported
from xsynth.trace.terms import Const, Sort, Term, Value


class Symbolic:
    """A scalar whose value is a term; immutable, so a copy is the proxy itself."""

    __slots__ = ("term",)

    stands_for: type = object
    """The type that user code takes this for."""

    def __init__(self, term: Term) -> None:
        self.term = term

    def __repr__(self) -> str:
        """What user code would see is decided; outside a trace the term is shown."""
        return str(self) if active() else f"<{build.show(self.term)}>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __getattr__(self, name: str) -> Any:
        plain = self.stands_for
        if hasattr(plain, name) and not name.startswith("__"):
            raise unsupported(
                f"{plain.__name__}.{name} of a symbolic value",
                "Write it with arithmetic and comparisons, or fix the argument with --fix.",
            )
        raise AttributeError(f"{plain.__name__!r} object has no attribute {name!r}")


PROXIES: dict[Sort, type[Symbolic]] = {}
"""Filled in by the modules that define the proxies."""


def wrap(term: Term) -> Any:
    """A proxy for the term, or the plain value of a constant."""
    if type(term) is Const:
        return plain(term.value)
    return PROXIES[term.sort](term)


def plain(value: Value) -> int | bool | float | Fraction:
    """As user code holds it: a real is a float where a float is exact."""
    if isinstance(value, Fraction):
        try:
            rounded = float(value)
        except OverflowError:
            return value
        return rounded if rounded == value else value
    return value


def unwrap(value: object) -> Term:
    """The term of a plain number or a scalar proxy; other values are a TypeError."""
    match value:
        case Symbolic(term=term):
            return term
        case bool():
            return build.TRUE if value else build.FALSE
        case int():
            return build.integer(int(value))
        case float() if isfinite(value):
            return Const(Fraction(value), Sort.REAL)
        case Fraction():
            return Const(value, Sort.REAL)
        case _:
            raise TypeError(f"no term for {type(value).__name__} {value!r}")
