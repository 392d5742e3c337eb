"""Sets, dicts, objects and choices: there and back, in every form that they have."""

from __future__ import annotations

import copy
import enum
import json
import typing
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import pytest

from xsynth.errors import InputSpecError
from xsynth.program.assumptions import assumption_holds
from xsynth.program.cells import cells_of
from xsynth.program.inputs import InputSpec, describe, parse_described, read_inputs, read_spec
from xsynth.program.received import received
from xsynth.program.values import Made, Member, fresh, names
from xsynth.report import formats, jsonable
from xsynth.trace import building
from xsynth.trace.terms import Cell, Sort, Value

T = typing.TypeVar("T")


class Color(enum.Enum):
    RED = 1
    GREEN = 2


@dataclass
class Point:
    x: int
    y: float
    tag: str = "p"


class Pair(typing.NamedTuple):
    first: int
    second: bool


class Box:
    def __init__(self, points: list[Point], limit: int, *, color: Color | None = None) -> None:
        self.points = points
        self.limit = limit
        self.color = color


class Bare:
    def __init__(self, items, width=3):  # type: ignore[no-untyped-def]
        self.items = items


def f(
    graph: dict[int, list[int]],
    roads: dict[str, list[tuple[str, int]]],
    near: dict[int, set[int]],
    fixed: frozenset[str],
    box: Box,
    pairs: list[Pair],
    colors: list[Color],
    mode: Literal["fast", 1],
    stream: Iterator[Color],
    queue: deque[int],
) -> None: ...


def spec_of_f() -> InputSpec:
    return read_spec(
        f,
        sizes={"graph": "n+1,2", "box.points": "1"},
        fixes={"box.limit": "n"},
        ranges={"box.points.x": "0..n*2", "queue": "5.."},
        inputs={"box.color": "Color"},
    )


def at_two(spec: InputSpec) -> dict[str, object]:
    """Cells that hold different values, within their bounds."""
    layouts = {layout.name: layout for layout in spec.layouts(2)}

    def value(name: str, index: tuple[int, ...]) -> Value:
        layout = layouts[name]
        if layout.sort is Sort.BOOL:
            return sum(index) % 2 == 0
        low = int(layout.lo or 0)
        high = low + 9 if layout.hi is None else int(layout.hi)
        return low + sum((i + 1) * k for k, i in enumerate(index, 1)) % (high - low + 1)

    return spec.concrete(2, value)


def test_plain_arguments() -> None:
    arguments = at_two(spec_of_f())
    assert arguments == {
        "graph": {0: [0, 2], 1: [1, 0], 2: [2, 1]},
        "roads": {"a": [("b", 3)], "b": [("a", 4)]},
        "near": {0: {0}, 1: {1}},
        "fixed": frozenset({"a"}),
        "box": Made(
            "Box",
            {
                "points": [Made("Point", {"x": 1, "y": 1.0, "tag": "p"})],
                "limit": 2,
                "color": Member("Color", "RED"),
            },
        ),
        "pairs": [
            Made("Pair", {"first": 1, "second": True}),
            Made("Pair", {"first": 2, "second": False}),
        ],
        "colors": [Member("Color", "GREEN"), Member("Color", "RED")],
        "mode": "fast",
        "stream": [Member("Color", "GREEN"), Member("Color", "RED")],
        "queue": [6, 7],
    }


def test_the_function_receives_the_real_things() -> None:
    spec = spec_of_f()
    found: typing.Any = received(spec, at_two(spec), globals(), building)
    assert found["box"].points == [Point(1, 1.0)]
    assert (found["box"].limit, found["box"].color) == (2, Color.RED)
    assert found["pairs"] == [Pair(1, True), Pair(2, False)]
    assert found["colors"] == [Color.GREEN, Color.RED]
    assert next(found["stream"]) is Color.GREEN
    assert found["queue"] == deque([6, 7])
    assert isinstance(found["near"][0], set)
    assert isinstance(found["fixed"], frozenset)


