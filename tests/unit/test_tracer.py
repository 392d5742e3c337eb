"""Traced runs: places, counters, definitions."""

from __future__ import annotations

from xsynth.program.cells import cells_of
from xsynth.trace.events import Assign, Clause
from xsynth.trace.run import Outcome, run
from xsynth.trace.source import Witness
from xsynth.trace.terms import Cell, Const, Def


def trace(target, **arguments):
    scale = max(len(v) for v in arguments.values() if hasattr(v, "__len__"))
    outcome = run(target, scale, Witness(cells_of(target.spec, scale, arguments)))
    assert isinstance(outcome, Outcome)
    return outcome


def counters(outcome, line):
    clauses = [e for e in outcome.trace.events if isinstance(e, Clause)]
    return [(e.at, e.taken) for e in clauses if e.place.site.line == line]


def test_counters_of_nested_loops(program):
    target = program(
        """
        def f(a: list[int]) -> None:
            for i in range(len(a)):
                for j in range(i):
                    if a[j] > a[i]:
                        break
        """
    )
    outcome = trace(target, a=[3, 1, 2])
    assert [at[1:] for at, _ in counters(outcome, 5)] == [(1, 0), (2, 0)]


def test_a_while_test_is_one_place_and_its_last_failure_has_the_next_counter(program):
    target = program(
        """
        def f(a: list[int]) -> None:
            i = 0
            while i < len(a) and a[i] > 0:
                i += 1
        """
    )
    outcome = trace(target, a=[5, 5, 0])
    assert [(at[1:], taken) for at, taken in counters(outcome, 4)] == [
        ((0,), True),
        ((1,), True),
        ((2,), False),
    ]
    assert len({e.place for e in outcome.trace.events}) == 1


def test_break_return_and_exceptions_cut_the_stack(program):
    target = program(
        """
        def g(a, i):
            for x in a:
                for y in a:
                    if y > x:
                        return i
            raise KeyError(i)

        def f(a: list[int]) -> None:
            for i in range(2):
                try:
                    g(a, i)
                except KeyError:
                    pass
                if a[0] > 1:
                    pass
        """,
        "f",
    )
    for a in ([1, 1], [1, 2]):
        after = counters(trace(target, a=a), 15)
        assert [at[1:] for at, _ in after] == [(0,), (1,)]


def test_recursion_is_a_loop_over_calls(program):
    target = program(
        """
        def f(a: list[int], i: int = 0) -> int:
            if i == len(a):
                return 0
            if a[i] > 0:
                return 1 + f(a, i + 1)
            return f(a, i + 1)
        """
    )
    outcome = trace(target, a=[1, 0, 1], i=0)
    assert counters(outcome, 5) == [((0,), True), ((1,), False), ((2,), True)]
    assert len({e.place for e in outcome.trace.events if isinstance(e, Clause)}) == 1


def test_computed_values_are_named_and_copies_keep_their_name(program):
    target = program(
        """
        def f(a: list[int]) -> bool:
            total = 0
            for x in a:
                total += x
                copy = total
            return copy > 3
        """
    )
    outcome = trace(target, a=[1, 2, 3])
    names = [e.target for e in outcome.trace.events if isinstance(e, Assign)]
    # 0 + a[0] is a[0] itself; the two sums after it are new.
    assert [type(name.value.args[0]) for name in names] == [Cell, Def]
    assert names[1].value.args[0] == names[0]


def test_sum_is_named_piece_by_piece(program):
    target = program(
        """
        def f(a: list[int]) -> bool:
            return sum(a) > 3
        """
    )
    outcome = trace(target, a=[1, 2, 3, 4])
    names = [e.target for e in outcome.trace.events if isinstance(e, Assign)]
    assert len(names) == len(set(names)) == 3


def test_a_symbolic_index_is_a_clause(program):
    target = program(
        """
        def f(a: list[int]) -> int:
            return a[a[0]]
        """,
        ranges={"a": "0..2"},
    )
    outcome = trace(target, a=[2, 0, 0])
    (clause,) = outcome.trace.events
    assert isinstance(clause, Clause)
    assert clause.taken
    assert clause.term.args == (
        Cell("a", (0,), clause.term.args[0].sort),
        Const(2, clause.term.args[1].sort),
    )


def test_counts_are_those_of_the_plain_run(program):
    target = program(
        """
        def f(a: list[int]) -> int:
            best = a[0]
            for x in a:
                if x > best:
                    best = x
                elif x == best:
                    continue
                while best > 5:
                    best -= 2
            return [best for _ in a if best > 0][0] if best > 0 else 0
        """
    )
    for a in ([1, 2, 3], [9, 1, 9], [0, 0, 0]):
        assert trace(target, a=a).cost == target.replay({"a": a}).cost


def test_a_call_has_one_place_however_often_it_ran(program):
    """Python 3.11 specialises calls of built-ins, and makes them at another instruction then."""
    target = program(
        """
        from collections import deque

        def fill(a: list[int]) -> None:
            seen = deque([3])
            for x in a:
                seen.count(x)
        """
    )
    clauses = [e for e in trace(target, a=[0] * 40).trace.events if isinstance(e, Clause)]
    assert len(clauses) == 40
    assert len({id(clause.place) for clause in clauses}) == 1


def test_an_index_has_one_place_however_often_it_ran(program):
    """Python 3.11 calls `__getitem__` itself once it has seen it, and stands further on then."""
    target = program(
        """
        class Row:
            def __init__(self, items):
                self.items = items

            def __getitem__(self, i):
                return 1 if self.items[i] > 0 else 0

        def count(a: list[int]) -> int:
            row = Row(a)
            found = 0
            for i in range(len(a)):
                found += row[i]
            return found
        """
    )
    outcome = trace(target, a=[1] * 40)
    places = {e.place for e in outcome.trace.events if isinstance(e, Clause)}
    assert len(places) == 1
