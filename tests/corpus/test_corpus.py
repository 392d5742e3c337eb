"""Small programs in the styles of public collections, each against brute force.

A row says how a program is run and what is expected of it.  `values` gives the numbers (or
characters) that brute force tries for a block of cells; the default is 0..n.  The domain is
large enough where the worst cost in it is the worst cost of all, which is what is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from xsynth.explore.worst import explore
from xsynth.pipeline import Status, learn
from xsynth.program.program import Options, Program, load
from xsynth.trace.terms import Sort

HERE = Path(__file__).parent
LEARNED, POLICY, NOT = Status.LEARNED, Status.POLICY_ONLY, Status.NOT_LEARNED

Values = Callable[[int], Iterable[int | Fraction]]


def span(low: int, high: int) -> Values:
    return lambda n: range(low, high)


def letters(characters: str) -> Values:
    return lambda n: [ord(c) for c in characters]


def quarters(n: int) -> list[Fraction]:
    return [Fraction(k, 4) for k in (-2, 0, 1, 2, 3, 6)]


@dataclass(frozen=True)
class Case:
    file: str
    status: Status
    function: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    values: Values | Mapping[str, Values] = lambda n: range(n + 1)
    brute: tuple[int, ...] = (2, 3)
    scales: range = range(2, 5)

    @property
    def learned_from(self) -> range:
        return range(2, min(4, self.scales.stop)) if self.file in DEAR else self.scales

    def program(self) -> Program:
        return load(HERE / f"{self.file}.py", self.function, Options(**self.options))  # type: ignore[arg-type]

    def inputs(self, program: Program, n: int) -> Iterator[dict[str, object]]:
        """Every input over the domain that meets the preconditions."""
        cells, domains = [], []
        for layout in program.spec.layouts(n):
            values = self.values[layout.name] if isinstance(self.values, Mapping) else self.values
            domain = (False, True) if layout.sort is Sort.BOOL else tuple(values(n))
            for cell in layout.cells():
                cells.append((cell.name, cell.index))
                domains.append(domain)
        for chosen in product(*domains):
            known = dict(zip(cells, chosen, strict=True))
            arguments = program.spec.concrete(n, lambda name, at, known=known: known[name, at])
            if all(eval(text, {**arguments, "n": n}) for text in program.spec.assumptions):
                yield arguments


DEAR = frozenset(
    [
        "binary_search_tree",
        "topological_sort",
        "bfs_matrix",
        "fibonacci_cache",
        "coin_change",
        "kadane",
        "key_values",
        "knapsack",
        "average_float",
        "balanced_brackets",
        "binary_search",
        "byte_checksum",
        "dfs_recursive",
        "dijkstra_heap",
        "gcd_all",
        "globals_counter",
        "group_by_length",
        "heap_sort",
        "islands",
        "jump_search",
        "knuth_morris_pratt",
        "matrix_multiply",
        "merge_sort_slices",
        "pancake_sort",
        "permutations_yield",
        "selection_sort",
        "set_operations",
        "shell_sort",
        "spiral",
        "subset_sums",
        "trie",
        "word_split",
    ]
)
"""Programs that `learn` needs long for: two scales, and a second, show that it runs."""

SORTED = "all(x <= y for x, y in zip(a, a[1:]))"
EDGES = {"edges.0": lambda n: range(n), "edges.1": lambda n: range(n)}

CASES = [
    # sorts
    Case("insertion_sort", LEARNED),
    Case("bubble_sort", LEARNED),
    Case("selection_sort", NOT),
    Case("cocktail_sort", LEARNED),
    Case("gnome_sort", LEARNED),
    Case("shell_sort", NOT),
    Case("merge_sort_slices", NOT, "merge_sort"),
    Case("quick_sort_comprehension", LEARNED),
    Case("quick_sort_lomuto", LEARNED, "quick_sort"),
    Case("heap_sort", NOT, "heap_sort"),
    Case("counting_sort", LEARNED, options={"ranges": {"values": "0..2"}}, values=span(0, 3)),
    Case("bucket_by_digit", LEARNED, options={"ranges": {"numbers": "0..3"}}, values=span(0, 4)),
    Case("pancake_sort", NOT),
    Case("dutch_flag", LEARNED, values=span(0, 4)),
    # searches
    Case("linear_search", LEARNED),
    Case("sentinel_search", LEARNED),
    Case("binary_search", LEARNED, options={"assumptions": [SORTED]}),
    Case("search_for_else", LEARNED),
    Case("jump_search", NOT),
    Case("bisect_insert", LEARNED),
    Case("quick_select", LEARNED, options={"fixes": {"k": "0"}}),
    Case("saddle_search", LEARNED, values=span(0, 3), brute=(2,), scales=range(2, 5)),
    Case("two_sum", LEARNED),
    Case("first_repeat", LEARNED),
    Case("prefix_sums", LEARNED, values=span(-2, 3)),
    Case("majority", LEARNED),
    Case("follow_links", LEARNED, values=lambda n: range(-1, n + 1)),
    Case("place_marks", LEARNED, values=lambda n: range(-n - 1, n + 1), scales=range(1, 4)),
    Case("remove_all", LEARNED),
    # strings
    Case("naive_pattern", LEARNED, options={"sizes": {"pattern": "2"}}, values=letters("ab")),
    Case("knuth_morris_pratt", LEARNED, values=letters("abc")),
    Case("palindrome", LEARNED, values=letters("ab")),
    Case(
        "anagram_counter",
        LEARNED,
        values=letters("abcd"),
        scales=range(2, 4),
    ),
    Case("most_frequent", LEARNED, options={"sizes": {"words": "n,1"}}, values=letters("abc")),
    Case("run_length", LEARNED, values=letters("abc")),
    Case("caesar", LEARNED, values=letters("aA ")),
    Case("balanced_brackets", LEARNED, values=letters("()[]"), brute=(2,)),
    Case("word_split", POLICY, values=letters("a ")),
    Case("vowels", LEARNED, values=letters("ab")),
    Case("parse_number", LEARNED, values=letters("0a")),
    Case("hamming", LEARNED, values=letters("ab")),
    Case("edit_distance", LEARNED, values=letters("ab"), scales=range(2, 4)),
    Case("byte_checksum", LEARNED, options={"ranges": {"data": "200..201"}}, values=span(200, 202)),
    Case(
        "nested_repeat",
        LEARNED,
        options={"cost": "work"},
        values=letters("1 "),
        brute=(2, 3, 4, 5),
        scales=range(2, 8),
    ),
    Case("trailing_space", LEARNED, options={"cost": "work"}, values=letters(" a"), brute=(3, 5)),
    Case("key_values", LEARNED, values=letters("ab=1"), brute=(2, 4)),
    # dynamic programming
    Case("longest_common_subsequence", LEARNED, values=span(0, 2), scales=range(2, 4)),
    Case("longest_increasing", LEARNED),
    Case("kadane", LEARNED, values=span(-2, 3)),
    Case(
        "knapsack",
        LEARNED,
        options={"ranges": {"weights": "1..2", "values": "0..9"}},
        values={"weights": span(1, 3), "values": span(0, 3)},
        scales=range(2, 4),
    ),
    Case(
        "coin_change",
        LEARNED,
        options={"ranges": {"coins": "1..3"}, "fixes": {"amount": "n"}},
        values=span(1, 4),
    ),
    Case("fibonacci_cache", LEARNED, "table", {"ranges": {"queries": "0..4"}}, span(0, 5)),
    Case("climbing_stairs", LEARNED, values=span(0, 3)),
    Case("subset_sums", NOT, values=span(0, 3)),
    Case("permutations_yield", NOT),
    # graphs
    Case("bfs_matrix", LEARNED, brute=(2, 3)),
    Case("dfs_recursive", LEARNED, brute=(2, 3)),
    Case("dijkstra_heap", NOT, options={"ranges": {"weights": "0.."}}, brute=(2,)),
    Case(
        "bellman_ford",
        LEARNED,
        options={
            "sizes": {"edges": "2"},
            "fixes": {"vertices": "n"},
            "assumptions": ["all(0 <= u < n and 0 <= v < n and w >= 1 for u, v, w in edges)"],
        },
        values={**EDGES, "edges.2": span(1, 3)},
        scales=range(2, 4),
    ),
    Case("floyd_warshall", NOT, brute=(2,), values=span(-1, 2), scales=range(2, 3)),
    Case(
        "union_find",
        NOT,
        "kruskal",
        {
            "sizes": {"edges": "n-1"},
            "fixes": {"size": "n"},
            "assumptions": ["all(0 <= u < n and 0 <= v < n for u, v in edges)"],
        },
        EDGES,
    ),
    Case(
        "topological_sort",
        NOT,
        options={
            "sizes": {"edges": "n-1"},
            "fixes": {"n": "n"},
            "assumptions": ["all(0 <= u < n and 0 <= v < n for u, v in edges)"],
        },
        values=EDGES,
    ),
    # trees, lists, heaps, queues, classes
    Case("linked_list", LEARNED, "insert_all"),
    Case("binary_search_tree", LEARNED, "tree_sort"),
    Case(
        "trie",
        LEARNED,
        "build",
        {"sizes": {"words": "n,2"}, "ranges": {"words": "a..b"}},
        letters("ab"),
    ),
    Case("min_heap_class", NOT, "fill"),
    Case("k_smallest_heapq", LEARNED),
    Case("queue_of_stacks", LEARNED, "operate"),
    Case("lru_cache_class", LEARNED, "misses"),
    Case("shapes_inheritance", LEARNED, "largest"),
    Case("vector_dunder", LEARNED, "equal_sums", values=span(0, 2)),
    # matrices
    Case("matrix_multiply", NOT, values=span(0, 2), brute=(2,), scales=range(2, 3)),
    Case("spiral", NOT, brute=(2,), scales=range(2, 3)),
    Case("islands", POLICY),
    # numbers and the rest
    Case("commands_match", LEARNED, values=span(0, 2)),
    Case("intervals_key", LEARNED),
    Case("context_manager", LEARNED, "guarded", values=span(-1, 1)),
    Case("globals_counter", NOT, "hailstones", {"ranges": {"values": "0..3"}}, span(0, 4)),
    Case("average_float", POLICY),
    Case("gcd_all", NOT, "gcd_all", {"ranges": {"values": "0..3"}}, span(0, 4), brute=(2,)),
    Case("power_set_bits", LEARNED, options={"ranges": {"values": "0..3"}}, values=span(0, 4)),
    Case("itertools_pairs", LEARNED),
    Case(
        "shared_bits",
        LEARNED,
        options={"ranges": {"values": "0..3", "mask": "0..3"}},
        values=span(0, 4),
        scales=range(1, 4),
    ),
    Case("single_number", LEARNED, options={"ranges": {"numbers": "0..3"}}, values=span(0, 4)),
    Case("floor_buckets", LEARNED, values=quarters),
    Case("round_up", LEARNED, options={"fixes": {"coin": "0.5"}}, values=quarters),
    Case(
        "group_by_length",
        LEARNED,
        options={"sizes": {"words": "n,2"}, "ranges": {"words": "a..b"}},
        values=letters("ab"),
    ),
    Case("copy_and_compare", LEARNED),
    Case("set_operations", LEARNED, values=span(0, 4)),
    Case(
        "halving_slices", LEARNED, options={"fixes": {"k": "1"}, "cost": "work"}, values=span(0, 2)
    ),
    Case("optional_limit", LEARNED, options={"fixes": {"limit": "3"}}, values=lambda n: (3, 4)),
]
IDS = [case.file for case in CASES]


def test_every_program_has_a_row():
    files = {path.stem for path in HERE.glob("*.py")} - {Path(__file__).stem}
    assert files == set(IDS)
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_exploration_finds_the_worst_cost_that_brute_force_finds(case: Case):
    program = case.program()
    for n in case.brute:
        costs = [program.replay(arguments).cost for arguments in case.inputs(program, n)]
        found = explore(program, n)
        assert found.exhaustive
        assert found.cost == max(cost for cost in costs if cost is not None)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_what_is_learned_at_small_scales(case: Case):
    """Every program goes through; where that is cheap, with the status in the table.

    What took a search, or was cut short, depends on how busy the machine is.
    """
    cheap = case.file not in DEAR and case.status is Status.LEARNED
    learning = learn(case.program(), case.learned_from, budget=120 if cheap else 1)
    assert learning.worst
    assert learning.status is Status.LEARNED or not cheap, learning.reason
