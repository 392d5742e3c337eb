"""From a signature and options to cells, arguments, and the lines of a model file."""

from __future__ import annotations

import collections
import json
import typing
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, Literal, Optional, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xsynth.errors import InputSpecError
from xsynth.program.annotations import shape_of
from xsynth.program.expressions import SizeExpr, parse_size, parse_value
from xsynth.program.inputs import InputSpec, Layout, Param, describe, parse_described, read_spec
from xsynth.program.markers import (
    MEASURED_HOOKS,
    AssumptionFailed,
    Range,
    assume,
    measured,
    problem,
)
from xsynth.program.shapes import (
    BYTES,
    STR,
    Choice,
    DictOf,
    FixedValue,
    ListOf,
    Scalar,
    SetOf,
    Shape,
    Text,
    TupleOf,
)
from xsynth.trace.terms import Cell, Sort

T = TypeVar("T")
Score = typing.NewType("Score", int)
N = SizeExpr("n")
ONE = SizeExpr("1")
NODE = Scalar(Sort.INT, 0, SizeExpr("n-1"))
INT, BOOL, REAL = Scalar(Sort.INT), Scalar(Sort.BOOL), Scalar(Sort.REAL)

SHAPES = [
    pytest.param(int, INT, id="int"),
    pytest.param(bool, BOOL, id="bool"),
    pytest.param(float, REAL, id="float"),
    pytest.param(str, STR, id="str"),
    pytest.param(bytes, BYTES, id="bytes"),
    pytest.param(list[int], ListOf(INT, N), id="list"),
    pytest.param(typing.List[int], ListOf(INT, N), id="List"),  # noqa: UP006
    pytest.param(Sequence[float], ListOf(REAL, N), id="Sequence"),
    pytest.param(typing.Iterable[int], ListOf(INT, N), id="Iterable"),
    pytest.param(typing.MutableSequence[bool], ListOf(BOOL, N), id="MutableSequence"),
    pytest.param(typing.Collection[int], ListOf(INT, N), id="Collection"),
    pytest.param(list[list[int]], ListOf(ListOf(INT, N), N), id="matrix"),
    pytest.param(tuple[int, str], TupleOf((INT, STR)), id="tuple"),
    pytest.param(tuple[()], TupleOf(()), id="empty"),
    pytest.param(tuple[int, ...], ListOf(INT, N, "tuple"), id="long tuple"),
    pytest.param(Optional[int], INT, id="Optional"),  # noqa: UP045
    pytest.param(list[int] | None, ListOf(INT, N), id="or None"),
    pytest.param(int | float, REAL, id="number"),
    pytest.param(list[T], ListOf(INT, N), id="TypeVar"),
    pytest.param(Annotated[int, Range(0, 9)], Scalar(Sort.INT, 0, 9), id="Range"),
    pytest.param(Annotated[list[int], Range(0)], ListOf(Scalar(Sort.INT, 0), N), id="outer"),
    pytest.param(list[Annotated[int, Range(0)]], ListOf(Scalar(Sort.INT, 0), N), id="inner"),
    pytest.param(Annotated[str, Range("a", "z")], Text("str", N, 97, 122), id="letters"),
    pytest.param(
        Annotated[float, Range(0, 0.1)],
        Scalar(Sort.REAL, Fraction(0), Fraction(1, 10)),
        id="decimal",
    ),
    pytest.param(Annotated[int, Range(0, "n-1")], Scalar(Sort.INT, 0, SizeExpr("n-1")), id="to n"),
    pytest.param(set[int], SetOf("int", N), id="set"),
    pytest.param(frozenset[str], SetOf("str", N, "frozenset"), id="frozenset"),
    pytest.param(dict[int, int], DictOf("int", INT, N), id="dict"),
    pytest.param(typing.Mapping[str, bool], DictOf("str", BOOL, N), id="Mapping"),
    pytest.param(dict[int, list[int]], DictOf("int", ListOf(NODE, ONE), N), id="graph"),
    pytest.param(
        dict[str, list[tuple[str, float]]],
        DictOf("str", ListOf(TupleOf((Choice((), N), REAL)), ONE), N),
        id="weighted graph of names",
    ),
    pytest.param(dict[int, set[int]], DictOf("int", SetOf("int", N), N), id="graph of sets"),
    pytest.param(typing.Iterator[int], ListOf(INT, N, "iterator"), id="Iterator"),
    pytest.param(collections.deque[int], ListOf(INT, N, "deque"), id="deque"),
    pytest.param(list[tuple[int, int, int]], ListOf(TupleOf((INT, INT, INT)), N), id="edges"),
    pytest.param(Literal["a", 2, None], Choice(("a", 2, None)), id="Literal"),
    pytest.param(Score, INT, id="NewType"),
    pytest.param(typing.TypeVar("S", bound="str"), STR, id="TypeVar with a bound"),
    pytest.param(typing.TypeVar("S", float, str), REAL, id="TypeVar with constraints"),
    pytest.param("dict[int, Literal['x', 'y']]", DictOf("int", Choice(("x", "y")), N), id="deep"),
    pytest.param("list[typing.Optional[int]]", ListOf(INT, N), id="text"),
    pytest.param("Annotated[int, Range(lo=1, hi=2)]", Scalar(Sort.INT, 1, 2), id="text range"),
]


