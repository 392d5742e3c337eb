"""Linear forms: c1*x1 + ... + ck*xk + c, over numbered cells, with exact coefficients.

A term has a linear form if it is built from cells and constants by `+`, `-`,
multiplication by a constant and division by a non-zero constant; a definition
has the form of its value.  Forms of definitions are remembered, and chains of
definitions (which grow with the scale) are walked with a stack.

A form is given up beyond `MOST_CELLS` cells: the difference layer can use two,
and running sums would otherwise cost the square of their length.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from xsynth.explore.feasibility.cells import Cells, narrow
from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Term

Exact: TypeAlias = int | Fraction

MOST_CELLS = 64
MOST_REMEMBERED = 50_000

ADD, SUB, MUL, DIV = Op.ADD, Op.SUB, Op.MUL, Op.DIV
ARITHMETIC = (ADD, SUB, MUL, DIV, Op.NEG)


class Linear(NamedTuple):
    """No coefficient is zero."""

    coefficients: dict[int, Exact]
    constant: Exact


def combine(left: Linear, right: Linear, factor: Exact) -> Linear:
    """left + factor * right."""
    if not right.coefficients:
        return Linear(left.coefficients, left.constant + factor * right.constant)
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
        self.steps = 0
        """Operations that were gone through: terms without names grow with the path."""
        # By identity: the same name may have another value on another path.
        self._known: dict[int, tuple[Def, Linear | None]] = {}

    def of(self, term: Term) -> Linear | None:
        if type(term) is Cell or type(term) is Const:
            return self._flat(term)
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
        # By type rather than by `match`: this runs for most questions, and is half the time.
        if type(term) is Cell:
            return Linear({self._cells.number(term): 1}, 0)
        if type(term) is Const:
            return Linear({}, narrow(term.value))
        if type(term) is Def:
            return self._known[id(term)][1]
        assert type(term) is Apply
        if term.op not in ARITHMETIC:
            return None
        self.steps += 1
        forms: list[Linear] = []
        for argument in term.args:
            form = self._flat(argument)
            if form is None:
                return None
            forms.append(form)
        return scale(forms[0], -1) if len(forms) == 1 else _operate(term.op, *forms)


def _operate(op: Op, left: Linear, right: Linear) -> Linear | None:
    if op is ADD or op is SUB:
        form = combine(left, right, 1 if op is ADD else -1)
        return None if len(form.coefficients) > MOST_CELLS else form
    if op is MUL and not right.coefficients:
        return scale(left, right.constant)
    if op is MUL and not left.coefficients:
        return scale(right, left.constant)
    if op is DIV and not right.coefficients and right.constant:
        return scale(left, 1 / Fraction(right.constant))
    return None
