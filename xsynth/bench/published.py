"""The papers' own figures, shown beside the measured ones and marked as measured elsewhere."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xsynth import shipped

QUANTITIES = {
    "seconds": "s",
    "guided_paths": "paths",
    "guided_solver_calls": "solver calls",
    "longest_path": "longest path",
}
"""What is shown, and its unit."""


@dataclass(frozen=True, slots=True)
class Figure:
    program: str
    scale: int
    tool: str
    quantity: str
    value: str
    """As printed there: a number, OOT or OOM."""


@dataclass(frozen=True, slots=True)
class Source:
    file: str
    source: str
    measured: str


def figures(files: Sequence[str], names: Mapping[str, str]) -> tuple[Figure, ...]:
    """Those of the programs with these published names (published name: our name)."""
    found = []
    for file in files:
        with (shipped.folder() / "published" / file).open(encoding="utf-8") as opened:
            for line in csv.DictReader(opened):
                program = names.get(line.get("benchmark") or line.get("application") or "")
                quantity = line.get("quantity") or "seconds"
                value = line.get("value") or line.get("seconds") or "-"
                if program is None or quantity not in QUANTITIES or value == "-":
                    continue
                tool = line.get("tool") or "WISE"
                found.append(Figure(program, int(line["scale"]), tool, quantity, value))
    return tuple(found)


def sources(files: Sequence[str]) -> tuple[Source, ...]:
    with (shipped.folder() / "published" / "sources.toml").open("rb") as opened:
        known = tomllib.load(opened)
    return tuple(Source(file, **known[file]) for file in files)
