"""Terms: the expressions that path conditions are made of.

A closed union of frozen values.  `Cell` is one element of an input, `Def` a
computed value that an assignment gave a name (dynamic single assignment: the
name is the program point and the loop counters at which the assignment ran, so
it is assigned once), `Const` a constant, `Apply` an operation.  Terms know
nothing of Python proxies, of Z3, or of feasibility.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias, assert_never


class Sort(enum.Enum):
    INT = "int"
    BOOL = "bool"
    REAL = "real"


class Op(enum.Enum):
    """Operations, by their meaning in Python (`//` and `%` round down)."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    NEG = "neg"
    FLOORDIV = "//"
    MOD = "%"
    DIV = "/"
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    EQ = "=="
    NE = "!="
    NOT = "not"
    AND = "and"
    OR = "or"
    ITE = "if"


COMPLEMENT = {
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.LE: Op.GT,
    Op.GT: Op.LE,
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
}

Value: TypeAlias = "int | bool | Fraction"


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source: function, line, and the instruction within the code.

    The instruction tells apart two tests on one line.
    """

    function: str
    line: int
    instruction: int


@dataclass(frozen=True, slots=True)
class Place:
    """A site in its calling context: the loops and calls around it, outermost first.

    An event has one counter for each entry of the context.
    """

    site: Site
    context: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    name: str
    index: tuple[int, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class Def:
    """A value named by the assignment that made it; `value` is what was assigned."""

    place: Place
    at: tuple[int, ...]
    sort: Sort
    value: Term = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Const:
    value: Value
    sort: Sort


@dataclass(frozen=True, slots=True)
class Apply:
    op: Op
    args: tuple[Term, ...]
    sort: Sort


Term: TypeAlias = Cell | Def | Const | Apply


def const(value: Value) -> Const:
    match value:
        case bool():
            return Const(value, Sort.BOOL)
        case int():
            return Const(value, Sort.INT)
        case Fraction():
            return Const(value, Sort.REAL)
        case _:
            assert_never(value)


def negate(term: Term) -> Term:
    """The negation, pushed into comparisons so that it keeps their shape."""
    match term:
        case Const(value=bool() as value):
            return Const(not value, Sort.BOOL)
        case Apply(op=Op.NOT, args=(inner,)):
            return inner
        case Apply(op=op, args=args) if op in COMPLEMENT:
            return Apply(COMPLEMENT[op], args, Sort.BOOL)
        case _:
            return Apply(Op.NOT, (term,), Sort.BOOL)


def operate(op: Op, values: tuple[Value, ...]) -> Value:  # noqa: PLR0911, PLR0912
    """The operation on plain values."""
    match op:
        case Op.ADD:
            return values[0] + values[1]
        case Op.SUB:
            return values[0] - values[1]
        case Op.MUL:
            return values[0] * values[1]
        case Op.NEG:
            return -values[0]
        case Op.FLOORDIV:
            return values[0] // values[1]
        case Op.MOD:
            return values[0] % values[1]
        case Op.DIV:
            return Fraction(values[0]) / Fraction(values[1])
        case Op.LT:
            return values[0] < values[1]
        case Op.LE:
            return values[0] <= values[1]
        case Op.GT:
            return values[0] > values[1]
        case Op.GE:
            return values[0] >= values[1]
        case Op.EQ:
            return values[0] == values[1]
        case Op.NE:
            return values[0] != values[1]
        case Op.NOT:
            return not values[0]
        case Op.AND:
            return all(values)
        case Op.OR:
            return any(values)
        case Op.ITE:
            return values[1] if values[0] else values[2]
        case _:
            assert_never(op)


def evaluate(
    term: Term, cells: Mapping[Cell, Value], defs: dict[Def, Value] | None = None
) -> Value:
    """The value of a term where the cells have these values.

    `defs` remembers the values of definitions between calls on the same cells.
    Chains of definitions grow with the scale, so they are walked with a stack.
    """
    known = {} if defs is None else defs
    waiting: list[Def] = []
    while True:
        goal: Term = waiting[-1].value if waiting else term
        missing = _missing_def(goal, known)
        if missing is not None:
            waiting.append(missing)
            continue
        value = _evaluate_flat(goal, cells, known)
        if not waiting:
            return value
        known[waiting.pop()] = value


def _missing_def(term: Term, known: dict[Def, Value]) -> Def | None:
    match term:
        case Def():
            return None if term in known else term
        case Apply(args=args):
            for argument in args:
                missing = _missing_def(argument, known)
                if missing is not None:
                    return missing
            return None
        case _:
            return None


def _evaluate_flat(term: Term, cells: Mapping[Cell, Value], defs: dict[Def, Value]) -> Value:
    match term:
        case Const(value=value):
            return value
        case Cell():
            return cells[term]
        case Def():
            return defs[term]
        case Apply(op=op, args=args):
            return operate(op, tuple([_evaluate_flat(a, cells, defs) for a in args]))
        case _:
            assert_never(term)
