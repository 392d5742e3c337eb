"""SMT-LIB text: one template a pattern, filled from whole columns.

Python's `//` and `%` round down; SMT-LIB's `div` and `mod` do so for positive divisors
only, so a divisor that may be negative is turned positive, with the dividend.  That a
divisor is not zero is asserted wherever Python would surely evaluate the division.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

import numpy as np

from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern, arity
from xsynth.synthesize.columns import BOOL, INT, REAL, Hole, Space
from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import EQ, LE, LT, NE, Rows
from xsynth.synthesize.prepare import General
from xsynth.trace.terms import Op, Sort

_SORT_TEXT = {INT: "Int", BOOL: "Bool", REAL: "Real"}
_RELATION_TEXT = {LE: "(<= %s %s)", LT: "(< %s %s)", EQ: "(= %s %s)", NE: "(not (= %s %s))"}
_PLAIN = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.NEG: "-"}
_COMPARE = {Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">=", Op.EQ: "=", Op.NE: "distinct"}


def numeral(value: int | Fraction, real: bool = False) -> str:
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"(/ {numeral(value.numerator, True)} {value.denominator}.0)"
    text = f"{abs(int(value))}.0" if real else str(abs(int(value)))
    return text if value >= 0 else f"(- {text})"


def declarations(variables: Array, sorts: Array) -> Iterator[str]:
    for kind, text in _SORT_TEXT.items():
        for variable in variables[sorts[variables] == kind].tolist():
            yield f"(declare-const v{variable} {text})"


def linear_text(rows: Rows, sorts: Array) -> Iterator[str]:
    """One assertion a row."""
    if not len(rows):
        return
    real_entry = sorts[rows.variable] == REAL
    real = np.zeros(len(rows), dtype=bool)
    real[rows.row[real_entry]] = True
    mixed = np.zeros(len(rows), dtype=bool)
    mixed[rows.row[~real_entry & real[rows.row]]] = True
    constants = _numerals(rows.constant, real)
    width = rows.width
    first = rows.start[:-1]
    unit = np.bincount(rows.row[np.abs(rows.coefficient) != 1], minlength=len(rows)) == 0
    last = np.minimum(first + 1, max(len(rows.variable) - 1, 0))
    pair = unit & ~mixed & (width == 2) & (rows.coefficient[first] + rows.coefficient[last] == 0)
    up = rows.coefficient[first] == 1
    plus = np.where(up, rows.variable[first], rows.variable[last])
    minus = np.where(up, rows.variable[last], rows.variable[first])
    # Left to the equality solver, 500 different values took 0.5 s; as differences, over 60 s.
    equal = pair & (rows.relation >= EQ) & (rows.constant == 0)
    for relation, form in _RELATION_TEXT.items():
        template = f"(assert {form})"
        same = rows.relation == relation
        chosen = np.flatnonzero(same & equal)
        line = template % ("v%d", "v%d")
        yield from map(
            line.__mod__, zip(plus[chosen].tolist(), minus[chosen].tolist(), strict=True)
        )
        chosen = np.flatnonzero(same & pair & ~equal)
        line = template % ("(- v%d v%d)", "%s")
        ends = [constants[r] for r in chosen.tolist()]
        yield from map(
            line.__mod__, zip(plus[chosen].tolist(), minus[chosen].tolist(), ends, strict=True)
        )
        for row in np.flatnonzero(same & ~pair).tolist():
            entries = slice(rows.start[row], rows.start[row + 1])
            yield template % (_sum(rows, entries, bool(real[row]), real_entry), constants[row])


def _numerals(values: Array, real: Array) -> list[str]:
    different, inverse = np.unique(values, return_inverse=True)
    whole = np.array([numeral(v) for v in different.tolist()], dtype=object)
    exact = np.array([numeral(v, True) for v in different.tolist()], dtype=object)
    texts: list[str] = np.where(real, exact[inverse], whole[inverse]).tolist()
    return texts


def _sum(rows: Rows, entries: slice, real: bool, real_entry: Array) -> str:
    parts = []
    for variable, coefficient, is_real in zip(
        rows.variable[entries].tolist(),
        rows.coefficient[entries].tolist(),
        real_entry[entries].tolist(),
        strict=True,
    ):
        name = f"(to_real v{variable})" if real and not is_real else f"v{variable}"
        parts.append(name if coefficient == 1 else f"(* {numeral(coefficient, real)} {name})")
    return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"


@dataclass(frozen=True, slots=True)
class _Text:
    """A template with one `%s` for each hole in `holes`; holes come with their first leaf."""

    text: str
    sort: Sort
    holes: tuple[tuple[Hole | IntHole, int], ...] = ()

    def to(self, sort: Sort) -> _Text:
        """The same as a value of that sort."""
        match self.sort, sort:
            case (have, want) if have is want:
                return self
            case Sort.BOOL, Sort.INT:
                return _Text(f"(ite {self.text} 1 0)", sort, self.holes)
            case Sort.BOOL, Sort.REAL:
                return _Text(f"(ite {self.text} 1.0 0.0)", sort, self.holes)
            case Sort.INT, Sort.REAL:
                return _Text(f"(to_real {self.text})", sort, self.holes)
            case Sort.REAL, Sort.INT:
                return _Text(f"(to_int {self.text})", sort, self.holes)
            case _:
                return _Text(f"(not (= {self.text} 0))", sort, self.holes)


def _apply(head: str, args: Sequence[_Text], sort: Sort) -> _Text:
    text = f"({head} {' '.join(a.text for a in args)})"
    return _Text(text, sort, tuple(hole for a in args for hole in a.holes))


class _Writer:
    """Writes one pattern; collects the divisors that must not be zero."""

    def __init__(self) -> None:
        self.divisors: list[_Text] = []

    def write(self, pattern: Pattern, start: int, strict: bool) -> _Text:
        match pattern:
            case CellHole(sort=sort) | DefHole(sort=sort):
                return _Text("%s", sort, ((pattern, start),))
            case IntHole():
                return _Text("%s", Sort.INT, ((pattern, start),))
            case Fixed(value=bool() as value):
                return _Text("true" if value else "false", Sort.BOOL)
            case Fixed(value=value, sort=sort):
                return _Text(numeral(value, sort is Sort.REAL), sort)
            case Node(op=op, args=args):
                texts = []
                for position, argument in enumerate(args):
                    surely = strict and (position == 0 or op not in (Op.AND, Op.OR, Op.ITE))
                    texts.append(self.write(argument, start, surely))
                    start += arity(argument)
                return self._operation(op, texts, pattern.sort, strict)
            case _:
                assert_never(pattern)

    def _operation(self, op: Op, args: list[_Text], sort: Sort, strict: bool) -> _Text:
        match op:
            case Op.AND | Op.OR:
                if not args:
                    return _Text("true" if op is Op.AND else "false", Sort.BOOL)
                return _apply(op.value, [a.to(Sort.BOOL) for a in args], Sort.BOOL)
            case Op.NOT:
                return _apply("not", [args[0].to(Sort.BOOL)], Sort.BOOL)
            case Op.ITE:
                return _apply("ite", [args[0].to(Sort.BOOL), *(a.to(sort) for a in args[1:])], sort)
            case Op.ADD | Op.SUB | Op.MUL | Op.NEG:
                kind = _number_sort(args)
                return _apply(_PLAIN[op], [a.to(kind) for a in args], kind).to(sort)
            case Op.LT | Op.LE | Op.GT | Op.GE | Op.EQ | Op.NE:
                kind = _common_sort(args, equality=op in (Op.EQ, Op.NE))
                return _apply(_COMPARE[op], [a.to(kind) for a in args], Sort.BOOL)
            case Op.FLOORDIV | Op.MOD | Op.DIV:
                return self._division(op, args, strict).to(sort)
            case _:
                assert_never(op)

    def _division(self, op: Op, args: list[_Text], strict: bool) -> _Text:
        kind = Sort.REAL if op is Op.DIV else _number_sort(args)
        top, bottom = (a.to(kind) for a in args)
        if strict:
            self.divisors.append(bottom)
        body = {
            (Op.DIV, Sort.REAL): "(/ p q)",
            (Op.FLOORDIV, Sort.INT): "(ite (> q 0) (div p q) (div (- p) (- q)))",
            (Op.MOD, Sort.INT): "(ite (> q 0) (mod p q) (- (mod (- p) (- q))))",
            (Op.FLOORDIV, Sort.REAL): "(to_real (to_int (/ p q)))",
            (Op.MOD, Sort.REAL): "(- p (* q (to_real (to_int (/ p q)))))",
        }[op, kind]
        text = f"(let ((p {top.text}) (q {bottom.text})) {body})"
        return _Text(text, kind, top.holes + bottom.holes)


def _number_sort(args: Sequence[_Text]) -> Sort:
    return Sort.REAL if any(a.sort is Sort.REAL for a in args) else Sort.INT


def _common_sort(args: Sequence[_Text], equality: bool) -> Sort:
    if equality and all(a.sort is Sort.BOOL for a in args):
        return Sort.BOOL
    return _number_sort(args)


def general_text(column: General, space: Space, names: Array) -> Iterator[str]:
    """The assertions of a column; `names[v]` is the text for variable v."""
    writer = _Writer()
    body = writer.write(column.pattern, 0, True)
    heads: list[Array] = []
    if column.head is None:
        template = f"(assert {body.to(Sort.BOOL).text})"
    else:
        template = f"(assert (= %s {body.text}))"
        heads.append(names[column.head])
    yield from _filled(template, body, column.leaves, space, names, heads)
    for divisor in writer.divisors:
        line = f"(assert (not (= {divisor.text} 0)))"
        yield from _filled(line, divisor, column.leaves, space, names, [])


def _filled(
    template: str, body: _Text, leaves: Array, space: Space, names: Array, heads: list[Array]
) -> Iterator[str]:
    parts: list[list[str]] = [head.tolist() for head in heads]
    for hole, start in body.holes:
        if isinstance(hole, IntHole):
            parts.append([numeral(v) for v in leaves[:, start].tolist()])
        else:
            ids = space.variables(hole, leaves[:, start : start + hole.arity])
            parts.append(names[ids].tolist())
    if parts:
        yield from map(template.__mod__, zip(*parts, strict=True))
    else:
        yield template
