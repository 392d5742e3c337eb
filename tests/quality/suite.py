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
    """The worst cost as a formula.  Some are counted by hand; that of the search tree, of the
    shortest paths and of most of the later programs was read off the explored scales, so there
    only brute force at the small scales is independent of xsynth."""
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


def _two_files(n: int) -> Iterator[dict[str, object]]:
    words = list(product((0, 1, 2**8, 2**16, 2**24), repeat=n))
    for a, b in product(words, repeat=2):
        yield {"a": list(a), "b": list(b)}


def _abc_texts(n: int) -> Iterator[dict[str, object]]:
    for letters in product("abcd", repeat=n):
        yield {"text": "".join(letters), "pattern": "abc"}


def _sorted_and_new(n: int) -> Iterator[dict[str, object]]:
    for word in combinations_with_replacement(range(n), n):
        for new in range(-1, n + 1):
            yield {"values": list(word), "new": new}


def _keys_of_three(n: int) -> Iterator[dict[str, object]]:
    """Characters that are equal modulo the number of buckets."""
    keys = [list(key) for key in product((0, 4), repeat=3)]
    for *entered, wanted in product(keys, repeat=n + 1):
        yield {"keys": entered, "wanted": wanted}


def _gram_texts(n: int) -> Iterator[dict[str, object]]:
    for letters in product("theandig", repeat=n):
        yield {"text": "".join(letters)}


def _passwords(n: int) -> Iterator[dict[str, object]]:
    words = [list(word) for word in product((0, 1), repeat=4)]
    for *history, new in product(words, repeat=n + 1):
        yield {"history": history, "new": new}


def _sorted(name: str) -> str:
    return f"all(x <= y for x, y in zip({name}, {name}[1:]))"


def _log2(n: int) -> int:
    return n.bit_length() - 1


def rising_tree(n: int, least: int) -> int:
    """What a B-tree costs that rising keys are inserted into: the numbers of keys in its rightmost
    nodes, from the root on, tell it all."""
    full = 2 * least + 1
    new = 2
    split = 7 + new
    path, total = [0], 3 + new
    for _ in range(n):
        total += 2 + 1  # the turn and the call; is the root full?
        if path[0] == full:
            total += 4 + new + split + 2 * (len(path) > 1)
            path = [1, least, *path[1:]]
        total += 2  # from the root on, as long as it takes
        for at in range(len(path)):
            total += 4 + 2 * path[at]  # a turn, two for each key before, and one at the end
            if at + 1 == len(path):
                total += 2
                path[at] += 1
                break
            total += 2
            if path[at + 1] == full:
                total += 3 + split + 2 * (at + 2 < len(path))
                path[at] += 1
                path[at + 1] = least
    return total


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
    Case(
        "word_compare",
        range(1, 6),
        _two_files,
        (1, 2),
        # two statements a word, and 13 for the bytes of the last one, equal but for one
        lambda n: 2 * n + 19,
        options={"ranges": {"a": "0..4294967295", "b": "0..4294967295"}},
    ),
    Case(
        "boyer_moore",
        range(3, 9),
        _abc_texts,
        (3, 4, 5),
        # a mismatch at the last character costs 14, and where that is b it moves on by one
        lambda n: 14 * n + 62,
        options={"fixes": {"pattern": '"abc"'}},
    ),
    Case(
        "sorted_list_insert_one",
        range(1, 7),
        _sorted_and_new,
        (1, 2, 3, 4),
        lambda n: 2 * n + 5,
        options={"assumptions": (_sorted("values"),)},
    ),
    Case("btree_insert", range(2, 7), _words("keys", 0), (2, 3, 4), lambda n: rising_tree(n, 1)),
    Case("tree_search", range(2, 6), _keyed("keys", "wanted"), (2, 3, 4), lambda n: 4 * n + 4),
    Case(
        "mergesort",
        range(2, 7),
        _words("a", 0),
        (2, 3, 4),
        # every merge goes through its loop; a level of the recursion costs 4 an element
        lambda n: 4 * n * _log2(n) - 8 * 2 ** _log2(n) + 18 * n - 6,
    ),
    Case(
        "hash_find",
        range(1, 4),
        _keys_of_three,
        (1, 2, 3),
        # every key is in one chain and differs from the wanted one in its last character
        lambda n: 11 * n + 13,
        options={
            "sizes": {"keys": "n,3", "wanted": "3"},
            "ranges": {"keys": "0..255", "wanted": "0..255"},
        },
    ),
    Case("ngram_score", range(3, 7), _gram_texts, (3, 4), lambda n: 18 * n - 29),
    Case(
        "password_history",
        range(1, 5),
        _passwords,
        (1, 2),
        # all but the last character agree: four tests and three steps a password
        lambda n: 10 * n + 4,
        options={"sizes": {"history": "n,4", "new": "4"}},
    ),
    Case(
        "heap_insert",
        range(1, 8),
        _keyed("values", "new"),
        (1, 2, 3, 4),
        # the new number rises to the root: floor(log2(n + 1)) levels at 5 statements
        lambda n: 5 * _log2(n + 1) + 5,
    ),
    Case(
        "red_black_search",
        range(1, 6),
        _keyed("keys", "wanted"),
        (1, 2, 3, 4),
        # 4 statements a level; the longest way down has a level more at 2**k - 2 nodes and
        # at 3 * 2**k - 2: those are the fewest for a red-black tree of that height
        lambda n: 4 * (_log2(n + 2) + _log2((n + 2) // 3) if n > 1 else 1) + 4,
    ),
]

POLICY_CASES = [
    Case(
        "quicksort_median",
        range(2, 8),
        _words("a", 0),
        (4, 5),
        # from scale 4 on: each partition takes off two elements; 106 was exhausted at 8
        lambda n: (n * n + 22 * n - 28 - 9 * (n % 2)) // 2,
        100,
    ),
]
"""Those for which branch policies are known and generators are not."""
