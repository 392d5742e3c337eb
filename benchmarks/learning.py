"""Seconds and memory of `xsynth learn` on every shipped program.

    python benchmarks/learning.py [PROGRAM ...] [--limit SECONDS] [--write]

Each is learned in a process of its own, with the options of `benchmarks/catalogue.toml`.
`--write` puts the table into docs/results.md, between its markers.  All of them take three
minutes or so on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from scale import XSYNTH, measure
from update_results import DOCUMENT, updated

from xsynth.bench.machine import machine
from xsynth.shipped import Example, examples

HEAD = ("program", "scales", "paths", "status", "class", "seconds", "MB")


@dataclass(frozen=True)
class Row:
    program: str
    cells: tuple[str, ...]

    @property
    def markdown(self) -> str:
        return f"| {' | '.join((self.program, *self.cells))} |"


def learned(example: Example, folder: Path, limit: float) -> Row:
    target = f"{example.path}::{example.function}"
    told = folder / "told.json"
    options = ["--scales", example.scales, *example.described.arguments()]
    model = ["--model", str(folder / "own.isg"), "--json"]
    mine = measure([*XSYNTH, "learn", target, *options, *model], limit, output=told)
    name = example.name.replace("_", " ")
    if mine.code is None:
        return Row(name, (example.scales, "", "stopped", "", f"> {limit:.0f}", ""))
    found = json.loads(told.read_text())
    paths = sum(scale["paths"] for scale in found["scales"].values())
    cells = (example.scales, f"{paths:,}", found["status"], found["class"] or "")
    return Row(name, (*cells, f"{mine.seconds:.1f}", f"{mine.megabytes:.0f}"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    wanted = [e for name, e in examples().items() if not given.programs or name in given.programs]
    lines = [f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}"]
    about = ", ".join(f"{name} {value}" for name, value in machine().items())
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for example in wanted:
            lines.append(learned(example, Path(folder), given.limit).markdown)
            print(lines[-1], flush=True)
    if given.write:
        report = "\n".join(["`python benchmarks/learning.py --write`", "", about + ":", "", *lines])
        DOCUMENT.write_text(updated(DOCUMENT.read_text(), "learning", report))


if __name__ == "__main__":
    main()