def test_the_lines_of_a_model_file_say_it_all() -> None:
    spec = spec_of_f()
    lines = describe(spec)
    assert parse_described(lines) == spec
    assert lines[0] == "input graph: dict[int, list[int]] size n+1, 2"
    assert lines[4] == (
        "input box: Box(points=list[Point(x=int, y=float, tag=Fixed['p'])], limit=Fixed[n],"
        " color=Color(RED, GREEN)) size 1 range 0..n*2, .."
    )


def test_json_and_back() -> None:
    spec = spec_of_f()
    arguments = at_two(spec)
    encoded = json.loads(json.dumps(jsonable.encode_arguments(arguments)))
    assert encoded["graph"] == {"0": [0, 2], "1": [1, 0], "2": [2, 1]}
    assert encoded["near"] == {"0": [0], "1": [1]}
    assert encoded["pairs"][0] == {"first": 1, "second": True}
    assert encoded["colors"] == ["GREEN", "RED"]
    decoded = jsonable.decode_arguments(spec, 2, encoded)
    assert decoded == arguments
    assert cells_of(spec, 2, decoded) == cells_of(spec, 2, arguments)


def test_cells_and_back() -> None:
    spec = spec_of_f()
    arguments = at_two(spec)
    cells = {(cell.name, cell.index): v for cell, v in cells_of(spec, 2, arguments).items()}
    assert spec.concrete(2, lambda name, index: cells[name, index]) == arguments
    assert {(cell.name, cell.index) for cell, _, _ in spec.domains(2)} == set(cells)


def test_python_text_is_a_constructor_call() -> None:
    text = "".join(formats.as_python(at_two(spec_of_f())))
    assert "pairs = [Pair(first=1, second=True), Pair(first=2, second=False)]" in text
    assert "color=Color.RED)" in text
    assert "fixed = frozenset({'a'})" in text
    own: dict[str, object] = {"Box": Box, "Point": Point, "Pair": Pair, "Color": Color}
    exec(text, own)
    assert typing.cast(Box, own["box"]).points == [Point(1, 1.0)]


def test_values_can_be_copied() -> None:
    made = Made("Color", {"x": Member("Color", "RED")})
    again = copy.deepcopy(made)
    assert again == made
    assert repr(again) == "Color(x=Color.RED)"


def test_names_go_on_after_z() -> None:
    found = names(30)
    assert (found[0], found[25], found[26], found[29]) == ("a", "z", "aa", "ad")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all(p.first < 3 for p in pairs)", True),
        ("box.points[0].x == 5", False),
        ("mode == 'fast' and colors[0] == 'GREEN'", True),
        ("0 in near[0] and len(near[0]) == 1", True),
        ("all(v <= n for u in graph for v in graph[u])", True),
        ("sum(len(v) for v in graph.values()) == 6", True),
    ],
)
def test_assumptions_look_into_values(text: str, expected: bool) -> None:
    spec = spec_of_f()
    assert assumption_holds(text, at_two(spec), {"n": 2}) is expected
    read_spec(f, assumptions=[text])


def test_an_attribute_that_nothing_has_is_refused() -> None:
    with pytest.raises(InputSpecError, match=r"uses \.z"):
        read_spec(f, assumptions=["box.z == 1"])


def g_recursive() -> Callable[..., object]:
    @dataclass
    class Node:
        value: int
        other: Node

    Node.__qualname__ = "Node"
    globals()["Node"] = Node

    def g(head: Node) -> None: ...

    return g


def bare(box: Bare) -> None: ...


REFUSED = [
    pytest.param(f, {"sizes": {"box.nothing": "2"}}, "no input box.nothing", id="no such field"),
    pytest.param(f, {"ranges": {"near": "0..3"}}, "bounds nothing", id="range of a set"),
    pytest.param(f, {"ranges": {"colors": "0..3"}}, "bounds nothing", id="range of a choice"),
    pytest.param(bare, {}, "takes items, which has no annotation", id="no annotation"),
    pytest.param(g_recursive(), {}, "a Node inside of a Node", id="recursive"),
]


