"""Several processes against one: `python benchmarks/workers.py [--scale N] [--workers K]`.

Insertion sort at scale 8 has 40,320 paths.  Two ratios are printed.  That of the clock on the
wall means something on an idle machine only.  That of CPU seconds divides what one process
needs by what the busiest of several needs, start-up included: on an idle machine with a core
for each of them the two agree, but for what they wait for each other at the end, which is at
most the largest task or two.  What is done by one process alone is timed apart: cutting the
tree, putting the results together, and until another process has begun.  The results are
compared byte for byte.
"""

from __future__ import annotations

import argparse
import pickle
import resource
import time
from pathlib import Path

from xsynth.explore.workers import (
    TASKS_A_WORKER,
    _explore,
    _parts,
    _plain,
    _processes,
    _Task,
    explore_in_processes,
)
from xsynth.explore.worst import WorstCase, explore, merged
from xsynth.program.program import Options, Program, load

PROGRAMS = Path(__file__).parent / "programs"


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def as_text(case: WorstCase) -> str:
    """All that was found, witnesses included, but for the time it took."""
    kept = [(path.answers, sorted(map(str, path.witness.items())), path.cost) for path in case.kept]
    chosen = {name: (path.answers, path.cost) for name, path in case.chosen.items()}
    return repr((case.paths, case.cost, case.ties, kept, chosen, case.findings, case.incomplete))


def alone_in_parts(program: Program, scale: int, workers: int) -> tuple[list[str], float]:
    """What the parts cost that only one process does, in CPU seconds; and their sum."""
    until = time.monotonic() + 3600
    at = [cpu(resource.RUSAGE_SELF)]
    prefixes = _parts(program, scale, TASKS_A_WORKER * workers, until)
    at.append(cpu(resource.RUSAGE_SELF))
    tasks: list[float] = []
    parts: list[WorstCase] = []
    for prefix in prefixes:
        start = cpu(resource.RUSAGE_SELF)
        parts.append(_plain(explore(program, scale, None, None, prefix)))
        tasks.append(cpu(resource.RUSAGE_SELF) - start)
    start = cpu(resource.RUSAGE_SELF)
    case = merged([pickle.loads(pickle.dumps(part)) for part in parts])
    together = cpu(resource.RUSAGE_SELF) - start
    cutting = at[1] - at[0]
    return [
        f"{len(tasks)} tasks, {sum(tasks):.2f} s CPU, the largest {max(tasks):.2f} s",
        f"by one process alone: {cutting:.2f} s CPU to cut the tree, {together:.2f} s to send and"
        f" merge {case.paths} paths' results",
    ], cutting + together


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="insertion_sort")
    parser.add_argument("--scale", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    program = load(PROGRAMS / f"{given.program}.py", given.program)
    start, used = time.perf_counter(), cpu(resource.RUSAGE_SELF)
    alone = explore(program, given.scale)
    wall, one = time.perf_counter() - start, cpu(resource.RUSAGE_SELF) - used
    print(f"{given.program}, scale {given.scale}: {alone.paths} paths")
    print(f"  1 process:   {wall:6.2f} s, {one:6.2f} s CPU, {alone.paths / one:.0f} paths a second")
    lines, serial = alone_in_parts(program, given.scale, given.workers)
    print("".join(f"  {line}\n" for line in lines), end="")
    until = time.monotonic() + 3600
    with _processes(1) as pool:  # which is there once it has answered
        path = program.path.absolute()
        first = _Task(path, program.function, program.digest, Options(), 1, time.time() + 3600, ())
        pool.submit(_explore, first).result()
    starting = cpu(resource.RUSAGE_CHILDREN)
    cases: list[WorstCase] = []
    start, used = time.perf_counter(), cpu(resource.RUSAGE_SELF)
    before = cpu(resource.RUSAGE_CHILDREN)
    explore_in_processes(program, Options(), [given.scale], until, given.workers, cases.append)
    several = time.perf_counter() - start
    parent = cpu(resource.RUSAGE_SELF) - used
    others = cpu(resource.RUSAGE_CHILDREN) - before
    each = others / max(1, given.workers - 1)
    told = f"{parent:.2f} here, {each:.2f} in each other, {starting:.2f} of it to start"
    print(f"  {given.workers} processes: {several:6.2f} s, {parent + others:6.2f} s CPU: {told}")
    shares = f"{serial / one:.1%} of one process, {(serial + starting) / one:.1%} with a start"
    print(f"  serial share: {shares}")
    print(f"  {wall / several:.2f} x by the clock, {one / max(parent, each):.2f} x by CPU seconds")
    same = as_text(cases[0]) == as_text(alone)
    print(f"  {'the same result' if same else 'ANOTHER RESULT'}")


if __name__ == "__main__":
    main()
