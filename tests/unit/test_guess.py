"""Types of parameters that nobody annotated."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from xsynth.errors import InputSpecError
from xsynth.program.guess import Guesser
from xsynth.program.inputs import describe
from xsynth.program.program import Options, load


def guesses(source: str) -> dict[str, str | None]:
    """Of the parameters of the first function."""
    tree = ast.parse(textwrap.dedent(source))
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    guesser = Guesser(tree)
    return {argument.arg: guesser.guess(node, argument.arg) for argument in node.args.args}


BY_USE = [
    ("for x in a:\n    b += x", {"a": "list[int]"}),
    ("return a[0] if len(a) > b else None", {"a": "list[int]", "b": "int"}),
    ("return [row[0] for row in a]", {"a": "list[list[int]]"}),
    ("return a[b][b + 1]", {"a": "list[list[int]]", "b": "int"}),
    ("return a.lower().split()", {"a": "str"}),
    ("return [c for c in a if c.isdigit()]", {"a": "str"}),
    ("return sum(ord(c) for c in a)", {"a": "str"}),
    ("for w in a:\n    w.split()", {"a": "list[str]"}),
    ("for u, v, w in a:\n    b -= w", {"a": "list[tuple[int, int, int]]", "b": "int"}),
    ("for i, x in enumerate(a):\n    if x == b: return i", {"a": "list[int]", "b": "int"}),
    ("for i in range(a):\n    pass", {"a": "int"}),
    ("while a % 2 == 0:\n    a //= 2", {"a": "int"}),
    ("a.sort()", {"a": "list[int]"}),
    ("return [k for k, v in a.items()]", {"a": "dict[int, int]"}),
    ("a.add(1)", {"a": "set[int]"}),
    ("return helper(a)", {"a": "list[list[int]]"}),
    ("while a.next:\n    a = a.next", {"a": None}),
    ("return a(b)", {"a": None}),
    ("return None", {"a": None, "b": None}),
]


@pytest.mark.parametrize(("body", "expected"), BY_USE)
def test_what_is_done_with_a_value(body: str, expected: dict[str, str | None]) -> None:
    helper = "def helper(m):\n    return m[0][1]\n"
    found = guesses(f"def f(a, b):\n{textwrap.indent(body, '    ')}\n\n{helper}")
    assert {name: found[name] for name in expected} == expected


BY_WORDS = [
    (":type a: List[int]", "list[int]"),
    (":type a: list[list[str]]", "list[list[str]]"),
    (":type a: TreeNode", None),
    (":type a: string", "str"),
    (":param int a: how many", "int"),
    ("Args:\n        a (list of int): values", "list[int]"),
    ("a : str\n        a text", "str"),
    (">>> f([3, 1])\n    [1, 3]", "list[int]"),
    (">>> f('abc') == f(a='')\n    True", "str"),
    (">>> f({0: [1], 1: []})", "dict[int, list[int]]"),
    (">>> f(1)\n    >>> f('1')\n", None),
    (":type a: list", "list[int]"),
]


@pytest.mark.parametrize(("words", "expected"), BY_WORDS)
def test_what_a_docstring_says(words: str, expected: str | None) -> None:
    use = "for x in a: pass" if expected == "list[int]" else "pass"
    assert guesses(f'def f(a):\n    """{words}\n    """\n    {use}\n')["a"] == expected


def test_names_settle_what_the_code_leaves_open() -> None:
    source = "def f(text, items, n):\n    return len(text) + len(items)\n"
    assert guesses(source) == {"text": "str", "items": "list[int]", "n": "int"}
    graph = "def walk(graph, at):\n    for v in graph[at]:\n        walk(graph, v)\n"
    assert guesses(graph) == {"graph": "dict[int, list[int]]", "at": "int"}


def test_a_guess_is_told_and_an_option_overrides_it(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text(
        "class Bag:\n    def __init__(self, items):\n        self.items = sorted(items)\n\n"
        "    def has(self, x):\n        return x % 2 == 0 and x in self.items\n\n"
        "def first(a: list, b):\n    return a[0][b]\n"
    )
    program = load(file, "first", Options())
    assert program.notes == (
        "a is taken as list[list[int]]; --input a=TYPE changes that",
        "b is taken as int; --input b=TYPE changes that",
    )
    bag = load(file, "Bag.has", Options())
    assert describe(bag.spec) == ("input self: Bag(items=list[int]) size n", "input x: int")
    assert bag.notes[0] == "self.items is taken as list[int]; --input self.items=TYPE changes that"
    told = load(file, "first", Options(inputs={"a": "list[str]", "b": "int"}))
    assert told.notes == ()


def test_what_cannot_be_guessed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text("def last(node):\n    while node.next:\n        node = node.next\n")
    with pytest.raises(InputSpecError, match="node has no annotation"):
        load(file, "last", Options())
