"""Sizes and values as a user types them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xsynth.errors import InputSpecError
from xsynth.program.expressions import literal, parse_size, parse_sizes, parse_value

SIZES = [
    pytest.param("n", 5, id="name"),
    pytest.param("7", 7, id="number"),
    pytest.param("n*(n-1)", 20, id="product"),
    pytest.param("-n + 2**3", 3, id="power"),
    pytest.param("n//2", 2, id="floor"),
    pytest.param("n % 3", 2, id="remainder"),
    pytest.param("max(n, 8) - min(n, 2)", 6, id="calls"),
    pytest.param("  n+1 ", 6, id="spaces"),
    pytest.param("(n\n+1)", 6, id="lines"),
]


@pytest.mark.parametrize(("text", "value"), SIZES)
def test_a_size_is_what_python_makes_of_it(text: str, value: int) -> None:
    size = parse_size(text)
    assert size.evaluate({"n": 5}) == value
    assert size.text == text.strip() or "\n" in text
    assert parse_size(size.text) == size and "\n" not in size.text


@pytest.mark.parametrize(
    "text",
    [
        *("", "n +", "n/2", "1.5", "'n'", "[n]", "n if n else 1", "n.bit_length()", "len(n)"),
        *("True", "__import__('os')", "n < 3", "(lambda: 1)()", "n and 2", "n & 1", "~n", "min"),
        *("range(n)", "max(n, key=n)", "max(*n)"),
    ],
)
def test_what_is_not_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(InputSpecError):
        parse_size(text).evaluate({"n": 5})


def test_a_size_can_fail_at_a_scale_without_a_traceback() -> None:
    for text in ("1//(n-5)", "2**-n", "9**9**9", "min()", "m"):
        with pytest.raises(InputSpecError, match="`"):
            parse_size(text).evaluate({"n": 5})


def test_several_dimensions() -> None:
    assert [s.text for s in parse_sizes("n,2*n, min(n, 3)")] == ["n", "2*n", "min(n, 3)"]


VALUES = [
    pytest.param("0", 0, id="number"),
    pytest.param("n", 3, id="scale"),
    pytest.param('"abc"', "abc", id="text"),
    pytest.param("b'ab' * n", b"ababab", id="bytes"),
    pytest.param("[0]*n", [0, 0, 0], id="repeat"),
    pytest.param(
        "[n-1, [1.5], (None, True), {'a': n}]", [2, [1.5], (None, True), {"a": 3}], id="d"
    ),
    pytest.param("list(range(n))", [0, 1, 2], id="range"),
    pytest.param("{1, 2}", {1, 2}, id="set"),
    pytest.param("-1.5", -1.5, id="negative"),
    pytest.param("[0,\n 1]", [0, 1], id="lines"),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_value_is_a_literal_or_an_expression(text: str, value: object) -> None:
    expression = parse_value(text)
    assert expression.evaluate({"n": 3}) == value
    assert len(expression.text.splitlines()) == 1
    assert parse_value(expression.text) == expression


@pytest.mark.parametrize(
    "text", ["open('x')", "[x for x in n]", "n.real", "{**n}", "f'{n}'", "a b"]
)
def test_what_is_not_a_value_is_refused(text: str) -> None:
    with pytest.raises(InputSpecError):
        parse_value(text).evaluate({"n": 3})


def test_an_unquoted_string_says_to_quote_it() -> None:
    with pytest.raises(InputSpecError, match="quotes"):
        parse_value("abc").evaluate({"n": 3})


def test_a_container_is_fresh_each_time() -> None:
    expression = parse_value("[0]*n")
    first = expression.evaluate({"n": 2})
    assert isinstance(first, list)
    first.append(1)
    assert expression.evaluate({"n": 2}) == [0, 0]


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.integers(), inner),
    max_leaves=8,
)  # fmt: skip


@given(LITERALS)
def test_a_literal_has_its_own_value(value: object) -> None:
    expression = literal(value)
    assert expression is not None
    assert expression.evaluate({}) == value


def test_what_has_no_literal() -> None:
    assert literal(object()) is None
    assert literal(float("inf")) is None
    assert literal(len) is None
