"""Recursion without end is an exception of the program's, not the end of the process."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Folder

ENDLESS = """
class A:
    def {header}:
        return {body}
def f(x: int):
    return {use}
"""


@pytest.mark.parametrize(
    ("header", "body", "use"),
    [
        pytest.param("__len__(self)", "1 + len(self)", "len(A())", id="a length"),
        pytest.param("__lt__(self, b)", "sorted([self, b])[0]", "A() < A()", id="an order"),
    ],
)
def test_recursion_through_c_without_end(folder: Folder, header: str, body: str, use: str) -> None:
    folder.write("endless.py", ENDLESS.format(header=header, body=body, use=use))
    done = folder.xsynth("learn", "endless.py::f", "--scales", "1..3")
    assert done.code == 1
    assert "RecursionError: maximum recursion depth exceeded" in done.err
    assert "every input makes the function raise an exception" in done.err
