"""Bracketed sequences, and the structure that all scales share."""

from __future__ import annotations

import pytest
from lark import Token

from xsynth.model.expand import expand
from xsynth.model.grammars import parser
from xsynth.model.infer import (
    ConstFamily,
    IncreFamily,
    NoGenerator,
    Parameter,
    infer,
    infer_one,
    member,
)
from xsynth.model.sequence import (
    TokenLexer,
    Tree,
    _Build,
    depth,
    leaves,
    read_sequence,
    read_tokens,
    tokens_of_text,
    tokens_of_tree,
    write_sequence,
)

CASES = [
    pytest.param(
        "((6, 2, 0), (7, 3, 1, 0), (8, 3, 1, 0))",
        ((6, 2, 0), (7, 3, 1, 0), (8, 3, 1, 0)),
        2,
        "recur(incre(6, 8, 1), 0, 1, -1, 2)",
        id="halving",
    ),
    pytest.param(
        "((1, 3, 9, 27), (2, 6, 18))",
        ((1, 3, 9, 27), (2, 6, 18)),
        2,
        "recur(incre(1, 2, 1), 27, 3, 0, 1)",
        id="threefold",
    ),
    pytest.param("7", 7, 0, "7", id="no loop"),
    pytest.param("()", (), 1, "const(0, 0)", id="no turns"),
    pytest.param("(3)", (3,), 1, "const(3, 1)", id="one turn"),
    pytest.param("(3, 3)", (3, 3), 1, "const(3, 2)", id="constant"),
    pytest.param("(-2, -1, 0)", (-2, -1, 0), 1, "incre(-2, 0, 1)", id="increment"),
    pytest.param("((), ())", ((), ()), 2, "const(const(0, 2), const(0, 2))", id="empty loops"),
    pytest.param(
        "((1), (2, 2), (3, 3, 3), (4, 4, 4, 4))",
        ((1,), (2, 2), (3, 3, 3), (4, 4, 4, 4)),
        2,
        "const(incre(1, 4, 1), incre(1, 4, 1))",
        id="example 1",
    ),
    pytest.param(
        "((0), (1, 0), (2, 1, 0), (3, 2, 1, 0))",
        ((0,), (1, 0), (2, 1, 0), (3, 2, 1, 0)),
        2,
        "incre(incre(0, 3, 1), const(0, 4), -1)",
        id="example 2",
    ),
    pytest.param(
        "((), (0), (0, 1))",
        ((), (0,), (0, 1)),
        2,
        "incre(const(0, 3), incre(-1, 1, 1), 1)",
        id="leading hole",
    ),
    pytest.param(
        "((1, 2), (2), ())",
        ((1, 2), (2,), ()),
        2,
        "incre(incre(1, 3, 1), const(2, 3), 1)",
        id="trailing hole",
    ),
    pytest.param(
        "(((5), (5)), ((5), (5)))",
        (((5,), (5,)), ((5,), (5,))),
        3,
        "const(const(const(5, 2), const(2, 2)), const(const(1, 2), const(2, 2)))",
        id="three loops",
    ),
]


@pytest.mark.parametrize(("text", "tree", "loops", "generator"), CASES)
def test_read_and_write(text: str, tree: Tree, loops: int, generator: str) -> None:
    assert read_sequence(text) == tree
    assert write_sequence(tree) == text
    assert read_tokens(tokens_of_tree(tree)) == tree
    assert depth(tree) == loops
    assert [(t.type, t.value) for t in tokens_of_text(text)] == [
        (t.type, t.value) for t in tokens_of_tree(tree)
    ]


@pytest.mark.parametrize(("text", "tree", "loops", "generator"), CASES)
def test_infer_one_and_expand(text: str, tree: Tree, loops: int, generator: str) -> None:
    isg = infer_one(tree)
    assert str(isg) == generator
    assert not isinstance(isg, NoGenerator)
    assert expand(isg, 0).tolist() == leaves(tree)


def test_tokens_are_objects() -> None:
    assert [t.value for t in tokens_of_text("(1, -2)")] == ["(", 1, ",", -2, ")"]
    assert read_tokens([Token("OPEN", "("), Token("LEAF", 4), Token("CLOSE", ")")]) == (4,)


def test_rules_and_builders_share_their_names() -> None:
    lark = parser("sequence", "sequence", lexer=TokenLexer)
    built = {str(r.origin.name) for r in lark.rules if not r.options.expand1}
    named = {name for name in built if not name.startswith("_")}
    assert named == {name for name in vars(_Build) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not well formed"),
        ("(", "not well formed"),
        (")", "column 1"),
        ("(1, , 2)", "column 5"),
        ("(1,)", "column 4"),
        ("(1, x)", "column 5: 'x'"),
        ("1 2", "column 3"),
        ("(1, (2))", "different depths"),
        ("((1), 2)", "different depths"),
    ],
)
def test_texts_that_are_no_sequence(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        read_sequence(text)


def test_long_sequences_and_deep_ones() -> None:
    assert read_sequence(write_sequence(tuple(range(20_000)))) == tuple(range(20_000))
    deep = "(" * 5000 + "1" + ")" * 5000
    assert write_sequence(read_sequence(deep)) == deep


def test_structure_is_shared_by_all_scales() -> None:
    """At scale 2 every run has one element and could be constant."""
    family = infer({n: tuple(tuple(range(i, -1, -1)) for i in range(n - 1)) for n in (2, 3, 4)})
    assert family == IncreFamily(
        IncreFamily(
            Parameter({2: 0, 3: 0, 4: 0}),
            Parameter({2: 0, 3: 1, 4: 2}),
            Parameter(dict.fromkeys((2, 3, 4), 1)),
        ),
        ConstFamily(Parameter({2: 0, 3: 0, 4: 0}), Parameter({2: 1, 3: 2, 4: 3})),
        Parameter({2: -1, 3: -1, 4: -1}),
    )
    assert str(member(family, 3)) == "incre(incre(0, 1, 1), const(0, 2), -1)"


def test_an_empty_loop_leaves_a_hole() -> None:
    family = infer({2: (), 3: (4,), 4: (4, 6)})
    assert family == IncreFamily(
        Parameter({2: None, 3: 4, 4: 4}),
        Parameter({2: None, 3: 4, 4: 6}),
        Parameter({2: 2, 3: 2, 4: 2}),
    )


def test_a_difference_that_grows_with_the_scale() -> None:
    family = infer({1: (0,), 2: (0, 2), 3: (0, 3, 6)})
    assert isinstance(family, IncreFamily)
    assert family.step == Parameter({1: None, 2: 2, 3: 3})


def test_loops_that_are_empty_at_a_scale_have_no_visible_depth() -> None:
    assert isinstance(infer({1: (), 2: ((1, 2),), 3: ((1, 2), (1, 2))}), IncreFamily)


@pytest.mark.parametrize(
    ("trees", "reason"),
    [
        ({}, "no sequences"),
        ({3: (1, 2, 4)}, "at scale 3, loop 1: 1, 2, 4 is neither constant nor arithmetic"),
        ({3: ((1, 1), (1, 2))}, "loop 2: some of its runs are constant and others are not"),
        ({3: ((0,), (0,), (0, 0))}, "at scale 3, loop 1: 1, 1, 2"),
        ({3: (1, (2,))}, "different depths"),
        ({3: (1, 2), 4: 3}, "different depths"),
    ],
)
def test_no_generator_says_why(trees: dict[int, Tree], reason: str) -> None:
    answer = infer(trees)
    assert isinstance(answer, NoGenerator)
    assert reason in answer.reason
