"""`xsynth learn package.module::function`."""

from __future__ import annotations

import json

import pytest

from .conftest import Folder, Here


def test_a_module_of_the_standard_library(here: Here) -> None:
    options = ("--input", "a=list[int]", "--input", "x=int", "--scales", "2..5")
    done = here.xsynth("learn", "bisect::insort_left", *options, "--json")
    assert done.code == 0, done
    assert done.json["class"] == "O(log n)"
    assert done.json["program"].endswith("bisect.py")
    model = here.path / ".xsynth" / "insort_left.isg"
    assert "program module:bisect\n" in model.read_text()
    assert here.xsynth("generate", "--scale", 50, "--output", "worst.json").code == 0
    (here.path / "moved").mkdir()
    model.rename(here.path / "moved" / "own.isg")
    found = here.xsynth("replay", "worst.json", "--model", "moved/own.isg", "--json")
    assert (found.code, found.json["verified"]) == (0, True)
    shown = here.xsynth("explain", "--model", "moved/own.isg").out
    assert shown.startswith("insort_left in bisect\n")
    assert "if a[mid] < x:" in shown


def test_a_module_of_a_package_of_ones_own(folder: Folder) -> None:
    (folder.path / "pack").mkdir()
    folder.write("pack/__init__.py", "from .core import highest\n")
    folder.write(
        "pack/core.py",
        "from .helper import larger\n\n\ndef highest(a: list[int]) -> int:\n    best = a[0]\n"
        "    for x in a:\n        if larger(x, best):\n            best = x\n    return best\n",
    )
    folder.write("pack/helper.py", "def larger(x, y):\n    return x > y\n")
    assert folder.xsynth("learn", "pack::highest", "--scales", "2..4").code == 0
    (folder.path / "elsewhere").mkdir()
    other = Folder(folder.path / "elsewhere")
    made = other.xsynth("generate", "--scale", 20, "--model", "../.xsynth/highest.isg")
    assert json.loads(made.out)["verified"] is True


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("math::gcd", "written in C"),
        ("no_such_module::f", "no such file, and no such module"),
        ("bisect::nothing", "there is no function nothing"),
        ("no/such/file::f", "no such file"),
    ],
)
def test_what_is_no_module(here: Here, target: str, message: str) -> None:
    assert message in here.refused("learn", target)
