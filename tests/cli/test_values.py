"""Inputs that JSON has no form of its own for, and methods: learned, generated, replayed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Folder, Here

PROGRAM = """\
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Literal


class Color(Enum):
    RED = 1
    GREEN = 2


@dataclass
class Point:
    x: int
    y: int
    tag: str = "p"


class Shelf:
    def __init__(self, items: list[int], limit: int = 9) -> None:
        if limit < 0:
            raise ValueError("limit")
        self.items = list(items)
        self.limit = limit

    def largest(self, floor: int) -> int:
        best = floor
        for item in self.items:
            if item > best:
                best = item
        return best

    @staticmethod
    def positive(values: list[int]) -> int:
        found = 0
        for value in values:
            if value > 0:
                found += 1
        return found

    @classmethod
    def of(cls, values: list[int]) -> "Shelf":
        shelf = cls([])
        for value in values:
            if value > 0:
                shelf.items.append(value)
        return shelf

    @property
    def top(self) -> int:
        return self.items[-1]

    async def later(self) -> int:
        return 1


class Box(Shelf):
    pass


class Counter:
    def __init__(self):
        self.total = 0

    def add(self, values: list[int]) -> int:
        for value in values:
            if value > self.total:
                self.total = value
        return self.total


def by_x(points: list[Point]) -> list[Point]:
    for i in range(1, len(points)):
        point = points[i]
        j = i - 1
        while j >= 0 and points[j].x > point.x:
            points[j + 1] = points[j]
            j -= 1
        points[j + 1] = point
    return points


def reach(graph: dict[int, list[int]]) -> int:
    seen, queue = {0}, [0]
    while queue:
        for v in graph[queue.pop(0)]:
            if v not in seen:
                seen.add(v)
                queue.append(v)
    return len(seen)


def common(a: set[int], b: frozenset[int]) -> int:
    found = 0
    for x in sorted(a):
        if x in b:
            found += 1
    return found


def reds(colors: Iterator[Color], mode: Literal["all", "none"]) -> int:
    found = 0
    for color in colors:
        if color is Color.RED and mode == "all":
            found += 1
    return found


def follow(roads: dict[str, list[str]]) -> int:
    at, seen = "a", set()
    while at not in seen:
        seen.add(at)
        at = roads[at][0]
    return len(seen)
"""

LINKED = """

class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next


def highest(head: ListNode) -> int:
    best = head.val
    while head is not None:
        if head.val > best:
            best = head.val
        head = head.next
    return best
