"""Generation at 500 and beyond: seconds and memory of the whole process.

    python benchmarks/scale.py [PROGRAM ...] [--limit SECONDS] [--baseline SECONDS]

For each program: learn once, then `xsynth generate` at each scale in a process of its own,
from the model file to a verified JSON file.  Beside it, in the same run, the
straightforward encoding (`clause_by_clause.py`: one Z3 term a clause, default solver),
stopped after `--baseline` seconds, and the ratio of the two.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"


def _sorted(name: str) -> list[str]:
    return ["--assume", f"all(x <= y for x, y in zip({name}, {name}[1:]))"]


@dataclass(frozen=True)
class Target:
    """What a program must do: seconds and megabytes at each scale."""

    name: str
    options: tuple[str, ...]
    limits: tuple[tuple[int, float, int], ...]


TARGETS = [
    Target("insertion_sort", ("--scales", "2..6"), ((500, 2, 300), (5000, 20, 2000))),
    Target("sorted_list_insert", ("--scales", "2..6"), ((500, 2, 300), (5000, 20, 2000))),
    Target("search_tree", ("--scales", "2..5"), ((500, 2, 300), (5000, 20, 2000))),
    Target(
        "merge_sorted",
        ("--scales", "2..5", *_sorted("a"), *_sorted("b")),
        ((500, 1.5, 200), (100_000, 30, 2000)),
    ),
    Target("linear_search", ("--scales", "2..6"), ((500, 1.5, 200), (100_000, 30, 2000))),
    Target("pattern_search", ("--scales", "3..7"), ((500, 1.5, 200), (100_000, 30, 2000))),
    Target(
        "dijkstra",
        ("--scales", "2..5", "--range", "weight=0..100000"),
        ((100, 10, 1500), (500, 10, 1500)),
    ),
    Target("boolean_matrix_product", ("--scales", "2..3"), ((100, 3, 500), (500, 60, 3000))),
]


@dataclass(frozen=True)
class Measured:
    seconds: float
    megabytes: float
    code: int | None
    """None where the process was stopped."""


def measure(command: list[str], limit: float) -> Measured:
    """Runs a command in a process of its own, and stops it for good after the limit."""
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
        start_new_session=True,
    )
    stopped = False
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - start > limit and not stopped:
            os.killpg(process.pid, signal.SIGKILL)
            stopped = True
        time.sleep(0.005)
    process.returncode = os.waitstatus_to_exitcode(status)
    code = None if stopped else process.returncode
    return Measured(time.monotonic() - start, usage.ru_maxrss / 1024, code)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", help="names; all of them if left out")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one generation")
    parser.add_argument("--baseline", type=float, default=60, help="seconds for the baseline")
    given = parser.parse_args()
    print(f"{'program':24}{'n':>8}{'seconds':>9}{'(max)':>7}{'MB':>7}{'(max)':>7}", end="")
    print(f"{'a term a clause':>18}{'ratio':>8}")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            if given.programs and target.name not in given.programs:
                continue
            model, output = Path(folder, f"{target.name}.isg"), Path(folder, "worst.json")
            program = str(PROGRAMS / f"{target.name}.py")
            xsynth = [sys.executable, "-m", "xsynth"]
            learn = [*xsynth, "learn", program, "--model", str(model), *target.options]
            if measure(learn, 300).code != 0:
                print(f"{target.name:24} not learned")
                missed += 1
                continue
            for scale, seconds, megabytes in target.limits:
                output.unlink(missing_ok=True)
                at = ["--scale", str(scale), "--model", str(model), "--output", str(output)]
                mine = measure([*xsynth, "generate", *at], given.limit)
                verified = output.is_file() and json.loads(output.read_text())["verified"]
                naive = [sys.executable, str(HERE / "clause_by_clause.py"), str(model), str(scale)]
                base = measure(naive, given.baseline)
                good = verified and mine.seconds <= seconds and mine.megabytes <= megabytes
                missed += not good
                line = f"{target.name:24}{scale:8}{mine.seconds:9.2f}{seconds:7}"
                line += f"{mine.megabytes:7.0f}{megabytes:7}"
                over = "" if base.code == 0 else ">"
                line += f"{over + format(base.seconds, '.1f') + ' s':>18}"
                line += f"{over + format(base.seconds / mine.seconds, '.1f') + 'x':>8}"
                print(line + ("" if good else "   MISSED" if verified else "   NOT VERIFIED"))
                sys.stdout.flush()
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
