"""A function that decides nothing by its input: every input of a size is a worst case."""

from __future__ import annotations

from tests.cli.conftest import Here

SOURCE = """\
def pairs(a: list[int]) -> int:
    k = 0
    for _ in a:
        for _ in a:
            k += 1
    return k
"""


def test_every_input_is_the_worst(here: Here) -> None:
    here.write("p.py", SOURCE)
    rising = "all(x < y for x, y in zip(a, a[1:]))"
    learned = here.xsynth("learn", "p.py", "--scales", "2..5", "--assume", rising)
    assert learned.code == 0
    assert "pairs: learned" in learned.out
    assert "2*n**2 + 2*n + 3" in learned.out
    assert "no decision depends on the input: every input of a size costs the same" in learned.out
    made = here.xsynth("generate", "--scale", "30")
    assert made.code == 0
    assert made.json["strategy"] == "synthesize"
    assert made.json["verified"] is made.json["conforms"] is True
    a = made.json["arguments"]["a"]
    assert a == sorted(set(a))  # what is assumed still holds
    assert "no decision depends" in here.xsynth("explain").out
    assert here.xsynth("generate", "--scale", "3", "--format", "smt2").code == 0
