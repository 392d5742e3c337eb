"""What is said of sizes without inputs, of models that are replaced, and of places."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import SORT, Folder, Here
from xsynth.program.described import in_words
from xsynth.program.program import load
from xsynth.synthesize.conform import unpredicted
from xsynth.trace.run import Excluded, run
from xsynth.trace.source import Witness
from xsynth.trace.terms import Cell, Sort

LARGEST = """\
def largest(a: list[int]) -> int:
    best = 0
    for x in a:
        if x > best:
            best = x
    return best
"""


def test_sizes_that_the_assumptions_exclude_are_told(here: Here) -> None:
    here.write("p.py", SORT)
    done = here.xsynth("learn", "p.py", "--scales", "2..6", "--assume", "n % 2 == 0")
    assert done.code == 0
    assert "scales 3, 5: no input satisfies the assumptions" in done.err
    assert "confirmed at scales 8, 10, 12, 14, 28" in done.out  # and none that is odd
    none = here.xsynth("generate", "--scale", "7")
    assert none.code == 1
    assert "exclude every input of scale 7; there are inputs at 2, 4, 6, and none at 3" in none.err
    assert here.xsynth("generate", "--scale", "20").code == 0
    odd = here.xsynth("learn", "p.py", "--scales", "2..6", "--assume", "n % 2 == 1")
    assert "scales 2, 4, 6: no input" in odd.err
    assert "generate --scale 501" in odd.out


def test_a_model_of_something_else_is_put_aside(here: Here) -> None:
    here.write("p.py", LARGEST)
    first = here.xsynth("learn", "p.py", "--scales", "2..4")
    assert "now" not in first.err
    own = here.path / ".xsynth" / "largest.isg"
    before = own.read_bytes()
    again = here.xsynth("learn", "p.py", "--scales", "2..4")
    assert "other options" not in again.err
    other = here.xsynth("learn", "p.py", "--scales", "2..4", "--range", "a=0..")
    assert "was of another file or other options, and is now" in other.err
    (aside,) = [file for file in own.parent.glob("*.isg") if file != own]
    assert aside.read_bytes() == before
    assert here.xsynth("explain", "--model", aside).code == 0
    assert "range" not in here.xsynth("explain", "--model", aside).out
    assert "range 0.." in here.xsynth("explain").out


def test_few_scales_say_why_and_how_many(here: Here) -> None:
    here.write("p.py", SORT)
    said = here.refused("learn", "p.py", "--scales", "4..5")
    assert "a third has to agree" in said
    assert "--scales 4..8" in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("input a: list[int] size n", "input a: list[int] size n"),
        ("input p: list[P(y=Fixed[0])] size n", "input p: list[P(y fixed at 0)] size n"),
        ("input p: P(x=Fixed[[1, 2]], y=Fixed[n])", "input p: P(x fixed at [1, 2], y fixed at n)"),
        ("input p: P(x=Fixed['['])", "input p: P(x=Fixed['['])"),
    ],
)  # fmt: skip
def test_fixed_parts_in_words(line: str, words: str) -> None:
    assert in_words(line) == words


COUNTED = """\
from helper import best


def most(words: list[int]) -> int:
    seen = {}
    for word in words:
        seen[word] = seen.get(word, 0) + 1
    return best(list(seen))
"""
HELPER = """\
def best(values):
    found = 0
    for value in values:
        if value > found:
            found = value
    return found
"""


def test_places_are_lines_of_the_users_files(tmp_path: Path) -> None:
    """Never those of the dictionary that stands in for Python's own."""
    (tmp_path / "p.py").write_text(COUNTED)
    (tmp_path / "helper.py").write_text(HELPER)
    program = load(tmp_path / "p.py", "most")
    cells = {Cell("words", (i,), Sort.INT): value for i, value in enumerate((1, 2, 1))}
    outcome = run(program, 3, Witness(cells))
    assert not isinstance(outcome, Excluded)
    told = {program.places.words(event.place) for event in outcome.trace.events}
    assert told == {"p.py:7", "helper.py:4"}
    said = unpredicted([], outcome.trace, program.places)
    assert said == "p.py:7 met a constraint that the model does not have"


def test_explain_has_own_lines_in_json(here: Here) -> None:
    here.write("helper.py", HELPER)
    here.write("p.py", COUNTED)
    assert here.xsynth("learn", "p.py", "--scales", "2..4", "--json").code == 0
    found = here.xsynth("explain", "--json").json
    places = [*found["points"], *found["policies"], *found["decisions"]]
    assert places
    assert {one["line"] for one in places} <= {4, 6, 7, 8}
    assert {one["function"] for one in places} == {"most"}


SHELL = """\
def shell(a: list[int]) -> None:
    gap = len(a) // 2
    while gap > 0:
        for i in range(gap, len(a)):
            j = i
            while j >= gap and a[j - gap] > a[j]:
                a[j - gap], a[j] = a[j], a[j - gap]
                j -= gap
        gap //= 2
"""
CUTOVER = """\
def cutover(a: list[int]) -> int:
    steps = 0
    for x in a:
        if x > 0:
            steps += 1
    if len(a) > 20:
        for x in a:
            for y in a:
                steps += 1
    return steps
"""
RISES = """\
def rises(a: list[int]) -> int:
    steps, last = 0, a[0] - 1
    for x in a:
        if x > last:
            steps += 1
        last = x
    if len(a) > 20:
        for x in a:
            for y in a:
                steps += 1
    return steps
"""


def test_why_nothing_was_learned_is_short_and_in_words(folder: Folder) -> None:
    folder.write("shell.py", SHELL)
    done = folder.xsynth("learn", "shell.py", "--scales", "2..6", "--json")
    assert done.code == 1
    reason = done.json["reason"]
    assert reason.startswith("shell.py:6: what the worst paths compare follows no pattern")
    assert "family" not in reason and "generator" not in reason
    assert reason.count(". ") == 1


def test_a_plain_shape_that_is_worst_everywhere_is_said(folder: Folder) -> None:
    folder.write("cutover.py", CUTOVER)
    done = folder.xsynth("learn", "cutover.py", "--scales", "2..5")
    assert done.code == 1
    assert "some inputs with all elements equal are a worst case at every explored" in done.out
    made = folder.xsynth("generate", "--scale", "30")
    assert made.code == 1 and made.json["verified"] is False
    assert "this is a dear input, and may not be the worst" in made.err
    folder.write("rises.py", RISES)
    done = folder.xsynth("learn", "rises.py", "--scales", "2..5")
    assert "\nstrictly increasing inputs are a worst case at every explored scale\n" in done.out
