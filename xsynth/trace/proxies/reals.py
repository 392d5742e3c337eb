"""Rounding of reals, as terms.

`floor(x)` is `x // 1` of sort INT, which every layer evaluates exactly (Z3 with `to_int`).
The others follow: `ceil(x)` is `-floor(-x)`, and `round(x)` is `floor(x + 1/2)`, or one less
where x lies halfway and that is odd.
"""

from __future__ import annotations

from fractions import Fraction

from xsynth.trace.proxies import build
from xsynth.trace.terms import Apply, Const, Op, Sort, Term

ONE = Const(Fraction(1), Sort.REAL)
HALF = Const(Fraction(1, 2), Sort.REAL)


def floor(term: Term) -> Term:
    if term.sort is Sort.INT:
        return term
    if type(term) is Const:
        return build.integer(int(term.value // 1))
    return Apply(Op.FLOORDIV, (term, ONE), Sort.INT)


def ceil(term: Term) -> Term:
    return build.neg(floor(build.neg(term)))


def truncated(term: Term) -> Term:
    positive = build.compare(Op.GE, term, Const(Fraction(0), Sort.REAL))
    return build.ite(positive, floor(term), ceil(term))


def rounded(term: Term, digits: int = 0) -> Term:
    """To that many decimals; of sort INT for none."""
    if digits:
        unit = Const(Fraction(10) ** digits, Sort.REAL)
        return build.div(rounded(build.mul(build.real(term), unit)), unit)
    raised = build.add(term, HALF)
    above = floor(raised)
    halfway = build.compare(Op.EQ, raised, build.real(above))
    odd = build.compare(Op.EQ, build.mod(above, build.integer(2)), build.ONE)
    return build.ite(build.conj(halfway, odd), build.sub(above, build.ONE), above)


def is_whole(term: Term) -> Term:
    return build.compare(Op.EQ, term, build.real(floor(term)))


def floordiv(left: Term, right: Term) -> Term:
    """For a divisor that is not 0; a whole number of sort REAL, as Python's is a float."""
    return build.real(floor(build.div(left, right)))


def mod(left: Term, right: Term) -> Term:
    return build.sub(build.real(left), build.mul(build.real(right), floordiv(left, right)))
