"""Induction variable sequences with their loops: trees, tokens and text (section IV-A).

A tree of depth 0 is an integer; of depth k + 1, a tuple of trees of depth k: one run of
a loop, an element a turn.  The paper writes it with brackets, `((0), (1, 0), (2, 1, 0))`.
`grammars/sequence.lark` reads that from token objects, whether they come from text or
from a tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from lark import Token, Transformer
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

from xsynth.model.grammars import parser

Tree: TypeAlias = "int | tuple[Tree, ...]"

_TOKEN = re.compile(r"\s*(?:(?P<LEAF>[+-]?\d+)|(?P<OPEN>\()|(?P<CLOSE>\))|(?P<COMMA>,))")


class TokenLexer(Lexer):
    """Hands on tokens that are already made."""

    def __init__(self, _: object) -> None:
        pass

    def lex(self, data: Iterable[Token]) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


class _Build(Transformer[Token, Any]):
    def group(self, children: list[Any]) -> Tree:
        return tuple(c for c in children if not isinstance(c, Token))

    def leaf(self, children: list[Token]) -> Tree:
        return int(children[0].value)


_BUILD = _Build()


def tokens_of_text(text: str) -> Iterator[Token]:
    position, end = 0, len(text.rstrip())
    while position < end:
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            wrong = len(text) - len(text[position:].lstrip())
            raise ValueError(f"column {wrong + 1}: {text[wrong]!r} is not part of a sequence")
        value: Any = found[found.lastgroup]
        if found.lastgroup == "LEAF":
            value = int(value)
        yield Token(found.lastgroup, value, column=found.start(found.lastgroup) + 1)
        position = found.end()


def tokens_of_tree(tree: Tree) -> Iterator[Token]:
    stack: list[Token | Tree] = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, Token):
            yield top
        elif isinstance(top, int):
            yield Token("LEAF", top)
        else:
            yield Token("OPEN", "(")
            stack.append(Token("CLOSE", ")"))
            for index in range(len(top) - 1, -1, -1):
                stack.append(top[index])
                if index:
                    stack.append(Token("COMMA", ","))


def read_tokens(tokens: Iterable[Token]) -> Tree:
    """The tree of a token sequence; ValueError if there is none of uniform depth."""
    try:
        found: Any = parser("sequence", "sequence", transformer=_BUILD, lexer=TokenLexer).parse(
            tokens
        )
    except UnexpectedInput as error:
        column = error.column if isinstance(error.column, int) and error.column > 0 else "end"
        raise ValueError(f"column {column}: the sequence is not well formed") from None
    tree: Tree = found
    levels(tree, depth(tree))
    return tree


def read_sequence(text: str) -> Tree:
    return read_tokens(tokens_of_text(text))


def write_sequence(tree: Tree) -> str:
    return "".join(
        ", " if token.type == "COMMA" else str(token.value) for token in tokens_of_tree(tree)
    )


def depth(tree: Tree) -> int:
    """The number of loops; where every loop at some level is empty, those that can be seen."""
    level: list[Tree] = [tree]
    found = 0
    while any(isinstance(node, tuple) for node in level):
        found += 1
        level = [child for node in level if isinstance(node, tuple) for child in node]
    return found


def levels(tree: Tree, depth: int) -> tuple[list[int], list[list[int]]]:
    """The leaves, and for each loop level (outermost first) the lengths of its runs.

    ValueError unless every leaf lies below `depth` loops.
    """
    lengths: list[list[int]] = []
    nodes: list[Tree] = [tree]
    for _ in range(depth):
        groups = [node for node in nodes if isinstance(node, tuple)]
        if len(groups) != len(nodes):
            raise ValueError("the leaves of the sequence lie at different depths")
        lengths.append([len(group) for group in groups])
        nodes = [child for group in groups for child in group]
    leaves = [node for node in nodes if isinstance(node, int)]
    if len(leaves) != len(nodes):
        raise ValueError("the leaves of the sequence lie at different depths")
    return leaves, lengths


def leaves(tree: Tree) -> list[int]:
    """The sequence without its brackets."""
    return levels(tree, depth(tree))[0]
