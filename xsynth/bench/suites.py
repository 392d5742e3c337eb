"""What a benchmark runs: a suite of the shipped programs, or files of the user's own.

A suite is a text file in `benchmarks/suites`: its programs by the names of the catalogue,
the scales at which they are measured, and the papers' tables to show beside them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xsynth import shipped
from xsynth.bench.methods import METHODS
from xsynth.errors import UsageError
from xsynth.options import parse_single_scales, split_target
from xsynth.program.locate import locate
from xsynth.shipped import Described

DEFAULT_LIMIT = 60.0
DEFAULT_AT = "10,50,100,500"


@dataclass(frozen=True, slots=True)
class Task:
    """One program: where it is, what it is learned from, and where it is measured."""

    name: str
    path: Path
    function: str | None
    scales: tuple[int, ...]
    at: tuple[int, ...]
    described: Described
    published: str | None = None
    """Its name in the published tables."""
    note: str = ""
    module: str | None = None
    """Its name, for one of an installed package."""

    @property
    def key(self) -> str:
        """A file name."""
        return re.sub(r"\W+", "_", self.name)


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    title: str
    tasks: tuple[Task, ...]
    methods: tuple[str, ...]
    time_limit: float
    published: tuple[str, ...] = ()
    """Files in `benchmarks/published`."""


def suite_names() -> list[str]:
    return sorted(path.stem for path in (shipped.folder() / "suites").glob("*.toml"))


def read_suite(name: str) -> Suite:
    path = shipped.folder() / "suites" / f"{name}.toml"
    if name not in suite_names():
        raise UsageError(f"--suite {name}: there is no such suite", ", ".join(suite_names()))
    with path.open("rb") as file:
        given = tomllib.load(file)
    tasks = []
    for entry in given["program"]:
        example = shipped.example(entry["name"])
        tasks.append(
            Task(
                name=entry["name"],
                path=example.path,
                function=example.function,
                scales=parse_single_scales(example.scales),
                at=parse_at(entry.get("at", given["at"])),
                described=example.described,
                published=entry.get("published"),
                note=entry.get("note", ""),
            )
        )
    return Suite(
        name=name,
        title=given["title"],
        tasks=tuple(tasks),
        methods=check_methods(given.get("methods", list(METHODS))),
        time_limit=float(given.get("time_limit", DEFAULT_LIMIT)),
        published=tuple(given.get("published", ())),
    )


def own_suite(targets: Sequence[str], scales: str, at: str, described: Described) -> Suite:
    """Files of the user's own, all with the same options."""
    tasks: list[Task] = []
    for target in targets:
        place = locate(*split_target(target))
        name = place.function or place.path.stem
        if name in {task.name for task in tasks}:
            name = target
        task = Task(
            name=name,
            path=place.path,
            function=place.function,
            scales=parse_single_scales(scales),
            at=parse_at(at),
            described=described,
            module=place.module,
        )
        tasks.append(task)
    title = f"{', '.join(task.name for task in tasks)}, learned from scales {scales}"
    return Suite("own", title, tuple(tasks), tuple(METHODS), DEFAULT_LIMIT)


def check_methods(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in METHODS:
            raise UsageError(
                f"--methods: there is no {name!r}", f"choose among {', '.join(METHODS)}"
            )
    return tuple(name for name in METHODS if name in names)


_RANGE = re.compile(r"(\d+)(?:\.\.(\d+)(?:\.\.(\d+))?)?")


def parse_at(text: str) -> tuple[int, ...]:
    """`10,50,100..500..100`, rising: scales to measure at, one or more."""
    found: set[int] = set()
    for part in (part.strip() for part in text.split(",")):
        ends = _RANGE.fullmatch(part)
        if ends is None or not (numbers := _numbers(ends)):
            raise UsageError(
                f"--at {text}: {part!r} is not a scale or a range of scales",
                "write whole numbers from 1 on, as in --at 10,50,100 or 100..500..100",
            )
        found.update(numbers)
    return tuple(sorted(found))


def _numbers(ends: re.Match[str]) -> range:
    first = int(ends[1])
    last, step = int(ends[2] or first), int(ends[3] or 1)
    return range(first, last + 1, step) if first > 0 and step > 0 else range(0)
