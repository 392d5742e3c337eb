"""Models made by machine: the text is exact, and no damage to it goes unnoticed."""

from __future__ import annotations

import hashlib

from hypothesis import given, settings
from hypothesis import strategies as st

from xsynth.errors import ModelFileError
from xsynth.model.algebra import rational
from xsynth.model.file import read_model, write_model
from xsynth.model.isg import (
    Add,
    Const,
    Expr,
    Incre,
    Isg,
    Mul,
    N,
    Num,
    Pow,
)
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
from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern
from xsynth.program.inputs import InputSpec, parse_described
from xsynth.trace.terms import Op, Place, Site, Sort

SORTS = st.sampled_from(Sort)
NAMES = st.sampled_from(["a", "edges.0", "p8", "def", "True", "neg", "élan", "n"]) | st.text()
FUNCTIONS = st.sampled_from(["f", "A.f", "f.<locals>.g", "<lambda>", "f.<locals>.<listcomp>"])
SITES = st.builds(Site, FUNCTIONS | st.text(), st.integers(-1, 9), st.integers(-3, 3))
PLACES = st.builds(Place, SITES, st.lists(SITES, max_size=2).map(tuple))
NUMBERS = st.integers() | st.integers(2**4094, 2**4098) | st.booleans() | st.fractions()
PATTERNS: st.SearchStrategy[Pattern] = st.recursive(
    st.one_of(
        st.builds(CellHole, NAMES, st.integers(0, 3), SORTS),
        st.builds(DefHole, PLACES, st.integers(0, 3), SORTS),
        st.just(IntHole()),
        st.builds(Fixed, NUMBERS, SORTS),
    ),
    lambda inner: st.builds(
        Node, st.sampled_from(Op), st.lists(inner, max_size=4).map(tuple), SORTS
    ),
    max_leaves=10,
)
EXPRS: st.SearchStrategy[Expr] = st.recursive(
    st.one_of(st.just(N), st.integers(-9, 9).map(Num), st.fractions().map(rational)),
    lambda inner: st.one_of(
        st.builds(Add, inner, inner), st.builds(Mul, inner, inner), st.builds(Pow, inner, inner)
    ),
    max_leaves=4,
)
ISGS: st.SearchStrategy[Isg] = st.recursive(
    EXPRS,
    lambda inner: st.builds(Incre, inner, inner, inner) | st.builds(Const, inner, inner),
    max_leaves=3,
)
COLUMNS = st.lists(ISGS, max_size=2).map(tuple)
POINTS = st.builds(
    GeneratorPoint,
    PLACES,
    st.none() | st.booleans(),
    PATTERNS,
    st.lists(st.builds(Piece, COLUMNS, COLUMNS), max_size=2).map(tuple),
)
PIECES = st.lists(st.builds(Piece, COLUMNS, COLUMNS), max_size=2).map(tuple)
BEFORE = st.tuples(PLACES, st.booleans())
CHOICES = st.tuples(st.lists(BEFORE, max_size=2).map(tuple), st.booleans())
DECISIONS = st.one_of(
    st.builds(Turns, PLACES, st.booleans(), st.lists(COLUMNS, max_size=2).map(tuple)),
    st.builds(After, PLACES, st.integers(2, 3), st.lists(CHOICES, max_size=2).map(tuple)),
    st.builds(
        Within,
        PLACES,
        st.sampled_from(["hi - lo", "len(a) + len(b)", 'odd "name" \\']),
        st.booleans(),
        st.lists(COLUMNS, max_size=2).map(tuple),
    ),
    st.builds(Values, PLACES, PIECES),
)
PARAMS = parse_described(
    [
        "input a: list[int] size n range 0..9",
        "input edges: list[tuple[int, int, float]] size n*(n-1) range 0.., 0.., 1/2..3/2",
        "input s: str size n range '\\n'..'a'",
        "input src: fixed [0]*n",
    ]
).params
SPECS = st.builds(
    InputSpec,
    st.lists(st.sampled_from(PARAMS), max_size=3).map(tuple),
    st.lists(st.text(), max_size=2).map(tuple),
)
COUNTS = st.integers(-1, 10**30)
MODELS = st.builds(
    Model,
    program=st.text(),
    function=FUNCTIONS | st.text(),
    digest=st.text("0123456789abcdef", min_size=64, max_size=64),
    spec=SPECS,
    measure=st.sampled_from(["steps", "line:8"]) | st.text(),
    formula=st.none() | EXPRS,
    scales=st.lists(
        st.builds(ScaleRecord, COUNTS, COUNTS, st.booleans(), COUNTS, COUNTS), max_size=2
    ).map(tuple),
    guided=st.lists(COUNTS, max_size=3).map(tuple),
    family=st.text(),
    points=st.lists(POINTS, max_size=3).map(tuple),
    policies=st.lists(
        st.builds(BranchPolicy, PLACES, st.none() | st.booleans()), max_size=2
    ).map(tuple),
    decisions=st.lists(DECISIONS, max_size=3).map(tuple),
    never_ran=st.lists(st.integers(1, 999), max_size=3).map(tuple),
)  # fmt: skip


