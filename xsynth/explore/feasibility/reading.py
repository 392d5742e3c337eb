"""Reading a term as difference constraints.

The Boolean structure is taken apart where it is a conjunction (also a denied
disjunction, denials, definitions); each comparison left over is brought to
`x_p + k  op  x_q` by its linear form, common factors divided out.  Over the
integers k is rounded to the side that loses nothing, so `2*x < 2*y + 1` reads
x <= y exactly.  A comparison of other linear forms over integers is read as a sum; any
other part is left out.  The reading is then not `complete`, or not `whole`: it is still
implied by the term.

Booleans are integers of 0..1: `b` reads b >= 1, `not b` reads b <= 0.
"""

from __future__ import annotations

import math
from fractions import Fraction

from xsynth.explore.feasibility.cells import INT_ZERO, REAL_ZERO, Cells, narrow
from xsynth.explore.feasibility.difference import Constraint, Delta, Edge, Form, Sum
from xsynth.explore.feasibility.linear import Exact, Linear, LinearForms, combine
from xsynth.trace.terms import COMPLEMENT, Apply, Cell, Const, Def, Op, Sort, Term, const, operate

LT, LE, GT, GE, EQ, NE = Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE
BOOL = Sort.BOOL
# A tuple: it is searched by identity, where a set would hash the members in Python.
COMPARISONS = (LT, LE, GT, GE, EQ, NE)

TRIVIAL = Constraint((), (), complete=True)
OPAQUE = Constraint((), (), complete=False)
CONTRADICTION = Constraint((), (), complete=True, contradiction=True)

NUMBER_ZERO = const(0)
MOST_SIDES = 10_000
"""Forms of comparisons that are remembered."""


