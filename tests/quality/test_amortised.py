"""Amortised structures: what one step costs depends on all before it, and the sum has a formula.

The worst costs are those of brute force at small scales, and counted here, statement by
statement but without the programs, at large ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path

import pytest
from suite import rising_tree

from xsynth.model.growth import growth
from xsynth.model.isg import evaluate_int
from xsynth.pipeline import Status, learn
from xsynth.program.program import load
from xsynth.synthesize.generate import Generated, Recipe, Strategy, generate

GROWING_ARRAY = """
class Array:
    def __init__(self):
        self.room = [None] * 3
        self.used = 0

    def append(self, value):
        if self.used == len(self.room):
            larger = [None] * (2 * len(self.room))
            for i in range(self.used):
                larger[i] = self.room[i]
            self.room = larger
        self.room[self.used] = value
        self.used += 1


def keep(values: list[int], limit: int) -> int:
    kept = Array()
    for value in values:
        if value > limit:
            kept.append(value)
    return kept.used
"""

TRIPLED_STACK = """
def thirds(values: list[int]) -> int:
    room, used, moved = 1, 0, 0
    store = [0]
    for value in values:
        if value % 3 == 1:
            if used == room:
                room *= 3
                fresh = [0] * room
                for i in range(used):
                    fresh[i] = store[i]
                    moved += 1
                store = fresh
            store[used] = value
            used += 1
    return moved
"""

CHAINED_TABLE = """
class Table:
    def __init__(self):
        self.chains = [[] for _ in range(8)]
        self.used = 0

    def add(self, key):
        self.chains[key % len(self.chains)].append(key)
        self.used += 1
        if 3 * self.used > 2 * len(self.chains):
            old = self.chains
            self.chains = [[] for _ in range(2 * len(old))]
            for chain in old:
                for other in chain:
                    self.chains[other % len(self.chains)].append(other)


def chained(marks: list[bool]) -> int:
    table = Table()
    for place in range(len(marks)):
        if marks[place]:
            table.add(7 * place)
    return table.used
"""

PROBED_TABLE = """
class Table:
    def __init__(self):
        self.slots = [None] * 8
        self.used = 0

    def place(self, key):
        at = key % len(self.slots)
        while self.slots[at] is not None:
            at = (at + 1) % len(self.slots)
        self.slots[at] = key

    def add(self, key):
        if 4 * self.used >= 3 * len(self.slots):
            old = self.slots
            self.slots = [None] * (2 * len(old))
            for other in old:
                if other is not None:
                    self.place(other)
        self.place(key)
        self.used += 1


def probed(marks: list[bool]) -> int:
    table = Table()
    for place in range(len(marks)):
        if marks[place]:
            table.add(place)
    return table.used
"""

FENWICK_TREE = """
def smaller_before(marks: list[bool]) -> int:
    n = len(marks)
    tree = [0] * (n + 1)
    total = 0
    for place in range(n):
        if marks[place]:
            i = place
            while i > 0:
                total += tree[i]
                i -= i & -i
            i = place + 1
            while i <= n:
                tree[i] += 1
                i += i & -i
    return total
"""

BINOMIAL_HEAP = """
class Tree:
    def __init__(self, key):
        self.key = key
        self.children = []


def link(one, other):
    if other.key < one.key:
        one, other = other, one
    one.children.append(other)
    return one


def heap_of(keys: list[int]) -> list[object]:
    trees = []
    for key in keys:
        new = Tree(key)
        rank = 0
        while rank < len(trees) and trees[rank] is not None:
            new = link(trees[rank], new)
            trees[rank] = None
            rank += 1
        if rank == len(trees):
            trees.append(new)
        else:
            trees[rank] = new
    return trees
"""

TREE_OF_DEGREE = """
class Node:
    def __init__(self):
        self.keys = []
        self.children = []


def split_child(node, i):
    full = node.children[i]
    other = Node()
    node.keys.insert(i, full.keys[LEAST])
    node.children.insert(i + 1, other)
    other.keys = full.keys[LEAST + 1:]
    full.keys = full.keys[:LEAST]
    if full.children:
        other.children = full.children[LEAST + 1:]
        full.children = full.children[:LEAST + 1]


def insert(root, key):
    if len(root.keys) == 2 * LEAST + 1:
        top = Node()
        top.children = [root]
        split_child(top, 0)
        root = top
    node = root
    while True:
        i = 0
        while i < len(node.keys) and node.keys[i] < key:
            i += 1
        if not node.children:
            node.keys.insert(i, key)
            return root
        if len(node.children[i].keys) == 2 * LEAST + 1:
            split_child(node, i)
            if node.keys[i] < key:
                i += 1
        node = node.children[i]


def fill(keys: list[int]) -> Node:
    root = Node()
    for key in keys:
        root = insert(root, key)
    return root
