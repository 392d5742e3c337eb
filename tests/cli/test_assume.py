"""Preconditions that people write, from `learn` to an input of a size far beyond."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .conftest import Folder

GNOME = """
def gnome(a: list[int]) -> list[int]:
    i = 0
    while i < len(a):
        if i == 0 or a[i - 1] <= a[i]:
            i += 1
        else:
            a[i - 1], a[i] = a[i], a[i - 1]
            i -= 1
    return a
"""
SUM_ABOVE = """
def above(a: list[int], k: int) -> int:
    found = 0
    for x in a:
        if x > k:
            found += 1
    return found
"""


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("len(set(a)) > 1", lambda a: len(set(a)) > 1),
        ("len(set(a)) == n", lambda a: len(set(a)) == len(a)),
        ("set(a[:2]) <= {5, 7}", lambda a: set(a[:2]) <= {5, 7}),
        ("a.count(0) == 1 and a[0] != a[-1]", lambda a: a.count(0) == 1 and a[0] != a[-1]),
        ("sorted(a)[0] < sorted(a)[-1]", lambda a: min(a) < max(a)),
    ],
)
def test_a_precondition_holds_at_every_scale(
    folder: Folder, text: str, holds: Callable[[list[int]], bool]
) -> None:
    folder.write("gnome.py", GNOME)
    learned = folder.xsynth("learn", "gnome.py", "--scales", "2..5", "--assume", text)
    assert learned.code == 0, learned
    made = folder.xsynth("generate", "--scale", "30", "--json")
    assert made.code == 0, made
    assert made.json["verified"] is True
    assert holds(made.json["arguments"]["a"])


def test_an_assumption_without_end_is_blamed_by_its_text(folder: Folder) -> None:
    folder.write("above.py", SUM_ABOVE)
    text = "all(v > 0 for v in range(k))"
    done = folder.xsynth("learn", "above.py", "--scales", "2..4", "--assume", text)
    assert done.code == 1
    assert f"the assumption `{text}` needs an unbounded integer" in done.err
    assert "scales 3, 4: not explored, as scale 2 could not be exhausted" in done.err
    assert "lack of time" not in done.err


def test_what_is_true_on_a_later_way_through_an_assumption_has_inputs(folder: Folder) -> None:
    """The first way that is tried makes all keys of the dict equal."""
    folder.write("above.py", SUM_ABOVE)
    text = "len({x: 1 for x in a}) > 1"
    done = folder.xsynth("learn", "above.py", "--scales", "2..5", "--assume", text)
    assert done.code == 0, done
    made = folder.xsynth("generate", "--scale", "12", "--json")
    assert made.code == 0 and len(set(made.json["arguments"]["a"])) > 1
    none = folder.xsynth("learn", "above.py", "--scales", "2..5", "--assume", "len({*a}) > 6")
    assert none.code == 2 and "no input of scale 2 satisfies it" in none.err


def test_an_assumption_that_compares_in_too_many_ways_says_so(folder: Folder) -> None:
    folder.write("above.py", SUM_ABOVE)
    text = "[v for v in a if v > 0] == [1]"
    done = folder.xsynth("learn", "above.py", "--scales", "2..4", "--assume", text)
    assert done.code == 1
    assert f"--assume {text!r}: it compares in many ways" in done.err
