"""Terms: the expressions that path conditions are made of.

A closed union of frozen values.  `Cell` is one element of an input, `Def` a
computed value that an assignment gave a name (dynamic single assignment: the
name is the program point and the loop counters at which the assignment ran, so
it is assigned once), `Const` a constant, `Apply` an operation.  Terms know
nothing of Python proxies, of Z3, or of feasibility.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias, assert_never


class Sort(enum.Enum):
    INT = "int"
    BOOL = "bool"
    REAL = "real"

    __hash__ = object.__hash__  # terms are hashed all the time, and Enum's own is slow


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

    __hash__ = object.__hash__


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

    def __hash__(self) -> int:
        # Of numbers alone: that of a place goes through all sites of its context.
        return hash((self.at, self.place.site.instruction))


@dataclass(frozen=True, slots=True)
class Const:
    value: Value
    sort: Sort


@dataclass(slots=True, unsafe_hash=True)  # not frozen, which makes it three times as slow to make
class Apply:
    """Never changed, like the others."""

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


def _divide(left: Value, right: Value) -> Value:
    return Fraction(left) / Fraction(right)


def _choose(condition: Value, then: Value, otherwise: Value) -> Value:
    return then if condition else otherwise


OPERATIONS: Mapping[Op, Callable[..., Value]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.NEG: operator.neg,
    Op.FLOORDIV: operator.floordiv,
    Op.MOD: operator.mod,
    Op.DIV: _divide,
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
    Op.NOT: operator.not_,
    Op.AND: lambda *values: all(values),
    Op.OR: lambda *values: any(values),
    Op.ITE: _choose,
}


def operate(op: Op, values: tuple[Value, ...]) -> Value:
    """The operation on plain values."""
    return OPERATIONS[op](*values)


class _MissingError(Exception):
    """A definition whose value is not known yet."""

    def __init__(self, definition: Def) -> None:
        self.definition = definition


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
        try:
            value = _evaluate_flat(waiting[-1].value if waiting else term, cells, known)
        except _MissingError as missing:
            waiting.append(missing.definition)
            continue
        if not waiting:
            return value
        known[waiting.pop()] = value


def _evaluate_flat(term: Term, cells: Mapping[Cell, Value], defs: dict[Def, Value]) -> Value:
    # This runs once a decision: types are compared, which is far quicker than `match`.
    kind = type(term)
    if kind is Apply:
        values = [_evaluate_flat(a, cells, defs) for a in term.args]  # type: ignore[union-attr]
        return OPERATIONS[term.op](*values)  # type: ignore[union-attr]
    if kind is Cell:
        return cells[term]  # type: ignore[index]
    if kind is Const:
        return term.value  # type: ignore[union-attr, return-value]
    if term not in defs:
        raise _MissingError(term)  # type: ignore[arg-type]
    return defs[term]
