"""Python's Boolean operations on values that may be symbolic, without a decision.

These are what `assumptions.py` puts in place of `and`, `all(...)`, `==` of lists
and the like.  On plain values each does what Python does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from typing import Any

from xsynth.program.values import Made, Option, Subset
from xsynth.trace.proxies import (
    SUBSTITUTES,
    Symbolic,
    build,
    symbolic_contains,
    symbolic_method,
    symbolic_type,
    unwrap,
    wrap,
)
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.terms import Apply, Op, Sort, Term, const, negate

FAULTS = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, NameError)
"""What an expression raises where it has no value."""

_LONGEST_LEXICAL = 32
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def _term(value: object) -> Term | None:
    """The term of a symbolic scalar; None for a plain value or a container."""
    return value.term if isinstance(value, Symbolic) else None


class Emptiable:
    """A container of which it is a condition whether it is empty."""

    def some(self) -> Any:
        raise NotImplementedError


def truth(value: object) -> Term | bool:
    """What `bool(value)` is, as a term where it depends on the input."""
    if value is True or value is False:
        return value
    if isinstance(value, Emptiable):
        return truth(value.some())
    term = _term(value)
    if term is None:
        return bool(value)
    if term.sort is Sort.BOOL:
        return term
    zero = const(Fraction(0)) if term.sort is Sort.REAL else const(0)
    return Apply(Op.NE, (term, zero), Sort.BOOL)


def _combine(op: Op, conditions: Iterable[object]) -> Any:
    """`all` or `any`; stops at the first plain value that settles it."""
    settles = op is Op.OR
    terms: list[Term] = []
    for condition in conditions:
        side = truth(condition)
        if not isinstance(side, bool):
            terms.append(side)
        elif side is settles:
            return settles
    if not terms:
        return not settles
    return wrap(terms[0] if len(terms) == 1 else Apply(op, tuple(terms), Sort.BOOL))


def all_of(conditions: Iterable[object]) -> Any:
    return _combine(Op.AND, conditions)


def any_of(conditions: Iterable[object]) -> Any:
    return _combine(Op.OR, conditions)


def _joined(op: Op, operands: tuple[Callable[[], object], ...]) -> Any:
    """`and` or `or`: the value of an operand, as in Python, unless all are Boolean."""
    values: list[object] = []
    for operand in operands:
        try:
            value = operand()
        except FAULTS:
            # Python may never have come here: ask what the operands before it are.
            for earlier in values:
                if bool(earlier) is (op is Op.OR):
                    return earlier
            raise
        side = truth(value)
        if isinstance(side, bool):
            if side is (op is Op.OR):
                values.append(value)
                break
            if operand is not operands[-1]:
                continue
        values.append(value)
    if not values:
        return op is Op.AND
    if all(isinstance(value, bool) or _is_bool(value) for value in values):
        return _combine(op, values)
    result = values.pop()
    while values:
        value = values.pop()
        other = result
        if op is Op.AND:
            result = choose(value, lambda other=other: other, lambda value=value: value)  # type: ignore[misc]
        else:
            result = choose(value, lambda value=value: value, lambda other=other: other)  # type: ignore[misc]
    return result


def _is_bool(value: object) -> bool:
    term = _term(value)
    return term is not None and term.sort is Sort.BOOL


def both(*operands: Callable[[], object]) -> Any:
    return _joined(Op.AND, operands)


def either(*operands: Callable[[], object]) -> Any:
    return _joined(Op.OR, operands)


def invert(value: object) -> Any:
    side = truth(value)
    return not side if isinstance(side, bool) else wrap(negate(side))


def choose(test: object, then: Callable[[], object], otherwise: Callable[[], object]) -> Any:
    """`then if test else otherwise`; a choice between containers is a decision."""
    side = truth(test)
    if isinstance(side, bool):
        return then() if side else otherwise()
    try:
        first, second = then(), otherwise()
    except FAULTS:
        return then() if wrap(side) else otherwise()
    if first is second:
        return first
    try:
        branches = [unwrap(first), unwrap(second)]
    except TypeError:
        return first if wrap(side) else second
    if len({branch.sort for branch in branches}) > 1:
        branches = [build.number(b) if b.sort is Sort.BOOL else b for b in branches]
    return wrap(build.ite(side, *branches))


def equal(left: Any, right: Any) -> Any:
    """`==`, of lists, tuples and texts element by element; a choice is its number."""
    if isinstance(right, Option):
        left, right = right, left
    if isinstance(left, Option):
        same = (i for i, value in enumerate(left.values) if value == right)
        return any_of(left.number == i for i in same)
    if isinstance(left, Symbolic | int):
        return left == right
    sequences = isinstance(left, list | tuple) and isinstance(right, list | tuple)
    if sequences and isinstance(left, list) is not isinstance(right, list):
        return False
    if not sequences and not _are_texts(left, right):
        return left == right
    if len(left) != len(right):
        return False
    return all_of(map(equal, left, right))


def _are_texts(left: object, right: object) -> bool:
    """Two texts of one kind, of several characters, not both plain."""
    if not isinstance(left, Characters) and not isinstance(right, Characters):
        return False
    return symbolic_type(left) is symbolic_type(right) and len(left) > 1  # type: ignore[arg-type]


def contains(item: Any, container: Any) -> Any:
    if isinstance(container, list | tuple):
        return any_of(equal(element, item) for element in container)
    if isinstance(container, Subset):
        pairs = zip(container.members, container.flags, strict=True)
        return any_of(all_of([equal(item, member), flag]) for member, flag in pairs)
    if isinstance(container, dict):
        return any_of(equal(item, key) for key in container)
    if isinstance(container, range) and _term(item) is not None:
        if len(container) == 0:
            return False
        low, high = min(container), max(container)
        step = abs(container.step)
        inside = [item >= low, item <= high]
        return all_of(inside if step == 1 else [*inside, (item - low) % step == 0])
    if not isinstance(container, Characters):
        return symbolic_contains(container, item)
    if _term(item) is not None or isinstance(item, int):  # of bytes
        return any_of(equal(code, item) for code in container)
    if len(item) == 1:
        return any_of(equal(container[i : i + 1], item) for i in range(len(container)))
    return item in container


_OF_EVERY_CHARACTER = {"isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isspace"}


def method(owner: Any, name: str) -> Callable[..., Any]:
    """`owner.name`, to be called; an object has what its constructor takes."""
    if isinstance(owner, Made):
        return owner.arguments[name]  # type: ignore[return-value]
    if name in _OF_EVERY_CHARACTER and isinstance(owner, Characters):
        return lambda: (
            len(owner) > 0 and all_of(getattr(owner[i : i + 1], name)() for i in range(len(owner)))
        )
    if name == "count" and isinstance(owner, list | tuple):
        return lambda item: total([choose(equal(x, item), lambda: 1, lambda: 0) for x in owner])
    return symbolic_method(owner, name)


def compare(symbol: str, left: Any, right: Any) -> Any:
    """`<` and its like; short sequences compare element by element, as one condition."""
    sequences = (isinstance(left, kind) and isinstance(right, kind) for kind in (list, tuple))
    if not any(sequences) or min(len(left), len(right)) > _LONGEST_LEXICAL:
        return _COMPARE[symbol](left, right)
    if symbol[0] == ">":
        return compare(symbol.replace(">", "<"), right, left)
    result: Any = _COMPARE[symbol](len(left), len(right))
    for x, y in reversed(list(zip(left, right, strict=False))):
        settled = compare("<", x, y)
        result = any_of([settled, all_of([equal(x, y), result])])
    return result


def ordered(values: Any) -> Any:
    """`values == sorted(values)`; what `sorted` gives is equal to lists only."""
    if not isinstance(values, list):
        return False
    return all_of(compare("<=", x, y) for x, y in pairwise(values))


def distinct(values: Any) -> Any:
    """`len(set(values)) == len(values)`, without hashing."""
    items = list(values)
    if not any(is_symbolic(item) for item in items):
        return len(set(items)) == len(items)
    if all(isinstance(item, Symbolic) for item in items):
        return all_of(x != y for x, y in combinations(items, 2))
    return all_of(invert(equal(x, y)) for x, y in combinations(items, 2))


def is_symbolic(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(is_symbolic, value))
    return not isinstance(value, int | float | str | bytes)


def extreme(which: str, symbol: str, values: Iterable[Any], other: Any) -> Any:
    """`max(values) < other` and its like, as a condition on every value or on some."""
    items = list(values)
    find = max if which == "max" else min
    if not items or not any(map(is_symbolic, items)):
        return _COMPARE[symbol](find(items), other)
    reach = _COMPARE["<=" if which == "max" else ">="]
    if symbol in ("==", "!="):
        attained = any_of(item == other for item in items)
        same = all_of([all_of(reach(item, other) for item in items), attained])
        return same if symbol == "==" else invert(same)
    of_all = symbol[0] == ("<" if which == "max" else ">")
    each: Iterator[Any] = (_COMPARE[symbol](item, other) for item in items)
    return all_of(each) if of_all else any_of(each)


def total(values: Iterable[Any], start: Any = 0) -> Any:
    """`sum`, as a balanced tree of additions: a long sum is not a deep term."""
    row = list(values)
    if not any(_term(value) is not None for value in row):
        return sum(row, start)
    while len(row) > 1:
        pairs = [row[i] + row[i + 1] for i in range(0, len(row) - 1, 2)]
        row = pairs if len(row) % 2 == 0 else [*pairs, row[-1]]
    return start + row[0]


def length(value: Any) -> Any:
    """`len`, of a set the number of its flags that hold."""
    if isinstance(value, Subset):
        return total(choose(flag, lambda: 1, lambda: 0) for flag in value.flags)
    return len(value)


HELPERS: dict[str, Callable[..., Any]] = {
    "@and": both,
    "@or": either,
    "@not": invert,
    "@if": choose,
    "@all": all_of,
    "@any": any_of,
    "@eq": equal,
    **{f"@{symbol}": partial(compare, symbol) for symbol in ("<", "<=", ">", ">=")},
    "@ordered": ordered,
    "@method": method,
    **{
        f"@{name}": SUBSTITUTES[name]
        for name in ("bool", "chr", "float", "int", "ord", "pow", "str")
    },
}
"""What `members.py` adds those of sets to."""
