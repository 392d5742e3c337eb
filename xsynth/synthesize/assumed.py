"""Assumptions about the input as columns of clauses."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from xsynth.model.patterns import Pattern, arity, leaves_of, split
from xsynth.synthesize.condition import ClauseColumn
from xsynth.trace.terms import Apply, Op, Term

_SHALLOW = 64
"""Terms less deep than this are taken as they are."""


def extra_columns(terms: Iterable[Term]) -> list[ClauseColumn]:
    """Assumptions as columns: conjunctions taken apart, terms of one pattern together."""
    groups: dict[Pattern, list[tuple[int, ...]]] = {}
    last: Pattern | None = None
    rows: list[tuple[int, ...]] = []
    waiting = list(terms)[::-1]
    while waiting:
        term = waiting.pop()
        if type(term) is Apply and term.op is Op.AND:
            waiting.extend(term.args[::-1])
            continue
        # A term of an assumption mostly has the pattern of the one before.
        leaves = None if last is None else leaves_of(last, term)
        if leaves is None:
            last, leaves = split(balanced(term))
            rows = groups.setdefault(last, [])
        rows.append(leaves)
    return [
        ClauseColumn(pattern, np.array(rows, dtype=np.int64).reshape(len(rows), arity(pattern)))
        for pattern, rows in groups.items()
    ]


def balanced(term: Term) -> Term:
    """The same term with long sums as trees of logarithmic depth, so that it can be split.

    A sum over the whole input, as assumptions have, is as deep as the input is long.
    """
    return term if _is_shallow(term) else _rebuilt(term)


def _is_shallow(term: Term) -> bool:
    level: list[Term] = [term]
    for _ in range(_SHALLOW):
        level = [a for t in level if isinstance(t, Apply) for a in t.args]
        if not level:
            return True
    return False


def _rebuilt(term: Term) -> Term:
    match term:
        case Apply(op=Op.ADD | Op.SUB | Op.NEG, sort=sort):
            parts: list[Term] = []
            waiting: list[tuple[Term, bool]] = [(term, False)]
            while waiting:
                part, minus = waiting.pop()
                match part:
                    case Apply(op=Op.ADD | Op.SUB as op, args=(left, right)):
                        waiting += [(right, minus is not (op is Op.SUB)), (left, minus)]
                    case Apply(op=Op.NEG, args=(inner,)):
                        waiting.append((inner, not minus))
                    case _:
                        whole = _rebuilt(part)
                        parts.append(Apply(Op.NEG, (whole,), part.sort) if minus else whole)
            while len(parts) > 1:
                odd = parts[len(parts) - len(parts) % 2 :]
                pairs = zip(parts[::2], parts[1::2], strict=False)
                parts = [Apply(Op.ADD, pair, sort) for pair in pairs] + odd
            return parts[0]
        case Apply(op=op, args=args, sort=sort):
            return Apply(op, tuple([_rebuilt(a) for a in args]), sort)
        case _:
            return term
