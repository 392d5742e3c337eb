"""The results of a benchmark as values, and as JSON and CSV.

Data only.  `results.json` holds all of it, and a run goes on from there.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from xsynth.bench.published import Figure, Source
from xsynth.errors import UsageError

FILE = "results.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One method on one program at one scale.

    `status` is done, OOT, OOM, failed or skipped.  `seconds` are of the whole process, with
    the learning that the method needs, which `learn_seconds` tells apart.
    """

    program: str
    scale: int
    method: str
    status: str
    reason: str = ""
    seconds: float | None = None
    learn_seconds: float | None = None
    megabytes: float | None = None
    solver_calls: int | None = None
    checks: int | None = None
    """Feasibility questions, those that needed no solver included."""
    paths: int | None = None
    cost: int | None = None
    """What the function itself counted on the input."""
    predicted: int | None = None
    verified: bool | None = None
    average: float | None = None
    """Over the random inputs."""
    phases: Mapping[str, float] = field(default_factory=dict)
    ran: bool = True
    """False where the status follows from another row."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What learning gave for one program."""

    program: str
    status: str
    reason: str
    seconds: float
    megabytes: float
    file: str = ""
    digest: str = ""
    """sha256 of the file."""
    function: str = ""
    measure: str = ""
    formula: str | None = None
    growth: str | None = None
    points: int = 0
    paths: int = 0
    scales: tuple[int, ...] = ()
    """Those that were exhausted."""
    phases: Mapping[str, float] = field(default_factory=dict)
    predicted: Mapping[str, int] = field(default_factory=dict)
    """By scale."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    suite: str
    title: str
    settings: Mapping[str, Any]
    """Methods, scales and limits: a run is resumed with the same."""
    machine: Mapping[str, str]
    cells: int
    """How many rows there are when it is finished."""
    learned: Mapping[str, Learned] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    published: tuple[Figure, ...] = ()
    sources: tuple[Source, ...] = ()
    seconds: float = 0.0

    @property
    def finished(self) -> bool:
        return len(self.rows) >= self.cells

    @property
    def methods(self) -> list[str]:
        return list(self.settings["methods"])

    @property
    def programs(self) -> list[str]:
        return list(self.settings["at"])

    def scales(self, program: str) -> list[int]:
        return list(self.settings["at"][program])

    def row(self, program: str, scale: int, method: str) -> Row | None:
        for row in self.rows:
            if (row.program, row.scale, row.method) == (program, scale, method):
                return row
        return None

    def in_order(self) -> Results:
        """Rows as the settings list them, in whatever order they were measured."""
        programs, methods = self.programs, self.methods
        key = lambda r: (programs.index(r.program), r.scale, methods.index(r.method))  # noqa: E731
        learned = {name: self.learned[name] for name in programs if name in self.learned}
        return replace(self, rows=tuple(sorted(self.rows, key=key)), learned=learned)


def to_json(results: Results) -> str:
    found = {"format": FORMAT, "finished": results.finished, **asdict(results.in_order())}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> Results:
    given = json.loads(text)
    if given.pop("format", None) != FORMAT:
        raise ValueError("another format")
    given.pop("finished")
    learned = {
        name: Learned(**{**one, "scales": tuple(one["scales"])})
        for name, one in given.pop("learned").items()
    }
    return Results(
        rows=tuple(Row(**row) for row in given.pop("rows")),
        published=tuple(Figure(**one) for one in given.pop("published")),
        sources=tuple(Source(**one) for one in given.pop("sources")),
        learned=learned,
        **given,
    )


def read(folder: Path) -> Results | None:
    """What a run left in this folder; None where there is nothing."""
    path = folder / FILE
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path}: not the results of a benchmark: {error}", "give another folder for --report"
        ) from None


COLUMNS = (
    "program",
    "scale",
    "method",
    "status",
    "seconds",
    "learn_seconds",
    "megabytes",
    "solver_calls",
    "checks",
    "paths",
    "cost",
    "predicted",
    "verified",
    "average",
    "ran",
    "reason",
)


def to_csv(results: Results) -> str:
    """A line a row; the papers' figures after them, their method in brackets."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in results.in_order().rows:
        values = asdict(row)
        writer.writerow({name: _cell(values[name]) for name in COLUMNS})
    for figure in results.published:
        line = {"program": figure.program, "scale": figure.scale, "ran": False}
        line["method"] = f"({figure.tool}, published {figure.quantity})"
        outcome = figure.value if figure.value in ("OOT", "OOM") else "published"
        known = {"seconds": "seconds", "guided_paths": "paths", "longest_path": "cost"}
        known["guided_solver_calls"] = "solver_calls"
        if outcome == "published":
            line[known.get(figure.quantity, "reason")] = figure.value
        writer.writerow({**line, "status": outcome})
    return file.getvalue()


def _cell(value: Any) -> Any:
    return f"{value:.3f}" if isinstance(value, float) else value
