"""Arrays as stretches, and worst inputs that are described alike from size to size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xsynth.model.by_value import Line, hypotheses, lines, points_of
from xsynth.model.stretches import alike, describe, form
from xsynth.synthesize.expand import expand_point
from xsynth.trace.terms import Sort

CASES = [
    pytest.param([4, 7, 6, 5, 3, 2, 1, 0], [(1, None), (1, -1), (1, -1)], id="one moved forward"),
    pytest.param([0, 0, 0, 0, 0], [(1, 0)], id="all equal"),
    pytest.param([0, 2, 4, 6, 8, 10], [(1, 2)], id="steps of two"),
    pytest.param([0, 9, 1, 8, 2, 7, 3, 6], [(2, 1), (2, -1)], id="two interleaved"),
    pytest.param([5], [(1, None)], id="one element"),
]


@pytest.mark.parametrize(("values", "expected"), CASES)
def test_describe(values, expected):
    assert list(form(describe(values))) == expected


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=20))
def test_a_description_has_every_element_once(values):
    found = {}
    for stretch in describe(values):
        for k in range(stretch.count):
            at = stretch.first + k * stretch.every
            assert at not in found
            found[at] = stretch.value + k * (stretch.step or 0)
    assert [found[i] for i in range(len(values))] == values


def test_descriptions_are_alike_where_only_lengths_differ():
    short, long, other = [1, 3, 2, 0], [2, 5, 4, 3, 1, 0], [2, 3, 4, 5, 1, 0]
    assert alike(form(describe([3, 2, 1])), form(describe([9, 8, 7, 6])))
    assert alike(form(describe(long)), form(describe([3, 7, 6, 5, 4, 2, 1, 0])))
    assert not alike(form(describe(long)), form(describe(other)))
    assert len(describe(short)) <= len(short)


@given(
    st.integers(-2, 2),
    st.integers(-6, 6),
    st.lists(st.integers(3, 30), min_size=3, max_size=6, unique=True),
)
def test_a_line_through_exact_values_is_found(times, plus, scales):
    exact = {n: (times * n + plus, times * n + plus) for n in scales}
    assert Line(times, plus, 1) in list(lines(exact))


def test_halves_are_found_where_no_whole_multiple_fits():
    middle = {n: (n // 2, n // 2) for n in (6, 7, 8, 9)}
    assert [line.at(11) for line in lines(middle)] == [5]


def test_a_hypothesis_says_the_same_as_generators_and_as_values():
    inputs = {
        n: {"a": describe([n // 2, *(v for v in range(n - 1, -1, -1) if v != n // 2)])}
        for n in (8, 9, 10)
    }
    [hypothesis, *_] = hypotheses(inputs)
    for n in (8, 11, 30):
        values = hypothesis.at(n, {"a": n})["a"]
        assert values == [n // 2, *(v for v in range(n - 1, -1, -1) if v != n // 2)]
        rows = [
            tuple(row)
            for point in points_of(hypothesis, {"a": Sort.INT})
            for _, leaves in expand_point(point, n)
            for row in leaves.tolist()
        ]
        assert sorted(rows) == list(enumerate(values))
