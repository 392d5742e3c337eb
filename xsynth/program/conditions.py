"""Python's Boolean operations on values that may be symbolic, without a decision.

These are what `assumptions.py` puts in place of `and`, `all(...)`, `==` of lists
and the like.  On plain values each does what Python does.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from xsynth.trace.terms import Apply, Op, Sort, Term, const, negate


def _term(value: object) -> Term | None:
    """The term of a symbolic scalar; None for a plain value or a container."""
    from xsynth.trace.proxies.base import Symbolic

    return value.term if isinstance(value, Symbolic) else None


def _wrap(term: Term) -> Any:
    from xsynth.trace.proxies import wrap

    return wrap(term)


def truth(value: object) -> Term | bool:
    """What `bool(value)` is, as a term where it depends on the input."""
    if value is True or value is False:
        return value
    term = _term(value)
    if term is None:
        return bool(value)
    if term.sort is Sort.BOOL:
        return term
    zero = const(Fraction(0)) if term.sort is Sort.REAL else const(0)
    return Apply(Op.NE, (term, zero), Sort.BOOL)


def _as_value(condition: Term | bool) -> Any:
    return condition if isinstance(condition, bool) else _wrap(condition)


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
    return _wrap(terms[0] if len(terms) == 1 else Apply(op, tuple(terms), Sort.BOOL))


def all_of(conditions: Iterable[object]) -> Any:
    return _combine(Op.AND, conditions)


def any_of(conditions: Iterable[object]) -> Any:
    return _combine(Op.OR, conditions)


def _joined(op: Op, operands: tuple[Callable[[], object], ...]) -> Any:
    """`and` or `or`: the value of an operand, as in Python, unless all are Boolean."""
    values: list[object] = []
    for operand in operands:
        value = operand()
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
    return not side if isinstance(side, bool) else _wrap(negate(side))


def choose(test: object, then: Callable[[], object], otherwise: Callable[[], object]) -> Any:
    """`then if test else otherwise`; a choice between containers is a decision."""
    side = truth(test)
    if isinstance(side, bool):
        return then() if side else otherwise()
    from xsynth.trace.proxies.base import unwrap

    first, second = then(), otherwise()
    if first is second:
        return first
    try:
        branches = unwrap(first), unwrap(second)
    except TypeError:
        return first if _wrap(side) else second
    sorts = {branch.sort for branch in branches}
    if len(sorts) > 1 and Sort.BOOL in sorts:
        return first if _wrap(side) else second
    sort = Sort.REAL if Sort.REAL in sorts else branches[0].sort
    return _wrap(Apply(Op.ITE, (side, *branches), sort))


def equal(left: Any, right: Any) -> Any:
    """`==`, of lists and tuples element by element."""
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        if isinstance(left, list) is not isinstance(right, list) or len(left) != len(right):
            return False
        return all_of(map(equal, left, right))
    return left == right


def contains(item: Any, container: Any) -> Any:
    if isinstance(container, list | tuple):
        return any_of(equal(element, item) for element in container)
    if isinstance(container, range) and _term(item) is not None:
        if len(container) == 0:
            return False
        low, high = min(container), max(container)
        step = abs(container.step)
        inside = [item >= low, item <= high]
        return all_of(inside if step == 1 else [*inside, (item - low) % step == 0])
    if isinstance(container, str) and not isinstance(item, str) and len(item) == 1:
        return any_of(item == character for character in container)
    return item in container


def ordered(values: Any) -> Any:
    """`values == sorted(values)`, of a list."""
    if not isinstance(values, list):
        return equal(values, sorted(values))
    return all_of(map(operator.le, values, values[1:]))


def distinct(values: Any) -> Any:
    """`len(set(values)) == len(values)`, without hashing."""
    items = list(values)
    if not any(_symbolic(item) for item in items):
        return len(set(items)) == len(items)
    return all_of(invert(equal(x, y)) for i, x in enumerate(items) for y in items[i + 1 :])


def _symbolic(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_symbolic, value))
    return not isinstance(value, int | float | str | bytes)


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def extreme(which: str, symbol: str, values: Iterable[Any], other: Any) -> Any:
    """`max(values) < other` and its like, as a condition on every value or on some."""
    items = list(values)
    find = max if which == "max" else min
    if not items or not any(map(_symbolic, items)):
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


def to_bool(*values: object) -> Any:
    return _as_value(truth(values[0])) if values else False


def to_int(*values: Any) -> Any:
    term = _term(values[0]) if len(values) == 1 else None
    if term is None or term.sort is Sort.REAL:
        return int(*values)
    return values[0] if term.sort is Sort.INT else choose(values[0], lambda: 1, lambda: 0)


def code_of(character: Any) -> Any:
    if isinstance(character, str | bytes):
        return ord(character)
    (only,) = character.chars
    return ord(only) if isinstance(only, str) else only if isinstance(only, int) else _wrap(only)


HELPERS: dict[str, Callable[..., Any]] = {
    "@and": both,
    "@or": either,
    "@not": invert,
    "@if": choose,
    "@all": all_of,
    "@any": any_of,
    "@eq": equal,
    "@in": contains,
    "@ordered": ordered,
    "@distinct": distinct,
    "@extreme": extreme,
    "@sum": total,
    "@bool": to_bool,
    "@int": to_int,
    "@ord": code_of,
}
"""By the name that the rewritten tree calls them; no user can write such a name."""
