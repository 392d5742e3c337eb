"""Term constructors that fold what is constant.

Every constructor gives a term equal to the operation for every value of the
cells.  Constants stand on the right of commutative operations and comparisons,
and constant offsets are gathered (`x + 1 + 1` is `x + 2`), so that a term which a
loop builds up turn by turn keeps one shape.

INT and REAL arguments may meet in one operation, which then means the real one;
the result of DIV is always REAL, also of two INT arguments.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Sort, Term, Value, negate, operate

INT, BOOL, REAL = Sort.INT, Sort.BOOL, Sort.REAL
TRUE, FALSE = Const(True, BOOL), Const(False, BOOL)

_INTEGERS = {value: Const(value, INT) for value in range(-256, 1025)}
ZERO, ONE = _INTEGERS[0], _INTEGERS[1]

_REFLECTED = {
    Op.LT: Op.GT,
    Op.GT: Op.LT,
    Op.LE: Op.GE,
    Op.GE: Op.LE,
    Op.EQ: Op.EQ,
    Op.NE: Op.NE,
}
_HOLDS_OF_EQUALS = frozenset({Op.LE, Op.GE, Op.EQ})
_DEPTH_OF_SAME = 8
_DEPTH_OF_SHOW = 12


def integer(value: int) -> Const:
    return _INTEGERS.get(value) or Const(value, INT)


def real(term: Term) -> Term:
    """The same number, of sort REAL."""
    if term.sort is REAL:
        return term
    if type(term) is Const:
        return Const(Fraction(term.value), REAL)
    return Apply(Op.ADD, (term, Const(Fraction(0), REAL)), REAL)


def same(left: Term, right: Term, depth: int = _DEPTH_OF_SAME) -> bool:
    """Whether two terms are surely one; looks only so deep, since terms can be."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, Apply) and isinstance(right, Apply):
        return (
            depth > 0
            and left.op is right.op
            and len(left.args) == len(right.args)
            and all(same(a, b, depth - 1) for a, b in zip(left.args, right.args, strict=True))
        )
    return left == right


# Arithmetic


def add(left: Term, right: Term) -> Term:
    if type(left) is Const:
        left, right = right, left
    if type(right) is Const:
        if type(left) is Const:
            return _fold(Op.ADD, left, right)
        return _offset(Op.ADD, left, right)
    return Apply(Op.ADD, (left, right), _joint(left, right))


def sub(left: Term, right: Term) -> Term:
    if type(right) is Const:
        if type(left) is Const:
            return _fold(Op.SUB, left, right)
        return _offset(Op.SUB, left, right)
    if type(left) is Const and left.value == 0 and left.sort is right.sort:
        return neg(right)
    return Apply(Op.SUB, (left, right), _joint(left, right))


def neg(term: Term) -> Term:
    match term:
        case Const(value=value, sort=sort):
            return Const(-value, sort)
        case Apply(op=Op.NEG, args=(inner,)):
            return inner
        case _:
            return Apply(Op.NEG, (term,), term.sort)


def mul(left: Term, right: Term) -> Term:
    if type(left) is Const:
        left, right = right, left
    sort = _joint(left, right)
    if type(right) is Const:
        if type(left) is Const:
            return _fold(Op.MUL, left, right)
        if right.value == 0:
            return _number(0, sort)
        if right.value == 1 and left.sort is sort:
            return left
        right = _number(right.value, sort)
    return Apply(Op.MUL, (left, right), sort)


def power(base: Term, exponent: int) -> Term:
    """`base` times itself, for an exponent of 0 or more."""
    result: Term = _number(1, base.sort)
    for _ in range(exponent):
        result = mul(result, base)
    return result


def floordiv(left: Term, right: Term) -> Term:
    """For integers and a divisor that is not 0."""
    if type(left) is Const and (type(right) is Const or left.value == 0):
        return ZERO if type(right) is not Const else _fold(Op.FLOORDIV, left, right)
    if type(right) is Const and right.value == 1:
        return left
    return Apply(Op.FLOORDIV, (left, right), INT)


def mod(left: Term, right: Term) -> Term:
    """For integers and a divisor that is not 0."""
    if type(left) is Const and (type(right) is Const or left.value == 0):
        return ZERO if type(right) is not Const else _fold(Op.MOD, left, right)
    if type(right) is Const and right.value in (1, -1):
        return ZERO
    return Apply(Op.MOD, (left, right), INT)


def div(left: Term, right: Term) -> Term:
    """The exact quotient, for a divisor that is not 0."""
    if type(left) is Const:
        if type(right) is Const:
            return _fold(Op.DIV, left, right)
        left = _number(left.value, REAL)
    if type(right) is Const:
        if right.value == 1 and left.sort is REAL:
            return left
        right = _number(right.value, REAL)
    return Apply(Op.DIV, (left, right), REAL)


def absolute(term: Term) -> Term:
    return ite(compare(Op.GE, term, _number(0, term.sort)), term, neg(term))


def _joint(left: Term, right: Term) -> Sort:
    return REAL if left.sort is REAL or right.sort is REAL else INT


def _number(value: Value, sort: Sort) -> Const:
    return Const(Fraction(value), REAL) if sort is REAL else integer(int(value))