@pytest.mark.parametrize(("function", "options", "message"), REFUSED)
def test_what_is_wrong_is_said(
    function: Callable[..., object], options: dict[str, typing.Any], message: str
) -> None:
    with pytest.raises(InputSpecError, match=message) as raised:
        read_spec(function, **options)
    assert raised.value.advice


def test_options_describe_what_a_constructor_does_not() -> None:
    spec = read_spec(bare, inputs={"box.items": "list[int]", "box.width": "int"})
    assert describe(spec) == ("input box: Bare(items=list[int], width=int) size n",)


class Chained:
    def __init__(self, val=0, next=None):  # type: ignore[no-untyped-def]
        self.val = val
        self.next = next


class Linked:
    next: Linked | None

    def __init__(self, x: int) -> None:
        self.x = x
        self.next = None


@dataclass(frozen=True)
class Tree:
    data: int
    left: Tree | None = None
    right: Tree | None = None


def walks(a: Chained, b: Linked, c: Tree | None) -> None: ...


def test_objects_that_lead_to_others_of_their_class() -> None:
    spec = read_spec(walks, sizes={"c": "4"}, ranges={"a.val": "0..9"})
    lines = describe(spec)
    assert lines == (
        "input a: linked[Chained(val=int), next] size n range 0..9",
        "input b: linked[Linked(x=int), next] size n",
        "input c: linked[Tree(data=int), left, right] size 4",
    )
    assert parse_described(lines) == spec
    arguments = spec.concrete(2, lambda name, index: 7 + index[0])
    encoded = jsonable.encode_arguments(arguments)
    assert encoded["a"] == [{"val": 7}, {"val": 8}]
    assert jsonable.decode_arguments(spec, 2, encoded) == arguments
    found: typing.Any = received(spec, arguments, globals(), building)
    assert (found["a"].val, found["a"].next.val, found["a"].next.next) == (7, 8, None)
    assert (found["b"].x, found["b"].next.x, found["b"].next.next) == (7, 8, None)
    assert found["c"] == Tree(7, Tree(8, Tree(10)), Tree(9))


def test_a_default_tells_the_type() -> None:
    def f(a: list[int], k=3, word="abc"): ...  # type: ignore[no-untyped-def]

    spec = read_spec(f, ranges={"k": "0..9"}, sizes={"word": "2"})
    assert describe(spec)[1:] == ("input k: int range 0..9", "input word: str size 2")


class Holder:
    def __init__(self, item):  # type: ignore[no-untyped-def]
        self.item = item
        self.next = None


def test_what_nodes_hold_is_taken_for_numbers() -> None:
    def f(head: Holder) -> None: ...

    spec, taken = read_inputs(f, guess=lambda function, name: None)
    assert describe(spec) == ("input head: linked[Holder(item=int), next] size n",)
    assert "head.item is taken as int" in str(taken[0])


def test_a_link_can_be_fixed() -> None:
    spec = read_spec(walks, fixes={"a.next": "None", "b": "None", "c": "None"})
    assert describe(spec)[0] == "input a: Chained(val=int, next=Fixed[None])"


