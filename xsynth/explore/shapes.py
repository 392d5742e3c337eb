"""Shapes of plain inputs: what anyone would try first, by name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, permutations, product
from typing import TypeAlias

from xsynth.program.program import Program
from xsynth.program.shapes import FixedValue
from xsynth.scale import Scale, named

MOST_CONSTANTS = 4
MOST_LETTERS = 6
MOST_MIXED = 3
MOST_WORDS = 4
LONGEST_WORD = 12
MOST_FIXED = 64
"""How many of the numbers and texts in fixed arguments are looked at."""

Shape: TypeAlias = Callable[[int, int], int]
"""The value of element i of m."""

ARRAYS: dict[str, Shape] = {
    "rising": lambda i, m: i,
    "falling": lambda i, m: m - 1 - i,
    "all 0": lambda i, m: 0,
    "all 1": lambda i, m: 1,
    "falling below 0": lambda i, m: -1 - i,
    "all -1": lambda i, m: -1,
    "alternating": lambda i, m: i % 2,
    "rising, then falling": lambda i, m: min(i, m - 1 - i),
    "falling, then rising": lambda i, m: max(i, m - 1 - i),
    "rising, then equal": lambda i, m: i if i < m // 2 else m // 2,
    "rising by pairs": lambda i, m: i // 2,
    "the last is greater": lambda i, m: 0 if i < m - 1 else 1,
    "rising and falling in turn": lambda i, m: i if i % 2 else m - i,
    "by threes": lambda i, m: i % 3,
    "the first is greater": lambda i, m: 0 if i else 1,
    "rising, the least last": lambda i, m: (i + 1) % m,
    "rising, the greatest first": lambda i, m: (i - 1) % m,
    "falling, the greatest last": lambda i, m: m - 2 - i if i < m - 1 else m - 1,
    "falling, the least first": lambda i, m: m - i if i else 0,
    "even before odd": lambda i, m: 2 * i if 2 * i < m else 2 * i - m + (m + 1) % 2,
    "two rising, interleaved": lambda i, m: i // 2 if i % 2 == 0 else (m + 1) // 2 + i // 2,
    "two falling, interleaved": lambda i, m: -(i // 2 if i % 2 == 0 else (m + 1) // 2 + i // 2),
    "least and greatest in turn": lambda i, m: i // 2 if i % 2 == 0 else m - 1 - i // 2,
    "greatest and least in turn": lambda i, m: m - 1 - i // 2 if i % 2 == 0 else i // 2,
    "halves exchanged": lambda i, m: (i + m // 2) % m,
    "half 1, then 0": lambda i, m: int(2 * i < m),
    "half 0, then 1": lambda i, m: int(2 * i >= m),
    "two thirds 1, then 0": lambda i, m: int(3 * i < 2 * m),
    "half 1, then 0 and -1 in turn": lambda i, m: 1 if 2 * i < m else -(i % 2),
}


def _word(values: Sequence[int]) -> Shape:
    return lambda i, m: values[i % len(values)]


def _repeated(alphabet: Sequence[int], lengths: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Words that are not a shorter one repeated: what a state machine goes round and round by."""
    for length in lengths:
        for word in product(alphabet, repeat=length):
            shorter = (word[:k] for k in range(1, length) if length % k == 0)
            if all(word != part * (length // len(part)) for part in shorter):
                yield word


def words(lengths: Iterable[int]) -> dict[str, Shape]:
    """Short words of 1 and 0, repeated."""
    found = _repeated((1, 0), lengths)
    return {f"{', '.join(map(str, word))} repeated": _word(word) for word in found}


SCALARS: dict[str, Shape] = {
    "-1": lambda i, m: -1,
    "n": lambda i, m: m,
    "0": lambda i, m: 0,
    "n - 1": lambda i, m: m - 1,
    "1": lambda i, m: 1,
    "2 n": lambda i, m: 2 * m,
}


def by_constants(program: Program, scale: Scale) -> dict[str, Shape]:
    """Patterns of the numbers and texts that the arguments that are fixed hold, and those that
    the source mentions: what it compares with may matter.

    Equal to one of the numbers, or rising and falling by it from element to element.
    """
    fixed = _fixed(program, scale)
    given = (abs(value) for value in fixed if type(value) is int)
    numbers = dict.fromkeys([*sorted({*given} - {0, 1}), *_numbers(program.source)])
    shapes: dict[str, Shape] = {}
    for number in islice(numbers, MOST_CONSTANTS):
        shapes |= {
            f"rising by {number}": lambda i, m, c=number: c * i,  # type: ignore[misc]
            f"falling by {number}": lambda i, m, c=number: c * (m - 1 - i),  # type: ignore[misc]
            f"all {number}": lambda i, m, c=number: c,  # type: ignore[misc]
        }
    texts = tuple(dict.fromkeys(value for value in fixed if isinstance(value, str)))
    return shapes | _by_texts(program.source, texts)


def _fixed(program: Program, scale: Scale) -> list[int | str]:
    """The numbers and texts in the arguments that are no unknowns."""
    found: list[int | str] = []
    waiting: list[object] = [
        param.shape.value.evaluate(named(scale))
        for param in reversed(program.spec.params)
        if isinstance(param.shape, FixedValue)
    ]
    while waiting and len(found) < MOST_FIXED:
        match waiting.pop():
            case str() | int() as value:
                found.append(value)
            case bytes() as value:
                found.append(value.decode("latin-1"))
            case dict() as value:
                waiting += [*reversed(value.values()), *reversed(value)]
            case list() | tuple() as value:
                waiting += value[::-1]
    return found


@lru_cache(maxsize=16)
def _by_texts(source: str, fixed: tuple[str, ...]) -> dict[str, Shape]:
    """Texts made of what is fixed and what the source mentions: one character, one after
    another, a word again and again, with something between or without."""
    own, written = _texts(source)
    letters = tuple(dict.fromkeys((*"".join(fixed), *own)))[:MOST_LETTERS]
    short = (text for text in fixed if 2 <= len(text) <= LONGEST_WORD)
    words = tuple(dict.fromkeys((*short, *written)))[:MOST_WORDS]
    shapes: dict[str, Shape] = {}
    for repeated in (*letters, *(form for word in words for form in (word, f"{word}x"))):
        shapes[f"{repeated!r} repeated"] = _word([ord(c) for c in repeated])
    codes_of = {ord(c): c for c in letters[:MOST_MIXED]}
    for word in _repeated(tuple(codes_of), (2, 3)):
        shapes[f"{''.join(codes_of[c] for c in word)!r} repeated"] = _word(word)
    for one, other in permutations((*letters[:3], "x"), 2):
        pair = ord(one), ord(other)
        shapes |= {
            f"{one!r}, then {other!r}": lambda i, m, c=pair: c[2 * i >= m],  # type: ignore[misc]
            f"two thirds {one!r}": lambda i, m, c=pair: c[3 * i >= 2 * m],  # type: ignore[misc]
        }
    return shapes


@lru_cache(maxsize=16)
def _texts(source: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The characters and the short words that are written in the source, docstrings left out."""
    tree = ast.parse(source)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]
    letters = dict.fromkeys(c for text in found if len(text) <= 3 for c in text)
    words = dict.fromkeys(text for text in found if 2 <= len(text) <= LONGEST_WORD)
    return tuple(letters)[:MOST_LETTERS], tuple(words)[:MOST_WORDS]


@lru_cache(maxsize=16)
def _numbers(source: str) -> tuple[int, ...]:
    found = {
        abs(node.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and type(node.value) is int
    }
    return tuple(sorted(found - {0, 1})[:MOST_CONSTANTS])
