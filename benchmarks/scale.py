"""Generation at 500 and beyond: seconds and memory of the whole process.

    python benchmarks/scale.py [PROGRAM ...] [--limit SECONDS] [--baseline SECONDS] [--write]
    python benchmarks/scale.py [PROGRAM ...] --growth [--limit SECONDS] [--plot FILE.svg] [--write]

For each program: learn once, then `xsynth generate` at each scale in a process of its own,
from the model file to a verified JSON file.  Beside it, in the same run, the
straightforward encoding (`clause_by_clause.py`: one Z3 term a clause, default solver),
stopped after `--baseline` seconds, and the ratio of the two.  Where it was stopped at one
scale it is not run at a larger one: there it takes as long at least.

With `--growth`: at 10, 20, 50, 100, ... as far as that takes 60 s at most (or `--limit`), with
the slope of seconds and of memory against n on logarithmic axes, fitted to the last four
scales (below, start-up is all that is seen).  A scale that would take twice the limit by the
slope of the last three is not tried.  `--plot` draws them, a panel a program.

`--write` puts the table into docs/results.md, between its markers, and the drawing into
docs/growth.svg.  `--models FOLDER` keeps the learned models there, and uses those it finds.
All rows take about 20 minutes on two idle cores, the growth of all programs half an hour.
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
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from growth_svg import Panel, Point, growth_svg
from update_results import DOCUMENT, updated

from xsynth.bench.machine import machine

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


def measure(command: list[str], limit: float, output: Path | None = None) -> Measured:
    """Runs a command in a process of its own, and stops it for good after the limit."""
    start = time.monotonic()
    with output.open("wb") if output is not None else nullcontext(subprocess.DEVNULL) as out:
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=_environment(),
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


def _environment() -> dict[str, str]:
    """With modules that are compiled once, as those of an installed package are."""
    own = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    own.pop("PYTHONDONTWRITEBYTECODE", None)
    return own


XSYNTH = [sys.executable, "-m", "xsynth"]
GROWTH_LIMIT = 60.0
FITTED = 4
"""Scales at the end of a series that the slope is of: more than a factor of 10 in n."""
LEARN_LIMIT = 300.0


def learned(target: Target, folder: Path) -> Path | None:
    model = folder / f"{target.name}.isg"
    if model.is_file():
        measure([*XSYNTH, "explain", "--model", str(model)], LEARN_LIMIT)  # is everything compiled?
        return model
    program = f"{PROGRAMS / target.name}.py::{target.name}"
    learn = [*XSYNTH, "learn", program, "--model", str(model), *target.options]
    return model if measure(learn, LEARN_LIMIT).code == 0 else None


def generated(model: Path, scale: int, limit: float) -> tuple[Measured, bool]:
    """From the model file to a JSON file; and whether the input in it is verified."""
    output = model.with_suffix(".json")
    output.unlink(missing_ok=True)
    at = ["--scale", str(scale), "--model", str(model), "--output", str(output)]
    mine = measure([*XSYNTH, "generate", *at], limit)
    verified = output.is_file() and json.loads(output.read_text())["verified"] is True
    output.unlink(missing_ok=True)
    return mine, verified


# ------------------------------------------------------------------ the targets


HEAD = ("program", "n", "seconds", "at most", "MB", "at most", "a term a clause", "ratio")


@dataclass(frozen=True)
class Row:
    name: str
    scale: int
    mine: Measured
    most_seconds: float
    most_megabytes: int
    verified: bool
    base: Measured | None
    """None where it was stopped at a smaller scale already."""

    @property
    def good(self) -> bool:
        within = self.mine.seconds <= self.most_seconds
        return self.verified and within and self.mine.megabytes <= self.most_megabytes

    def words(self, limit: float) -> tuple[str, ...]:
        base = self.base or Measured(limit, 0.0, None)
        if base.code not in (None, 0):
            beside, ratio = "failed", "-"
        else:
            over = "" if base.code == 0 else "> "
            beside = f"{over}{base.seconds:.1f} s" + (" (not run)" if self.base is None else "")
            ratio = f"{over}{base.seconds / self.mine.seconds:.1f}"
        return (
            self.name.replace("_", " "),
            f"{self.scale:,}",
            f"{self.mine.seconds:.2f}",
            f"{self.most_seconds:g}",
            f"{self.mine.megabytes:.0f}",
            f"{self.most_megabytes:,}",
            beside,
            ratio,
        )


def targets(chosen: list[Target], folder: Path, limit: float, baseline: float) -> list[Row]:
    widths = (26, 9, 9, 9, 7, 9, 22, 9)
    print("".join(f"{word:>{width}}" for word, width in zip(HEAD, widths, strict=True)))
    rows: list[Row] = []
    for target in chosen:
        model = learned(target, folder)
        if model is None:
            print(f"{target.name:>26} not learned", flush=True)
            continue
        stopped = False
        for scale, seconds, megabytes in target.limits:
            mine, verified = generated(model, scale, limit)
            base = None
            if not stopped:
                naive = [sys.executable, str(HERE / "clause_by_clause.py"), str(model), str(scale)]
                base = measure(naive, baseline)
                stopped = base.code is None
            row = Row(target.name, scale, mine, seconds, megabytes, verified, base)
            words = zip(row.words(baseline), widths, strict=True)
            mark = "" if row.good else "   MISSED" if verified else "   NOT VERIFIED"
            print("".join(f"{word:>{width}}" for word, width in words) + mark, flush=True)
            rows.append(row)
    return rows


def targets_markdown(rows: list[Row], baseline: float) -> str:
    lines = [
        _measured_on("python benchmarks/scale.py --write"),
        "",
        "A term a clause: the encoding with one Z3 term a clause through the Python API and the"
        " default solver (`benchmarks/clause_by_clause.py`), without a replay, stopped after"
        f" {baseline:g} s; not run where it was stopped at a smaller n. Bold: above the limit.",
        "",
        f"| {' | '.join(HEAD)} |",
        "|" + " --- |" * len(HEAD),
    ]
    for row in rows:
        words = list(row.words(baseline))
        if row.mine.seconds > row.most_seconds:
            words[2] = f"**{words[2]}**"
        if row.mine.megabytes > row.most_megabytes:
            words[4] = f"**{words[4]}**"
        if not row.verified:
            words[2] += " (not verified)"
        lines.append(f"| {' | '.join(words)} |")
    return "\n".join(lines)


# ------------------------------------------------------------------ how cost grows


def growth(chosen: list[Target], folder: Path, limit: float) -> dict[str, Panel]:
    panels: dict[str, Panel] = {}
    for target in chosen:
        model = learned(target, folder)
        points: list[Point] = []
        for scale in scales() if model is not None else ():
            assert model is not None
            if _expected(points, scale) > 2 * limit:
                break
            mine, verified = generated(model, scale, limit)
            if mine.code is None or not verified:
                break
            points.append(Point(scale, mine.seconds, mine.megabytes))
        upper = points[-FITTED:]
        panel = Panel(
            tuple(points),
            _shown(slope([(p.n, p.seconds) for p in upper])),
            _shown(slope([(p.n, p.megabytes) for p in upper])),
        )
        if not points:
            print(f"{target.name}: nothing was generated", flush=True)
            continue
        panels[target.name] = panel
        last = points[-1]
        print(
            f"{target.name:24} up to {last.n:>9,}: {last.seconds:6.1f} s {last.megabytes:6.0f} MB,"
            f" slopes {panel.seconds} and {panel.megabytes}",
            flush=True,
        )
    return panels


def growth_markdown(panels: dict[str, Panel], limit: float) -> str:
    lines = [
        _measured_on("python benchmarks/scale.py --growth --write"),
        "",
        f"The largest n of 10, 20, 50, 100, ... that takes at most {limit:g} s, verified, and the"
        f" slopes of the lines through the last {FITTED} points, on logarithmic axes.",
        "",
        "![Seconds and memory against n](growth.svg)",
        "",
        "| program | largest n | seconds | MB | slope of seconds | slope of MB |",
        "|" + " --- |" * 6,
    ]
    for name, panel in panels.items():
        last = panel.points[-1]
        shown = f"| {name.replace('_', ' ')} | {last.n:,} | {last.seconds:.1f} "
        lines.append(f"{shown}| {last.megabytes:.0f} | {panel.seconds} | {panel.megabytes} |")
    return "\n".join(lines)


def scales() -> Iterator[int]:
    """10, 20, 50, 100, 200, ... up to fifty million."""
    for power in range(1, 8):
        yield from (10**power, 2 * 10**power, 5 * 10**power)


def slope(points: list[tuple[int, float]]) -> float | None:
    """Of the line of least squares through the logarithms."""
    if len(points) < 2:
        return None
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    return statistics.linear_regression(xs, ys).slope


def _shown(steep: float | None) -> str:
    return "-" if steep is None else f"{steep:.2f}"


def _expected(points: list[Point], scale: int) -> float:
    """Seconds at a scale by the last two steps; costs that grow faster are underestimated."""
    steep = slope([(p.n, p.seconds) for p in points[-3:]])
    return 0.0 if steep is None else points[-1].seconds * (scale / points[-1].n) ** steep


def _measured_on(command: str) -> str:
    about = "; ".join(f"{name}: {value}" for name, value in machine().items())
    return f"`{command}`, one run. Machine: {about}."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", help="names; all of them if left out")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one generation")
    parser.add_argument("--baseline", type=float, default=60, help="seconds for the baseline")
    parser.add_argument("--growth", action="store_true", help="a series of scales, and the slope")
    parser.add_argument("--plot", type=Path, help="with --growth: where to draw it, as SVG")
    parser.add_argument("--write", action="store_true", help="put the table into docs/results.md")
    parser.add_argument("--models", type=Path, help="a folder for the learned models")
    given = parser.parse_args()
    unknown = set(given.programs) - {target.name for target in TARGETS}
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    if given.write and given.programs:
        parser.error("--write is for all programs")
    chosen = [t for t in TARGETS if not given.programs or t.name in given.programs]
    with tempfile.TemporaryDirectory() as folder:
        models = Path(folder) if given.models is None else given.models
        models.mkdir(parents=True, exist_ok=True)
        if given.growth:
            return _growth(chosen, models, given)
        rows = targets(chosen, models, given.limit, given.baseline)
    if given.write:
        _write("scale-targets", targets_markdown(rows, given.baseline))
    whole = len(rows) == sum(len(target.limits) for target in chosen)
    return int(not whole or not all(row.good for row in rows))


def _growth(chosen: list[Target], models: Path, given: argparse.Namespace) -> int:
    limit = min(given.limit, GROWTH_LIMIT)
    panels = growth(chosen, models, limit)
    drawing = growth_svg(panels)
    if given.plot is not None:
        given.plot.write_text(drawing, encoding="utf-8")
    if given.write:
        (DOCUMENT.parent / "growth.svg").write_text(drawing, encoding="utf-8")
        _write("scale-growth", growth_markdown(panels, limit))
    return int(len(panels) < len(chosen))


def _write(name: str, section: str) -> None:
    DOCUMENT.write_text(updated(DOCUMENT.read_text(encoding="utf-8"), name, section))


if __name__ == "__main__":
    sys.exit(main())
