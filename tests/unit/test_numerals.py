"""Numbers that texts write, and numbers in arrays, against plain runs on the same inputs."""

from __future__ import annotations

import pytest
from against_plain import check

from xsynth.errors import UnsupportedError
from xsynth.explore.worst import explore

FLOAT = """
    def f(s: str):
        try:
            return float({text})
        except ValueError:
            return None
"""


@pytest.mark.parametrize(
    ("text", "n", "characters"),
    [
        pytest.param("s", 3, "17. -+", id="a point and a sign"),
        pytest.param("s", 3, "0_.e", id="an underscore"),
        pytest.param("'1' + s", 3, "2e+-", id="an exponent"),
        pytest.param("'2' + s + '00'", 1, "eE0", id="too large"),
        pytest.param("s", 3, "iNf", id="infinite"),
        pytest.param("' ' + s + 'inity '", 3, "Inf", id="infinity in full"),
    ],
)
def test_floats_that_texts_write(program, text, n, characters):
    check(program(FLOAT.format(text=text), "f"), n, characters)


def test_the_digits_of_a_float_stay_open(program):
    made = program("def f(s: str) -> bool:\n    return float(s) > 3.5\n", "f")
    case = explore(made, 2)
    assert case.exhaustive
    assert case.paths < 40
    assert {finding.raised.kind for finding in case.findings} == {"ValueError"}


ARRAYS = {
    "of integers": """
        from array import array
        def f(a: list[int], flag: bool):
            b = array("i", a)
            b.append(7)
            b.extend(a[:1])
            b += array("i", [flag])
            b.insert(0, a[1])
            last = b.pop()
            b[1:2] = array("i", [5])
            found = b.index(7), b.count(1), a[0] in b, b[-1], len(b), last
            if 7 in b:
                b.remove(7)
            b.reverse()
            return found, list(b), b[1:3].tolist(), (b * 2).tolist(), b.typecode, b.itemsize
    """,
    "what does not fit": """
        import array
        def f(a: list[int]):
            n = 0
            for typecode in "BH":
                for x in a:
                    try:
                        array.array(typecode, [x, x + 254])
                    except OverflowError:
                        n += 1
            try:
                array.array("i", [1.5])
            except TypeError:
                n += 10
            return n
    """,
    "of floats": """
        from array import array
        def f(a: list[float], k: int):
            b = array("d", a)
            b[0] = k
            return sum(b), max(b) > 1, array("f", [0.1])[0] == 0.1
    """,
    "compared": """
        from array import array
        def f(a: list[int]):
            b, c = array("l", a), array("l", a[::-1])
            return b == c, b < c, b == array("l", a), b != a, b + c == c + b
    """,
    "of bytes": """
        from array import array
        def f(s: bytes):
            b = array("b", s)
            return list(b), bytes(array("B", s)) == s, bytes(array("H", b"abcd"))
    """,
    "of characters": """
        from array import array
        def f(s: str):
            b = array("u", s)
            b.append("c")
            return b.tounicode() == s, b[0] == "a", len(b)
    """,
}


@pytest.mark.parametrize("source", ARRAYS.values(), ids=ARRAYS)
def test_arrays(program, source):
    check(program(source, "f"), 2, "ab\xff" if "bytes" in source else "ab")


def test_arrays_keep_symbolic_numbers(program):
    source = """
        from array import array
        def f(a: list[int]) -> int:
            b = array("q", a)
            return sum(1 for i in range(1, len(b)) if b[i] < b[i - 1])
    """
    made = program(source, "f", ranges={"a": "0..10**9"})
    assert [explore(made, n).paths for n in (2, 3)] == [2, 4]


def test_bytes_of_an_object_are_what_it_says(program):
    source = """
        class Header:
            def __init__(self, size: int):
                self.size = size
            def __bytes__(self):
                return b"#" + bytes([self.size])
        def f(size: int):
            return bytes(Header(size)) == b"#\\x01", bytes(b"ab"), bytes(2), bytes([size, 1])
    """
    check(program(source, "f", ranges={"size": "0..2"}), 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param("array('f', a)", "type 'f'.*rounds", id="floats of 32 bits"),
        pytest.param("array('i', a).tobytes()", "bytes of symbolic numbers", id="bytes"),
    ],
)
def test_what_arrays_cannot_keep_is_refused(program, line, message):
    made = program(f"from array import array\ndef f(a: list[int]):\n    return {line}\n", "f")
    with pytest.raises(UnsupportedError, match=rf"target\.py:3: .*{message}"):
        explore(made, 1)
