"""Z3, the last layer: any term, one incremental solver, one scope for each asserted term.

Asserted terms are sent only when a question gets this far, so `seen` may lag
behind the chain; `retract` keeps it from running ahead.

Terms are translated with the meaning they have in Python: `//` and `%` round
down for either sign of the divisor, Booleans in arithmetic are 0 and 1, and
integers meet reals as reals.  A term whose evaluation divides by zero is not
satisfied (`terms.evaluate` raises there), so each translation comes with the
condition, if any, that every divisor in it is not zero.

Z3 takes a while to load and is imported on first use.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any, TypeAlias

from xsynth import interrupts
from xsynth.explore.feasibility.cells import FIRST_CELL, Cells, narrow
from xsynth.explore.feasibility.outcome import Infeasible, Unknown
from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Sort, Term
from xsynth.trace.tracer import Deadline

Expression: TypeAlias = Any
Guarded: TypeAlias = tuple[Expression, Expression | None]
"""A Z3 expression, and the condition under which Python can evaluate it."""

RESOURCES = 10_000_000
"""What Z3 may spend on one question, in its own units: 1 to 15 s, the same on any machine."""
GAVE_UP = ("timeout", "canceled", "max. resource limit exceeded")
LATE_MS = 100
"""By how much one answer may be late."""
MOST_REMEMBERED = 50_000
"""Of each kind of translation: a bound for memory."""


class Smt:
    """One Z3 solver over one numbering of the cells.

    Past its deadline, if it has one, it raises `Deadline` rather than begin to look.
    """

    def __init__(self, cells: Cells, timeout_ms: int, deadline: float | None = None) -> None:
        import z3

        self._z3 = z3
        self._context = z3.Context()
        self._cells = cells
        self._timeout_ms = timeout_ms
        self._deadline = deadline
        self._translate = Translation(z3, self._context, cells)
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._configure(self._solver)
        self._solver.add(*self._translate.bounds())
        self.seen = 0

    def _configure(self, solver: Any) -> None:
        solver.set("timeout", self._timeout_ms)
        solver.set("rlimit", RESOURCES)
        solver.set("ctrl_c", False)  # the checks are short; Python shall hear of an interrupt
        solver.set("random_seed", 0)

    def retract(self, level: int) -> None:
        if self.seen > level:
            self._solver.pop(self.seen - level)
            self.seen = level

    def check(
        self, asserted: Sequence[Term], term: Term
    ) -> list[int | Fraction] | Infeasible | Unknown:
        """The asserted terms and this one: a vector over the cells, or why there is none."""
        for known in asserted[self.seen :]:
            formula = self._translate.condition(known)
            self._solver.push()
            self._solver.add(formula)
            self.seen += 1
        formula = self._translate.condition(term)
        if self._deadline is not None:
            self._hurry(self._deadline)
        self._solver.push()
        try:
            self._solver.add(formula)
            return self._answer(self._solver, retry=True)
        finally:
            self._solver.pop()

    def _hurry(self, deadline: float) -> None:
        left = ceil(1000 * (deadline - time.monotonic()))
        if left <= 0:
            raise Deadline
        if self._timeout_ms > 1.1 * left + LATE_MS:  # else as before: to set it takes a while
            self._timeout_ms = left
            self._solver.set("timeout", left)

    def _answer(self, solver: Any, *, retry: bool) -> list[int | Fraction] | Infeasible | Unknown:
        verdict = solver.check()
        interrupts.demand()
        if verdict == self._z3.unsat:
            return Infeasible()
        if verdict == self._z3.sat:
            return self._vector(solver.model())
        reason = solver.reason_unknown()
        if retry and reason not in GAVE_UP:
            # Outside what the incremental core decides; the tactics may know better.
            fresh = self._z3.Solver(ctx=self._context)
            self._configure(fresh)
            fresh.add(*solver.assertions())
            return self._answer(fresh, retry=False)
        return Unknown(f"Z3: {reason}")

    def _vector(self, model: Any) -> list[int | Fraction] | Unknown:
        vector: list[int | Fraction] = [0, 0]
        for number in range(FIRST_CELL, len(self._cells)):
            cell = self._cells.cells[number]
            value = model.eval(self._translate.variable(number), model_completion=True)
            match cell.sort:
                case Sort.INT:
                    vector.append(value.as_long())
                case Sort.BOOL:
                    vector.append(int(self._z3.is_true(value)))
                case Sort.REAL:
                    if not self._z3.is_rational_value(value):
                        return Unknown(f"Z3: {cell.name}{list(cell.index)} must be irrational")
                    vector.append(narrow(value.as_fraction()))
        return vector


class Translation:
    """Terms as Z3 expressions; what was translated once is not made again.

    The same tests come back on path after path, over terms that each path makes anew, and to
    make a Z3 expression takes longer than most of what is asked about it.  So an operation is
    remembered by what its arguments were translated to.
    """

    def __init__(self, z3: Any, context: Any, cells: Cells) -> None:
        self._z3 = z3
        self._context = context
        self._cells = cells
        self._variables: list[Expression] = []
        # By identity: the same name may have another value on another path.
        self._known: dict[int, tuple[Def, Guarded]] = {}
        self._leaves: dict[Cell | Const, Guarded] = {}
        # By identity too: the arguments' translations, which stay where they are remembered.
        self._made: dict[tuple[Op, tuple[int, ...]], Guarded] = {}
        self._conditions: dict[int, tuple[Guarded, Expression]] = {}

    def condition(self, term: Term) -> Expression:
        """The term as a truth value, and that it can be evaluated."""
        guarded = self._guarded(term)
        known = self._conditions.get(id(guarded))
        if known is None:
            expression, guard = guarded
            truth = self._truth_of(expression)
            whole = truth if guard is None else self._z3.And(guard, truth)
            known = self._conditions[id(guarded)] = guarded, whole
        return known[1]

    def variable(self, number: int) -> Expression:
        while len(self._variables) <= number:
            new = len(self._variables)
            make = {Sort.INT: self._z3.Int, Sort.BOOL: self._z3.Bool, Sort.REAL: self._z3.Real}
            self._variables.append(make[self._cells.cells[new].sort](f"c{new}", self._context))
        return self._variables[number]

    def bounds(self) -> list[Expression]:
        """The bounds of the cells met so far; cells met later have none."""
        found = []
        for number in range(FIRST_CELL, len(self._cells)):
            variable = self._number_of(self.variable(number))
            low, high = self._cells.lows[number], self._cells.highs[number]
            if low is not None:
                found.append(variable >= self._exact(low))
            if high is not None:
                found.append(variable <= self._exact(high))
        return found

    def _exact(self, value: int | Fraction) -> Expression:
        if isinstance(value, Fraction):
            return self._z3.RealVal(str(value), self._context)
        return self._z3.IntVal(value, self._context)

    def _guarded(self, term: Term) -> Guarded:
        if max(len(self._known), len(self._made), len(self._leaves)) > MOST_REMEMBERED:
            for remembered in (self._known, self._made, self._leaves, self._conditions):
                remembered.clear()
        waiting: list[Def] = []
        while True:
            goal: Term = waiting[-1].value if waiting else term
            missing = self._missing(goal)
            if missing is not None:
                waiting.append(missing)
                continue
            translated = self._flat(goal)
            if not waiting:
                return translated
            definition = waiting.pop()
            self._known[id(definition)] = (definition, translated)

    def _missing(self, term: Term) -> Def | None:
        match term:
            case Def():
                return None if id(term) in self._known else term
            case Apply(args=args):
                for argument in args:
                    missing = self._missing(argument)
                    if missing is not None:
                        return missing
        return None

    def _flat(self, term: Term) -> Guarded:
        match term:
            case Cell() | Const():
                leaf = self._leaves.get(term)
                if leaf is None:
                    leaf = self._leaves[term] = self._leaf(term), None
                return leaf
            case Def():
                return self._known[id(term)][1]
            case Apply(op=op, args=args):
                inner = [self._flat(argument) for argument in args]
                key = op, tuple(map(id, inner))
                made = self._made.get(key)
                if made is None:
                    made = self._made[key] = self._applied(op, inner)
                return made

    def _leaf(self, term: Cell | Const) -> Expression:
        match term:
            case Cell():
                return self.variable(self._cells.number(term))
            case Const(value=bool() as value):
                return self._z3.BoolVal(value, self._context)
            case Const(value=value, sort=sort):
                return self._exact(Fraction(value) if sort is Sort.REAL else value)

    def _applied(self, op: Op, inner: Sequence[Guarded]) -> Guarded:
        expressions = [expression for expression, _ in inner]
        guards = [guard for _, guard in inner if guard is not None]
        if op in (Op.FLOORDIV, Op.MOD, Op.DIV):
            divisor = self._number_of(expressions[1])
            if not self._is_nonzero(divisor):
                guards.append(divisor != 0)
        guard = None
        if guards:
            guard = guards[0] if len(guards) == 1 else self._z3.And(guards)
        return self._apply(op, expressions), guard

    def _is_nonzero(self, expression: Expression) -> bool:
        z3 = self._z3
        if z3.is_int_value(expression) or z3.is_rational_value(expression):
            return bool(expression.as_fraction() if expression.is_real() else expression.as_long())
        return False

    def _apply(self, op: Op, arguments: list[Expression]) -> Expression:
        z3 = self._z3
        match op:
            case Op.AND:
                truths = [self._truth_of(argument) for argument in arguments]
                return z3.And(truths) if truths else z3.BoolVal(True, self._context)
            case Op.OR:
                truths = [self._truth_of(argument) for argument in arguments]
                return z3.Or(truths) if truths else z3.BoolVal(False, self._context)
            case Op.NOT:
                return z3.Not(self._truth_of(arguments[0]))
            case Op.ITE:
                return z3.If(self._truth_of(arguments[0]), *self._alike(*arguments[1:]))
            case Op.EQ | Op.NE:
                left, right = self._alike(*arguments)
                return left == right if op is Op.EQ else left != right
            case Op.NEG:
                return -self._number_of(arguments[0])
        left, right = self._alike(*map(self._number_of, arguments))
        match op:
            case Op.ADD:
                return left + right
            case Op.SUB:
                return left - right
            case Op.MUL:
                return left * right
            case Op.FLOORDIV:
                return self._floor(left, right)
            case Op.MOD:
                return left - right * self._floor(left, right)
            case Op.DIV:
                return self._real(left) / self._real(right)
            case Op.LT:
                return left < right
            case Op.LE:
                return left <= right
            case Op.GT:
                return left > right
            case Op.GE:
                return left >= right
        raise AssertionError(op)

    def _floor(self, left: Expression, right: Expression) -> Expression:
        """The quotient rounded down; Z3's own `div` leaves a remainder >= 0 instead."""
        z3 = self._z3
        if left.is_real():
            return z3.ToInt(left / right)
        if z3.is_int_value(right):
            return left / right if right.as_long() > 0 else (-left) / (-right)
        return z3.If(right > 0, left / right, (-left) / (-right))

    def _truth_of(self, expression: Expression) -> Expression:
        return expression if self._z3.is_bool(expression) else expression != 0

    def _number_of(self, expression: Expression) -> Expression:
        if not self._z3.is_bool(expression):
            return expression
        return self._z3.If(
            expression, self._z3.IntVal(1, self._context), self._z3.IntVal(0, self._context)
        )

    def _real(self, expression: Expression) -> Expression:
        return expression if expression.is_real() else self._z3.ToReal(expression)

    def _alike(self, left: Expression, right: Expression) -> tuple[Expression, Expression]:
        """Both Boolean, both integer or both real."""
        if self._z3.is_bool(left) and self._z3.is_bool(right):
            return left, right
        left, right = self._number_of(left), self._number_of(right)
        if left.is_real() != right.is_real():
            return self._real(left), self._real(right)
        return left, right
