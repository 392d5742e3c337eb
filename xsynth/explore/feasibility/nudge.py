"""Which cell to move, and by how much, so that a term that is false now may become true.

Guesses for the chain, which checks them: a comparison lacks so much, and one of the cells
near the top of its sides can make up for it; a remainder is reached from either side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product

from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Sort, Term, Value

DEPTH = 4
MOST_MOVES = 3
"""For each side of a comparison."""


def moves(
    term: Term, value_of: Callable[[Term], Value], steps: Sequence[int]
) -> Iterator[tuple[Cell, int]]:
    """Cells of an integer comparison and what to add to them.

    `steps` are by how much a cell can move without changing its remainders.
    """
    if type(term) is Apply and term.op is Op.AND:
        try:
            false = next((part for part in term.args if not value_of(part)), None)
        except ZeroDivisionError:
            return
        if false is not None:
            yield from moves(false, value_of, steps)
        return
    if type(term) is not Apply or len(term.args) != 2:
        return
    left, right = term.args
    if left.sort is not Sort.INT or right.sort is not Sort.INT:
        return
    try:
        lack = int(value_of(left)) - int(value_of(right))
    except ZeroDivisionError:
        return
    match term.op:
        case Op.LT | Op.LE:
            yield from _within(right, lack + (term.op is Op.LT))
        case Op.GT | Op.GE:
            yield from _within(left, -lack + (term.op is Op.GT))
        case Op.EQ:
            yield from _within(left, -lack)
            yield from _within(right, lack)
        case Op.NE:
            for step in (1, 2, 3, *steps[:MOST_MOVES]):
                for change, side in product((step, -step), (left, right)):
                    yield from islice(_shallow(side, change), 1)


def divisors(term: Term) -> Iterator[int]:
    """The constants that remainders are taken by in a term, definitions left out."""
    if type(term) is Apply:
        for part in term.args:
            yield from divisors(part)
        if term.op is Op.MOD and type(term.args[1]) is Const:
            value = term.args[1].value
            if isinstance(value, int) and value > 1:
                yield value


def _within(term: Term, change: int) -> Iterator[tuple[Cell, int]]:
    return islice(_shallow(term, change), MOST_MOVES)


def _shallow(term: Term, change: int) -> Iterator[tuple[Cell, int]]:
    """Near the top of the term: the last operand of a running sum before its others."""
    level: list[tuple[Term, int]] = [(term, change)]
    for _ in range(DEPTH):
        below: list[tuple[Term, int]] = []
        for part, by in reversed(level):
            match part:
                case Cell():
                    yield part, by
                case Def(value=value):
                    below.append((value, by))
                case Apply(op=Op.ADD | Op.SUB | Op.MUL, args=args):
                    below.extend((argument, by) for argument in args)
                case Apply(op=Op.MOD, args=(inner, Const(value=int() as divisor))):
                    around = by - divisor if (by > 0) == (divisor > 0) else by + divisor
                    below += [(inner, around), (inner, by)]
                case Apply(op=Op.FLOORDIV, args=(inner, Const(value=int() as divisor))):
                    below.append((inner, by * divisor))
        level = below