def test_what_is_taken_for_more_than_it_says_is_told() -> None:
    def h(a: list[T], b: list, c: int | str, d: dict, e: list[typing.Any]) -> None: ...  # type: ignore[type-arg,valid-type]

    spec, taken = read_inputs(h, guess=lambda function, name: None)
    assert [str(note) for note in taken] == [
        "T in a is taken as int; --input a=TYPE changes that",
        "b is taken as list[int]; --input b=TYPE changes that",
        "c is taken as int; --input c=TYPE changes that",
        "d is taken as dict[int, int]; --input d=TYPE changes that",
        "Any in e is taken as int; --input e=TYPE changes that",
    ]
    assert describe(spec)[0] == "input a: list[int] size n"
    with pytest.raises(InputSpecError, match="does not say what is in it"):
        read_spec(h)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("near", {"0": [0, 7], "1": []}, "a set of int below its size"),
        ("graph", {"0": [0, 0], "1": [0, 0], "5": [0, 0]}, "a dict with the key 2"),
        ("pairs", [{"first": 1}, {"first": 2}], "what makes a Pair"),
        ("colors", ["BLUE", "RED"], "one of Color.RED, Color.GREEN"),
        ("fixed", 3, "a set"),
    ],
)
def test_an_input_of_another_form_is_refused(name: str, value: object, message: str) -> None:
    spec = spec_of_f()
    given = {**jsonable.encode_arguments(at_two(spec)), name: value}
    with pytest.raises(InputSpecError, match=message):
        cells_of(spec, 2, jsonable.decode_arguments(spec, 2, given))


def test_a_fresh_copy_is_a_deep_copy() -> None:
    row, deep = [1, 2], [[1, [2.5, None]], {"k": [3]}, (4, [5]), deque([6])]
    value = {"a": row, "b": [row, row, [True, "x", b"y"]], "c": deep}
    memo: dict[int, object] = {}
    found = {name: fresh(v, memo) for name, v in value.items()}
    assert repr(found) == repr(copy.deepcopy(value))
    assert found["b"][0] is found["b"][1] is found["a"]
    assert found["a"] is not row
    found["c"][0][1].append(0)
    found["c"][1]["k"].append(0)
    found["c"][2][1].append(0)
    assert deep == [[1, [2.5, None]], {"k": [3]}, (4, [5]), deque([6])]
    knot: list[object] = [1]
    knot.append(knot)
    own = fresh(knot, {})
    assert own is not knot
    assert own[1] is own


def topological(graph: dict[str, list[str]], other: dict[int, list[int]]) -> None: ...


def test_a_graph_is_any_graph_without_loops() -> None:
    spec = read_spec(topological)
    (names, _) = spec.layouts(3)
    assert (names.dims, names.sort) == ((3, 2), Sort.BOOL)
    chosen = spec.concrete(3, lambda name, index: index != (1, 0))
    assert chosen["graph"] == {"a": ["b", "c"], "b": ["c"], "c": ["a", "b"]}
    assert cells_of(spec, 3, chosen)[Cell("graph", (1, 0), Sort.BOOL)] is False
    assert parse_described(describe(spec)) == spec
    assert describe(spec)[0] == "input graph: dict[str, neighbours[str]] size n, n-1"
    assert (
        jsonable.decode(spec.params[0].shape, 3, jsonable.encode(chosen["graph"]))
        == chosen["graph"]
    )


@pytest.mark.parametrize("wrong", [["b", "a"], ["a", "a"], ["c"], ["z"], "b"])
def test_other_lists_of_neighbours_are_told(wrong: object) -> None:
    spec = read_spec(topological)
    good = spec.concrete(3, lambda name, index: True)
    with pytest.raises(InputSpecError, match=r"graph\[2\] should be a list"):
        cells_of(spec, 3, {**good, "graph": {"a": [], "b": [], "c": wrong}})


def test_a_graph_of_which_more_is_said_has_lists_of_one_length() -> None:
    sized = read_spec(topological, sizes={"other": "n,2"})
    assert [len(layout.dims) for layout in sized.layouts(3)] == [2, 2]
    assert sized.layouts(3)[1].dims == (3, 2) and sized.layouts(3)[1].sort is Sort.INT
    bounded = read_spec(topological, ranges={"other": "0..1"})
    assert bounded.layouts(3)[1].dims == (3, 1)
    assumed = read_spec(topological, assumptions=["other[0][0] == 1"])
    assert assumed.layouts(3)[1].sort is Sort.INT
    larger = read_spec(topological, sizes={"other": "2*n"})
    assert larger.layouts(3)[1].dims == (6, 5)