@pytest.mark.parametrize(("annotation", "shape"), SHAPES)
def test_an_annotation_has_a_shape(annotation: object, shape: Shape) -> None:
    assert shape_of(annotation, "a") == shape


@pytest.mark.parametrize(
    "annotation",
    [
        *(
            list,
            tuple,
            dict[tuple[int, int], int],
            set[float],
            dict,
            object,
            typing.Any,
            Callable[[int], int],
            None,
        ),
        *(int | str, "list[", "os.system('x')", "list[unknown]", 3, list[dict[bytes, int]]),
        typing.List,  # noqa: UP006
    ],
)
def test_another_annotation_is_refused_by_name(annotation: object) -> None:
    with pytest.raises(InputSpecError, match="weights") as raised:
        shape_of(annotation, "weights")
    assert raised.value.advice
    assert len(str(raised.value).splitlines()) <= 3


def test_a_bare_list_says_what_to_write() -> None:
    with pytest.raises(InputSpecError, match=r"list\[int\]"):
        shape_of(list, "a")


def everything(
    a: list[int],
    w: list[list[int]],
    edges: list[tuple[int, int, float]],
    text: str,
    data: bytes,
    words: list[str],
    k: int,
    flag: bool,
    src: int,
    limit=10,
    key=len,
    until: int | None = None,
    *rest: int,
    **options: int,
) -> None: ...


def spec_of_everything() -> InputSpec:
    return read_spec(
        everything,
        sizes={"w": "n,2*n", "edges": "n*(n-1)", "words": "2,3", "data": "1"},
        ranges={"a": "0..9", "edges": "0..", "edges.2": "0.5..3/2", "text": "a..z", "k": "..-1"},
        fixes={"src": "n-1"},
        assumptions=["all(x <= y for x, y in zip(a, a[1:]))", "k < src"],
    )


def test_layouts() -> None:
    assert spec_of_everything().layouts(2) == (
        Layout("a", (2,), Sort.INT, 0, 9),
        Layout("w", (2, 4), Sort.INT, None, None),
        Layout("edges.0", (2,), Sort.INT, 0, None),
        Layout("edges.1", (2,), Sort.INT, 0, None),
        Layout("edges.2", (2,), Sort.REAL, Fraction(1, 2), Fraction(3, 2)),
        Layout("text", (2,), Sort.INT, 97, 122),
        Layout("data", (1,), Sort.INT, 0, 255),
        Layout("words", (2, 3), Sort.INT, 32, 126),
        Layout("k", (), Sort.INT, None, -1),
        Layout("flag", (), Sort.BOOL, None, None),
    )


