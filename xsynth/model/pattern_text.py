"""Patterns as text: `(a[?] + 1/2) > def p8[?, ?]`.

A composite operand is always in brackets, so there is no precedence.  A sort is written
(`w[?]:real`) where it is not the usual one: int for names and definitions, what the
operation makes of its operands otherwise.  `PatternReader` is the way back, from the
tree that `grammars/model.lark` makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, assert_never

from lark import Token
from lark.visitors import Transformer_NonRecursive

from xsynth.errors import ModelFileError
from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern
from xsynth.model.quoting import integer, number, unquoted, word
from xsynth.trace.terms import Op, Place, Sort

DEPTH_LIMIT = 200
"""Deeper patterns are refused: every walk over them is recursive."""
_NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_WORDS = frozenset({"and", "or", "if", "else", "def", "op", "neg", "not", "True", "False"})
"""What a name in a pattern cannot be, without quotes."""
_LOGICAL = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE, Op.NOT, Op.AND, Op.OR})
_BINARY = frozenset(
    {Op.ADD, Op.SUB, Op.MUL, Op.FLOORDIV, Op.MOD, Op.DIV} | (_LOGICAL - {Op.NOT, Op.AND, Op.OR})
)


def parts(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern and everything in it."""
    return (part for part, _ in _levels(pattern))


def check_depth(pattern: Pattern) -> None:
    if any(level > DEPTH_LIMIT for _, level in _levels(pattern)):
        raise ModelFileError(
            f"a condition of the program is nested deeper than {DEPTH_LIMIT} operations,"
            " which a model file cannot hold",
            "Assign parts of it to variables.",
        )


def _levels(pattern: Pattern) -> Iterator[tuple[Pattern, int]]:
    stack = [(pattern, 1)]
    while stack:
        part, level = stack.pop()
        yield part, level
        if isinstance(part, Node):
            stack += [(argument, level + 1) for argument in part.args]


def write_pattern(pattern: Pattern, places: Mapping[Place, str]) -> str:
    written = _bare(pattern, places)
    if _sort(pattern) is _usual_sort(pattern):
        return written
    return f"{_bracketed(written, pattern)}:{_sort(pattern).value}"


def _operand(pattern: Pattern, places: Mapping[Place, str]) -> str:
    written = write_pattern(pattern, places)
    usual = _sort(pattern) is _usual_sort(pattern)
    return _bracketed(written, pattern) if usual else written


def _bracketed(written: str, pattern: Pattern) -> str:
    return f"({written})" if isinstance(pattern, Node) else written


def _bare(pattern: Pattern, places: Mapping[Place, str]) -> str:
    match pattern:
        case CellHole(name=name, arity=arity):
            return f"{word(name, _NAME, _WORDS)}{_indices(arity)}"
        case DefHole(place=place, arity=arity):
            return f"def {places[place]}{_indices(arity)}"
        case IntHole():
            return "?"
        case Fixed(value=bool() as value):
            return str(value)
        case Fixed(value=Fraction(numerator=top, denominator=bottom)):
            return f"{number(top)}/{number(bottom)}"
        case Fixed(value=value):
            return number(int(value))
        case Node(op=op, args=args):
            return _operation(op, args, places)
        case _:
            assert_never(pattern)


def _indices(arity: int) -> str:
    return f"[{', '.join('?' * arity)}]" if arity else ""


def _operation(op: Op, args: tuple[Pattern, ...], places: Mapping[Place, str]) -> str:
    match op, args:
        case ((Op.NEG | Op.NOT), (_,)):
            return f"{op.value} {_operand(args[0], places)}"
        case ((Op.AND | Op.OR), (_, _, *_)):
            return f" {op.value} ".join([_operand(a, places) for a in args])
        case Op.ITE, (_, _, _):
            condition, yes, no = [_operand(a, places) for a in args]
            return f"{yes} if {condition} else {no}"
        case _, (_, _) if op in _BINARY:
            return f"{_operand(args[0], places)} {op.value} {_operand(args[1], places)}"
        case _:
            return f"op({', '.join([op.value, *[write_pattern(a, places) for a in args]])})"


