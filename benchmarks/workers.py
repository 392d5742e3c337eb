"""Several processes against one: `python benchmarks/workers.py [--scale N] [--workers K]`.

Insertion sort at scale 8 has 40,320 paths.  One process explores as `xsynth learn` does, and
several as `xsynth learn --workers K` does, in turn, as often as `--repeat` says.  Two ratios
are printed.  That of the clock on the wall means something on an idle machine only.  That of
CPU seconds divides what one process needs by what the busiest of several needs, start-up
included: on an idle machine with a core for each of them the two agree, but for what they wait
for each other.  The results are compared byte for byte.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

from xsynth.explore.workers import explore_in_processes
from xsynth.explore.worst import WorstCase, explore
from xsynth.program.program import Options, load

PROGRAMS = Path(__file__).parent / "programs"


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def as_text(case: WorstCase) -> str:
    """All that was found, witnesses included, but for the time it took."""
    kept = [(path.answers, sorted(map(str, path.witness.items())), path.cost) for path in case.kept]
    chosen = {name: (path.answers, path.cost) for name, path in case.chosen.items()}
    return repr((case.paths, case.cost, case.ties, kept, chosen, case.findings, case.incomplete))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="insertion_sort")
    parser.add_argument("--scale", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    program = load(PROGRAMS / f"{given.program}.py", given.program)
    for turn in range(given.repeat):
        start, used = time.perf_counter(), cpu(resource.RUSAGE_SELF)
        alone = explore(program, given.scale)
        wall, one = time.perf_counter() - start, cpu(resource.RUSAGE_SELF) - used
        if not turn:
            print(f"{given.program}, scale {given.scale}: {alone.paths} paths")
        print(
            f"  1 process:   {wall:6.2f} s, {one:6.2f} s CPU, {alone.paths / one:.0f} paths a CPU s"
        )
        cases: list[WorstCase] = []
        until = time.monotonic() + 3600
        before = cpu(resource.RUSAGE_CHILDREN)
        start, used = time.perf_counter(), cpu(resource.RUSAGE_SELF)
        explore_in_processes(program, Options(), [given.scale], until, given.workers, cases.append)
        several = time.perf_counter() - start
        parent = cpu(resource.RUSAGE_SELF) - used
        others = cpu(resource.RUSAGE_CHILDREN) - before
        each = others / max(1, given.workers - 1)
        told = f"{parent:.2f} here, {each:.2f} in each other"
        print(
            f"  {given.workers} processes: {several:6.2f} s, {parent + others:6.2f} s CPU: {told}"
        )
        same = "the same" if as_text(cases[0]) == as_text(alone) else "ANOTHER"
        ratios = f"{wall / several:.2f} x by the clock, {one / max(parent, each):.2f} x by CPU"
        print(f"  {ratios} seconds, {same} result")


if __name__ == "__main__":
    main()