"""


def _growing_array(n: int) -> int:
    """Three, and for a value five, and its turn of the loop; a copy is two statements."""
    room, total = 3, 5
    for used in range(n):
        total += 6
        if used == room:
            total += 3 + 2 * used
            room *= 2
    return total


def _tripled_stack(n: int) -> int:
    room, total = 1, 4
    for used in range(n):
        total += 5
        if used == room:
            total += 4 + 3 * used
            room *= 3
    return total


def _chained_table(n: int) -> int:
    """More than two thirds full: as many new chains, the old ones, and what is in them."""
    size, total = 8, 13
    for used in range(1, n + 1):
        total += 6
        if 3 * used > 2 * size:
            total += 3 + 2 * size + 2 * size + 2 * used
            size *= 2
    return total


def _probed_table(n: int) -> int:
    """Three quarters full; keys that rise meet no others."""
    size, total = 8, 5
    for used in range(n):
        total += 9
        if 4 * used >= 3 * size:
            total += 3 + 2 * size + 4 * used
            size *= 2
    return total


def _fenwick_tree(n: int) -> int:
    """Three statements for each entry that a sum or an update touches, two of them inside."""
    total = 5
    for place in range(n):
        touched, i = place.bit_count(), place + 1
        while i <= n:
            touched += 1
            i += i & -i
        total += 6 + 3 * touched
    return total


def _binomial_heap(n: int) -> int:
    """Links are carries of a binary counter, and each may have to exchange its trees."""
    return 3 + sum(8 + 8 * ((count & -count).bit_length() - 1) for count in range(1, n + 1))


def _orders(name: str) -> Callable[[int], Iterable[Mapping[str, object]]]:
    return lambda n: ({name: list(order)} for order in permutations(range(n)))


@dataclass(frozen=True)
class Case:
    name: str
    source: str
    function: str
    inputs: Callable[[int], Iterable[Mapping[str, object]]]
    worst: Callable[[int], int]
    growth: str


CASES = [
    Case(
        "an array that doubles",
        GROWING_ARRAY,
        "keep",
        lambda n: ({"values": list(own), "limit": 0} for own in product((0, 1), repeat=n)),
        _growing_array,
        "O(n)",
    ),
    Case(
        "a stack that triples",
        TRIPLED_STACK,
        "thirds",
        lambda n: ({"values": list(own)} for own in product((0, 1), repeat=n)),
        _tripled_stack,
        "O(n)",
    ),
    Case(
        "a table that is rebuilt at two thirds",
        CHAINED_TABLE,
        "chained",
        lambda n: ({"marks": list(own)} for own in product((False, True), repeat=n)),
        _chained_table,
        "O(n)",
    ),
    Case(
        "a table that is rebuilt at three quarters",
        PROBED_TABLE,
        "probed",
        lambda n: ({"marks": list(own)} for own in product((False, True), repeat=n)),
        _probed_table,
        "O(n)",
    ),
    Case(
        "prefix sums in a tree",
        FENWICK_TREE,
        "smaller_before",
        lambda n: ({"marks": list(own)} for own in product((False, True), repeat=n)),
        _fenwick_tree,
        "O(n log n)",
    ),
    Case(
        "trees that are linked",
        BINOMIAL_HEAP,
        "heap_of",
        _orders("keys"),
        _binomial_heap,
        "O(n)",
    ),
    Case(
        "a search tree with 1 to 3 keys a node",
        TREE_OF_DEGREE.replace("2 * LEAST + 1", "3").replace("LEAST", "1"),
        "fill",
        _orders("keys"),
        lambda n: rising_tree(n, 1),
        "O(n log n)",
    ),
    Case(
        "a search tree with 2 to 5 keys a node",
        TREE_OF_DEGREE.replace("2 * LEAST + 1", "5").replace("LEAST", "2"),
        "fill",
        _orders("keys"),
        lambda n: rising_tree(n, 2),
        "O(n log n)",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_learned_with_a_formula_and_verified(case: Case, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(case.source)
    program = load(file, case.function)
    found = learn(program, range(2, 7))
    assert found.status is Status.LEARNED, found.reason
    model = found.model
    assert model is not None
    assert model.formula is not None
    assert growth(model.formula) == case.growth
    for scale in found.worst:
        n = scale.scale
        assert isinstance(n, int)
        costs = [program.replay(arguments).cost for arguments in case.inputs(n)]
        assert scale.cost == max(cost for cost in costs if cost is not None) == case.worst(n)
    for n in (7, 31, 64, 65, 200, 500, 999, 4096):
        assert evaluate_int(model.formula, {"n": n}) == case.worst(n)
    recipe = Recipe(program, model.points, model.policies, model.formula)
    for n in (200, 500):
        made = generate(recipe, n, [Strategy.SYNTHESIZE])
        assert isinstance(made, Generated)
        assert made.verified
        assert made.observed == case.worst(n)