def test_concrete_arguments_are_plain() -> None:
    def values(name: str, index: tuple[int, ...]) -> int | Fraction:
        return Fraction(3, 2) if name == "edges.2" else 97 + sum(index)

    arguments = spec_of_everything().concrete(2, values)
    assert arguments == {
        "a": [97, 98],
        "w": [[97, 98, 99, 100], [98, 99, 100, 101]],
        "edges": [(97, 97, 1.5), (98, 98, 1.5)],
        "text": "ab",
        "data": b"a",
        "words": ["abc", "bcd"],
        "k": 97,
        "flag": True,
        "src": 1,
        "limit": 10,
        "until": None,
    }
    assert arguments["flag"] is True
    assert json.dumps({name: value for name, value in arguments.items() if name != "data"})
    everything(**arguments)  # type: ignore[arg-type]


def test_symbolic_arguments_hold_the_cells() -> None:
    spec = spec_of_everything()
    arguments = spec.symbolic(2)
    a, w, edges = arguments["a"], arguments["w"], arguments["edges"]
    assert type(a) is list and [x.term for x in a] == [Cell("a", (i,), Sort.INT) for i in (0, 1)]
    assert type(w) is list and w[1][3].term == Cell("w", (1, 3), Sort.INT)
    assert type(edges) is list and type(edges[1]) is tuple
    assert edges[1][2].term == Cell("edges.2", (1,), Sort.REAL)
    assert arguments["k"].term == Cell("k", (), Sort.INT)  # type: ignore[attr-defined]
    assert arguments["flag"].term == Cell("flag", (), Sort.BOOL)  # type: ignore[attr-defined]
    assert arguments["text"].units == tuple(  # type: ignore[attr-defined]
        Cell("text", (i,), Sort.INT) for i in (0, 1)
    )
    assert arguments["words"][1].units[2] == Cell("words", (1, 2), Sort.INT)  # type: ignore[index]
    assert len(arguments["data"]) == 1  # type: ignore[arg-type]
    assert arguments["src"] == 1 and arguments["limit"] == 10


def test_there_is_a_domain_for_every_cell() -> None:
    spec = spec_of_everything()
    domains = spec.domains(3)
    assert len(domains) == 3 + 18 + 3 * 6 + 3 + 1 + 6 + 1 + 1
    assert domains[0] == (Cell("a", (0,), Sort.INT), 0, 9)
    assert len({cell for cell, _, _ in domains}) == len(domains)


def test_an_empty_argument_has_no_cells() -> None:
    def f(a: list[int], s: str) -> None: ...

    spec = read_spec(f)
    assert spec.domains(0) == []
    assert spec.concrete(0, lambda *_: 0) == {"a": [], "s": ""}


def test_fixed_values_are_fresh() -> None:
    def f(a: list[int]) -> None: ...

    spec = read_spec(f, fixes={"a": "[0]*n"})
    first = spec.symbolic(2)["a"]
    assert isinstance(first, list)
    first.append(1)
    assert spec.symbolic(2) == {"a": [0, 0]}


def test_options_are_stronger_than_the_decorator_and_that_than_annotations() -> None:
    @problem(size={"a": "2*n"}, range={"a": (0, 5)}, fix={"k": 3, "s": "abc"}, assume=["a[0] > 0"])
    def f(a: Annotated[list[int], Range(0, 1)], k: int, s: str) -> None: ...

    (layout,) = read_spec(f).layouts(3)
    assert layout == Layout("a", (6,), Sort.INT, 0, 5)
    assert read_spec(f).concrete(1, lambda *_: 7) == {"a": [7, 7], "k": 3, "s": "abc"}
    changed = read_spec(f, sizes={"a": "n"}, ranges={"k": "0..2"}, assumptions=["a[0] < 3"])
    assert changed.layouts(3) == (
        Layout("a", (3,), Sort.INT, 0, 5),
        Layout("k", (), Sort.INT, 0, 2),
    )
    assert changed.assumptions == ("a[0] > 0", "a[0] < 3")
    assert read_spec(f, fixes={"a": "[n]"}).layouts(3) == ()


