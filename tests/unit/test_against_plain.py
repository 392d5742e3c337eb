"""Small programs, run symbolically on every input of a small domain and plainly as well.

The traced run decides as the input says, so it must come to the same cost, the same exception
and the same result: what C code would answer differently for a proxy shows here.
"""

from __future__ import annotations

import pytest
from against_plain import check

from xsynth.errors import UnsupportedError
from xsynth.explore.worst import explore

IDENTITY = {
    "a truth value is True or False": """
        def f(flags: list[bool], a: list[int]):
            n = 0
            for b, x in zip(flags, a):
                if b is True:
                    n += 1
                elif b is False:
                    n += 10
                if (x > 0) is not False:
                    n += 100
            return n
    """,
    "True and False as patterns": """
        def f(flags: list[bool], a: list[int]):
            n = 0
            for b, x in zip(flags, a):
                match b, x > 0, x:
                    case True, False, _:
                        n += 1
                    case False, True, None:
                        n += 10
                    case _, True, 1:
                        n += 100
                    case True, _, True:
                        n += 1000
            return n
    """,
    "an object with an equality of its own is neither True nor False": """
        class Agreeable:
            def __init__(self, x: int):
                self.x = x
            def __eq__(self, other):
                return self.x > 0
        def f(a: list[int]):
            n = 0
            for x in a:
                match [Agreeable(x), x > 1]:
                    case [True, _] | [False, _]:
                        n += 1
                    case [_, True]:
                        n += 10
            return n
    """,
    "a sentinel, and one object under two names": """
        MISSING = object()
        def f(a: list[int]):
            known = dict(enumerate(a))
            n = 0
            for i in range(len(a) + 1):
                x = known.get(i, MISSING)
                y = x
                if x is MISSING:
                    n += 1
                elif y is x and x is not None and type(x) is int:
                    n += 10 if x > 0 else 20
            return n
    """,
    "the class of a value": """
        def f(a: list[int], s: str, r: float, b: bool):
            classes = [v.__class__ for v in (a[0], s, r, b, a)]
            return classes == [int, str, float, bool, list], a[0].__class__.__name__
    """,
}


@pytest.mark.parametrize("source", IDENTITY.values(), ids=IDENTITY)
def test_identity(program, source):
    check(program(source, "f"), 2)


def test_identity_of_numbers_is_refused(program):
    made = program("def f(a: list[int]):\n    x, y = a[0], a[1]\n    return x is y\n", "f")
    with pytest.raises(UnsupportedError, match=r"target.py:3: `is` between two values of type int"):
        explore(made, 2)


DISPATCH = {
    "a function": """
        from functools import singledispatch
        @singledispatch
        def size(x):
            return 1
        @size.register
        def _(x: int):
            return 2 if x > 0 else 3
        @size.register(str)
        def _(x):
            return 4 if x == "a" else 5
        def f(a: list[int], s: str):
            return size(a[0]), size(s[0]), size(a), size(None)
    """,
    "a method": """
        import functools
        class Shower:
            @functools.singledispatchmethod
            def show(self, x):
                return 0
            @show.register
            def _(self, x: int):
                return 1 if x > 1 else 2
            @show.register
            def _(self, x: list):
                return sum(map(self.show, x))
        def f(a: list[int]):
            return Shower().show(a), Shower().show("x")
    """,
}


@pytest.mark.parametrize("source", DISPATCH.values(), ids=DISPATCH)
def test_dispatch_goes_by_the_type_that_a_value_stands_for(program, source):
    check(program(source, "f"), 2)


LAYERS = {
    "ChainMap": """
        from collections import ChainMap
        def f(a: list[int]):
            base = {0: 1, 1: 2}
            chain = ChainMap({}, base)
            for x in a:
                chain[x] = chain.get(x, 0) + 1
            return dict(chain.maps[0]), base, chain[a[0]], len(chain), 1 in chain
    """,
    "UserDict": """
        from collections import UserDict
        class Lowest(UserDict):
            def __missing__(self, key):
                return -1
        def f(a: list[int]):
            found = Lowest({0: 5})
            for x in a:
                found[x] = found[x] + 1
            return dict(found), len(found), 2 in found
    """,
}


@pytest.mark.parametrize("source", LAYERS.values(), ids=LAYERS)
def test_layers_over_dictionaries_branch_on_no_value(program, source):
    made = program(source, "f")
    check(made, 2)
    assert explore(made, 2).paths < 20


UNBOUND = {
    "passed to map, filter and sorted": """
        def f(words: list[str]):
            low = list(map(str.lower, words))
            letters = [w for w in filter(str.isalpha, words)]
            return low, letters, sorted(words, key=str.swapcase), list(map(str.strip, words))
    """,
    "called": """
        def f(words: list[str]):
            return [str.replace(w, "a", "bb") for w in words], str.join("-", words)
    """,
}


