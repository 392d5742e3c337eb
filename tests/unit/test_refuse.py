"""What is refused by name, with file and line, before anything runs."""

from __future__ import annotations

import pytest

from xsynth.errors import UnsupportedError

REFUSED = [
    pytest.param("import random", "random.random()", "random.random: random numbers", id="random"),
    pytest.param("from random import randint as r", "r(0, 1)", "random.randint", id="randint"),
    pytest.param("", "input()", "input: input or output", id="input"),
    pytest.param("", "open('x')", "open: input or output", id="open"),
    pytest.param("from pathlib import Path as P", "P('x').read_text()", ".*: input or", id="path"),
    pytest.param("", "eval('1')", "eval: code made from text", id="eval"),
    pytest.param(
        "import threading", "threading.Thread()", "threading.Thread: threads", id="thread"
    ),
    pytest.param("import subprocess as s", "s.run('ls')", "subprocess.run: input", id="process"),
    pytest.param("import socket", "socket.socket()", "socket.socket: input", id="socket"),
]

SOURCE = """
{line}
class C:
    def method(self):
        return {call}
def helper():
    return {call}
def f(a: list[int]) -> int:
    return {way}
"""


@pytest.mark.parametrize(("line", "call", "message"), REFUSED)
@pytest.mark.parametrize(("way", "at"), [("helper()", 7), ("C().method()", 5)])
def test_refused_where_it_is_reached(program, line, call, message, way, at):
    with pytest.raises(UnsupportedError, match=rf"target\.py:{at}: {message}"):
        program(SOURCE.format(line=line, call=call, way=way), "f")


@pytest.mark.parametrize(("line", "call", "message"), REFUSED)
def test_what_is_not_reached_stands_in_nobodys_way(program, line, call, message):
    program(SOURCE.format(line=line, call=call, way="len(a)"), "f")


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            """
            import random
            def f(a: list[int]) -> int:
                random.seed(7)
                return a[random.randrange(len(a))]
            """,
            id="a seed",
        ),
        pytest.param(
            """
            import random
            def f(a: list[int]) -> int:
                return random.Random(7).choice(a)
            """,
            id="a generator of its own",
        ),
        pytest.param(
            """
            def input():
                return 1
            def f(a: list[int]) -> int:
                return input()
            """,
            id="a function called like a built-in",
        ),
    ],
)
def test_not_refused(program, source):
    assert program(source, "f").replay({"a": [1, 2]}).raised is None


def test_taking_an_address_apart_is_no_input(program):
    program("from urllib.parse import quote\ndef f(s: str):\n    return quote('a b')\n", "f")
    with pytest.raises(UnsupportedError, match="input or output"):
        program("import urllib.request as r\ndef f(s: str):\n    return r.urlopen(s)\n", "f")