"""

FORMULAS = {
    "by_x": "3*n**2/2 + 7*n/2 - 3",
    "reach": "2*n**2 + 2*n + 1",
    "common": "3*n + 3",
    "reds": "3*n + 3",
    "follow": "3*n + 3",
    "Shelf.largest": "3*n + 3",
    "Shelf.positive": "3*n + 3",
    "Shelf.of": "3*n + 6",
    "Box.largest": "3*n + 3",
    "Counter.add": "3*n + 2",
}


POINTS = "[Point(x=1, y=0, tag='p'), Point(x=0, y=0, tag='p')]"
AT_TWO: dict[str, tuple[dict[str, Any], str]] = {
    "by_x": (
        {"points": [{"x": 1, "y": 0, "tag": "p"}, {"x": 0, "y": 0, "tag": "p"}]},
        f"points = {POINTS}\n",
    ),
    "common": ({"a": [0, 1], "b": [0, 1]}, "a = {0, 1}\nb = frozenset({0, 1})\n"),
    "reds": (
        {"colors": ["RED", "RED"], "mode": "all"},
        "colors = [Color.RED, Color.RED]\nmode = 'all'\n",
    ),
}
"""The worst inputs at n = 2, as JSON and as Python."""


@pytest.mark.parametrize("function", FORMULAS)
def test_learned_generated_and_replayed(here: Here, function: str) -> None:
    here.write("prog.py", PROGRAM)
    done = here.xsynth("learn", f"prog.py::{function}", "--scales", "2..4", "--json")
    assert done.code == 0, done
    found = done.json
    assert (found["formula"], found["notes"]) == (FORMULAS[function], [])
    made = here.xsynth("generate", "--scale", 30, "--output", "worst.json")
    assert made.code == 0, made
    written = json.loads((here.path / "worst.json").read_text())
    assert written["verified"] is True
    assert written["conforms"] is True
    replayed = here.xsynth("replay", "worst.json", "--json")
    assert replayed.code == 0, replayed
    assert replayed.json["cost"]["observed"] == written["cost"]["observed"]
    if function in AT_TWO:
        arguments, python = AT_TWO[function]
        assert here.xsynth("generate", "--scale", 2).json["arguments"] == arguments
        assert here.xsynth("generate", "--scale", 2, "--format", "python").out == python
    if function == "reach":  # lengths inside of values tell the scale
        assert list(written["arguments"]["graph"]) == [str(i) for i in range(30)]
        alone = {"graph": {str(i): [j for j in range(6) if j != i] for i in range(6)}}
        found = here.xsynth("replay", "-", "--json", stdin=json.dumps(alone)).json
        assert (found["scale"], found["verified"]) == (6, True)
    if function == "reds":
        assert "while the input is made" in here.xsynth("explain").out


def test_a_linked_list(here: Here) -> None:
    here.write("prog.py", LINKED)
    done = here.xsynth("learn", "prog.py", "--scales", "2..4", "--json")
    assert done.json["formula"] == "4*n + 2"
    assert "head is taken as a chain of n objects, by next" in done.err
    made = here.xsynth("generate", "--scale", 20, "--output", "worst.json")
    assert made.code == 0, made
    written = json.loads((here.path / "worst.json").read_text())
    values = [node["val"] for node in written["arguments"]["head"]]
    assert values == sorted(set(values))
    assert (written["verified"], written["conforms"]) == (True, True)
    assert here.xsynth("replay", "worst.json").code == 0


def test_options_reach_into_constructors(here: Here) -> None:
    here.write("prog.py", PROGRAM)
    options = ("--size", "self.items=2*n", "--fix", "self.limit=n", "--range", "self.items=0..99")
    done = here.xsynth("learn", "prog.py::Shelf.largest", "--scales", "2..4", *options, "--json")
    assert done.json["formula"] == "6*n + 3"
    made = here.xsynth("generate", "--scale", 20).json
    assert len(made["arguments"]["self"]["items"]) == 40
    assert made["arguments"]["self"]["limit"] == 20
    assert made["verified"] is True


def test_what_a_constructor_raises_is_a_finding(here: Here) -> None:
    here.write("prog.py", PROGRAM)
    done = here.xsynth(
        *("learn", "prog.py::Shelf.largest", "--scales", "2..4", "--json"),
        *("--input", "self.limit=int"),
    )
    assert done.json["formula"] == "3*n + 3"
    assert {f["exception"] for f in done.json["findings"]} == {"ValueError"}
    assert done.json["findings"][0]["arguments"]["self"]["limit"] < 0


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("Shelf.top", "is a property"),
        ("Shelf.later", "is a coroutine"),
        ("Shelf.nothing", "has no method nothing"),
        ("Shelf.__init__", "makes the object"),
        ("Nothing.at", "there is no class Nothing"),
        ("Shelf", "is a class"),
    ],
)
def test_what_is_no_target(here: Here, target: str, message: str) -> None:
    here.write("prog.py", PROGRAM)
    assert message in here.refused("learn", f"prog.py::{target}")


def test_from_another_folder_and_process(folder: Folder) -> None:
    folder.write("prog.py", PROGRAM)
    (folder.path / "elsewhere").mkdir()
    other = Folder(folder.path / "elsewhere")
    call = ("learn", "../prog.py::Shelf.largest", "--scales", "2..4", "--workers", 2)
    assert other.xsynth(*call).code == 0
    model = ("--model", "elsewhere/.xsynth/Shelf.largest.isg")
    assert folder.xsynth("generate", "--scale", 9, *model, "--output", "worst.json").code == 0
    assert folder.xsynth("replay", "worst.json", *model).code == 0
