"""What is refused by name, with file and line, before anything runs."""

from __future__ import annotations

import pytest

from xsynth.errors import UnsupportedError
from xsynth.explore.worst import explore

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
    pytest.param("import time", "time.perf_counter()", "time.perf_counter: the clock", id="clock"),
    pytest.param("from timeit import default_timer as t", "t()", "timeit.default_timer: t", id="t"),
    pytest.param("from time import time_ns", "time_ns()", "time.time_ns: the clock", id="time_ns"),
    pytest.param(
        "from datetime import datetime", "datetime.now()", "datetime.datetime.now: the", id="now"
    ),
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


TIMED = """
    import time
    from datetime import datetime
    def helper(x):
        return x
    def f(a: list[int]) -> int:
        start, total = 0.0, 0
        start = time.perf_counter()
        began = datetime.now()
        for x in a:
            if x > 0:
                total += 1
        took = time.perf_counter() - start
        {use}
        return total
"""


@pytest.mark.parametrize(
    "use",
    [
        "print(took)",
        "print(f'{took * 1000:.2f} ms', round(took), '{}'.format(took))",
        "print((datetime.now() - began).total_seconds())",
        "pass",
    ],
)
def test_a_clock_whose_time_is_printed_is_no_matter(program, use):
    made = program(TIMED.format(use=use), "f")
    assert explore(made, 2).paths == 4


@pytest.mark.parametrize(
    "use",
    [
        "total += took > 1",
        "if took > 1: total = 0",
        "return took",
        "print(helper(took))",
        "a.append(took)",
        "print(a[int(took)])",
        "a[0] = took",
        "print([x for x in a if x > took])",
        "global took",
    ],
)
def test_a_clock_whose_time_is_used_is_refused(program, use):
    source = TIMED.format(use=use)
    if use.startswith("global"):
        source = source.replace(use, "pass").replace("start, total", f"{use}; start, total", 1)
    with pytest.raises(UnsupportedError, match=r"target\.py:\d+: .*: the clock"):
        program(source, "f")
