"""Sizes at which a range has fewer values than the worst case needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import xsynth
from xsynth.errors import HonestNo
from xsynth.synthesize.generate import OTHER_CHARACTERS

# Every pair must differ.
REPEATED = """
def repeated(text: str) -> bool:
    for i in range(len(text)):
        for j in range(i):
            if text[j] == text[i]:
                return True
    return False
"""

# A character that is found ends the search through those seen so far.
KINDS = """
def kinds(text: str) -> int:
    seen = []
    for c in text:
        k = 0
        while k < len(seen) and seen[k] != c:
            k += 1
        if k == len(seen):
            seen.append(c)
    return len(seen)
"""

# The list must fall from end to end.
FALLING = """
def falling(a: list[int]) -> int:
    steps = 0
    for i in range(len(a) - 1):
        if a[i] > a[i + 1]:
            steps += 1
            steps += 0
    return steps
"""


@pytest.mark.parametrize(
    ("name", "source"), [("repeated", REPEATED), ("kinds", KINDS)], ids=["pairs", "seen"]
)
def test_a_text_needs_more_characters_than_ascii_has(
    tmp_path: Path, name: str, source: str
) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    model = xsynth.learn(path, scales=range(2, 6))
    assert model.status == "learned"
    small, large = model.generate(95), model.generate(150)
    for made, size in ((small, 95), (large, 150)):
        text = made.arguments["text"]
        assert isinstance(text, str)
        assert len(set(text)) >= size - 1  # the last of all is compared, whatever it is
        assert made.verified
    assert str(small.arguments["text"]).isascii()
    assert OTHER_CHARACTERS not in small.notes
    assert OTHER_CHARACTERS in large.notes


@pytest.mark.parametrize(
    ("source", "ranges", "words"),
    [
        (REPEATED, {"text": (" ", "_")}, "values that must differ run out: there are only 64"),
        (FALLING, {"a": (0, 50)}, "values that must rise run out of numbers between 0 and 50"),
    ],
    ids=["different", "falling"],
)
def test_a_range_of_the_users_is_kept(
    tmp_path: Path, source: str, ranges: dict[str, tuple[object, object]], words: str
) -> None:
    path = tmp_path / "limited.py"
    path.write_text(source)
    model = xsynth.learn(path, scales=range(2, 6), ranges=ranges)
    assert model.status == "learned"
    with pytest.raises(HonestNo) as refused:
        model.generate(80)
    assert words in str(refused.value)