@pytest.mark.parametrize("cost", ["steps", "work"])
@pytest.mark.parametrize("source", UNBOUND.values(), ids=UNBOUND)
def test_methods_of_texts_taken_from_the_class(program, source, cost):
    check(program(source, "f", sizes={"words": "n,1"}, cost=cost), 2, "aB ")


TUPLES = {
    "objects beside numbers": """
        class K:
            def __init__(self, v):
                self.v = v
            def __hash__(self):
                return hash(self.v)
            def __eq__(self, other):
                return isinstance(other, K) and self.v == other.v
        def f(a: list[int]):
            found = {}
            for i, x in enumerate(a):
                key = K(x), i % 2
                if key in found:
                    found[key] += 1
                else:
                    found[key] = 1
            return [k[0].v for k in found], list(found.values())
    """,
    "dataclasses in states": """
        from dataclasses import dataclass
        @dataclass(frozen=True)
        class Place:
            x: int
            y: int
            def step(self):
                return Place(self.x + 1, self.y)
        def f(a: list[int]):
            seen = set()
            for x in a:
                place = Place(x, 0)
                if (place, "N") in seen:
                    return len(seen)
                seen.add((place, "N"))
                seen.add((place.step(), "N"))
            return -1
    """,
    "one object twice, and nested": """
        class Card:
            def __init__(self, suit, rank):
                self.suit, self.rank = suit, rank
            def __eq__(self, other):
                return (self.suit, self.rank) == (other.suit, other.rank)
            def __hash__(self):
                return hash((self.suit, self.rank))
        def f(a: list[int]):
            seen = {}
            for x in a:
                card = Card("h", x)
                seen[card, (card, 1)] = x
                seen[(card,)] = seen.get((card,), 0) + 1
            return len(seen), sorted(k[0].rank for k in seen)
    """,
}


@pytest.mark.parametrize("source", TUPLES.values(), ids=TUPLES)
def test_objects_in_tuples_are_told_apart_by_what_they_hash(program, source):
    made = program(source, "f", ranges={"a": "0..99"})
    check(made, 3)
    assert explore(made, 3).paths <= 20, "no value of 0..99 is a path of its own"


MESSAGES = {
    "of lists, by every way to write one": """
        def f(a: list[int], s: str):
            n = 0
            for x in a:
                print(a, s, "x = %d" % x, "{}:{!r}".format(x, s), f"{a!r} {s!r:>10}", repr(a))
                try:
                    if x < 0:
                        raise ValueError("%s: bad value %d in %s" % (s, x, a))
                    if x > 1:
                        raise KeyError("too {} of {!r}".format(x, s))
                    if x == 1:
                        raise IndexError("index " + str(x) + " of " + ", ".join(map(str, a)))
                except ValueError:
                    n += 1
                except KeyError:
                    n += 10
                except IndexError:
                    n += 100
            return n
    """,
    "of objects": """
        from collections import namedtuple
        from dataclasses import dataclass
        Pair = namedtuple("Pair", "x y")
        @dataclass
        class Box:
            x: int
        class Node:
            def __init__(self, v):
                self.v = v
            def __repr__(self):
                return f"Node({self.v})"
        class Leaf(Node):
            def __str__(self):
                return "<" + str(self.v) + ">"
        def f(a: list[int]):
            nodes = [Node(a[0]), Leaf(a[1])]
            text = f"{nodes} {nodes[1]} {Pair(*a)} {Box(a[0])!r} { {1: a} }"
            if a[0] > 1:
                raise ValueError(text)
            try:
                assert a[1] < 1, [str(node) for node in nodes]
            except AssertionError as error:
                return "failed: " + str(error), len(nodes)
            return 0
    """,
    "to the standard streams": """
        import sys
        def f(a: list[int]):
            n = 0
            for x in a:
                sys.stdout.write(f"{x}\\n")
                if x > 0:
                    sys.stderr.write("%d is positive" % x)
                    n += 1
            sys.stdout.flush()
            return n
    """,
}


@pytest.mark.parametrize("source", MESSAGES.values(), ids=MESSAGES)
def test_a_message_that_nobody_reads_decides_nothing(program, source, capsys):
    made = program(source, "f")
    check(made, 2)
    assert explore(made, 2).paths <= 16
    assert capsys.readouterr().out == ""


