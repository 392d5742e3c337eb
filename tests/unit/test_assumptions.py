"""A precondition as a term means what Python makes of it on the same values."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xsynth.errors import InputSpecError
from xsynth.program.assumptions import assumption_holds, assumption_term
from xsynth.program.inputs import read_spec
from xsynth.trace.proxies import recording
from xsynth.trace.terms import Apply, Cell, Op, Sort, Term, Value, evaluate


def target(
    a: list[int],
    b: list[int],
    k: int,
    p: bool,
    x: float,
    s: str,
    d: bytes,
    e: list[tuple[int, int]],
    w: list[list[int]],
) -> None: ...


SPEC = read_spec(target, sizes={"e": "2"})

BRANCH_FREE = [
    "all(x <= y for x, y in zip(a, a[1:]))",
    "a == sorted(a)",
    "sorted(a) == a",
    "a != sorted(a)",
    "e == sorted(e)",
    "len(set(a)) == len(a)",
    "len(a) != len(set(a))",
    "len(set(a)) == n",
    "len(set(a)) > 1",
    "2 > len(set(a))",
    "1 < len({v % 2 for v in a}) <= k",
    "len(set(a + b)) == 4",
    "len(set(a)) == len(set(b))",
    "len(set(a + b)) != 5",
    "set(a) == set(b)",
    "set(a) != {0, 1}",
    "set(a) <= {0, 1, k}",
    "set(a) < set(b)",
    "{k, 1} >= set(a)",
    "k in set(a)",
    "k not in {v + 1 for v in a}",
    "not set(a) & set(b)",
    "set(a).isdisjoint(b)",
    "set(a).issubset(set(b) | {0})",
    "len(set(a) - set(b)) == 1",
    "len(set(a) ^ set(b)) < 3",
    "sum(set(a)) > 2",
    "sum(set(a) & {1, 2}) == k",
    "max(set(a)) <= k",
    "all(v > 0 for v in set(a) if v != k)",
    "len(set(s)) == len(s)",
    "set(s) <= set('abc')",
    "len(set(e)) > 1",
    "len({x for x, y in e} | set(a)) >= 2",
    "a[0] != a[-1]",
    "a.count(0) == 1",
    "max(a) <= 10",
    "float(k) < 1",
    "k > 0 and k < n or p",
    "not p and not (k == 0)",
    "0 <= k < 3 < n + k",
    "k if p else not k",
    "(k if p else -k) > 0",
    "(k or 2) > 1",
    "(k and 2) > 1",
    "(k and p) == 0",
    "k",
    "p",
    "not k",
    "x",
    "x < k / 2 <= 1.5",
    "any(v == k for v in a)",
    "all([v > k for v in a])",
    "all(v > 0 for v in a if v != k)",
    "any(v > 0 for v in a if v != k if p)",
    "all(v != u for i, v in enumerate(a) for u in a[:i])",
    "all(all(v >= 0 for v in row) for row in w)",
    "all(w[i][j] == w[j][i] for i in range(n) for j in range(i))",
    "sum(a) > 2",
    "sum(v for v in a if v > 0) >= k",
    "sum(1 for v in a if v == k) <= 1",
    "sum(v > 0 for v in a) <= 1",
    "k in a",
    "k not in a",
    "k in range(1, 3)",
    "k in range(3, -2, -2)",
    "k in (0, 2)",
    "(k, 1) in e",
    "a == b",
    "a != b",
    "a == a[::-1]",
    "w == [a, b, a]",
    "a < b",
    "a >= b",
    "(k, a[0]) <= (a[1], 2)",
    "e[0] < e[1]",
    "max(a) <= k",
    "k < max(a)",
    "min(a) >= 0",
    "min(a) < k",
    "max(a) == k",
    "min(a) != k",
    "max(v + 1 for v in a) > 2",
    "min(len(a), 2) == 2",
    "bool(k) == p",
    "int(p) == k",
    "abs(k) < 2",
    "a.count(k) == 1",
    "s == s[::-1]",
    "s == 'aba'",
    "s[0] in 'ac'",
    "'b' in s",
    "s[0] not in s[1:]",
    "97 in d",
    "k + 97 in d",
    "d[0] == 97 or d == b'bca'",
    "s == d",
    "s.isalpha()",
    "s.isdigit() or p",
    "ord(s[0]) < 98",
    "all(c < 'c' for c in s)",
    "all('a' <= c <= 'b' for c in s)",
    "n == 3",
    "len(a) < n",
    "not a",
    "[] == () or {1: 2}[1] == 2",
    "all(v is not None for v in a)",
]

DECIDING = [
    "sorted(a) == b",
    "1 // k > 0 if k else p",
    "sorted(a)[0] == k",
    "min(a) + max(a) > 0",
    "min(a, b) == a",
    "sorted(a) == sorted(b)",
    "a[k % n] > 0",
    "len({v: 1 for v in a}) > 1",
    "k in dict(zip(a, b))",
    "{k: 1, 0: 2}[0] == 2",
    "dict(zip(a, b))[a[0]] == b[0]",
    "sum(v for v in set(a)) == k",
    "len([v for v in set(a) if v]) == 1",
    "chr(k + 98) == 'b'",
    "divmod(k, 2)[0] == 0",
    "sum(map(abs, a)) > 2",
    "sorted(set(a)) == a",
    "a.index(max(a)) == 0",
    "s.startswith('ab')",
    "[v for v in a if v > 0] == [1]",
    "max(a) == max(b)",
    "k == 0 or 6 % k == 0",
]


class Follow:
    """A recorder that takes the side these values take."""

    def __init__(self, cells: dict[Cell, Value]) -> None:
        self.cells = cells

    def test(self, term: Term, frame: FrameType) -> bool:
        return bool(evaluate(term, self.cells))

    def value(self, term: Term, frame: FrameType) -> int:
        return int(evaluate(term, self.cells))

    def name(self, term: Term, frame: FrameType) -> Term:
        return term


VALUES = {
    Sort.INT: st.integers(-1, 3),
    Sort.BOOL: st.booleans(),
    Sort.REAL: st.fractions(-1, 2, max_denominator=2),
}
CHARACTERS = st.sampled_from([97, 98, 99, 49])


@st.composite
def cells(draw: st.DrawFn) -> dict[Cell, Value]:
    return {
        cell: draw(CHARACTERS if cell.name in ("s", "d") else VALUES[cell.sort])
        for cell, _, _ in SPEC.domains(3)
    }


def plain_arguments(values: dict[Cell, Value], n: int) -> dict[str, object]:
    by_name = {(cell.name, cell.index): value for cell, value in values.items()}
    return SPEC.concrete(n, lambda name, index: by_name[name, index])


def python(text: str, arguments: dict[str, object], n: int) -> bool:
    return bool(eval(text, {"n": n, **arguments}))


@settings(max_examples=20, deadline=None)
@given(values=cells())
@pytest.mark.parametrize("text", BRANCH_FREE)
def test_no_decision_and_the_same_meaning(text: str, values: dict[Cell, Value]) -> None:
    arguments = plain_arguments(values, 3)
    expected = python(text, arguments, 3)
    assert assumption_holds(text, arguments, {"n": 3}) is expected
    # Outside `recording`, a decision is an error.
    term = assumption_term(text, SPEC.symbolic(3), {"n": 3})
    assert (term if isinstance(term, bool) else evaluate(term, values)) == expected


@settings(max_examples=15, deadline=None)
@given(values=cells())
@pytest.mark.parametrize("text", DECIDING)
def test_what_must_decide_has_the_same_meaning(text: str, values: dict[Cell, Value]) -> None:
    arguments = plain_arguments(values, 3)
    expected = python(text, arguments, 3)
    assert assumption_holds(text, arguments, {"n": 3}) is expected
    with recording(Follow(values)):
        term = assumption_term(text, SPEC.symbolic(3), {"n": 3})
    assert (term if isinstance(term, bool) else evaluate(term, values)) == expected


REFUSED = [
    ("a <", "not a Python expression"),
    ("a = 1", "not a Python expression"),
    ("b > 0", "unknown name b"),
    ("open('x')", "unknown name open"),
    ("__import__('os')", "unknown name __import__"),
    ("a.__class__", "__class__"),
    ("a.append(1)", "append"),
    ("a.sort()", "sort"),
    ("set(a).add(1)", "add"),
    ("set(a).intersection_update(a)", "intersection_update"),
    ("'{0.x}'.format(a)", "format"),
    ("(lambda: 1)()", "Lambda"),
    ("(c := 1)", "NamedExpr"),
    ("f'{a}'", "JoinedStr"),
    ("a[9] > 0", "at n = 2: IndexError"),
    ("1 // 0 > 0", "ZeroDivisionError"),
    ("len(3) > 0", "TypeError"),
    ("all(v for v in a) and v", "NameError"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_what_is_refused_quotes_the_text(text: str, message: str) -> None:
    with pytest.raises(InputSpecError, match=message) as raised:
        assumption_holds(text, {"a": [1, 2]}, {"n": 2})
    assert f"`{text}`" in raised.value.found
    assert raised.value.advice


def test_a_parameter_may_have_the_name_of_a_built_in() -> None:
    assert assumption_holds(
        "max == 3 and sum[0] == 1 and n == 7", {"max": 3, "sum": [1], "n": 7}, {"n": 2}
    )
    assert assumption_holds("all(len > 0 for len in a)", {"a": [1]}, {"n": 1})


def pairwise_conjuncts(term: Term | bool) -> Iterator[Term]:
    assert isinstance(term, Apply) and term.op is Op.AND
    yield from term.args


@pytest.mark.parametrize("text", ["all(x <= y for x, y in zip(a, a[1:]))", "a == sorted(a)"])
def test_a_long_list_is_quick(text: str) -> None:
    def f(a: list[int]) -> None: ...

    arguments = read_spec(f).symbolic(500)
    assumption_term(text, arguments, {"n": 500})
    start = time.perf_counter()
    term = assumption_term(text, arguments, {"n": 500})
    assert time.perf_counter() - start < 0.05
    conjuncts = list(pairwise_conjuncts(term))
    assert len(conjuncts) == 499
    first, second = Cell("a", (0,), Sort.INT), Cell("a", (1,), Sort.INT)
    assert conjuncts[0] == Apply(Op.LE, (first, second), Sort.BOOL)


def test_a_long_sum_is_not_a_deep_term() -> None:
    def f(a: list[int]) -> None: ...

    term = assumption_term("sum(a) == n", read_spec(f).symbolic(5000), {"n": 5000})
    values: dict[Cell, Value] = {Cell("a", (i,), Sort.INT): 1 for i in range(5000)}
    assert not isinstance(term, bool) and evaluate(term, values) is True
