"""Making expressions: polynomials and linear combinations as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from xsynth.model.isg import Add, Div, Expr, Mul, N, Neg, Num, Pow, Sub


def rational(value: Fraction | int) -> Expr:
    value = Fraction(value)
    top = Num(value.numerator)
    return top if value.denominator == 1 else Div(top, Num(value.denominator))


def scaled(factor: Fraction, expr: Expr) -> Expr:
    """`factor * expr` as people write it: `n`, `-n/2`, `3*n**2`."""
    top, bottom = factor.numerator, factor.denominator
    if top == 1:
        product = expr
    elif top == -1 and isinstance(expr, Num):
        product = Num(-expr.value)
    elif top == -1:
        product = Neg(expr)
    elif isinstance(expr, Mul):
        product = Mul(Mul(Num(top), expr.left), expr.right)
    else:
        product = Mul(Num(top), expr)
    return product if bottom == 1 else Div(product, Num(bottom))


def linear_combination(terms: Sequence[tuple[Fraction, Expr]]) -> Expr:
    """The sum of factor times expression, in this order; a term with factor 0 is left out.

    The constant term is the expression `Num(1)`.
    """
    total: Expr | None = None
    for factor, expr in terms:
        if not factor:
            continue
        size = factor if total is None else abs(factor)
        term = rational(size) if expr == Num(1) else scaled(size, expr)
        if total is not None:
            term = Add(total, term) if factor > 0 else Sub(total, term)
        total = term
    return Num(0) if total is None else total


def polynomial(coefficients: Sequence[Fraction | int], variable: Expr = N) -> Expr:
    """The polynomial with these coefficients, the constant one first."""
    terms = [(Fraction(c), power(variable, k)) for k, c in enumerate(coefficients)]
    return linear_combination(terms[::-1])


def power(variable: Expr, exponent: int) -> Expr:
    if exponent == 0:
        return Num(1)
    return variable if exponent == 1 else Pow(variable, Num(exponent))
