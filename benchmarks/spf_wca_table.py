"""Table I of the SPF-WCA paper in shape: `python benchmarks/spf_wca_table.py [NAME ...]`.

For each program and history size a policy is learned from one small scale, as in the paper
(L = H), or from all scales up to it where `--unite` is given.  The search that it guides is
run at growing sizes: its paths (1 means that the policy leaves a single path), its cost, and
at the end the best fit of cost over sizes with its r^2, beside what the paper reports.

The paper's own programs are written anew after its description (most are not public), so
that an exhaustive search has the published number of paths at every scale that the table
has: 16, 376, 11656 for Find Entry, 4 to 364 for the n-grams, 33, 1057, 33825 for the
password check, 541 at 4 for the B-tree.  Their cost is the number of decisions, as in the
paper; that of the other programs is basic blocks, so of their longest paths only the growth
can be compared.  Published path counts that cannot be read with certainty are left out.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from xsynth.complexity import fitted
from xsynth.explore.guided import Guided, guided_test_gen
from xsynth.explore.history import FollowHistory, learn_history
from xsynth.program.program import Options, load

HERE = Path(__file__).parent
SIZES = (1, 2, 3, 4, 5, 10, 15, 20, 30, 100, 250)
MOST_PATHS = 3000
"""A search that has seen so many paths has not been pruned."""


@dataclass(frozen=True)
class Row:
    title: str
    path: str
    learned_at: int
    """The scale of the policy; that of the paper, or the least with a free decision here."""
    histories: tuple[int, ...]
    published: tuple[str, ...]
    """For each history: what the paper says of it."""
    first: int = 1
    options: Options = Options()  # noqa: RUF009  (frozen, and never changed)


ROWS = (
    Row(
        "Find Entry",
        "programs/find_entry.py",
        2,
        (0, 14),
        ("16, 376, 11656: not pruned", "1 path up to 250, O(n), r^2 1.0000"),
        options=Options(sizes={"keys": "n,15", "wanted": "15"}, cost="line:18"),
    ),
    Row(
        "Find Entry with four buckets",
        "programs/hash_find.py",
        2,
        (0, 2),
        ("-", "-"),
        options=Options(
            sizes={"keys": "n,3", "wanted": "3"},
            ranges={"keys": "0..255", "wanted": "0..255"},
            cost="line:27",
        ),
    ),
    Row(
        "N-gram score",
        "programs/ngram_lookup.py",
        2,
        (0, 2),
        ("4, 13, 40, 121, 364: not pruned", "1 path up to 1000, O(n), r^2 1.0000"),
        options=Options(sizes={"table": "n,3", "gram": "3"}, cost="line:11"),
    ),
    Row(
        "Password check",
        "programs/password_check.py",
        2,
        (0, 31),
        ("33, 1057, 33825: not pruned", "1 path up to 100, O(n), r^2 1.0000"),
        options=Options(sizes={"used": "n,32", "new": "32"}, cost="line:9"),
    ),
    Row(
        "B-tree",
        "programs/btree_insert_unique.py",
        2,
        (0,),
        ("4 paths at 10, 6 at 30, 8 at 100, 583 at 250, O(log n), r^2 0.99755",),
        options=Options(sizes={"keys": "n+1"}, cost="branches"),
    ),
    Row(
        "B-tree, from a scale with a split below the root",
        "programs/btree_insert_unique.py",
        5,
        (0,),
        ("-",),
        options=Options(sizes={"keys": "n+1"}, cost="branches"),
    ),
    Row(
        "Merge sort (JDK 1.5)",
        "wise/mergesort.py",
        7,
        (0, 1),
        ("251 paths at 10, O(n log n), r^2 0.99591", "1 path up to 250, O(n log n), r^2 0.99941"),
    ),
    Row(
        "Merge sort that copies what is left over",
        "programs/alternating_merge.py",
        6,
        (0, 1),
        ("-", "-"),
    ),
    Row("Insertion sort", "programs/insertion_sort.py", 2, (0,), ("1 path, O(n^2), r^2 1.0000",)),
    Row("Heap insert", "wise/heap.py", 2, (0,), ("1 path up to 1000, O(log n), r^2 0.99699",)),
    Row("Search tree", "wise/search_tree.py", 3, (0,), ("1 path up to 30, O(n), r^2 1.0000",)),
    Row("Sorted list", "wise/sorted_list.py", 3, (0,), ("1 path up to 100, O(n), r^2 1.0000",)),
    Row(
        "Dijkstra",
        "wise/dijkstra.py",
        3,
        (0,),
        ("1 path up to 30, O(n^2), r^2 1.0000",),
        options=Options(ranges={"weight": "0..100000"}),
    ),
)


def _shown(found: Guided) -> str:
    if found.late or found.paths >= MOST_PATHS:
        return f">{found.paths}"
    return str(found.paths)


def measure(row: Row, seconds: float, *, unite: bool) -> None:
    path = HERE / row.path
    program = load(path, path.stem, row.options)
    for size, published in zip(row.histories, row.published, strict=True):
        start = time.process_time()
        scales = range(row.first, row.learned_at + 1) if unite else [row.learned_at]
        policy = learn_history(program, list(scales), size, time.monotonic() + 30 * seconds)
        name = "memoryless" if size == 0 else f"h = {size}"
        print(f"\n{row.title}, {name}, learned at {row.learned_at}; published: {published}")
        if policy is None:
            print("  the scale could not be exhausted in time")
            continue
        paths: list[str] = []
        costs: dict[int, int] = {}
        for scale in (n for n in SIZES if n >= row.first):
            until = time.monotonic() + seconds
            guide = FollowHistory(policy)
            found = guided_test_gen(program, scale, guide, deadline=until, most=MOST_PATHS)
            paths.append(f"{scale}: {_shown(found)}")
            if found.late or found.paths >= MOST_PATHS:
                break
            if found.cost is not None and scale > row.first:
                costs[scale] = found.cost
        print(f"  paths  {', '.join(paths)}")
        print(f"  costs  {', '.join(f'{n}: {cost}' for n, cost in costs.items())}")
        fits = fitted(costs) if len(costs) > 3 else []
        told = f"O({fits[0].name}), r^2 {fits[0].r2:.5f}" if fits else "too few sizes to fit"
        print(f"  {told}; {time.process_time() - start:.1f} s CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="parts of titles; all rows if left out")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each guided search")
    parser.add_argument("--unite", action="store_true", help="policies from all smaller scales too")
    given = parser.parse_args()
    for row in ROWS:
        if not given.names or any(name.lower() in row.title.lower() for name in given.names):
            measure(row, given.seconds, unite=given.unite)


if __name__ == "__main__":
    main()
