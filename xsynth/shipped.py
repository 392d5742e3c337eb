"""The example programs that come with xsynth, and how to learn each of them.

A wheel carries the folder `benchmarks` inside the package; a checkout (or an editable
install) has it beside it.  Nothing that learns or generates looks in here.
"""

from __future__ import annotations

import ast
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from xsynth.errors import UsageError

LISTS = ("size", "fix", "range", "input", "assume")
"""Options of `xsynth learn` that may be repeated, in the order in which they are shown."""


@cache
def folder() -> Path:
    package = Path(str(files("xsynth")))
    inside = package / "benchmarks"
    return inside if inside.is_dir() else package.parent / "benchmarks"


@dataclass(frozen=True, slots=True)
class Described:
    """The options of `xsynth learn` that say what the inputs are and what is counted."""

    size: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    input: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    cost: str | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Described:
        return cls(**{name: tuple(given.get(name) or ()) for name in LISTS}, cost=given.get("cost"))

    def arguments(self) -> list[str]:
        """As they are typed."""
        found = [part for name in LISTS for text in getattr(self, name) for part in (name, text)]
        found += [] if self.cost is None else ["cost", self.cost]
        return [f"--{part}" if k % 2 == 0 else part for k, part in enumerate(found)]


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    path: Path
    scales: str
    described: Described
    beside: tuple[Path, ...] = ()
    """Other files that it imports."""

    @property
    def function(self) -> str:
        return self.path.stem

    @property
    def about(self) -> str:
        """The first line of its docstring."""
        text = ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"))) or ""
        return text.partition("\n")[0]

    def command(self, file: Path) -> str:
        """The line that learns it where it was copied to."""
        target = f"{file}::{self.function}"
        given = ["--scales", self.scales, *self.described.arguments()]
        return shlex.join(["xsynth", "learn", target, *given])


@cache
def examples() -> dict[str, Example]:
    """By name; those with a folder in their name are one paper's own form of a program."""
    where = folder()
    with (where / "catalogue.toml").open("rb") as file:
        listed = tomllib.load(file)
    return {
        name: Example(
            name=name,
            path=where / (f"{name}.py" if "/" in name else f"programs/{name}.py"),
            scales=given["scales"],
            described=Described.of(given),
            beside=tuple(where / f"programs/{other}.py" for other in given.get("beside", ())),
        )
        for name, given in listed.items()
    }


def example(name: str) -> Example:
    known = examples()
    if name in known:
        return known[name]
    near = [other for other in known if name.lower().removesuffix(".py") in other]
    advice = f"did you mean {near[0]}?" if near else "xsynth examples lists them"
    raise UsageError(f"{name}: there is no such example", advice)