class Reader:
    """Reads terms over one numbering of the cells."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self.forms = LinearForms(cells)
        # By identity: a term and its denial have the same sides.
        self._sides: dict[tuple[int, int], tuple[Term, Term, Linear | None]] = {}

    def read(self, term: Term) -> Constraint:
        if type(term) is Apply and term.op in COMPARISONS:
            left, right = term.args
            if left.sort is not BOOL and right.sort is not BOOL:
                return self._atom(term.op, left, right)
        return self._conjunction(term)

    def _conjunction(self, term: Term) -> Constraint:
        edges: list[Edge] = []
        unequal: list[Edge] = []
        sums: list[Sum] = []
        unlike: list[Sum] = []
        complete = whole = True
        pending: list[tuple[Term, bool]] = [(term, True)]
        met: set[tuple[int, bool]] = set()
        while pending:
            part, positive = pending.pop()
            if (id(part), positive) in met:
                continue
            met.add((id(part), positive))
            inner = _parts(part, positive)
            if inner is not None:
                pending.extend(reversed(inner))
                continue
            read = self._literal(part, positive)
            if read.contradiction:
                return CONTRADICTION
            edges.extend(read.edges)
            unequal.extend(read.unequal)
            sums.extend(read.sums)
            unlike.extend(read.unlike)
            complete = complete and read.complete
            whole = whole and (read.complete or read.whole)
        return Constraint(
            tuple(edges), tuple(unequal), complete, False, tuple(sums), tuple(unlike), whole
        )

    def _literal(self, term: Term, positive: bool) -> Constraint:
        match term:
            case Const(value=value):
                return TRIVIAL if bool(value) is positive else CONTRADICTION
            case Cell(sort=Sort.BOOL):
                number = self._cells.number(term)
                edge: Edge = (INT_ZERO, number, 1) if positive else (number, INT_ZERO, 0)
                return Constraint((edge,), (), complete=True)
            case Apply(op=op, args=(left, right)) if op in COMPLEMENT:
                return self._atom(op if positive else COMPLEMENT[op], left, right)
            case Apply(sort=Sort.BOOL):
                return OPAQUE
            case _:
                # A number where a truth value is expected: Python asks whether it is not 0.
                return self._atom(NE if positive else EQ, term, NUMBER_ZERO)

    def _atom(self, op: Op, left: Term, right: Term) -> Constraint:
        plain_left, plain_right = _unnamed(left), _unnamed(right)
        if type(plain_left) is Cell and type(plain_right) is Cell:
            p, q = self._cells.number(plain_left), self._cells.number(plain_right)
            if p != q:
                real = self._cells.real
                return _compare(op, p, q, 0, real[p]) if real[p] is real[q] else OPAQUE
        key = id(left), id(right)
        known = self._sides.get(key)
        if known is None:
            if len(self._sides) > MOST_SIDES:
                self._sides.clear()
            known = self._sides[key] = left, right, self._minus(left, right)
        form = known[2]
        return OPAQUE if form is None else self._compare_to_zero(op, form)

    def _minus(self, left: Term, right: Term) -> Linear | None:
        left_form = self.forms.of(left)
        right_form = None if left_form is None else self.forms.of(right)
        if left_form is None or right_form is None:
            return None
        return combine(left_form, right_form, -1)

    def _compare_to_zero(self, op: Op, form: Linear) -> Constraint:
        real = self._cells.real
        cells = list(form.coefficients.items())
        if not cells:
            return TRIVIAL if _holds(op, form.constant) else CONTRADICTION
        p, factor = cells[0]
        kind = real[p]
        if len(cells) == 1:
            q = REAL_ZERO if kind else INT_ZERO
        elif len(cells) == 2 and cells[1][1] == -factor and real[cells[1][0]] is kind:
            q = cells[1][0]
        else:
            mixed = self._cells.reals and any(real[number] for number, _ in cells)
            return OPAQUE if mixed else _sum(op, form)
        if factor < 0:
            p, q, factor = q, p, -factor
        k = form.constant if factor == 1 else narrow(Fraction(form.constant) / factor)
        return _compare(op, p, q, k, kind)


def _unnamed(term: Term) -> Term:
    while type(term) is Def:
        term = term.value
    return term


def _parts(term: Term, positive: bool) -> list[tuple[Term, bool]] | None:
    """What the term (or its denial) is a conjunction of; None for a literal."""
    match term:
        case Def(value=value):
            return [(value, positive)]
        case Apply(op=Op.NOT, args=(inner,)):
            return [(inner, not positive)]
        case Apply(op=Op.AND, args=args) if positive or len(args) == 1:
            return [(argument, positive) for argument in args]
        case Apply(op=Op.OR, args=args) if not positive or len(args) == 1:
            return [(argument, positive) for argument in args]
        case Apply(op=Op.EQ | Op.NE as op, args=(left, Const(value=bool() as value))):
            if left.sort is BOOL:
                return [(left, positive is (value is (op is EQ)))]
        case Apply(op=Op.EQ | Op.NE as op, args=(Const(value=bool() as value), right)):
            if right.sort is BOOL:
                return [(right, positive is (value is (op is EQ)))]
    return None


def _holds(op: Op, constant: Exact) -> bool:
    return bool(operate(op, (constant, 0)))


def _sum(op: Op, form: Linear) -> Constraint:
    """A linear form of integer cells, compared with zero."""
    cells = sorted(form.coefficients.items())
    constant = form.constant
    if type(constant) is Fraction or Fraction in map(type, form.coefficients.values()):
        common = math.lcm(constant.denominator, *[factor.denominator for _, factor in cells])
        cells = [(number, int(factor * common)) for number, factor in cells]
        constant = int(constant * common)
    divisor = math.gcd(*[factor for _, factor in cells])  # type: ignore[arg-type]
    up: Form = tuple(cells)  # type: ignore[arg-type]
    if divisor != 1:
        up = tuple([(number, factor // divisor) for number, factor in up])
    if op is EQ or op is NE:
        value, rest = divmod(-constant, divisor)
        if rest:
            return TRIVIAL if op is NE else CONTRADICTION
        if op is NE:
            return Constraint((), (), complete=False, unlike=(Sum(up, value),), whole=True)
        both = Sum(up, value), Sum(_negative(up), -value)
        return Constraint((), (), complete=False, sums=both, whole=True)
    strict = op is LT or op is GT
    if op is GT or op is GE:
        one = Sum(up, -((constant - strict) // divisor))
    else:
        one = Sum(_negative(up), -((-constant - strict) // divisor))
    return Constraint((), (), complete=False, sums=(one,), whole=True)


def _negative(form: Form) -> Form:
    return tuple([(number, -factor) for number, factor in form])


def _compare(op: Op, p: int, q: int, k: Exact, real: bool) -> Constraint:
    """`x_p + k  op  x_q`."""
    if op is EQ or op is NE:
        if not real:
            if k != math.floor(k):
                return TRIVIAL if op is NE else CONTRADICTION
            k = math.floor(k)
        if op is NE:
            return Constraint((), ((p, q, k),), True)
        return Constraint(((p, q, k), (q, p, -k)), (), True)
    if op is GT or op is GE:
        p, q, k = q, p, -k
    if op is LT or op is GT:
        strict: Edge = (p, q, Delta(k, 1)) if real else (p, q, math.floor(k) + 1)
        return Constraint((strict,), (), True)
    return Constraint(((p, q, k if real else math.ceil(k)),), (), True)
