"""The benchmark programs as the tests run them: options, scales, and a small domain.

`inputs(n)` gives every input over a domain that is large enough to take every path at
scale n: brute force over it is the yardstick for what exploration says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from pathlib import Path

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"


@dataclass(frozen=True)
class Case:
    name: str
    scales: range
    inputs: Callable[[int], Iterator[dict[str, object]]]
    brute: tuple[int, ...]
    """Scales that brute force can cover."""
    worst: Callable[[int], int]
    """The worst cost in steps, counted by hand."""
    largest: int = 500
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return PROGRAMS / f"{self.name}.py"


def _words(name: str, letters: int) -> Callable[[int], Iterator[dict[str, object]]]:
    def inputs(n: int) -> Iterator[dict[str, object]]:
        for word in product(range(letters or n), repeat=n):
            yield {name: list(word)}

    return inputs


def _keyed(name: str, key: str) -> Callable[[int], Iterator[dict[str, object]]]:
    def inputs(n: int) -> Iterator[dict[str, object]]:
        for *word, wanted in product(range(n + 1), repeat=n + 1):
            yield {name: list(word), key: wanted}

    return inputs


def _two_sorted(n: int) -> Iterator[dict[str, object]]:
    words = [list(w) for w in combinations_with_replacement(range(2 * n), n)]
    for a, b in product(words, repeat=2):
        yield {"a": a, "b": b}


def _two_matrices(n: int) -> Iterator[dict[str, object]]:
    for bits in product((False, True), repeat=2 * n * n):
        rows = [list(bits[i : i + n]) for i in range(0, len(bits), n)]
        yield {"a": rows[:n], "b": rows[n:]}


def _texts(n: int) -> Iterator[dict[str, object]]:
    for letters in product("abc", repeat=n):
        yield {"text": "".join(letters), "pattern": "aab"}


def _weights(n: int) -> Iterator[dict[str, object]]:
    for values in product(range(4), repeat=n * (n - 1)):
        given = iter(values)
        yield {"weight": [[0 if i == j else next(given) for j in range(n)] for i in range(n)]}


def _sorted(name: str) -> str:
    return f"all(x <= y for x, y in zip({name}, {name}[1:]))"


CASES = [
    Case(
        "insertion_sort",
        range(2, 7),
        _words("a", 0),
        (2, 3, 4),
        # for + return, and for each i: turn, key, j, while, last assignment, 3 a shift
        lambda n: 2 + 5 * (n - 1) + 3 * n * (n - 1) // 2,
    ),
    Case(
        "sorted_list_insert",
        range(2, 7),
        _words("values", 0),
        (2, 3, 4),
        lambda n: n * n + 5 * n + 5,
    ),
    Case(
        "merge_sorted",
        range(2, 6),
        _two_sorted,
        (2, 3),
        lambda n: 8 * n + 5,
        options={"assumptions": (_sorted("a"), _sorted("b"))},
    ),
    Case(
        "search_tree",
        range(2, 6),
        _keyed("keys", "wanted"),
        (2, 3, 4),
        lambda n: 5 * n * (n - 1) // 2 + 13 * n + 6,
    ),
    Case(
        "boolean_matrix_product",
        range(2, 4),
        _two_matrices,
        (2,),
        lambda n: 2 * n**3 + 4 * n**2 + 3 * n + 4,
        100,
    ),
    Case("pattern_search", range(3, 8), _texts, (3, 4, 5), lambda n: 8 * n - 12),
    Case("linear_search", range(2, 7), _keyed("items", "wanted"), (2, 3, 4), lambda n: 2 * n + 2),
    Case("bubble_sort", range(2, 7), _words("a", 0), (2, 3, 4), lambda n: 2 * n * (n + 1) - 2),
    Case(
        "dijkstra",
        range(2, 6),
        _weights,
        (2, 3),
        lambda n: 5 * n**2 + 4 * n + 7,
        100,
        {"ranges": {"weight": "0..100000"}},
    ),
]