def seal(body: str) -> str:
    digest = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{body}end sha256 {digest}\n"


@settings(max_examples=300, deadline=None)
@given(MODELS)
def test_round_trip(model: Model) -> None:
    text = write_model(model)
    assert text.encode().decode() == text
    assert text.splitlines() == text.split("\n")[:-1]
    found = read_model(text)
    assert found == model
    assert repr(found) == repr(model)  # True, 1 and Fraction(1) are equal but not the same
    assert write_model(found) == text


PLACE = Place(Site("f", 8, 14), (Site("f.<locals>.g", 5, -1),))
SAMPLE = Model(
    program="../p.py",
    function="f",
    digest="6c0f",
    spec=InputSpec(PARAMS, ("all(x <= 9 for x in a)",)),
    measure="steps",
    formula=Add(N, Num(1)),
    scales=(ScaleRecord(2, 3, True, 4, 1),),
    guided=(7,),
    family="first",
    points=(
        GeneratorPoint(
            PLACE,
            True,
            Node(Op.LT, (CellHole("a", 1, Sort.INT), DefHole(PLACE, 1, Sort.REAL)), Sort.BOOL),
            (Piece((N,), (Incre(Num(0), N, Num(1)), Const(Num(0), N))),),
        ),
    ),
    policies=(BranchPolicy(PLACE, None),),
)
TEXT = write_model(SAMPLE)
DATA = TEXT.encode()
BODY = TEXT[: TEXT.rindex("end ")]


def refused_or_same(text: str) -> None:
    try:
        found = read_model(text)
    except ModelFileError as error:
        assert len(str(error).splitlines()) <= 3
        assert "<model>, line " in str(error)
    else:
        assert found == SAMPLE


def test_every_prefix() -> None:
    for end in range(len(TEXT)):
        refused_or_same(TEXT[:end])


def test_every_line_deleted_or_doubled() -> None:
    lines = TEXT.splitlines(keepends=True)
    for i in range(len(lines)):
        refused_or_same("".join(lines[:i] + lines[i + 1 :]))
        refused_or_same("".join(lines[: i + 1] + lines[i:]))


@settings(deadline=None, max_examples=500)
@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_a_byte_changed(position: int, change: int) -> None:
    data = bytearray(DATA)
    data[position] ^= change
    refused_or_same(data.decode("utf-8", "replace"))
    refused_or_same(data.decode("latin-1"))


def test_every_bit_flipped() -> None:
    for position in range(len(DATA)):
        for bit in range(8):
            data = bytearray(DATA)
            data[position] ^= 1 << bit
            refused_or_same(data.decode("latin-1"))


def only_model_errors(text: str) -> None:
    try:
        read_model(text)
    except ModelFileError as error:
        assert len(str(error).splitlines()) <= 3


@settings(deadline=None)
@given(st.text() | st.text("xsynth model1\n end"))
def test_rubbish(text: str) -> None:
    only_model_errors(text)
    only_model_errors(f"xsynth model 1\n{text}")
    only_model_errors(seal(f"xsynth model 1\n{text}\n"))


PARTS = st.sampled_from(
    ["(", ")", "[", "]", "?", ",", ";", "|", ":", '"', "\\", "\n", "op(", "not ", " and ", "def p8",
     "p9", "1/0", "9" * 5000, "-", "**", "/", "..", "'", "incre(", "size ", "range ", "fixed ",
     "input a: ", "place p8 = f:1@2", "true", "\r", "\x0b", "\u2028", "\0", "\ud800", "٣"]
)  # fmt: skip


@settings(deadline=None, max_examples=500)
@given(st.integers(0, len(BODY)), st.integers(0, 12), st.text() | st.lists(PARTS).map("".join))
def test_well_sealed_rubbish(at: int, gone: int, new: str) -> None:
    only_model_errors(seal(BODY[:at] + new + BODY[at + gone :]))


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(BODY)), PARTS, st.sampled_from([300, 3000, 30_000]))
def test_well_sealed_depth(at: int, part: str, count: int) -> None:
    only_model_errors(seal(BODY[:at] + part * min(count, 100_000 // len(part)) + BODY[at:]))
