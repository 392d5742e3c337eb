"""A trace by order: its comparisons of input elements, reduced to what carries the rest.

A path that compares elements and nothing else says: these are in this order.  The same
set of inputs has a description of its own, without the program's loops: equalities
condensed, the transitive reduction of what is left.  The n(n-1)/2 comparisons of a
sorting run become a chain of n - 1, and recursion and irregular walks are gone.

`by_order` replaces the clauses of that kind by the reduced ones, in rising order, at a
place of their own; everything else in the trace stays.  `as_input` goes one step further where
a plain input takes the path: its own order, whole, is simpler than the part of it that the
path happens to ask for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from xsynth.trace.events import Clause, Event, Trace
from xsynth.trace.terms import Apply, Cell, Op, Place, Site, Sort, Term, Value

ORDER = Place(Site("order", 0, 0), (Site("order", 0, 0),))
"""Where reduced comparisons are said to be made."""
INPUT = Place(Site("input", 0, 0), (Site("input", 0, 0),))
"""Where the comparisons of a whole input with itself are said to be made."""
WRITTEN = Place(Site("value", 0, 0), (Site("value", 0, 0),))
"""Where the values of a whole input are said to be given."""
MOST_CELLS = 1200
"""Beyond this the closure of the order takes too long."""

NONE, WEAK, STRICT = 0, 1, 2
Relation = npt.NDArray[np.uint8]

_RELATIONS = {
    Op.LT: (STRICT, False),
    Op.LE: (WEAK, False),
    Op.GT: (STRICT, True),
    Op.GE: (WEAK, True),
}


def by_order(trace: Trace) -> Trace | None:
    """The same path by order; None where it compares no two elements, or too many."""
    order = [event for event in trace.events if _compares_cells(event)]
    conditions = [event.condition for event in order if isinstance(event, Clause)]
    cells = sorted({cell for c in conditions for cell in _sides(c)}, key=_cell_key)
    if not order or len(cells) > MOST_CELLS:
        return None
    rest = tuple(event for event in trace.events if not _compares_cells(event))
    return replace(trace, events=(*rest, *_reduced(conditions, cells)))


def without_comparisons(trace: Trace) -> Trace:
    """What a path says besides comparing elements."""
    return replace(trace, events=tuple(e for e in trace.events if not _compares_cells(e)))


def as_input(trace: Trace, values: Mapping[Cell, Value]) -> Trace | None:
    """The path by the order of all elements of an input that takes it, as they are there.

    That says more than the path demands, but never less: a comparison of two elements has
    one outcome under a given order of all of them.  None where no two are compared.
    """
    met = {cell for e in trace.events if _compares_cells(e) for cell in _sides_of(e)}
    if not met:
        return None
    groups: dict[Value, list[Cell]] = {}
    for cell in sorted(met, key=_cell_key):
        groups.setdefault(values[cell], []).append(cell)
    rising = [groups[value] for value in sorted(groups)]
    equal = [(own[0], other) for own in rising for other in own[1:]]
    equal.sort(key=lambda pair: (_cell_key(pair[0]), _cell_key(pair[1])))
    events: list[Event] = [
        replace(_clause(Op.EQ, one, other, k), place=INPUT) for k, (one, other) in enumerate(equal)
    ]
    events += [
        replace(_clause(Op.LT, low[0], high[0], k), place=INPUT)
        for k, (low, high) in enumerate(pairwise(rising))
    ]
    rest = without_comparisons(trace)
    return replace(rest, events=(*rest.events, *events))


def _sides_of(event: Event) -> tuple[Cell, Cell]:
    assert isinstance(event, Clause)
    return _sides(event.condition)


def _cell_key(cell: Cell) -> tuple[str, tuple[int, ...]]:
    return (cell.name, cell.index)


def _compares_cells(event: Event) -> bool:
    if not isinstance(event, Clause):
        return False
    term = event.term
    return (
        isinstance(term, Apply)
        and len(term.args) == 2
        and all(type(a) is Cell and a.sort is not Sort.BOOL for a in term.args)
    )


def _sides(condition: Term) -> tuple[Cell, Cell]:
    assert isinstance(condition, Apply)
    left, right = condition.args
    assert isinstance(left, Cell)
    assert isinstance(right, Cell)
    return left, right


def _reduced(conditions: Sequence[Term], cells: Sequence[Cell]) -> list[Event]:
    number = {cell: i for i, cell in enumerate(cells)}
    relation = np.zeros((len(cells), len(cells)), dtype=np.uint8)
    unequal: set[tuple[int, int]] = set()
    for condition in conditions:
        assert isinstance(condition, Apply)
        left, right = (number[side] for side in _sides(condition))
        if condition.op is Op.EQ:
            relation[left, right] = max(relation[left, right], WEAK)
            relation[right, left] = max(relation[right, left], WEAK)
        elif condition.op is Op.NE:
            unequal.add((min(left, right), max(left, right)))
        else:
            strength, swapped = _RELATIONS[condition.op]
            low, high = (right, left) if swapped else (left, right)
            relation[low, high] = max(relation[low, high], strength)
    closure = _closure(relation)
    leader = _leaders(closure)
    first = sorted(set(leader))
    followers = [i for i, leads in enumerate(leader) if leads != i]
    events = [_clause(Op.EQ, cells[leader[i]], cells[i], k) for k, i in enumerate(followers)]
    rank = _ranks(closure[np.ix_(first, first)])
    edges = _edges(closure[np.ix_(first, first)])
    edges.sort(key=lambda e: (rank[e[0]], rank[e[1]], e[0], e[1]))
    events += [
        _clause(Op.LT if strict else Op.LE, cells[first[i]], cells[first[j]], k)
        for k, (i, j, strict) in enumerate(edges)
    ]
    apart = sorted(
        (i, j)
        for i, j in {tuple(sorted((leader[a], leader[b]))) for a, b in unequal}
        if STRICT not in (closure[i, j], closure[j, i])
    )
    events += [_clause(Op.NE, cells[i], cells[j], k) for k, (i, j) in enumerate(apart)]
    return list(events)


def _clause(op: Op, left: Cell, right: Cell, k: int) -> Clause:
    return Clause(ORDER, (k,), Apply(op, (left, right), Sort.BOOL), True)


def _closure(relation: Relation) -> Relation:
    """Warshall: a path is as strong as its strongest step."""
    closure = relation.copy()
    for k in range(len(closure)):
        into, out = closure[:, k], closure[k, :]
        rows, columns = np.flatnonzero(into), np.flatnonzero(out)
        if len(rows) and len(columns):
            through = np.maximum.outer(into[rows], out[columns])
            part = np.ix_(rows, columns)
            closure[part] = np.maximum(closure[part], through)
    return closure


def _leaders(closure: Relation) -> list[int]:
    """For each element the first one that it equals."""
    equal = (closure > NONE) & (closure.T > NONE)
    np.fill_diagonal(equal, True)
    return [int(i) for i in equal.argmax(axis=1)]


def _ranks(closure: Relation) -> list[int]:
    """How many elements are known to come before each."""
    return [int(count) for count in (closure > NONE).sum(axis=0)]


def _edges(closure: Relation) -> list[tuple[int, int, bool]]:
    """The transitive reduction: what no two steps together imply."""
    some = closure.copy()
    np.fill_diagonal(some, NONE)
    any_step = (some > NONE).astype(np.float32)
    strict_step = (some == STRICT).astype(np.float32)
    two_steps = any_step @ any_step > 0
    two_strict = (any_step @ strict_step + strict_step @ any_step) > 0
    kept_weak = (some == WEAK) & ~two_steps
    kept_strict = (some == STRICT) & ~two_strict
    return [
        (int(i), int(j), bool(kept_strict[i, j])) for i, j in np.argwhere(kept_weak | kept_strict)
    ]
