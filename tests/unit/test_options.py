from __future__ import annotations

from pathlib import Path

import pytest

from xsynth.errors import UsageError
from xsynth.options import parse_pairs, parse_scales, split_target


@pytest.mark.parametrize(
    ("text", "scales"),
    [
        ("2..6", (2, 3, 4, 5, 6)),
        ("2..10..2", (2, 4, 6, 8, 10)),
        ("2..9..3", (2, 5, 8)),
        ("2,3,5", (2, 3, 5)),
        ("5, 3, 2, 3", (2, 3, 5)),
        ("2..4,8", (2, 3, 4, 8)),
    ],
)
def test_scales(text: str, scales: tuple[int, ...]) -> None:
    assert parse_scales(text) == scales


@pytest.mark.parametrize(
    "text",
    ["", "x", "2-6", "2..", "..6", "6..2", "2..6..0", "0..5", "-1,2,3", "1.5,2,3", "2,3", "4"],
)
def test_no_scales(text: str) -> None:
    with pytest.raises(UsageError):
        parse_scales(text)


def test_too_many_scales_are_not_made() -> None:
    with pytest.raises(UsageError, match="more than"):
        parse_scales("1..999999999999")


def test_pairs() -> None:
    given = ["a=n+1", "edges.0 = 0..9", "p='x=y'"]
    assert parse_pairs("--fix", given) == {"a": "n+1", "edges.0": "0..9", "p": "'x=y'"}


@pytest.mark.parametrize("texts", [["a"], ["=3"], ["a="], ["a b=3"], ["a=1", "a=2"]])
def test_no_pairs(texts: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_pairs("--size", texts)


def test_targets() -> None:
    assert split_target("a/b.py") == (Path("a/b.py"), None)
    assert split_target("a/b.py::f") == (Path("a/b.py"), "f")
    assert split_target("a/b.py::C.f") == (Path("a/b.py"), "C.f")
    for wrong in ("b.py::", "b.py::f g", "b.py::C.", "b.py::.f"):
        with pytest.raises(UsageError):
            split_target(wrong)
