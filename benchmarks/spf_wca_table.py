"""Table I of the SPF-WCA paper in shape: `python benchmarks/spf_wca_table.py [NAME ...]`.

For each program and history size a policy is learned from one small scale, as in the paper
(L = H), or from all scales up to it where `--unite` is given.  The search that it guides is
run at growing sizes: its paths (1 means that the policy leaves a single path), its cost, and
at the end the best fit of cost over sizes with its r^2, beside what the paper reports.

Costs are basic blocks here and bytecode there; the programs of the paper that are not
public (Find Entry, N-gram score, password check, B-tree) are written anew after its
description, so paths can be compared where the comparison structure is the same, and classes
always.  Published path counts that cannot be read with certainty are left out.
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
        "programs/hash_find.py",
        2,
        (0, 1),
        ("not pruned (376 paths at 2, 11656 at 3)", "1 path up to 250, O(n), r^2 1.0000"),
        options=Options(
            sizes={"keys": "n,3", "wanted": "3"},
            ranges={"keys": "0..255", "wanted": "0..255"},
        ),
    ),
    Row(
        "N-gram score",
        "programs/ngram_score.py",
        4,
        (0, 2, 4),
        ("not pruned (364 paths at 5)", "1 path up to 1000, O(n), r^2 1.0000", "-"),
        first=3,
    ),
    Row(
        "Password check",
        "programs/password_history.py",
        2,
        (0, 3),
        ("not pruned (33825 paths at 3)", "1 path up to 100, O(n), r^2 1.0000"),
        options=Options(sizes={"history": "n,4", "new": "4"}),
    ),
    Row(
        "B-tree",
        "programs/btree_insert_last.py",
        5,
        (0,),
        ("few paths (4 to 583 at 250), O(log n), r^2 0.99755",),
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
