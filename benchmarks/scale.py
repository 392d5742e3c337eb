"""Generation at 500 and beyond: seconds and memory of the whole process.

    python benchmarks/scale.py [PROGRAM ...] [--limit SECONDS] [--baseline SECONDS]
    python benchmarks/scale.py [PROGRAM ...] --growth [--limit SECONDS] [--plot FILE.svg]

For each program: learn once, then `xsynth generate` at each scale in a process of its own,
from the model file to a verified JSON file.  Beside it, in the same run, the
straightforward encoding (`clause_by_clause.py`: one Z3 term a clause, default solver),
stopped after `--baseline` seconds, and the ratio of the two.

With `--growth`: at 10, 20, 50, 100, ... until one takes longer than 60 s (or `--limit`), as
a table in Markdown, with the slope of seconds and of memory against n on logarithmic axes,
fitted to the upper half of the scales (below, start-up is all that is seen); `--plot` draws
them, a panel a program (needs `xsynth[plot]`).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
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
        "word_compare",
        ("--scales", "1..5", "--range", "a=0..4294967295", "--range", "b=0..4294967295"),
        ((500, 1.5, 200), (100_000, 30, 2000)),
    ),
    Target(
        "boyer_moore",
        ("--scales", "3..8", "--fix", 'pattern="abc"'),
        ((500, 1.5, 200), (100_000, 30, 2000)),
    ),
    Target(
        "dijkstra",
        ("--scales", "2..5", "--range", "weight=0..100000"),
        ((100, 10, 1500), (500, 10, 1500)),
    ),
    Target("boolean_matrix_product", ("--scales", "2..4"), ((100, 3, 500), (500, 60, 3000))),
    Target(
        "bellman_ford",
        ("--scales", "2..4", "--range", "weight=-100000..100000"),
        ((30, 10, 1000),),
    ),
    Target("quicksort_median", ("--scales", "2..7"), ((500, 30, 2000),)),
    Target("mergesort", ("--scales", "2..6"), ((500, 30, 2000),)),
    Target("heap_insert", ("--scales", "1..7"), ((500, 30, 2000),)),
    Target("red_black_search", ("--scales", "1..5"), ((500, 30, 2000),)),
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


XSYNTH = [sys.executable, "-m", "xsynth"]
GROWTH_LIMIT = 60.0


def learned(target: Target, folder: Path) -> Path | None:
    model = folder / f"{target.name}.isg"
    program = f"{PROGRAMS / target.name}.py::{target.name}"
    learn = [*XSYNTH, "learn", program, "--model", str(model), *target.options]
    return model if measure(learn, 300).code == 0 else None


def generated(model: Path, scale: int, limit: float) -> tuple[Measured, bool]:
    """From the model file to a JSON file; and whether the input in it is verified."""
    output = model.with_suffix(".json")
    output.unlink(missing_ok=True)
    at = ["--scale", str(scale), "--model", str(model), "--output", str(output)]
    mine = measure([*XSYNTH, "generate", *at], limit)
    return mine, output.is_file() and json.loads(output.read_text())["verified"] is True


def growth(names: list[str], limit: float, plot: Path | None) -> int:
    print("| program | n | seconds | MB | slope of seconds | slope of MB |")
    print("|---|---|---|---|---|---|")
    missed = 0
    drawn: dict[str, list[tuple[int, Measured]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            if names and target.name not in names:
                continue
            model = learned(target, Path(folder))
            series: list[tuple[int, Measured]] = []
            for scale in scales() if model is not None else ():
                assert model is not None
                mine, verified = generated(model, scale, limit)
                if mine.code is None or not verified:
                    break
                series.append((scale, mine))
            missed += not series
            for scale, mine in series[-1:]:
                shown = f"| {target.name} | {scale} | {mine.seconds:.1f} | {mine.megabytes:.0f} "
                upper = series[len(series) // 2 :]
                seconds = slope([(n, m.seconds) for n, m in upper])
                print(f"{shown}| {seconds} | {slope([(n, m.megabytes) for n, m in upper])} |")
                sys.stdout.flush()
            drawn[target.name] = series
    if plot is not None:
        draw(drawn, plot)
    return int(missed > 0)


def draw(drawn: dict[str, list[tuple[int, Measured]]], path: Path) -> None:
    """Seconds and megabytes against n, on logarithmic axes, a panel a program."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "xsynth"
    from matplotlib import pyplot as plt

    shown = {name: series for name, series in drawn.items() if series}
    rows = max(1, math.ceil(len(shown) / 3))
    figure, axes = plt.subplots(rows, 3, figsize=(11, 2.8 * rows), squeeze=False)
    for panel in axes.flat[len(shown) :]:
        panel.set_axis_off()
    for panel, (name, series) in zip(axes.flat, shown.items(), strict=False):
        scale = [n for n, _ in series]
        upper = series[len(series) // 2 :]
        for label, values, colour in (
            ("seconds", [m.seconds for _, m in series], "#2a6fbb"),
            ("MB", [m.megabytes for _, m in series], "#c0562a"),
        ):
            steep = slope([(n, v) for (n, _), v in zip(upper, values[-len(upper) :], strict=True)])
            panel.loglog(scale, values, "o-", ms=3, color=colour, label=f"{label}, slope {steep}")
        panel.set_title(name.replace("_", " "), fontsize=9)
        panel.tick_params(labelsize=7)
        panel.grid(visible=True, which="major", linewidth=0.3)
        panel.legend(fontsize=7, frameon=False)
    figure.supxlabel("n", fontsize=9)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def scales() -> Iterator[int]:
    """10, 20, 50, 100, 200, ... up to a million."""
    for power in range(1, 6):
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def slope(points: list[tuple[int, float]]) -> str:
    """Of the line of least squares through the logarithms."""
    if len(points) < 2:
        return "-"
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    return f"{statistics.linear_regression(xs, ys).slope:.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", help="names; all of them if left out")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one generation")
    parser.add_argument("--baseline", type=float, default=60, help="seconds for the baseline")
    parser.add_argument("--growth", action="store_true", help="a series of scales, and the slope")
    parser.add_argument("--plot", type=Path, help="with --growth: where to draw it, as SVG or PNG")
    given = parser.parse_args()
    if given.growth:
        return growth(given.programs, min(given.limit, GROWTH_LIMIT), given.plot)
    print(f"{'program':24}{'n':>8}{'seconds':>9}{'(max)':>7}{'MB':>7}{'(max)':>7}", end="")
    print(f"{'a term a clause':>18}{'ratio':>8}")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            if given.programs and target.name not in given.programs:
                continue
            model = learned(target, Path(folder))
            if model is None:
                print(f"{target.name:24} not learned")
                missed += 1
                continue
            for scale, seconds, megabytes in target.limits:
                mine, verified = generated(model, scale, given.limit)
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
