"""Linear forms: c1*x1 + ... + ck*xk + c, over numbered cells, with exact coefficients.

A term has a linear form if it is built from cells and constants by `+`, `-`,
multiplication by a constant and division by a non-zero constant; a definition
has the form of its value.  Forms of definitions are remembered, and chains of
definitions (which grow with the scale) are walked with a stack.

A form is given up beyond `MOST_CELLS` cells: the difference layer can use two,
and running sums would otherwise cost the square of their length.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from xsynth.explore.feasibility.cells import Cells
from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Term

Exact: TypeAlias = int | Fraction

MOST_CELLS = 64
MOST_REMEMBERED = 50_000

ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG)


@dataclass(frozen=True, slots=True)
class Linear:
    """No coefficient is zero."""

    coefficients: dict[int, Exact]
    constant: Exact


def combine(left: Linear, right: Linear, factor: Exact) -> Linear:
    """left + factor * right."""
    total = dict(left.coefficients)
    for number, coefficient in right.coefficients.items():
        value = total.get(number, 0) + factor * coefficient
        if value:
            total[number] = value
        else:
            total.pop(number, None)
    return Linear(total, left.constant + factor * right.constant)


def scale(form: Linear, factor: Exact) -> Linear:
    if not factor:
        return Linear({}, 0)
    coefficients = {number: value * factor for number, value in form.coefficients.items()}
    return Linear(coefficients, form.constant * factor)


class LinearForms:
    """Forms of terms over one numbering, with a memory for definitions."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        # By identity: the same name may have another value on another path.
        self._known: dict[int, tuple[Def, Linear | None]] = {}

    def of(self, term: Term) -> Linear | None:
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        waiting: list[Def] = []
        while True:
            goal: Term = waiting[-1].value if waiting else term
            missing = self._missing(goal)
            if missing is not None:
                waiting.append(missing)
                continue
            form = self._flat(goal)
            if not waiting:
                return form
            definition = waiting.pop()
            self._known[id(definition)] = (definition, form)

    def _missing(self, term: Term) -> Def | None:
        if type(term) is Def:
            return None if id(term) in self._known else term
        if type(term) is Apply and term.op in ARITHMETIC:
            for argument in term.args:
                missing = self._missing(argument)
                if missing is not None:
                    return missing
        return None

    def _flat(self, term: Term) -> Linear | None:
        match term:
            case Cell():
                return Linear({self._cells.number(term): 1}, 0)
            case Const(value=value):
                return Linear({}, int(value) if isinstance(value, bool) else value)
            case Def():
                return self._known[id(term)][1]
            case Apply(op=Op.NEG, args=(argument,)):
                form = self._flat(argument)
                return None if form is None else scale(form, -1)
            case Apply(op=Op.ADD | Op.SUB | Op.MUL | Op.DIV as op, args=(first, second)):
                left = self._flat(first)
                right = None if left is None else self._flat(second)
                if left is None or right is None:
                    return None
                return _operate(op, left, right)
            case _:
                return None


def _operate(op: Op, left: Linear, right: Linear) -> Linear | None:
    form: Linear | None
    match op:
        case Op.ADD:
            form = combine(left, right, 1)
        case Op.SUB:
            form = combine(left, right, -1)
        case Op.MUL if not right.coefficients:
            form = scale(left, right.constant)
        case Op.MUL if not left.coefficients:
            form = scale(right, left.constant)
        case Op.DIV if not right.coefficients and right.constant:
            form = scale(left, 1 / Fraction(right.constant))
        case _:
            form = None
    if form is not None and len(form.coefficients) > MOST_CELLS:
        return None
    return form
