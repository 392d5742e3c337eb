"""The view by order: fewer clauses, the same inputs."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xsynth.model.order import INPUT, ORDER, as_input, by_order
from xsynth.trace.events import Clause, Trace
from xsynth.trace.terms import Apply, Cell, Op, Place, Site, Sort, const, evaluate

HERE = Place(Site("f", 1, 1), ())
COMPARISONS = [Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE]


def cell(i):
    return Cell("a", (i,), Sort.INT)


def clause(op, i, j):
    return Clause(HERE, (), Apply(op, (cell(i), cell(j)), Sort.BOOL), True)


def holds(events, values):
    cells = {cell(i): v for i, v in enumerate(values)}
    return all(evaluate(e.condition, cells) for e in events)


def test_the_comparisons_of_a_sorting_run_become_a_chain():
    pairs = [(i, j) for j in range(6) for i in range(j)]
    trace = Trace(6, tuple(clause(Op.GT, i, j) for i, j in pairs), ())
    reduced = by_order(trace)
    assert [e.term.args for e in reduced.events] == [
        (cell(i), cell(i - 1)) for i in range(5, 0, -1)
    ]
    assert all(e.place == ORDER and e.term.op is Op.LT for e in reduced.events)


def test_other_clauses_stay():
    other = Clause(HERE, (3,), Apply(Op.LT, (cell(0), const(7)), Sort.BOOL), True)
    reduced = by_order(Trace(3, (other, clause(Op.LT, 0, 1)), (1,)))
    assert reduced.events[0] == other
    assert reduced.counts == (1,)


def test_without_comparisons_there_is_no_such_view():
    assert by_order(Trace(3, (), ())) is None
    assert as_input(Trace(3, (), ()), {}) is None


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda t: t[0] != t[1]), min_size=1
    ),
    st.lists(st.integers(0, 3), min_size=5, max_size=5),
)
def test_the_order_of_the_input_decides_every_comparison(pairs, values):
    """Whoever has the same order takes the same side everywhere."""
    sides = [Op.LT if values[i] < values[j] else Op.GE for i, j in pairs]
    other = Clause(HERE, (3,), Apply(Op.LT, (cell(0), const(7)), Sort.BOOL), True)
    events = (*(clause(op, i, j) for op, (i, j) in zip(sides, pairs, strict=True)), other)
    seen = as_input(Trace(5, events, ()), {cell(i): v for i, v in enumerate(values)})
    assert other in seen.events
    own = [e for e in seen.events if e.place == INPUT]
    assert holds(own, values)
    for candidate in product(range(4), repeat=5):
        if holds(own, candidate):
            assert holds([e for e in events if e is not other], candidate)


@given(
    st.lists(
        st.tuples(st.sampled_from(COMPARISONS), st.integers(0, 3), st.integers(0, 3)).filter(
            lambda t: t[1] != t[2]
        ),
        min_size=1,
        max_size=9,
    ),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
)
def test_the_same_inputs_satisfy_both(constraints, seed):
    # Start from an input, so that the path is feasible, as that of a run is.
    cells = {cell(i): v for i, v in enumerate(seed)}
    events = []
    for op, i, j in constraints:
        term = Apply(op, (cell(i), cell(j)), Sort.BOOL)
        events.append(Clause(HERE, (), term, bool(evaluate(term, cells))))
    reduced = by_order(Trace(4, tuple(events), ()))
    assert len(reduced.events) <= len(events) + 4
    for values in product(range(4), repeat=4):
        assert holds(events, values) == holds(reduced.events, values)


@pytest.mark.parametrize("n", [2, 5, 9])
def test_equal_elements_are_condensed(n):
    pairs = [(i, j) for j in range(n) for i in range(j)]
    reduced = by_order(Trace(n, tuple(clause(Op.EQ, i, j) for i, j in pairs), ()))
    assert [e.term.op for e in reduced.events] == [Op.EQ] * (n - 1)
