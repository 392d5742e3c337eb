"""Texts of symbolic numbers, which wait until they are read."""

from __future__ import annotations

import pytest

from xsynth.trace.proxies import Field, SymInt, SymStr, Written, recording, written
from xsynth.trace.proxies.written import joined, read
from xsynth.trace.terms import Cell, Sort

N = Cell("n", (), Sort.INT)


class Seven:
    """A recorder for which every number is 7."""

    def __init__(self) -> None:
        self.asked = 0

    def value(self, term, frame):
        self.asked += 1
        return 7

    def test(self, term, frame):
        return True


@pytest.fixture
def seven():
    with recording(Seven()) as recorder:
        yield recorder


@pytest.fixture
def text(seven) -> Written:
    made = written("n = ", Field(SymInt(N)), "!")
    assert isinstance(made, Written)
    return made


def test_nothing_is_decided_before_it_is_read(seven, text):
    held = [text, (text, 1)]
    assert read(3) == 3
    assert held[0] is text
    assert seven.asked == 0


READINGS = {
    "str": (str, "n = 7!"),
    "len": (len, 6),
    "==": (lambda t: t == "n = 7!", True),
    "!=": (lambda t: t != "n = 7!", False),
    "<": (lambda t: t < "o", True),
    "in": (lambda t: "7" in t, True),
    "*": (lambda t: t * 2, "n = 7!n = 7!"),
    "item": (lambda t: t[4], "7"),
    "iteration": ("".join, "n = 7!"),
    "method": (lambda t: t.upper(), "N = 7!"),
    "format": (lambda t: f"{t:>8}", "  n = 7!"),
    "key": (lambda t: {"n = 7!": 1}[t], 1),
}


@pytest.mark.parametrize(("reading", "expected"), READINGS.values(), ids=READINGS)
def test_reading_decides_once_and_gives_the_text(seven, text, reading, expected):
    assert reading(text) == expected
    assert reading(text) == expected
    assert seven.asked == 1


def test_fields(seven):
    number = SymInt(N)
    assert written(Field(number, "", ">3")) == "  7"
    assert written(Field(number, "r"), Field("é", "a")) == "7'\\xe9'"
    assert written("plain ", Field(3)) == "plain 3"
    assert str(written(Field(written("<", Field(number), ">")))) == "<7>"


def test_symbolic_characters_stay_symbolic(seven):
    made = written("a", Field(SymStr([N])))
    assert isinstance(made, SymStr)
    assert made.units == (ord("a"), N)
    assert seven.asked == 0
    assert joined(["a", "b"]) == "ab"


def test_outside_a_trace_the_term_is_shown():
    assert repr(written("n = ", Field(SymInt(N)))) == "n = <n>"


def test_what_is_put_together_waits_as_well(seven, text):
    whole = ">" + text + "?"
    assert isinstance(whole, Written)
    assert seven.asked == 0
    assert whole == ">n = 7!?"
    assert text + SymStr("a") == "n = 7!a"
    with pytest.raises(TypeError):
        text + 1
