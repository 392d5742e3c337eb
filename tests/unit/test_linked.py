"""Objects that lead to others of their class: chains, full trees, and trees that lean."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from xsynth.errors import InputSpecError
from xsynth.program.annotations import shape_of
from xsynth.program.inputs import describe, parse_described, read_spec
from xsynth.program.received import received
from xsynth.program.shapes import ListOf
from xsynth.trace import building


class Taken:
    """Its links are parameters."""

    def __init__(self, key: int, left: Taken | None = None, right: Taken | None = None) -> None:
        self.key = key
        self.left = left
        self.right = right


class Own:
    """It sets its links itself."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.left = None
        self.right = None


def of_taken(root: Taken) -> int: ...


def of_own(root: Own) -> int: ...


def drawn(node: Taken | Own | None) -> str:
    if node is None:
        return "."
    below = drawn(node.left) + drawn(node.right)
    return str(node.key) if below == ".." else f"({node.key} {below})"


@pytest.mark.parametrize("function", [of_taken, of_own])
@pytest.mark.parametrize(
    ("fixes", "links", "tree"),
    [
        pytest.param({}, ("left", "right"), "(0 (1 3.)2)", id="full levels"),
        pytest.param({"root.left": "None"}, ("right",), "(0 .(1 .(2 .3)))", id="leans right"),
        pytest.param({"root.right": "None"}, ("left",), "(0 (1 (2 3.).).)", id="leans left"),
    ],
)
def test_a_tree_is_made_as_it_is_said(
    function: Callable[..., int], fixes: dict[str, str], links: tuple[str, ...], tree: str
) -> None:
    spec = read_spec(function, fixes=fixes)
    shape = spec.params[0].shape
    assert isinstance(shape, ListOf)
    assert shape.links == links
    plain = spec.concrete(4, lambda _, index: index[0])
    made = received(spec, plain, globals(), building)["root"]
    assert drawn(made) == tree  # type: ignore[arg-type]
    assert parse_described(describe(spec)) == spec


def test_a_link_is_left_out_or_not_fixed() -> None:
    with pytest.raises(InputSpecError, match=r"no input root\.left"):
        read_spec(of_own, fixes={"root.left": "3"})


@pytest.mark.parametrize(
    ("annotation", "told", "advice"),
    [
        pytest.param(np.ndarray, "numpy.ndarray", r"--input a='list\[int\]'", id="array"),
        pytest.param(npt.NDArray[np.float64], "written in C", r"list\[float\]", id="its type"),
        pytest.param(datetime.date, "datetime.date", "function of your own", id="another"),
        pytest.param(Callable[[int], bool], "makes no functions", "def with_one", id="function"),
        pytest.param(Callable, "makes no functions", "learn that", id="any function"),
    ],
)
def test_what_cannot_hold_unknowns_is_refused_with_advice(
    annotation: object, told: str, advice: str
) -> None:
    with pytest.raises(InputSpecError, match=told) as raised:
        shape_of(annotation, "a")
    assert re.search(advice, raised.value.advice)
    assert len(str(raised.value).splitlines()) <= 3
