"""Formulas beyond polynomials: linear combinations of a few given functions of n.

    2**n, n!, sum of (n - 1)!/k!    paths of a search that tries everything
    floor(log2(n + a))              halving; with n*log and 2**log the sums of logarithms
    the sizes of all halves         n, its two halves, their halves ...: divide and conquer
    sum of floor(n / 2**k)          n less its binary ones: carries, splits, bits that are set
    floor(sqrt(n))                  blocks of that size
    floor((n + i) / p)              what repeats with period p

Each basis is a handful of functions; its coefficients are found exactly and must be the only
ones.  Such forms are many, so a few small values may have two of them: the caller compares
(`agree`), and where they differ further on there is no formula yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import TypeAlias

from xsynth.model.algebra import linear_combination, polynomial
from xsynth.model.isg import (
    Add,
    Div,
    Expr,
    Factorial,
    Floor,
    Log2,
    Mul,
    N,
    Name,
    Num,
    Pow,
    Sqrt,
    Sub,
    Sum,
    evaluate,
)
from xsynth.model.solution import PRIME, contradictory, residue
from xsynth.model.solution import FittedExpr as FittedExpr
from xsynth.model.solution import solve as solve

FEWEST_STEPS = 3
"""How many values a function must have had: where it stepped only once, so do others."""
HIGHEST_PERIODIC_DEGREE = 3
BATCHES = (3, 4, 5, 6)
"""Periods where the linear part repeats too; that of two is `_halves`."""

Points: TypeAlias = Sequence[tuple[int, int]]
"""Scale and value, by rising scale."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of n that remembers its values: the same few scales are asked for all the time."""

    expr: Expr
    known: dict[int, tuple[Fraction, int] | None] = field(default_factory=dict, repr=False)

    def at(self, n: int) -> tuple[Fraction, int] | None:
        """The value and its residue; None where there is no logarithm or factorial."""
        if n not in self.known:
            try:
                value = evaluate(self.expr, {"n": n})
                self.known[n] = value, residue(value)
            except ValueError:
                self.known[n] = None
        return self.known[n]


Basis: TypeAlias = tuple[Function, ...]


def _log(by: int, part: int = 1) -> Expr:
    """`floor(log2((n + by) / part))`"""
    inside = polynomial([by, 1])
    return Floor(Log2(inside if part == 1 else Div(inside, Num(part))))


def _sums_of_logs(by: int) -> tuple[Expr, Expr]:
    return Mul(N, _log(by)), Pow(Num(2), _log(by))


_ONE = Num(1)
_K = Name("k")
_SQUARE = Pow(N, Num(2))
_DOUBLING = Pow(Num(2), N)
_BEFORE = Factorial(Sub(N, Num(1)))
_ARRANGEMENTS = Sum(Div(_BEFORE, Factorial(_K)), _K, Num(0), Sub(N, Num(1)))


def _carries(by: int) -> Expr:
    """The sum of floor((n + by) / 2**k): n + by less its binary ones."""
    return Sum(Floor(Div(polynomial([by, 1]), Pow(Num(2), _K))), _K, Num(1), _log(by))


def _sizes(by: int) -> Expr:
    """The sizes of n + by, its halves, their halves, ... added up, but for a multiple of n + by.

    Where both halves are looked through, this is what it costs; half a size rounded down or up
    at each of them needs `_odd_sizes` besides.
    """
    size, level = polynomial([by, 1]), _log(by)
    return Sub(Mul(size, level), Mul(Num(2), Pow(Num(2), level)))


def _odd_sizes(by: int) -> Expr:
    """How many of them are odd.

    On level k there are 2**k parts of q = floor((n + by)/2**k) or q + 1, and of the latter r, the
    remainder; so r or 2**k - r of them are odd, whichever belongs to the odd one of the two.
    """
    size, parts = polynomial([by, 1]), Pow(Num(2), _K)
    q = Floor(Div(size, parts))
    rest = Sub(size, Mul(parts, q))
    odd = Sub(q, Mul(Num(2), Floor(Div(q, Num(2)))))
    flipped = Mul(odd, Sub(parts, Mul(Num(2), rest)))
    return Sum(Add(rest, flipped), _K, Num(0), Sub(_log(by), Num(1)))


_ROOT = Floor(Sqrt(N))
_BLOCKS = Floor(Div(N, _ROOT))
_BEFORE_LAST = Mul(_ROOT, Floor(Div(Sub(N, Num(1)), _ROOT)))

_LOGARITHMS = tuple((_log(by), _ONE) for by in (0, -1, 1, 2))
_OTHERS: tuple[tuple[Expr, ...], ...] = (
    (_DOUBLING, _ONE),
    (Pow(Num(3), N), _ONE),
    (Factorial(N), _ONE),
    (_ARRANGEMENTS, _ONE),
    *((_log(by), _log(by, 3), _ONE) for by in (0, 1, 2)),
    *((_log(by), N, _ONE) for by in (0, -1, 1, 2)),
    *((_sizes(by), N, _ONE) for by in (0, -1, 1)),
    *((_sizes(by), _odd_sizes(by), N, _ONE) for by in (0, -1, 1)),
    *((*_sums_of_logs(by), N, _ONE) for by in (0, -1)),
    *((*_sums_of_logs(by), _log(by), N, _ONE) for by in (0, -1, 1)),
    *((_SQUARE, *_sums_of_logs(by), _log(by), N, _ONE) for by in (0, -1, 1)),
    (_DOUBLING, N, _ONE),
    (Mul(N, _DOUBLING), _DOUBLING, N, _ONE),
    (_ARRANGEMENTS, N, _ONE),
    (_ARRANGEMENTS, _BEFORE, _ONE),
    (Mul(N, _ARRANGEMENTS), Factorial(N), _ONE),
    (_ARRANGEMENTS, _BEFORE, N, _ONE),
    (Factorial(N), _BEFORE, N, _ONE),
    (Mul(N, _ARRANGEMENTS), _ARRANGEMENTS, Factorial(N), _BEFORE, _ONE),
    *((_carries(by), _ONE) for by in (0, -1)),
    *((_carries(by), N, _ONE) for by in (0, -1)),
    *((_carries(by), _log(by), _ONE) for by in (0, -1)),
    *((_carries(by), _log(by), N, _ONE) for by in (0, -1)),
    *((_carries(by), *_sums_of_logs(by), _log(by), N, _ONE) for by in (0, -1)),
    (_ROOT, _ONE),
    (_BLOCKS, _ONE),
    (_BEFORE_LAST, _ONE),
    (_ROOT, N, _ONE),
    (_BLOCKS, _ROOT, _ONE),
    (_BLOCKS, _ROOT, N, _ONE),
)
"""With few coefficients first.  Two logarithms, of a number and of its third, make the
steps of a tree that grows by a level at 2**k and at 3 * 2**(k - 1), as a balanced one does
whose levels fill by halves."""
_function = lru_cache(maxsize=None)(Function)
"""One for each expression, so that bases share what they know."""