def test_unannotated_parameters() -> None:
    def f(a, k, step=2):  # type: ignore[no-untyped-def]
        return a, k, step

    spec = read_spec(f, inputs={"a": "list[list[int]]"}, fixes={"k": "n"}, sizes={"a": "2"})
    assert spec.layouts(3) == (Layout("a", (2, 3), Sort.INT, None, None),)
    assert spec.concrete(1, lambda *_: 0) == {"a": [[0], [0]], "k": 1, "step": 2}
    with pytest.raises(InputSpecError, match=r"test_inputs\.py::.*f: parameter a") as raised:
        read_spec(f)
    assert "--fix a=" in raised.value.advice and "--input a=" in raised.value.advice


def test_annotations_that_do_not_resolve_are_read_as_text() -> None:
    def f(a: list[int], b: Missing) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    assert read_spec(f, fixes={"b": "0"}).layouts(2) == (Layout("a", (2,), Sort.INT, None, None),)
    with pytest.raises(InputSpecError, match="Missing"):
        read_spec(f)


REFUSED = [
    pytest.param({"sizes": {"b": "n"}}, "b", id="unknown size"),
    pytest.param({"ranges": {"b": "0..1"}}, "Its parameters: a, k, s, flag", id="unknown range"),
    pytest.param({"fixes": {"b": "1"}}, "b", id="unknown fix"),
    pytest.param({"inputs": {"b": "int"}}, "b", id="unknown input"),
    pytest.param({"sizes": {"a": "m"}}, "m", id="unknown name in a size"),
    pytest.param({"sizes": {"a": "n,n"}}, "2 sizes", id="too many sizes"),
    pytest.param({"sizes": {"k": "n"}}, "1 sizes, but k has 0", id="size of a scalar"),
    pytest.param({"ranges": {"a": "9..0"}}, "empty", id="empty range"),
    pytest.param({"ranges": {"a": "0-9"}}, r"no `\.\.`", id="no dots"),
    pytest.param({"ranges": {"a": "a..z"}}, "not a number", id="letters for numbers"),
    pytest.param({"ranges": {"a": "0.5..2"}}, "whole numbers", id="fractions for integers"),
    pytest.param({"ranges": {"s": "ab..z"}}, "character", id="word for a character"),
    pytest.param({"ranges": {"flag": "0..1"}}, "bounds nothing", id="range of a bool"),
    pytest.param({"ranges": {"a.0": "0..1"}}, "has no input a.0", id="no such component"),
    pytest.param({"fixes": {"k": "abc"}}, "quotes", id="unquoted"),
    pytest.param({"fixes": {"k": object()}}, "literal", id="no literal"),
    pytest.param({"fixes": {"k": "1"}, "ranges": {"k": "0..1"}}, "fixed", id="both"),
    pytest.param({"inputs": {"k": "dict[float, int]"}}, "float", id="unknown type"),
    pytest.param({"assumptions": ["b > 0"]}, "unknown name b", id="assumption"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_what_is_wrong_is_said(options: dict[str, typing.Any], message: str) -> None:
    def f(a: list[int], k: int, s: str, flag: bool) -> None: ...

    with pytest.raises(InputSpecError, match=message) as raised:
        read_spec(f, **options)
    assert raised.value.advice
    assert len(str(raised.value).splitlines()) <= 3


def test_a_negative_size_is_refused_at_its_scale() -> None:
    def f(a: list[int]) -> None: ...

    spec = read_spec(f, sizes={"a": "n-3"})
    assert spec.layouts(3)[0].dims == (0,)
    with pytest.raises(InputSpecError, match="-1 at n = 2"):
        spec.layouts(2)


@pytest.mark.parametrize(
    ("text", "lo", "hi"),
    [
        *(("a..z", 97, 122), ("0..9", 48, 57), ("...z", 46, 122), ("..z", 32, 122)),
        *(("a..", 97, 126), ("...", 46, 126), ("0..127", 0, 127), ("é..", 233, 0x10FFFF)),
    ],
)
def test_ranges_of_characters(text: str, lo: int, hi: int) -> None:
    def f(s: str) -> None: ...

    assert read_spec(f, ranges={"s": text}).layouts(1) == (Layout("s", (1,), Sort.INT, lo, hi),)


def test_ranges_of_bytes_are_codes_or_letters() -> None:
    def f(s: bytes) -> None: ...

    for text, lo, hi in (("0..9", 0, 9), ("a..z", 97, 122), ("128..", 128, 255)):
        assert read_spec(f, ranges={"s": text}).layouts(1)[0] == Layout("s", (1,), Sort.INT, lo, hi)


def test_described() -> None:
    assert describe(spec_of_everything()) == (
        "input a: list[int] size n range 0..9",
        "input w: list[list[int]] size n, 2*n",
        "input edges: list[tuple[int, int, float]] size n*(n-1) range 0.., 0.., 1/2..3/2",
        "input text: str size n range 'a'..'z'",
        "input data: bytes size 1",
        "input words: list[str] size 2, 3",
        "input k: int range ..-1",
        "input flag: bool",
        "input src: fixed n-1",
        "input limit: fixed 10",
        "input until: fixed None",
        "assume all(x <= y for x, y in zip(a, a[1:]))",
        "assume k < src",
    )
    assert parse_described(describe(spec_of_everything())) == spec_of_everything()


@pytest.mark.parametrize(
    "line",
    [
        *("", "a: int", "input a int", "input a: int range 0..1, 0..1", "input a: int size n"),
        *("input a: bool range 0..1", "input a: int range x", "input a: int range 0..1 rest"),
        *("input a: list[int] size n, n", "input a: what"),
    ],
)
def test_a_line_that_describes_nothing_is_refused(line: str) -> None:
    with pytest.raises(InputSpecError):
        parse_described([line])


def limits(numbers: st.SearchStrategy[typing.Any]) -> st.SearchStrategy[typing.Any]:
    pairs = st.tuples(numbers, numbers)
    return pairs.map(lambda pair: sorted(pair) if None not in pair else pair)


SIZES = st.sampled_from(["n", "3", "n*(n-1)", "min(n, 4)"]).map(parse_size)
LEAVES = st.one_of(
    limits(st.none() | st.integers()).map(lambda ends: Scalar(Sort.INT, *ends)),
    limits(st.none() | st.fractions()).map(lambda ends: Scalar(Sort.REAL, *ends)),
    st.just(Scalar(Sort.BOOL)),
    st.builds(lambda size, ends: Text("str", size, *ends), SIZES, limits(st.integers(0, 0x10FFFF))),
    st.builds(lambda size, ends: Text("bytes", size, *ends), SIZES, limits(st.integers(0, 255))),
)
SHAPED = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ListOf, inner, SIZES, st.sampled_from(["list", "tuple"]))
        | st.lists(inner, max_size=3).map(lambda parts: TupleOf(tuple(parts)))
    ),
    max_leaves=5,
)
FIXED = st.text().map(lambda text: FixedValue(parse_value(repr(text))))


