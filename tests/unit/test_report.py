from __future__ import annotations

import json

import numpy as np
import pytest

from xsynth.errors import UsageError
from xsynth.model.isg import parse
from xsynth.model.model import GeneratorPoint, Piece
from xsynth.model.patterns import CellHole, IntHole, Node
from xsynth.program.inputs import parse_described
from xsynth.report.formats import as_numpy, as_python, as_text, write_aside
from xsynth.report.jsonable import decode_arguments, dump, encode_arguments
from xsynth.report.patterns import pattern_text, piece_text
from xsynth.report.words import in_words, input_lines
from xsynth.trace.terms import Op, Place, Site, Sort

ROUND_TRIPS = [
    pytest.param("input a: list[int] size n", {"a": [3, 2, 1]}, id="list"),
    pytest.param("input a: list[list[bool]] size n, 2", {"a": [[True, False]] * 3}, id="rows"),
    pytest.param("input a: tuple[int, ...] size n", {"a": (1, 2, 3)}, id="tuple"),
    pytest.param("input a: list[tuple[int, float]] size n", {"a": [(1, 0.5)] * 3}, id="pairs"),
    pytest.param("input a: float", {"a": 2.0}, id="whole real"),
    pytest.param("input a: bytes size n", {"a": b"\x00\xffa"}, id="bytes"),
    pytest.param("input a: str size n", {"a": 'x"\n'}, id="str"),
    pytest.param("input a: fixed (1, n)", {"a": (1, 3)}, id="fixed tuple"),
    pytest.param("input a: fixed b'ab'", {"a": b"ab"}, id="fixed bytes"),
]


@pytest.mark.parametrize(("spec", "arguments"), ROUND_TRIPS)
def test_arguments_survive_json(spec: str, arguments: dict[str, object]) -> None:
    text = dump({"arguments": encode_arguments(arguments)})
    back = decode_arguments(parse_described([spec]), 3, json.loads(text)["arguments"])
    assert back == arguments
    assert [type(value) for value in back.values()] == [type(v) for v in arguments.values()]


def test_another_shape_is_left_for_others_to_refuse() -> None:
    spec = parse_described(["input a: list[tuple[int, int]] size n", "input b: bytes size n"])
    given = {"a": [[1], "x"], "b": [1, 999], "c": 3}
    assert decode_arguments(spec, 2, given) == given


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, 2, 3], "strictly increasing"),
        ([3, 2, 1], "strictly decreasing"),
        ([1, 1, 1], "all elements equal"),
        ([1, 2, 2], "all elements equal but the first"),
        ([1, 1, 2], "all elements equal but the last"),
        ([1, 1, 2, 2], "increasing, with repetitions"),
        ([2, 2, 1, 1], "decreasing, with repetitions"),
        ([1, 3, 2, 4], "alternating up and down"),
        ([1, 2, 4, 3], "all elements different"),
        ("aaa", "all characters equal"),
        ([[1], [1]], "all rows equal"),
        ([1, 2], None),
        ([], None),
        (7, None),
    ],
)
def test_words(value: object, words: str | None) -> None:
    assert in_words(value) == words


def test_python_assignments_can_be_pasted() -> None:
    arguments = {"a": [1, 2], "s": "x'y", "b": b"\x00", "f": 0.5, "t": (True,)}
    space: dict[str, object] = {}
    exec("".join(as_python(arguments)), space)
    assert {name: space[name] for name in arguments} == arguments


def test_text() -> None:
    arguments = {"w": [[1, 2], [3, 4]], "a": [5, 6], "s": "xyz", "b": [True, False], "k": 7}
    assert "".join(as_text(arguments)) == "1 2\n3 4\n5 6\nxyz\n1 0\n7\n"


def test_numpy(tmp_path) -> None:  # type: ignore[no-untyped-def]
    write_aside(tmp_path / "one", as_numpy({"a": [[1, 2], [3, 4]]}))
    assert np.load(tmp_path / "one").tolist() == [[1, 2], [3, 4]]
    write_aside(tmp_path / "two", as_numpy({"a": [1, 2], "k": 3}))
    both = np.load(tmp_path / "two")
    assert (both["a"].tolist(), int(both["k"])) == ([1, 2], 3)
    for wrong in ([2**100], [[1], [2, 3]]):
        with pytest.raises(UsageError):
            as_numpy({"a": wrong})


def test_a_failed_write_leaves_the_old_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "f"
    file.write_bytes(b"old")
    with pytest.raises(UsageError):
        write_aside(tmp_path / "no" / "f", b"new")
    with pytest.raises(TypeError):
        write_aside(file, "not bytes")  # type: ignore[arg-type]
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


A = CellHole("a", 1, Sort.INT)


def node(op: Op, *args, sort: Sort = Sort.INT) -> Node:  # type: ignore[no-untyped-def]
    return Node(op, args, sort)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (node(Op.GT, A, A), "a[X1] > a[X2]"),
        (node(Op.LE, node(Op.ADD, A, IntHole()), A), "(a[X1] + X2) <= a[X3]"),
        (node(Op.EQ, CellHole("w", 2, Sort.INT), IntHole()), "w[X1][X2] == X3"),
        (node(Op.NOT, CellHole("k", 0, Sort.BOOL)), "not k"),
        (node(Op.LT, node(Op.NEG, A), IntHole()), "-a[X1] < X2"),
    ],
)
def test_patterns(pattern: Node, text: str) -> None:
    assert pattern_text(pattern) == text


def test_plain_expressions_stand_in_their_place() -> None:
    place = Place(Site("f", 3, 1), ())
    piece = Piece((), (parse("n - 1"), parse("incre(0, n - 2, 1)")))
    point = GeneratorPoint(place, True, node(Op.GT, A, A), (piece,))
    assert piece_text(point, piece) == ("a[n - 1] > a[X1]", ("X1 = incre(0, n - 2, 1)",))


def test_an_input_is_shown_over_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    flags = [i % 3 == 0 for i in range(20)]
    numbers = list(range(1000, 1020))
    for value in (flags, numbers, "ab, " * 60):
        lines = input_lines({"a": value})
        assert all(len(line) <= 98 for line in lines)
        whole = "".join(line[4:] for line in lines)
        shown = whole.split("   (")[0]
        assert shown.replace(" ", "") == repr(value).replace(" ", "")
    cut = input_lines({"a": list(range(1000, 2000)), "k": 3})
    assert len(cut) == 5 and cut[2].endswith("...") and cut[3].strip() == "(strictly increasing)"
    assert cut[4] == "k = 3"
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, input_lines({"a": numbers}))) <= 58
