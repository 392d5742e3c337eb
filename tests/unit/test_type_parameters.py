"""`def f[T](...)`, `class C[T]` and `type X = ...`, where Python has them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from xsynth.explore.worst import explore
from xsynth.program.inputs import describe
from xsynth.program.program import load

SOURCE = """
type Row = list[int]
type Grid[T] = list[list[T]]


class Box[T]:
    def __init__(self, item: int) -> None:
        self.item = item

    def over(self, x: int) -> bool:
        return self.item > x


def first[T: (int, str)](items: list[T], wanted: T) -> int:
    for i, item in enumerate(items):
        if item == wanted:
            return i
    return -1


def count(grid: Grid[int]) -> int:
    return len([1 for row in grid for x in row if x > 0])


def inner(a: Row, box: Box[int]) -> int:
    def same[U](x: U) -> U:
        return x

    type Local = int
    k: Local = 0
    for x in a:
        if same(x) > box.item:
            k += 1
    return k
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
@pytest.mark.parametrize(
    ("function", "inputs", "paths"),
    [
        ("first", ("input items: list[int] size n", "input wanted: int"), 3),
        ("count", ("input grid: list[list[int]] size n, n",), 16),
        ("inner", ("input a: list[int] size n", "input box: Box(item=int)"), 4),
        ("Box.over", ("input self: Box(item=int)", "input x: int"), 1),
    ],
)
def test_type_parameters_are_read(
    tmp_path: Path, function: str, inputs: tuple[str, ...], paths: int
) -> None:
    file = tmp_path / "generic.py"
    file.write_text(SOURCE)
    program = load(file, function)
    assert describe(program.spec) == inputs
    found = explore(program, 2)
    assert found.exhaustive
    assert found.paths == paths
    assert not found.findings
