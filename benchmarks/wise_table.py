"""Table 1 of the WISE paper, measured here: `python benchmarks/wise_table.py [NAME ...]`.

For each program: the feasible paths of an exhaustive search at scales 1 to 5, the paths of a
search guided by the policy learned from the scales up to N*, and the cost of the longest
path found, each beside the published number.  N* is the least N whose policy, learned from
the scales 1 to N, finds the greatest cost that any policy found at the scales looked at.
Beside it stands the last scale whose worst path takes a branch that no smaller one's took, those
that do not depend on the input included: WISE's policies forbid these until they were seen.  Where
more than one path is left, `seen` says how many of them take no branch but those that the worst
paths up to N* took, which is what WISE's policy leaves.

Where a count differs from the published one, the reason is in `NOTES`.  Costs are basic
blocks here and branches there, so of the longest paths only the growth can be compared.
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass
from pathlib import Path

from plain_branches import Side, branches_of

from xsynth.explore.guided import Guided, guided_test_gen
from xsynth.explore.paths import chain_for, paths
from xsynth.explore.search import Search
from xsynth.explore.wise import (
    Follow,
    Policy,
    Summary,
    find_good_generator,
    summarize,
)
from xsynth.explore.worst import concrete
from xsynth.program.program import Options, Program, load
from xsynth.trace.tracer import Deadline

HERE = Path(__file__).parent
GUIDED = (1, 2, 3, 4, 5, 10, 15, 20, 30)
FAR = (10, 15)
"""Scales at which policies are compared, besides the exhausted ones."""


BRANCHES = Options(cost="branches")


@dataclass(frozen=True)
class Row:
    name: str
    published: str
    largest: int
    """The largest scale that is exhausted."""
    options: Options = BRANCHES


def _bounded(**ranges: str) -> Options:
    return Options(cost="branches", ranges=ranges)


ROWS = (
    Row("sorted_list", "Sorted linked-list insert", 5),
    Row("heap", "Heap insert (JDK 1.5)", 6),
    Row("red_black", "Red-black tree search", 5),
    Row("quicksort", "Quicksort (JDK 1.5)", 8),
    Row("search_tree", "Binary search tree search", 5),
    Row("mergesort", "Mergesort (JDK 1.5)", 7),
    Row("bellman_ford", "Bellman-Ford", 3),
    Row("dijkstra", "Dijkstra", 5, _bounded(weight="0..100000")),
    Row("salesman", "Traveling Salesman", 4, _bounded(distance="0..1000")),
)

NOTES = {
    "quicksort": "where scale 8 is not exhausted in time, the policy has not seen the median of "
    "three and finds no path beyond: give more --seconds",
    "mergesort": "both sides of the merge are open, as the paper says of its own policy, which "
    "besides forbids that the right half is used up first: no worst path up to 7 does that",
    "red_black": "N* differs from the published 8, where the last branch is seen that does not "
    "depend on the input (a rotation with a subtree to move). Insertion compares once a node: the "
    "published counts are n! (2n + 1)",
    "bellman_ford": "of six forms tried, this one has 63 paths at scale 3 (the others have 50, 55 "
    "or 68), and 184875 at 4, which takes some minutes",
    "salesman": "a policy from scale 4 finds no path at 5: the paper's N* is 5, which has too many "
    "paths to be exhausted here",
}


def published() -> dict[tuple[str, str, int], str]:
    with (HERE / "published" / "wise_table1.csv").open() as file:
        return {
            (row["benchmark"], row["quantity"], int(row["scale"])): row["value"]
            for row in csv.DictReader(file)
        }


def published_n_star() -> dict[str, str]:
    with (HERE / "published" / "wise_table1.csv").open() as file:
        return {row["benchmark"]: row["n_star"] for row in csv.DictReader(file)}


def exhaust(program: Program, largest: int, seconds: float) -> list[Summary]:
    deadline = time.monotonic() + seconds
    found: list[Summary] = []
    for scale in range(1, largest + 1):
        summary = summarize(program, scale, deadline)
        if summary.incomplete is not None:
            break
        found.append(summary)
    return found


def sufficient(program: Program, summaries: list[Summary], seconds: float) -> tuple[str, Policy]:
    """N* and its policy, as far as the scales looked at can tell."""
    policies = [find_good_generator(summaries[: k + 1]) for k in range(len(summaries))]
    reached: list[dict[int, int]] = []
    for policy in policies:
        costs = {}
        for scale in (*(s.scale for s in summaries), *FAR):
            found = _guided(program, scale, policy, seconds)
            costs[scale] = (found.cost or 0) if found.finished or found.cost else 0
        reached.append(costs)
    best = {scale: max(costs[scale] for costs in reached) for scale in reached[0]}
    for number, costs in enumerate(reached):
        if costs == best:
            found_beyond = all(costs[scale] for scale in FAR[:1])
            sign = "" if found_beyond else "more than "
            return f"{sign}{summaries[number].scale}", policies[number]
    return f"more than {summaries[-1].scale}", policies[-1]


def first_seen(program: Program, policy: Policy, seconds: float) -> dict[Side, int]:
    """The branches of the worst paths up to scale 15, each with the first scale that takes it."""
    branches = branches_of(program.path, program.function)
    seen: dict[Side, int] = {}
    for scale in range(1, 16):
        best = _guided(program, scale, policy, seconds).best
        if best is not None:
            for side in branches(concrete(program, scale, best.witness)):
                seen.setdefault(side, scale)
    return seen


def without_new_branches(
    program: Program, scale: int, policy: Policy, allowed: set[Side], seconds: float
) -> str:
    """How many paths that the policy leaves take these branches alone."""
    branches = branches_of(program.path, program.function)
    search = Search(chain_for(program, scale), guide=Follow(policy))
    count = 0
    try:
        for path in paths(search, program, scale, time.monotonic() + seconds):
            count += branches(concrete(program, scale, path.witness)) <= allowed
    except Deadline:
        return "-"
    return str(count)


def _guided(program: Program, scale: int, policy: Policy, seconds: float) -> Guided:
    return guided_test_gen(program, scale, Follow(policy), deadline=time.monotonic() + seconds)


def measure(row: Row, seconds: float) -> None:
    known = published()
    program = load(HERE / "wise" / f"{row.name}.py", row.name, row.options)
    start = time.monotonic()
    summaries = exhaust(program, row.largest, 10 * seconds)
    n_star, policy = sufficient(program, summaries, seconds)
    told_n = published_n_star()[row.published]
    seen = first_seen(program, policy, seconds)
    last = max(seen.values(), default=0)
    print(
        f"\n{row.published}: N* {n_star}, published {told_n}; the last new branch is met at {last}"
    )
    allowed = {side for side, scale in seen.items() if scale <= summaries[-1].scale}
    print(
        f"  {'scale':>5} {'exhaustive':>21} {'guided paths':>19} {'seen':>6}"
        f" {'checks':>17} {'longest':>17}"
    )
    by_scale = {summary.scale: summary for summary in summaries}
    for scale in GUIDED:
        guided = _guided(program, scale, policy, seconds)
        told = {
            quantity: known.get((row.published, quantity, scale), "-")
            for quantity in (
                "exhaustive_paths",
                "guided_paths",
                "guided_solver_calls",
                "longest_path",
            )
        }
        total = by_scale[scale].paths if scale in by_scale else None
        followed = f"{guided.paths}" if guided.finished else f">{guided.paths}"
        checks = sum(guided.checks.values())
        alike = "1"
        if guided.paths != 1:
            alike = without_new_branches(program, scale, policy, allowed, seconds)
        print(
            f"  {scale:>5} {_pair(total, told['exhaustive_paths']):>21}"
            f" {_pair(followed, told['guided_paths']):>19} {alike:>6}"
            f" {_pair(checks, told['guided_solver_calls']):>17}"
            f" {_pair(guided.cost, told['longest_path']):>17}"
        )
    if row.name in NOTES:
        print(f"  note: {NOTES[row.name]}")
    print(f"  {time.monotonic() - start:.1f} s")


def _pair(measured: object, told: str) -> str:
    return f"{'-' if measured is None else measured} ({told})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="programs in benchmarks/wise; all if left out")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each guided search")
    given = parser.parse_args()
    print("measured (published)")
    for row in ROWS:
        if not given.names or row.name in given.names:
            measure(row, given.seconds)


if __name__ == "__main__":
    main()