def _basis(exprs: Sequence[Expr]) -> Basis:
    return tuple(_function(expr) for expr in exprs)


LOGARITHMS = tuple(map(_basis, _LOGARITHMS))
_ALL = tuple(sorted((*LOGARITHMS, *map(_basis, _OTHERS)), key=len))
_STEPPING = frozenset(b for b in _ALL if any("floor" in str(part.expr) for part in b))
"""Those that stay the same for long need more to spare."""


def fit_bases(points: Points, spare: int, most: int | None = None) -> Iterator[FittedExpr]:
    """Every basis of up to `most` functions that serves, those with few first."""
    return combinations(points, spare, tuple(b for b in _ALL if most is None or len(b) <= most))


def combinations(points: Points, spare: int, bases: Sequence[Basis]) -> Iterator[FittedExpr]:
    for basis in bases:
        left = len(points) - len(basis)
        if left < spare + (2 if basis in _STEPPING else len(basis) > 2):
            continue
        columns = [[function.at(n) for n, _ in points] for function in basis]
        known = [[entry for entry in column if entry is not None] for column in columns]
        if any(len(column) < len(points) for column in known):
            continue
        if any(len({r for _, r in column}) < FEWEST_STEPS for column in known[:-1]):
            continue
        rows = list(zip(*known, strict=True))
        values = [value for _, value in points]
        residues = [
            [*(r for _, r in row), value % PRIME] for row, value in zip(rows, values, strict=True)
        ]
        if contradictory(residues):
            continue
        exact = [[entry for entry, _ in row] for row in rows]
        solution = solve(exact, [Fraction(value) for value in values])
        if solution is not None:
            terms = [
                term
                for factor, part in zip(solution, basis, strict=True)
                for term in _terms(factor, part.expr)
            ]
            yield FittedExpr(linear_combination(terms), left)


def _terms(factor: Fraction, expr: Expr) -> Iterator[tuple[Fraction, Expr]]:
    """A difference as its two terms, which read better without a bracket around them."""
    match expr:
        case Sub(left=left, right=right):
            yield from _terms(factor, left)
            yield from _terms(-factor, right)
        case Mul(left=Num(value=value), right=right):
            yield factor * value, right
        case _:
            yield factor, expr


@cache
def _periodic(period: int, degree: int) -> Basis:
    powers = [polynomial([0] * k + [1]) for k in range(degree, 0, -1)]
    return _basis((*powers, *_repeats(period), _ONE))


@cache
def _halves() -> Basis:
    half = _repeats(2)[0]
    return _basis((_SQUARE, Mul(N, half), N, half, _ONE))


@cache
def _batches(period: int) -> Basis:
    """Of every p elements the last looks through those before: n**2, and all else repeats."""
    turns = _repeats(period)
    return _basis((_SQUARE, *(Mul(N, turn) for turn in turns), N, *turns, _ONE))


def _repeats(period: int) -> list[Expr]:
    return [Floor(Div(polynomial([i, 1]), Num(period))) for i in range(period - 1)]


def fit_periodic(points: Points, spare: int, max_degree: int) -> FittedExpr | None:
    """A polynomial and something that repeats: the shortest period, then the lowest degree.

    floor(n/p), floor((n + 1)/p), ... make up everything of period p with the polynomial's help.
    Two whole periods must be seen beyond what the coefficients take.
    """
    for period in (2, 3, 4, 6):
        for degree in range(1, min(max_degree, HIGHEST_PERIODIC_DEGREE) + 1):
            left = len(points) - degree - period
            if left < max(spare, period):
                break
            found = next(combinations(points, 0, (_periodic(period, degree),)), None)
            if found is not None:
                return found
        if period == 2 and max_degree >= 2:
            found = next(combinations(points, spare, (_halves(),)), None)
            if found is not None:
                return found
    return None


def fit_batches(points: Points, spare: int) -> FittedExpr | None:
    """n**2 and what repeats beside it: the shortest period, all of it seen to spare."""
    for period in BATCHES:
        basis = _batches(period)
        if len(points) - len(basis) < max(spare, period):
            return None
        found = next(combinations(points, 0, (basis,)), None)
        if found is not None:
            return found
    return None


def agree(fitted: Sequence[FittedExpr], points: Points) -> bool:
    """Whether formulas for the same values stay the same well beyond these."""
    last = points[-1][0]
    return all(
        evaluate(one.expr, {"n": n}) == evaluate(fitted[0].expr, {"n": n})
        for one in fitted[1:]
        for n in range(last + 1, 4 * last + 1)
    )