@given(st.lists(SHAPED | FIXED, max_size=4))
def test_the_text_form_is_exact(shapes: list[Shape]) -> None:
    params = tuple(Param(f"p{i}", shape) for i, shape in enumerate(shapes))
    spec = InputSpec(params, ("n > 1",))
    lines = describe(spec)
    assert all(len(line.splitlines()) == 1 for line in lines)
    assert parse_described(lines) == spec


def test_assume_stops_a_run_outside_the_problem() -> None:
    assume(True)
    with pytest.raises(AssumptionFailed):
        assume([])


def test_measured_calls_its_hooks() -> None:
    class Hook:
        def __init__(self) -> None:
            self.seen: list[str] = []

        def on_enter(self) -> None:
            self.seen.append("enter")

        def on_exit(self) -> None:
            self.seen.append("exit")

    with measured():
        pass
    hook = Hook()
    MEASURED_HOOKS.append(hook)
    try:
        with pytest.raises(KeyError), measured():
            raise KeyError
    finally:
        MEASURED_HOOKS.remove(hook)
    assert hook.seen == ["enter", "exit"]


def test_problem_leaves_the_function_as_it_is() -> None:
    def f(a: list[int]) -> int:
        return len(a)

    assert problem(cost="steps")(f) is f
    assert f.__xsynth_problem__.cost == "steps"  # type: ignore[attr-defined]