def _fold(op: Op, left: Const, right: Const) -> Const:
    value = operate(op, (left.value, right.value))
    real_result = op is Op.DIV or left.sort is REAL or right.sort is REAL
    return _number(value, REAL if real_result else INT)


def _offset(op: Op, term: Term, constant: Const) -> Term:
    """`term + constant` or `term - constant`, with an offset that `term` has taken in."""
    sort = _joint(term, constant)
    if type(term) is Apply and term.sort is sort and (term.op is Op.ADD or term.op is Op.SUB):
        base, already = term.args
        if type(already) is Const:
            gathered = _fold(Op.ADD if term.op is op else Op.SUB, already, constant)
            if gathered.value == 0 and base.sort is sort:
                return base
            return Apply(term.op, (base, gathered), sort)
    if constant.value == 0 and term.sort is sort:
        return term
    return Apply(op, (term, _number(constant.value, sort)), sort)


# Comparisons


def compare(op: Op, left: Term, right: Term) -> Term:
    """A comparison of numbers."""
    if type(right) is Const:
        if type(left) is Const:
            return TRUE if operate(op, (left.value, right.value)) else FALSE
        if right.sort is REAL and left.sort is INT:
            return _compare_with_fraction(op, left, Fraction(right.value))
        if type(left) is Apply and left.op is Op.ITE:
            return _compare_choice(op, left, right)
    elif type(left) is Const:
        return compare(_REFLECTED[op], right, left)
    elif left is right or (type(left) is Apply and same(left, right)):
        return TRUE if op in _HOLDS_OF_EQUALS else FALSE
    return Apply(op, (left, right), BOOL)


def _compare_with_fraction(op: Op, left: Term, bound: Fraction) -> Term:
    """An integer beside a fraction, as the integer comparison with the same answers."""
    if bound.denominator != 1:
        if op is Op.EQ:
            return FALSE
        if op is Op.NE:
            return TRUE
    bound_up = ceil(bound) if op in (Op.LT, Op.GE) else floor(bound)
    return compare(op, left, integer(bound_up))


def _compare_choice(op: Op, left: Apply, right: Const) -> Term:
    """`(k if c else m) op n` is `c`, its negation, or a constant."""
    condition, then, otherwise = left.args
    if type(then) is Const and type(otherwise) is Const:
        return ite(condition, compare(op, then, right), compare(op, otherwise, right))
    return Apply(op, (left, right), BOOL)


# Booleans


def conj(left: Term, right: Term) -> Term:
    if type(left) is Const:
        return right if left.value else FALSE
    if type(right) is Const:
        return left if right.value else FALSE
    return left if same(left, right) else Apply(Op.AND, (left, right), BOOL)


def disj(left: Term, right: Term) -> Term:
    if type(left) is Const:
        return TRUE if left.value else right
    if type(right) is Const:
        return TRUE if right.value else left
    return left if same(left, right) else Apply(Op.OR, (left, right), BOOL)


def equal(left: Term, right: Term) -> Term:
    """Two Booleans with one value."""
    if type(left) is Const:
        left, right = right, left
    if type(right) is Const:
        return left if right.value else negate(left)
    return TRUE if same(left, right) else Apply(Op.EQ, (left, right), BOOL)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if type(condition) is Const:
        return then if condition.value else otherwise
    if same(then, otherwise):
        return then
    if then.sort is BOOL and type(then) is Const and type(otherwise) is Const:
        return condition if then.value else negate(condition)
    sort = then.sort if then.sort is otherwise.sort else REAL
    return Apply(Op.ITE, (condition, then, otherwise), sort)


def number(condition: Term) -> Term:
    """A Boolean as the integer 0 or 1."""
    return ite(condition, ONE, ZERO)


def between(low: int, term: Term, high: int) -> Term:
    """`low <= term <= high`."""
    if low == high:
        return compare(Op.EQ, term, integer(low))
    return conj(compare(Op.GE, term, integer(low)), compare(Op.LE, term, integer(high)))


# Text for people


def show(term: Term, depth: int = _DEPTH_OF_SHOW) -> str:
    """The term as a person writes it, for messages; what lies too deep is `...`."""
    match term:
        case Const(value=value):
            return str(value)
        case Cell(name=name, index=index):
            return name + "".join(f"[{i}]" for i in index)
        case Def(place=place, at=at):
            turns = ", ".join(map(str, at))
            return f"{place.site.function}:{place.site.line}({turns})"
        case Apply() if depth == 0:
            return "..."
        case Apply(op=Op.ITE, args=args):
            condition, then, otherwise = (_operand(a, depth) for a in args)
            return f"{then} if {condition} else {otherwise}"
        case Apply(op=Op.NEG, args=(inner,)):
            return f"-{_operand(inner, depth)}"
        case Apply(op=Op.NOT, args=(inner,)):
            return f"not {_operand(inner, depth)}"
        case Apply(op=op, args=args):
            return f" {op.value} ".join(_operand(a, depth) for a in args)


def _operand(term: Term, depth: int) -> str:
    text = show(term, depth - 1)
    return f"({text})" if type(term) is Apply else text
