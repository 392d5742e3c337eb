"""Where nothing is learned, a dear input can be had, and nothing is called verified."""

from __future__ import annotations

import json

import pytest

import xsynth
from xsynth.errors import HonestNo

COMB = """\
def comb_sort(a: list[int]) -> list[int]:
    gap = len(a)
    swapped = True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13)
        swapped = False
        for i in range(len(a) - gap):
            if a[i] > a[i + gap]:
                a[i], a[i + gap] = a[i + gap], a[i]
                swapped = True
    return a
"""


@pytest.fixture
def not_learned(folder):
    folder.write("comb.py", COMB)
    learned = folder.xsynth("learn", "comb.py", "--scales", "2..4", "--budget", "20", "--json")
    assert learned.code == 1
    assert learned.json["status"] == "not learned"
    return folder, learned.json


def test_generate_finds_a_dear_input_and_verifies_nothing(not_learned):
    folder, learned = not_learned
    assert learned["model"] is None
    made = folder.xsynth("generate", "--scale", "20")
    assert made.code == 1
    assert made.json["verified"] is False
    assert made.json["strategy"] == "guided"
    assert made.json["cost"]["predicted"] is None
    assert "may not be the worst" in made.err
    data = made.json["arguments"]["a"]
    assert len(data) == 20
    # Dearer than the inputs that come to anyone's mind, as replay counts.
    costs = []
    for plain in (data, list(range(20)), list(range(20, 0, -1))):
        folder.write("input.json", json.dumps({"arguments": {"a": plain}, "scale": 20}))
        costs.append(folder.xsynth("replay", "input.json", "--json").json["cost"]["observed"])
    assert costs[0] == made.json["cost"]["observed"]
    assert costs[0] > max(costs[1:])


def test_the_same_input_each_time(not_learned):
    folder, _ = not_learned
    made = [folder.xsynth("generate", "--scale", "12", "--format", "python").out for _ in range(2)]
    assert made[0] == made[1]


def test_what_was_learned_is_not_replaced(folder):
    folder.write("comb.py", COMB.replace("gap = len(a)", "gap = 1"))
    assert folder.xsynth("learn", "comb.py", "--scales", "2..5").code == 0
    before = (folder.path / ".xsynth" / "comb_sort.isg").read_bytes()
    folder.write("comb.py", COMB)
    again = folder.xsynth("learn", "comb.py", "--scales", "2..4", "--budget", "20")
    assert again.code == 1
    assert "is kept" in again.err
    assert (folder.path / ".xsynth" / "comb_sort.isg").read_bytes() == before


def test_the_api_searches_only_where_it_is_asked_to(folder):
    path = folder.write("comb.py", COMB)
    found = xsynth.learn(f"{path}::comb_sort", range(2, 5), budget=20)
    assert found.status == "not learned"
    with pytest.raises(HonestNo):
        found.generate(10)
    made = found.generate(10, strategy="guided")
    assert made.verified is False
    assert len(made.arguments["a"]) == 10