def _sort(pattern: Pattern) -> Sort:
    return Sort.INT if isinstance(pattern, IntHole) else pattern.sort


def _usual_sort(pattern: Pattern) -> Sort:
    """The sort of a pattern that says nothing of it."""
    match pattern:
        case CellHole() | DefHole() | IntHole():
            return Sort.INT
        case Fixed(value=bool()):
            return Sort.BOOL
        case Fixed(value=Fraction()):
            return Sort.REAL
        case Fixed():
            return Sort.INT
        case Node(op=op, args=args):
            return _result_sort(op, args)
        case _:
            assert_never(pattern)


def _result_sort(op: Op, args: tuple[Pattern, ...]) -> Sort:
    if op in _LOGICAL:
        return Sort.BOOL
    if op is Op.DIV:
        return Sort.REAL
    values = args[1:] if op is Op.ITE else args
    sorts = {_sort(a) for a in values}
    if Sort.REAL in sorts:
        return Sort.REAL
    return Sort.BOOL if op is Op.ITE and sorts == {Sort.BOOL} else Sort.INT


class PatternReader(Transformer_NonRecursive[Token, Any]):
    """The pattern rules of the grammar; `places` is filled before patterns refer to it."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, Place] = {}

    def named(self, name: str) -> Place:
        if name not in self.places:
            raise ValueError(f"there is no place {name}")
        return self.places[name]

    def indices(self, children: list[Token]) -> int:
        return len(children)

    def cell(self, children: list[Any]) -> Pattern:
        name, *arity = children
        return CellHole(unquoted(name), arity[0] if arity else 0, Sort.INT)

    def definition(self, children: list[Any]) -> Pattern:
        name, *arity = children
        return DefHole(self.named(name), arity[0] if arity else 0, Sort.INT)

    def int_hole(self, _: list[Token]) -> Pattern:
        return IntHole()

    def integer(self, children: list[Token]) -> Pattern:
        return Fixed(integer(children[0]), Sort.INT)

    def rational(self, children: list[Token]) -> Pattern:
        top, _, bottom = children[0].partition("/")
        return Fixed(Fraction(integer(top), integer(bottom)), Sort.REAL)

    def true(self, _: list[Token]) -> Pattern:
        return Fixed(True, Sort.BOOL)

    def false(self, _: list[Token]) -> Pattern:
        return Fixed(False, Sort.BOOL)

    def of_sort(self, children: list[Any]) -> Pattern:
        pattern, sort = children[0], Sort(str(children[1]))
        match pattern:
            case CellHole(name=name, arity=arity):
                return CellHole(name, arity, sort)
            case DefHole(place=place, arity=arity):
                return DefHole(place, arity, sort)
            case Fixed(value=value):
                return Fixed(value, sort)
            case Node(op=op, args=args):
                return Node(op, args, sort)
            case _:
                raise ValueError("a leaf has no sort but int")

    def binary(self, children: list[Any]) -> Pattern:
        left, op, right = children
        return _node(Op(str(op)), (left, right))

    def neg(self, children: list[Any]) -> Pattern:
        return _node(Op.NEG, tuple(children))

    def negation(self, children: list[Any]) -> Pattern:
        return _node(Op.NOT, tuple(children))

    def all_of(self, children: list[Any]) -> Pattern:
        return _node(Op.AND, tuple(children))

    def any_of(self, children: list[Any]) -> Pattern:
        return _node(Op.OR, tuple(children))

    def choice(self, children: list[Any]) -> Pattern:
        yes, condition, no = children
        return _node(Op.ITE, (condition, yes, no))

    def operation(self, children: list[Any]) -> Pattern:
        return _node(Op(str(children[0])), tuple(children[1:]))


def _node(op: Op, args: tuple[Pattern, ...]) -> Pattern:
    return Node(op, args, _result_sort(op, args))