READ = {
    "symbolic texts stay symbolic": """
        def f(s: str, t: str):
            u = "%s-%s" % (s, t)
            v = "{}/{b}".format(s, b=t)
            w = f"{s:>4}|{t:*^5}|{s:.1}|{t:<3}"
            return u == v, u[0] == "a", v[-1] == "b", w[3] == "a", w[0], "%5s" % s, w.count("*")
    """,
    "directives": """
        def f(a: list[int]):
            x = a[0] + 9
            return ("%d|%5d|%-4d|%05d|%+d|% d" % (x, x, x, x, x, x), "%x %X %o %#x" % (x, x, x, x),
                    "%.2f %g %e" % (x, x, x), "%(k)s %(k)d" % {"k": x}, "%s%%" % x, "%r" % (x,),
                    "{0} {0:>4} {1!r:<5} {2[0]}".format(x, a, a), "{:{w}}".format(x, w=4),
                    format(x, "03d"), repr(a), str({x: [a, (x,)]}))
    """,
    "what is wrong is told": """
        def f(a: list[int], s: str):
            kinds = []
            cases = ("%d", (s,)), ("%d %d", (a[0],)), ("%d", (a[0], 1)), ("%q", a[0])
            for template, values in cases:
                try:
                    if template == "%d":
                        "%d" % values
                    elif template == "%q":
                        "%q" % values
                    else:
                        "%d %d" % values
                except (TypeError, ValueError) as error:
                    kinds.append(type(error).__name__)
            return kinds
    """,
}


@pytest.mark.parametrize("source", READ.values(), ids=READ)
def test_texts_that_are_read(program, source):
    check(program(source, "f", ranges={"a": "0..1"} if "a: list" in source else {}), 2, "ab")


def test_work_of_methods_is_charged_alike(program):
    source = """
        def f(s: str):
            found = s.partition("a"), s.rpartition("b"), s.removeprefix("a"), s.splitlines()
            return found, "{}".format(s), s.rindex("a") if "a" in s else 0
    """
    check(program(source, "f", cost="work"), 3, "ab")


OWN_MESSAGES = {
    "written of the value": "return f'bad value {self.value}'",
    "decided by the value": "return 'large' if self.value > 1 else 'small'",
    "no text at all": "return self.value",
}


@pytest.mark.parametrize("body", OWN_MESSAGES.values(), ids=OWN_MESSAGES)
def test_an_exception_that_says_itself_what_it_says(program, body):
    made = program(
        f"""
        class Bad(Exception):
            def __init__(self, value):
                self.value = value
            def __str__(self):
                {body}
        def f(a: list[int]):
            for x in a:
                if x > 0:
                    raise Bad(x)
            return 0
        """,
        "f",
    )
    check(made, 2)
    assert [finding.raised.kind for finding in explore(made, 2).findings] == ["Bad"]


BYTES = {
    "changed in place": """
        import copy
        def f(b: bytes):
            buf = bytearray(b)
            other, same = copy.deepcopy(buf), buf
            same[0] = 98
            buf[-1:] = b"zz"
            buf += b"!"
            buf.insert(0, b[0])
            last = buf.pop()
            buf.reverse()
            if 97 in buf:
                buf.remove(97)
            kinds = isinstance(buf, bytearray), isinstance(buf, bytes), type(buf) is bytearray
            equal = same is buf, other == b, b == other
            return kinds, equal, bytes(buf), last, other + b, b + other
    """,
    "filled with what is computed": """
        def f(b: bytes):
            out = bytearray()
            n = 0
            for x in b:
                try:
                    out.append(x + 100)
                except ValueError:
                    n += 1
            counts = bytearray(2)
            counts[1] = b[0]
            del counts[0]
            large = bytearray([1, b[0]])[1] > 97
            return n, bytes(reversed(out)), list(counts), out.find(b"b"), large
    """,
}


@pytest.mark.parametrize("cost", ["steps", "work"])
@pytest.mark.parametrize("source", BYTES.values(), ids=BYTES)
def test_bytearrays_keep_symbolic_bytes(program, source, cost):
    made = program(source, "f", cost=cost)
    check(made, 2, "ab\xff")
    assert explore(made, 2).paths < 50


PARSED = {
    "a base": """
        def f(s: str):
            found = []
            for base in (2, 16):
                try:
                    found.append(int(s, base))
                except ValueError:
                    found.append(None)
            return found
    """,
    "a split from the right": """
        def f(s: str):
            return s.rsplit("b", 1), s.rsplit(), s.rsplit(None, 1), "a b".rsplit(s[:1], 1)
    """,
}


@pytest.mark.parametrize("source", PARSED.values(), ids=PARSED)
def test_texts_that_are_taken_apart(program, source):
    check(program(source, "f"), 3, "0xb ")


def test_floats_that_are_asked_whether_they_are_finite(program):
    source = """
        import math
        from math import inf, isinf
        def f(a: list[float], k: int):
            best, n = inf, 0
            for x in a:
                best = min(best, math.fabs(x))
                n += math.isfinite(best) + 10 * isinf(x) + 100 * math.isnan(x)
            return n, isinf(inf), isinf(-inf), math.isnan(inf - inf), math.isfinite(k), best > 1
    """
    check(program(source, "f"), 2)
