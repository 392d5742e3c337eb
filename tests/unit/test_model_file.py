"""One table of patterns, used in both directions, and what a damaged file answers."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from xsynth.errors import ModelFileError
from xsynth.model.file import read_model, write_model
from xsynth.model.isg import parse, parse_expr
from xsynth.model.model import (
    After,
    BranchPolicy,
    GeneratorPoint,
    Model,
    Piece,
    ScaleRecord,
    Turns,
    Values,
    Within,
)
from xsynth.model.pattern_text import DEPTH_LIMIT
from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern
from xsynth.program.inputs import InputSpec, parse_described
from xsynth.trace.terms import Op, Place, Site, Sort

INT, BOOL, REAL = Sort.INT, Sort.BOOL, Sort.REAL
OUTER = Site("sort", 5, -1)
TEST = Place(Site("sort", 8, 14), (OUTER, Site("Sorter.run.<locals>.<lambda>", 8, -2)))
SECOND = Place(Site("sort", 8, 20), (OUTER,))
A, K = CellHole("a", 1, INT), CellHole("k", 0, INT)
W = CellHole("edges.2", 2, REAL)

MODEL = Model(
    program="../my programs/sort.py",
    function="sort",
    digest="6c0f",
    spec=parse_described(
        ["input a: list[int] size n", "input k: int range 0..9", "assume all(x <= k for x in a)"]
    ),
    measure="line:8",
    formula=parse_expr("3*n**2/2 + 7*n/2 - 3"),
    scales=(ScaleRecord(2, 2, True, 10, 1), ScaleRecord(3, 6, False, 21, 0)),
    guided=(7, 8, 15),
    family="most decisions, then first",
    points=(
        GeneratorPoint(
            TEST,
            True,
            Node(Op.GT, (A, A), BOOL),
            (
                Piece((), (parse("incre(0, n - 2, 1)"), parse("const(0, n - 1)"))),
                Piece((), (parse("n"), parse("0"))),
            ),
        ),
        GeneratorPoint(
            SECOND,
            None,
            Node(Op.ADD, (DefHole(SECOND, 1, INT), A), INT),
            (Piece((parse("incre(1, n, 1)"),), (parse("incre(0, n - 1, 1)"), parse("n"))),),
        ),
    ),
    policies=(BranchPolicy(TEST, True), BranchPolicy(SECOND, None)),
    decisions=(
        Turns(TEST, True, ()),
        Turns(SECOND, False, ((parse("incre(0, n - 2, 1)"), parse("const(0, n - 1)")),)),
        After(SECOND, 2, (((), True), (((TEST, True),), False), (((TEST, False),) * 2, True))),
        Within(SECOND, "hi - lo", False, ((parse("incre(1, n - 1, 1)"), parse("0")),)),
        Values(TEST, (Piece((parse("0"), parse("0")), (parse("n"),)),)),
    ),
)

TEXT = """\
xsynth model 1
program ../my programs/sort.py
function sort
sha256 6c0f
cost line:8 = 3*n**2/2 + 7*n/2 - 3
family most decisions, then first
scale 2: paths 2, exhaustive, cost 10, ties 1
scale 3: paths 6, partial, cost 21, ties 0
guided 7 8 15
input a: list[int] size n
input k: int range 0..9
assume all(x <= k for x in a)

place p8 = sort:8@14 in sort:5@-1 > Sorter.run.<locals>.<lambda>:8@-2
place p8.2 = sort:8@20 in sort:5@-1

point p8 true: a[?] > a[?]
  leaves incre(0, n - 2, 1); const(0, n - 1)
  leaves n; 0

point p8.2 assign: def p8.2[?] + a[?]
  leaves incre(0, n - 1, 1); n | counters incre(1, n, 1)

policy p8 true
policy p8.2 either

decision p8 true

decision p8.2 false
  except incre(0, n - 2, 1); const(0, n - 1)

decision p8.2 after 2
  after start: true
  after p8 true, start: false
  after p8 false, p8 false: true

