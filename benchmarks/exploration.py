"""Exploration in paths a second: `python benchmarks/exploration.py [--seconds S]`.

Each feasibility layer is switched on in turn, on programs made of comparisons and two
made of sums, with Z3 alone as the base of the ratio.  All in one run, the same scale for
every row, and the same paths: a row stops at the time limit, and its rate is of the paths
it has seen.

The witness at hand decides one side of a branch in every row, Z3 alone included: that is
concolic execution, not a layer.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice
from pathlib import Path

from xsynth.explore.feasibility.chain import Chain, Domain
from xsynth.explore.paths import paths
from xsynth.explore.search import Search
from xsynth.program.program import Program, load
from xsynth.trace.tracer import Deadline

HERE = Path(__file__).parent
CASES = (
    ("programs/insertion_sort", 7),
    ("programs/quicksort_median", 7),
    ("programs/mergesort", 7),
    ("programs/tree_search", 5),
    ("wise/bellman_ford", 4),
    ("wise/salesman", 4),
)
ORDER = ("constant", "witness", "difference", "nudge", "sums", "z3")
LAYERS = (
    frozenset({"z3"}),
    frozenset({"constant", "z3"}),
    frozenset({"constant", "witness", "z3"}),
    frozenset({"constant", "witness", "difference", "z3"}),
    frozenset({"constant", "witness", "difference", "nudge", "z3"}),
    frozenset({"constant", "witness", "difference", "nudge", "sums", "z3"}),
)


def rate(program: Program, scale: int, layers: frozenset[str], seconds: float) -> tuple[int, float]:
    """Paths seen, and paths a second; loading Z3 is not counted."""
    domains = [Domain(cell, lo, hi) for cell, lo, hi in program.spec.domains(scale)]
    warm = Search(Chain(domains, layers=layers))
    list(islice(paths(warm, program, scale, None), 3))
    search = Search(Chain(domains, layers=layers))
    start = time.perf_counter()
    count = 0
    try:
        for _ in paths(search, program, scale, time.monotonic() + seconds):
            count += 1
    except Deadline:
        pass
    return count, count / (time.perf_counter() - start)


def layers_in_turn(seconds: float) -> None:
    for name, scale in CASES:
        program = load(HERE / f"{name}.py", name.rpartition("/")[2])
        base = 0.0
        print(f"{name}, scale {scale}")
        for layers in LAYERS:
            count, speed = rate(program, scale, layers, seconds)
            base = base or speed
            shown = " + ".join(name for name in ORDER if name in layers)
            print(f"  {shown:<46} {count:>7} paths {speed:>8.0f} a second {speed / base:>6.1f} x")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    given = parser.parse_args()
    layers_in_turn(given.seconds)


if __name__ == "__main__":
    main()