decision p8.2 within "hi - lo" false
  except incre(1, n - 1, 1); 0

decision p8 values
  leaves n | counters 0; 0
"""


def seal(body: str) -> str:
    return f"{body}end sha256 {hashlib.sha256(body.encode()).hexdigest()}\n"


def test_the_text_is_as_documented() -> None:
    assert write_model(MODEL) == seal(TEXT)
    assert read_model(seal(TEXT)) == MODEL


PATTERNS = [
    pytest.param("a[?]", A, id="cell"),
    pytest.param("k", K, id="scalar"),
    pytest.param("edges.2[?, ?]:real", W, id="sort and dotted name"),
    pytest.param("def p8.2[?, ?]", DefHole(SECOND, 2, INT), id="definition"),
    pytest.param("def p8:real", DefHole(TEST, 0, REAL), id="definition outside loops"),
    pytest.param("?", IntHole(), id="integer leaf"),
    pytest.param("True", Fixed(True, BOOL), id="true"),
    pytest.param("False:int", Fixed(False, INT), id="false as a number"),
    pytest.param("-1/2", Fixed(Fraction(-1, 2), REAL), id="rational"),
    pytest.param("2/1", Fixed(Fraction(2), REAL), id="whole rational"),
    pytest.param("2:real", Fixed(2, REAL), id="integer as a real"),
    pytest.param(str(-(2**62)), Fixed(-(2**62), INT), id="large"),
    pytest.param(hex(-(3**5000)), Fixed(-(3**5000), INT), id="huge"),
    pytest.param("neg k", Node(Op.NEG, (K,), INT), id="neg"),
    pytest.param("neg 3", Node(Op.NEG, (Fixed(3, INT),), INT), id="neg of a constant"),
    pytest.param("not (k < ?)", Node(Op.NOT, (Node(Op.LT, (K, IntHole()), BOOL),), BOOL), id="not"),
    pytest.param("1 / 2", Node(Op.DIV, (Fixed(1, INT), Fixed(2, INT)), REAL), id="quotient"),
    pytest.param("(k // ?):real", Node(Op.FLOORDIV, (K, IntHole()), REAL), id="unusual sort"),
    pytest.param(
        "k - (a[?] - ?)",
        Node(Op.SUB, (K, Node(Op.SUB, (A, IntHole()), INT)), INT),
        id="brackets right",
    ),
    pytest.param(
        "(k - a[?]) - -4",
        Node(Op.SUB, (Node(Op.SUB, (K, A), INT), Fixed(-4, INT)), INT),
        id="brackets left",
    ),
    pytest.param("k and a[?] and k", Node(Op.AND, (K, A, K), BOOL), id="and"),
    pytest.param("k or a[?]", Node(Op.OR, (K, A), BOOL), id="or"),
    pytest.param("op(and)", Node(Op.AND, (), BOOL), id="and of nothing"),
    pytest.param("op(or, k)", Node(Op.OR, (K,), BOOL), id="or of one"),
    pytest.param("op(+, k, k, k)", Node(Op.ADD, (K, K, K), INT), id="sum of three"),
    pytest.param("a[?] if k else ?", Node(Op.ITE, (K, A, IntHole()), INT), id="choice"),
    pytest.param(
        "True if k else False",
        Node(Op.ITE, (K, Fixed(True, BOOL), Fixed(False, BOOL)), BOOL),
        id="logical choice",
    ),
    pytest.param('"and"[?]', CellHole("and", 1, INT), id="reserved name"),
    pytest.param(
        "negative < notes",
        Node(Op.LT, (CellHole("negative", 0, INT), CellHole("notes", 0, INT)), BOOL),
        id="names that begin as words do",
    ),
    pytest.param(r'"a b\"\\\u{a}"', CellHole('a b"\\\n', 0, INT), id="quoted name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pattern"), PATTERNS)
def test_patterns(text: str, pattern: Pattern) -> None:
    model = replace(MODEL, points=(GeneratorPoint(TEST, False, pattern, ()),))
    written = write_model(model)
    assert f"point p8 false: {text}\n" in written
    found = read_model(written)
    assert found == model
    assert repr(found) == repr(model)  # True, 1 and Fraction(1) are equal but not the same


@pytest.mark.parametrize("op", Op)
@pytest.mark.parametrize("count", range(4))
@pytest.mark.parametrize("sort", Sort)
def test_every_operation(op: Op, count: int, sort: Sort) -> None:
    inner = Node(op, (W, A, K)[:count], sort)
    pattern = Node(op, (inner, IntHole(), inner)[:count], sort)
    model = replace(MODEL, points=(GeneratorPoint(TEST, None, pattern, ()),))
    assert read_model(write_model(model)) == model


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"formula": None}, id="no formula"),
        pytest.param({"points": (), "policies": (), "guided": (), "scales": ()}, id="nothing"),
        pytest.param({"spec": InputSpec(())}, id="no inputs"),
        pytest.param({"program": ' "odd"  ', "function": "", "family": "é ∀"}, id="odd texts"),
        pytest.param({"program": "a\nb\u2028c\udc80\\"}, id="unprintable"),
        pytest.param({"measure": "a = b"}, id="measure"),
        pytest.param({"spec": InputSpec((), ('"a" in s', "s != ' '  "))}, id="assumptions"),
        pytest.param({"scales": (ScaleRecord(9, 3**20000, False, -1, 0),)}, id="huge number"),
        pytest.param(
            {"points": (GeneratorPoint(TEST, True, K, (Piece((), ()), Piece((parse("n"),), ()))),)},
            id="no leaves",
        ),
    ],
)
def test_unusual_models(changes: dict[str, object]) -> None:
    model = replace(MODEL, **changes)  # type: ignore[arg-type]
    text = write_model(model)
    text.encode()
    assert read_model(text) == model


def test_the_order_of_points_does_not_rename_places() -> None:
    lines = set(write_model(MODEL).splitlines()[:-1])
    other = write_model(replace(MODEL, points=MODEL.points[::-1]))
    assert set(other.splitlines()[:-1]) == lines


def test_line_ends_of_another_system_are_no_damage() -> None:
    assert read_model(seal(TEXT).replace("\n", "\r\n")) == MODEL
    assert read_model(seal(TEXT).rstrip("\n")) == MODEL


WHOLE = seal(TEXT)
NEWER = seal(TEXT.replace("model 1", "model 12"))
DAMAGED = [
    pytest.param("", "line 1: the file is empty", id="empty"),
    pytest.param(" \n\n", "line 1: the file is empty", id="blank"),
    pytest.param("def f(a):\n    pass\n", "line 1: not a model", id="a program"),
    pytest.param("\0\x7fELF\ufffd\x1b\n", "line 1: not a model", id="binary"),
    pytest.param(NEWER, "made by version '12'; this xsynth reads 1", id="version"),
    pytest.param(TEXT, "line 41: the file is cut off", id="no end"),
    pytest.param(WHOLE[:300], "line 12: the file is cut off", id="cut off"),
    pytest.param(WHOLE[:-3], "line 42: the file is cut off", id="cut in the last line"),
    pytest.param(WHOLE + "more\n", "line 43: the file goes on after its end", id="longer"),
    pytest.param(WHOLE.replace("n - 2", "n - 3"), "changed by hand or damaged", id="changed"),
]


@pytest.mark.parametrize(("text", "words"), DAMAGED)
def test_damaged_files(text: str, words: str) -> None:
    with pytest.raises(ModelFileError, match=re.escape(words)) as caught:
        read_model(text, "dir/sort.isg")
    assert "dir/sort.isg, line " in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 3
    assert caught.value.advice


NESTED = "(" * 20_000 + "k" + ")" * 20_000
WRONG = [
    pytest.param("function sort\n", "", "line 3", id="a line missing"),
    pytest.param("p8 true: a[?] > a[?]", "p8 true: a[?] > a[", "line 17", id="pattern"),
    pytest.param("p8 true: a[?] > a[?]", "p8 true: ?:real", "no sort but int", id="leaf sort"),
    pytest.param("p8 true: a[?] > a[?]", "p8 true: 1/0", "line 17", id="zero denominator"),
    pytest.param("p8 true: a[?] > a[?]", "p8 true: op(<=>)", "line 17", id="operation"),
    pytest.param("p8 true: a[?] > a[?]", "p8 true: " + "9" * 5000, "line 17", id="decimals"),
    pytest.param("p8 true: a[?] > a[?]", "p8 either: k", "line 17", id="side of a point"),
    pytest.param("p8 true: a[?] > a[?]", r'p8 true: "\x"', "no escape", id="escape"),
    pytest.param("p8 true: a[?] > a[?]", r'p8 true: "\u{ffffff}"', "line 17", id="code"),
    pytest.param("policy p8 true", "policy p8 assign", "line 24", id="side of a policy"),
    pytest.param("policy p8 true", "policy p9 true", "there is no place p9", id="no place"),
    pytest.param("place p8.2", "place p8", "there are two places p8", id="two places"),
    pytest.param("decision p8 true", "decision p8 either", "line 27", id="side of a decision"),
    pytest.param("after start: true", "after p9 true: true", "line 33", id="place of a decision"),
    pytest.param("after start: true", "after p8 true: true", "line 32", id="short history"),
    pytest.param("leaves n; 0", "leaves n; 0 +", "line 19", id="generator"),
    pytest.param("leaves n; 0", "leaves n;", "line 19", id="generator missing"),
    pytest.param("7*n/2 - 3", "7*n//2 - 3", "line 5", id="formula"),
    pytest.param("cost 10,", "cost x,", "line 7", id="number"),
    pytest.param("input a: list[int]", "input a: list[thing]", "line 10", id="input"),
    pytest.param("input a: list[int]", 'input "a', "line 10", id="quotes"),
    pytest.param("leaves n; 0", f"leaves {'-(' * 20_000}n{')' * 20_000}", "line 19", id="deep"),
    pytest.param("list[int] size", f"{'list[' * 9000}int{']' * 9000} size", "line 10", id="type"),
    pytest.param("size n", f"size {'(' * 9000}n{')' * 9000}", "line 10", id="size"),
    pytest.param("size n", f"size {'-' * 20_000}n", "line 10", id="signs"),
    pytest.param(
        "a[?] > a[?]", "not (" * 20_000 + "k" + ")" * 20_000, "line 17", id="deep pattern"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_well_sealed_but_wrong(old: str, new: str, words: str) -> None:
    body = TEXT.replace(old, new)
    assert body != TEXT
    with pytest.raises(ModelFileError) as caught:
        read_model(seal(body), "dir/sort.isg")
    message = str(caught.value)
    assert words in message
    assert "dir/sort.isg, line " in message
    assert len(message.splitlines()) <= 3
    assert max(map(len, message.splitlines())) < 250


def test_brackets_without_operations_are_no_depth() -> None:
    body = TEXT.replace("p8 true: a[?] > a[?]", f"p8 true: {NESTED}")
    body = body.replace("leaves n; 0", f"leaves {NESTED}; 0")
    point = read_model(seal(body)).points[0]
    assert point.pattern == K
    assert point.pieces[1].leaves == (parse("k"), parse("0"))


def test_a_pattern_beyond_the_limit_is_refused_by_the_writer_too() -> None:
    pattern: Pattern = K
    for _ in range(DEPTH_LIMIT - 1):
        pattern = Node(Op.NEG, (pattern,), INT)
    deepest = replace(MODEL, points=(GeneratorPoint(TEST, True, pattern, ()),))
    assert read_model(write_model(deepest)) == deepest
    deeper = Node(Op.NEG, (pattern,), INT)
    with pytest.raises(ModelFileError, match="nested deeper"):
        write_model(replace(MODEL, points=(GeneratorPoint(TEST, True, deeper, ()),)))
