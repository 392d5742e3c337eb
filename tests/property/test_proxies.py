"""Every operation on proxies against the same operation on plain values.

Hypothesis draws plain values; some of them are wrapped as fresh cells.  The recorder
answers as those values do, so the run on proxies takes the path of the plain run, and
the terms that come out, evaluated, must be the plain results.  Errors must be of one type.
"""

from __future__ import annotations

import bisect
import copy
import heapq
import itertools
import math
import operator
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xsynth.trace.bounds import bounds
from xsynth.trace.proxies import (
    SymBool,
    SymBytes,
    SymInt,
    SymReal,
    SymStr,
    recording,
    symbolic_bool,
    symbolic_chr,
    symbolic_contains,
    symbolic_float,
    symbolic_int,
    symbolic_isinstance,
    symbolic_method,
    symbolic_ord,
    symbolic_pow,
    symbolic_str,
    symbolic_type,
)
from xsynth.trace.terms import Cell, Def, Place, Site, Sort, evaluate


class Answers:
    """A recorder that answers as the values of the cells do."""

    def __init__(self, bounded=False):
        self.cells = {}
        self.defs = {}
        self.bounded = self.cells if bounded else {}

    def test(self, term, frame):
        assert frame.f_code.co_filename == __file__ or "proxies" not in frame.f_code.co_filename
        assert term.sort is Sort.BOOL
        return bool(evaluate(term, self.cells, self.defs))

    def value(self, term, frame):
        assert frame.f_code.co_filename == __file__ or "proxies" not in frame.f_code.co_filename
        assert term.sort is Sort.INT
        return int(evaluate(term, self.cells, self.defs))

    def bounds(self, term):
        return bounds(term, dict.fromkeys(self.bounded, (-100, 100)))

    def name(self, term, frame):
        place = Place(Site(frame.f_code.co_name, frame.f_lineno, frame.f_lasti), ())
        return Def(place, (len(self.defs), id(term)), term.sort, term)

    def cell(self, value, sort):
        cell = Cell("x", (len(self.cells),), sort)
        self.cells[cell] = value
        return cell

    def wrap(self, value):
        match value:
            case bool():
                return SymBool(self.cell(value, Sort.BOOL))
            case int():
                return SymInt(self.cell(value, Sort.INT))
            case Fraction():
                return SymReal(self.cell(value, Sort.REAL))
            case float():
                return SymReal(self.cell(Fraction(value), Sort.REAL))
            case str():
                return SymStr(self.unit(ord(c), i) for i, c in enumerate(value))
            case bytes():
                return SymBytes(self.unit(c, i) for i, c in enumerate(value))
            case list():
                return [self.wrap(item) for item in value]
            case tuple():
                return tuple(self.wrap(item) for item in value)
        raise AssertionError(value)

    def unit(self, code, position):
        """Two characters of three are symbolic."""
        return code if position % 3 == 1 else self.cell(code, Sort.INT)

    def reveal(self, result):
        match result:
            case SymBool() | SymInt() | SymReal():
                return evaluate(result.term, self.cells, self.defs)
            case SymStr():
                return "".join(chr(self.code(unit)) for unit in result.units)
            case SymBytes():
                return bytes(self.code(unit) for unit in result.units)
            case list():
                return [self.reveal(item) for item in result]
            case tuple():
                return tuple(self.reveal(item) for item in result)
            case dict():
                return {self.reveal(k): self.reveal(v) for k, v in result.items()}
            case set():
                return {self.reveal(item) for item in result}
        return result

    def code(self, unit):
        return unit if isinstance(unit, int) else evaluate(unit, self.cells, self.defs)


def outcome(function, arguments):
    try:
        return function(*arguments)
    except (ArithmeticError, ValueError, TypeError, LookupError) as error:
        return type(error)


def kind(value):
    """The type as user code sees it; exact reals are floats."""
    seen = symbolic_type(value)
    return float if seen is Fraction else seen


def exact(value):
    """A copy, with fractions for floats: symbolic reals do not round."""
    if isinstance(value, list):
        return [exact(item) for item in value]
    return Fraction(value) if isinstance(value, float) else value


def agree(function, values, symbolic, expected=None, *, bounded=False):
    """The function on proxies gives what it gives on plain values."""
    answers = Answers(bounded)
    arguments = [
        answers.wrap(value) if wrapped else value
        for value, wrapped in zip(values, symbolic, strict=True)
    ]
    plain = outcome(expected or function, exact(values))
    with recording(answers):
        result = outcome(function, arguments)
        revealed = answers.reveal(result)
    if isinstance(plain, float) and math.isnan(plain):
        assert math.isnan(revealed)
        return
    assert revealed == plain
    assert kind(result) is kind(plain)


def sides(count):
    """Which arguments are symbolic: at least one."""
    return st.tuples(*[st.booleans()] * count).filter(any)


integers = st.integers(-20, 20) | st.integers(-(2**40), 2**40)
whole = integers | st.booleans()
dyadic = st.integers(-64, 64).map(lambda k: k / 8)
fractions = st.fractions(min_value=-9, max_value=9, max_denominator=7)
numbers = whole | fractions | dyadic

NAN = float("nan")
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "min": min,
    "max": max,
    "minus twice": lambda x, y: x - y - y,
    "offsets": lambda x, y: (x + 3 - y) + 4 - 7 + y - 0,
    "products": lambda x, y: (x * 1) * (y * 0) + 1 * x,
    "sum": lambda x, y: sum([x, y, x]),
    "clamp": lambda x, y: x if 0 <= x < y else y,
}
INTEGER = {
    "//": operator.floordiv,
    "%": operator.mod,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "divmod": divmod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
UNARY = {
    "-": operator.neg,
    "+": operator.pos,
    "abs": abs,
    "- -": lambda x: -(-x),  # noqa: B002
    "not": operator.not_,
    "bool": bool,
    "symbolic_bool": symbolic_bool,
    "if": lambda x: 1 if x else 2,
    "+ 0": lambda x: x + 0,
    "0 +": lambda x: 0 + x,
    "0 -": lambda x: 0 - x,
    "- 0": lambda x: x - 0,
    "* 1": lambda x: x * 1,
    "** 0": lambda x: x**0,
    "** 3": lambda x: x**3,
    "pow": lambda x: pow(x, 2),
    "< itself": lambda x: (x < x, x <= x, x == x, x != x, x + 1 > x + 1, x + 1 == x + 1),
    "== None": lambda x: (x == None, x != None, None == x, x == "a", [] != x),  # noqa: E711, SIM300
    "< None": lambda x: x < None,
    "+ None": lambda x: x + None,
    "% None": lambda x: x % None,
    "divmod None": lambda x: divmod(x, None),
    "<< list": lambda x: x << [],
    "& str": lambda x: x & "a",
    "/ 0": lambda x: x / 0,
    "real": lambda x: (x.real, x.imag, x.conjugate()),
    "inf": lambda x: (x < math.inf, x > math.inf, x == math.inf, -math.inf <= x),
    "nan": lambda x: [f(x, NAN) for f in COMPARISONS.values()],
    "+ inf": lambda x: (x + math.inf, math.inf - x, x - math.inf, x / math.inf),
    "copy": lambda x: copy.deepcopy([x, copy.copy(x)]),
    "/ 2": lambda x: Fraction(x) / 2 if isinstance(x, int) else x / 2,
    "no attribute": lambda x: hasattr(x, "no_such_attribute"),
}
UNARY_INTEGER = {
    "~": operator.invert,
    "index": operator.index,
    "int": int,
    "symbolic_int": symbolic_int,
    "hash": hash,
    "float": float,
    "symbolic_float": symbolic_float,
    "complex": complex,
    "str": str,
    "format": lambda x: f"{x:>5}|{x}|{x:d}",
    "percent": lambda x: "%d %s" % (x, x),  # noqa: UP031
    "round": lambda x: (round(x), round(x, 1), round(x, -1)),
    "trunc": lambda x: (math.trunc(x), math.floor(x), math.ceil(x)),
    "bits": lambda x: (x.bit_length(), x.bit_count()),
    "ratio": lambda x: (x.numerator, x.denominator),
    "range": lambda x: list(range(x % 5)),
    "shift": lambda x: (x << 3, x >> 2, x << True, 3 << (x % 4), 300 >> (x % 4)),
    "shift back": lambda x: x << -1,
    "augmented": lambda x: [operator.ilshift(x, 1), operator.irshift(x, 1), operator.iand(x, 6)],
    "masks": lambda x: [x & c for c in (0, 1, 3, 4, 6, 0b1011010, -1, -2, -8, 2**20)],
    "or": lambda x: [x | c for c in (0, 1, 5, -6)] + [9 | x],
    "xor": lambda x: [x ^ c for c in (0, 1, 5, -6)] + [9 ^ x, x ^ x],
    "single bits": lambda x: [
        (x & 1) ^ (x >> 1 & 1),
        (x & 1) | (x >> 2 & 1),
        x & (x >> 3 & 1),
        x | (x & 1),
        (x & 1) & (x >> 1 & 1),
    ],
    "2 **": lambda x: 2 ** (x % 7),
    "2.0 **": lambda x: 2.0 ** (x % 7),
    "x ** x": lambda x: (x % 7) ** (x % 5),
    "pow mod": lambda x: pow(x, 3, 7),
    "pow mods": lambda x: (symbolic_pow(3, x % 5, 7), symbolic_pow(3, 4, x % 5 + 1)),
    "[x]": lambda x: [5, 6, 7, 8][x],
    "[x:]": lambda x: [5, 6, 7, 8][x : x + 2],
    "* list": lambda x: [1, 2] * (x % 3) + (x % 3) * [4],
    "* str": lambda x: "ab" * (x % 3),
    "key": lambda x: {1: "a", 2: "b"}.get(x, "c"),
    "set": lambda x: len({x, 3, x + 0}),
    "chained": lambda x: 0 < x <= 5,
    "arithmetic of tests": lambda x: (x > 0) + (x > 3) * 2 - (x == 1),
    "of tests": lambda x: [(x > 0) & (x < 9), (x > 0) | (x < -9), (x > 0) ^ (x > 3), ~(x > 0)],
    "tests equal": lambda x: [(x > 0) == (x > 3), (x > 0) != True, (x > 0) == 1, (x > 0) < 1],  # noqa: E712
    "isinstance": lambda x: [
        symbolic_isinstance(x, int),
        symbolic_isinstance(x, float | str),
        symbolic_isinstance(x, (list, int)),
        symbolic_type(x + 1) is int,
    ],
    "chr": lambda x: symbolic_chr(x % 300),
    "chr range": lambda x: symbolic_chr(x % 2**22 - 5),
}


few = settings(max_examples=40, deadline=None)


def table(cases):
    """The test once for each function of a table."""
    rows = [pytest.param(function, id=name) for name, function in cases.items()]
    return lambda test: pytest.mark.parametrize("function", rows)(few(test))


@table(COMPARISONS)
@given(x=numbers, y=numbers, symbolic=sides(2))
def test_comparison(function, x, y, symbolic):
    agree(function, [x, y], symbolic)


@table(COMPARISONS)
@given(
    x=st.integers(-2, 2) | st.booleans(),
    y=st.fractions(-3, 3, max_denominator=2) | st.integers(-2, 2),
    symbolic=sides(2),
)
def test_comparison_of_neighbours(function, x, y, symbolic):
    agree(function, [x, y], symbolic)
    agree(function, [y, x], symbolic)


@table(ARITHMETIC)
@given(x=whole | dyadic, y=whole | dyadic, symbolic=sides(2))
def test_arithmetic(function, x, y, symbolic):
    agree(function, [x, y], symbolic)


@table({name: function for name, function in ARITHMETIC.items() if name != "products"})
@given(x=whole | fractions, y=whole | fractions, symbolic=sides(2))
def test_arithmetic_of_fractions(function, x, y, symbolic):
    agree(function, [x, y], symbolic)


@few
@given(x=numbers, y=numbers, symbolic=sides(2))
def test_division(x, y, symbolic):
    agree(operator.truediv, [x, y], symbolic, lambda x, y: Fraction(x) / Fraction(y))
    agree(operator.itruediv, [x, y], symbolic, lambda x, y: Fraction(x) / Fraction(y))


@few
@given(x=numbers, k=st.integers(0, 5))
def test_negative_power(x, k):
    agree(lambda x: x**-k, [x], [True], lambda x: Fraction(x) ** -k if k else x**0)


@table({name: INTEGER[name] for name in INTEGER if name not in "&|^"})
@given(x=whole, y=whole, symbolic=sides(2))
def test_integer_operation(function, x, y, symbolic):
    agree(function, [x, y], symbolic)


@table({name: INTEGER[name] for name in "&|^"})
@given(x=whole, y=whole, left=st.booleans())
def test_bit_operation_with_a_constant(function, x, y, left):
    agree(function, [x, y], [left, not left])


@table({name: INTEGER[name] for name in "&|^"})
@given(x=whole, y=st.booleans())
def test_bit_operation_with_a_symbolic_boolean(function, x, y):
    agree(function, [x, y], [True, True])
    agree(function, [y, x], [True, True])


@table({name: INTEGER[name] for name in "&|^"})
@given(x=st.integers(-100, 100), y=st.integers(-100, 100))
def test_bit_operation_between_bounded_integers(function, x, y):
    agree(function, [x, y], [True, True], bounded=True)


@table({name: INTEGER[name] for name in "&|^"})
@given(x=integers, y=integers)
def test_bit_operation_beside_a_remainder(function, x, y):
    agree(lambda x, y: function(x % 16, y), [x, y], [True, True])
    agree(lambda x, y: function(x, y & 10), [x, y], [True, True])


ROUNDINGS = {
    "int": symbolic_int,
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "round to 1": lambda x: round(x, 1) * 10,
    "round to -1": lambda x: round(x, -1),
    "// 1": lambda x: x // 1,
    "whole": lambda x: x.is_integer(),
    "int of half": lambda x: symbolic_int(x / 2) + 1,
}


@table(ROUNDINGS)
@given(x=st.integers(-200, 200).map(lambda k: Fraction(k, 8)))
def test_rounding(function, x):
    """As floats: eighths are exact, and tenths are compared as fractions."""
    expected = function
    if function is ROUNDINGS["round to 1"]:
        expected = lambda x: Fraction(round(x, 1)) * 10  # noqa: E731
    elif function is ROUNDINGS["int"]:
        expected = int
    elif function is ROUNDINGS["int of half"]:
        expected = lambda x: int(x / 2) + 1  # noqa: E731
    elif function is ROUNDINGS["// 1"]:
        expected = lambda x: Fraction(x // 1)  # noqa: E731
    elif function is ROUNDINGS["whole"]:
        expected = lambda x: x.denominator == 1  # noqa: E731
    plain = expected(x)
    agree(function, [x], [True], lambda _: plain)


@table({"//": operator.floordiv, "%": operator.mod, "divmod": divmod})
@given(x=fractions, y=fractions | integers, symbolic=sides(2))
def test_division_of_reals(function, x, y, symbolic):
    floats = (lambda x, y: Fraction(x // y)) if function is operator.floordiv else function
    agree(function, [x, y], symbolic, floats)


@table(UNARY)
@given(x=whole)
def test_whole(function, x):
    agree(function, [x], [True])


@table({name: f for name, f in UNARY.items() if name not in ("pow", "no attribute")})
@given(x=fractions)
def test_real(function, x):
    plain = function
    if function is UNARY["real"]:
        plain = lambda x: (x, 0, x)  # noqa: E731
    elif function is UNARY["+ inf"]:
        plain = lambda x: (math.inf, math.inf, -math.inf, 0.0)  # noqa: E731
    agree(function, [x], [True], plain)


@table(UNARY_INTEGER)
@given(x=whole)
def test_whole_number(function, x):
    agree(function, [x], [True])


@few
@given(x=whole | dyadic, y=whole | dyadic, z=whole | dyadic, symbolic=sides(3))
def test_longer_expression(x, y, z, symbolic):
    def function(x, y, z):
        total = x
        total += y * 2
        total -= z
        total *= 3
        if total > x and not (y < z or x == y):
            total += abs(x - y)
        return [total, total == x, max(x, y, z), sorted([x, y, z, total])]

    agree(function, [x, y, z], symbolic)


# Lists, tuples, dicts and sets that hold proxies


def heap_sort(a):
    heap = list(a)
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in a]


def in_place_sort(a):
    a.sort(key=lambda v: -v, reverse=True)
    return a


def swap(a):
    if len(a) > 1:
        a[0], a[-1] = a[-1], a[0]
        a[1:2] = [a[0], a[0] + 1]
    return a


CONTAINERS = {
    "sorted": sorted,
    "sorted by key": lambda a: sorted(a, key=lambda v: (v % 3, v)),
    "sort": in_place_sort,
    "min": min,
    "max": lambda a: max(a, default=None),
    "min by key": lambda a: min(a, key=abs),
    "sum": sum,
    "any": any,
    "all": all,
    "any of": lambda a: any(v > 3 for v in a),
    "all of": lambda a: all(x <= y for x, y in itertools.pairwise(a)),
    "in": lambda a: [3 in a, bool(a) and a[-1] in a, -1 not in a],
    "index": lambda a: a.index(3),
    "count": lambda a: a.count(3),
    "remove": lambda a: [a.remove(2), a],
    "==": lambda a: (a == a[::-1], a == [1, 2], a != [*a[1:], 1]),
    "<": lambda a: (a < a[::-1], a < [1, 2], a[1:] >= a),
    "tuple": lambda a: (tuple(a) < (1, 2, 3), tuple(a) == tuple(a[1:])),
    "hash of tuple": lambda a: {tuple(a): 1, tuple(a[::-1]): 2},
    "dict": lambda a: {v: i for i, v in enumerate(a)},
    "counts": Counter,
    "seen": lambda a: [v in set(a[:i]) for i, v in enumerate(a)],
    "set": set,
    "set operations": lambda a: (set(a) | {1}, set(a) & {1, 2, 3}, set(a) <= {1, 2}),
    "enumerate": lambda a: [i * v for i, v in enumerate(a)],
    "reversed": lambda a: list(reversed(a)),
    "slices": lambda a: [a[::2], a[-2:], a[1:-1]],
    "unpack": lambda a: (lambda first, *rest: (rest, first))(*a),
    "swap": swap,
    "heap": heap_sort,
    "bisect": lambda a: bisect.bisect_left(sorted(a), 3),
    "indexed by": lambda a: [a[v % len(a)] for v in a],
    "nested": lambda a: sorted([[v, v % 2] for v in a], key=lambda row: row[1]),
    "pop": lambda a: [a.pop(a[0] % len(a)), a],
    "prefix sums": lambda a: [sum(a[: i + 1]) for i in range(len(a))],
    "join": lambda a: ",".join(map(str, a)),
    "truth": lambda a: [v for v in a if v and not v > 3],
}


@table(CONTAINERS)
@given(a=st.lists(st.integers(-5, 5), max_size=6))
def test_list_of_integers(function, a):
    agree(function, [a], [True])


@table(CONTAINERS)
@given(a=st.lists(st.booleans(), max_size=5))
def test_list_of_booleans(function, a):
    agree(function, [a], [True])


ORDER = [
    "sorted", "min", "max", "sum", "any", "all", "any of", "in", "index", "count", "==", "<",
    "tuple", "swap", "heap", "bisect", "prefix sums", "truth",
]  # fmt: skip


@table({name: CONTAINERS[name] for name in ORDER})
@given(a=st.lists(fractions, max_size=5))
def test_list_of_reals(function, a):
    agree(function, [a], [True])


# Text

letters = "abA1 ,-_\t\x1c"
texts = st.text(letters, max_size=7) | st.text("ab", max_size=7)
patterns = st.text("ab1 ", max_size=2) | st.text("a", max_size=3)

TEXT_PAIRS = {
    **COMPARISONS,
    "+": operator.add,
    "in": symbolic_contains,
    "find": lambda s, p: symbolic_method(s, "find")(p),
    "find from": lambda s, p: symbolic_method(s, "find")(p, 1, -1),
    "find before": lambda s, p: symbolic_method(s, "find")(p, -9),
    "count before": lambda s, p: symbolic_method(s, "count")(p, -3, 9),
    "overlaps": lambda s, p: symbolic_method(p + p + p + s, "count")(p + p),
    "find beyond": lambda s, p: symbolic_method(s, "find")(p, 9),
    "rfind": lambda s, p: symbolic_method(s, "rfind")(p),
    "index": lambda s, p: symbolic_method(s, "index")(p),
    "rindex": lambda s, p: symbolic_method(s, "rindex")(p, 1),
    "count": lambda s, p: symbolic_method(s, "count")(p),
    "count from": lambda s, p: symbolic_method(s, "count")(p, 2, 5),
    "startswith": lambda s, p: symbolic_method(s, "startswith")(p),
    "startswith from": lambda s, p: symbolic_method(s, "startswith")(p, 1, 3),
    "endswith": lambda s, p: symbolic_method(s, "endswith")(p),
    "endswith some": lambda s, p: symbolic_method(s, "endswith")((p, s[:1])),
    "removeprefix": lambda s, p: symbolic_method(s, "removeprefix")(p),
    "removesuffix": lambda s, p: symbolic_method(s, "removesuffix")(p),
    "replace": lambda s, p: symbolic_method(s, "replace")(p, s[:2]),
    "replace once": lambda s, p: symbolic_method(s, "replace")(p, p + p, 1),
    "replace never": lambda s, p: symbolic_method(s, "replace")(p, p + p, 0),
    "split": lambda s, p: symbolic_method(s, "split")(p),
    "split twice": lambda s, p: symbolic_method(s, "split")(p, 2),
    "partition": lambda s, p: symbolic_method(s, "partition")(p),
    "rpartition": lambda s, p: symbolic_method(s, "rpartition")(p),
    "strip": lambda s, p: symbolic_method(s, "strip")(p),
    "join": lambda s, p: symbolic_method(p, "join")([s, p, s[1:]]),
    "key": lambda s, p: {s: 1}.get(p),
    "in list": lambda s, p: [p in [s, p[:1]], [s].count(p)],
    "sorted": lambda s, p: sorted([s, p, s[1:], p[1:]]),
    "> None": lambda s, p: s > None if len(p) else p == None,  # noqa: E711
    "+ int": lambda s, p: s + 1 if s else 1 + p,
}
TEXT = {
    "len": len,
    "truth": bool,
    "list": list,
    "reversed": lambda s: list(reversed(s)),
    "reverse": lambda s: s[::-1] == s,
    "items": lambda s: (s[0], s[-1], s[1:3]),
    "compare neighbours": lambda s: [s[i] == s[i + 1] for i in range(len(s) - 1)],
    "order neighbours": lambda s: [s[i] < s[i + 1] for i in range(len(s) - 1)],
    "compare parts": lambda s: [f(s[:k], s[1:3]) for f in COMPARISONS.values() for k in (1, 2, 3)],
    "find min": lambda s: (min(s), max(s)),
    "sorted": sorted,
    "set": lambda s: len(set(s)),
    "*": lambda s: (s * 2, 3 * s, s * 0),
    "split": lambda s: s.split(),
    "split once": lambda s: s.split(None, 1),
    "split never": lambda s: s.split(maxsplit=0),
    "strip": lambda s: (s.strip(), s.lstrip(), s.rstrip()),
    "lower": lambda s: s.lower(),
    "upper": lambda s: s.upper(),
    "swapcase": lambda s: s.swapcase(),
    "capitalize": lambda s: s.capitalize(),
    "isdigit": lambda s: s.isdigit(),
    "isalpha": lambda s: s.isalpha(),
    "isalnum": lambda s: s.isalnum(),
    "isspace": lambda s: s.isspace(),
    "isupper": lambda s: s.isupper(),
    "islower": lambda s: s.islower(),
    "isascii": lambda s: s.isascii(),
    "classes": lambda s: [(c.isdigit(), c.isalpha(), c.isspace(), c.isupper()) for c in s.split()],
    "hash": hash,
    "symbolic_int": symbolic_int,
    "ljust": lambda s: (s.ljust(5), s.rjust(5)),
    "center": lambda s: (s.center(5), s.center(6), s.center(2)),
    "zfill": lambda s: (s.zfill(4), (s[:0] + s[1:]).zfill(7)),
    "title": lambda s: s.title(),
    "splitlines": lambda s: (s.splitlines(), s.splitlines(True)),
    "isinstance": lambda s: (symbolic_isinstance(s, str), symbolic_isinstance(s, bytes)),
    "copy": lambda s: copy.deepcopy([s]),
    "no attribute": lambda s: hasattr(s, "no_such_method"),
    "iterate": lambda s: [c for c in s if c != s[0]],
    "empty split": lambda s: s.split(s[:0]),
}
STRING_ONLY = {
    "str": str,
    "symbolic_str": symbolic_str,
    "format": lambda s: f"{s:>9}|{s}",
    "percent": lambda s: "<%s>" % s,  # noqa: UP031
    "ord": lambda s: [symbolic_ord(c) for c in s],
    "ord of all": symbolic_ord,
    "shift": lambda s: [symbolic_chr((symbolic_ord(c) + 3) % 128) for c in s],
    "vowels": lambda s: [bool(symbolic_contains("aAb", c)) for c in s],
    "contains text": lambda s: symbolic_contains("abba1", s[:2]),
    "left": lambda s: ("x" + s, "b" < s, "a" == s, s in ["a", "b"]),  # noqa: SIM300
    "counts": lambda s: {c: s.count(c) for c in s},
    "join": lambda s: symbolic_method(", ", "join")(c for c in s),
    "encode": lambda s: s.encode(),
    "translate": lambda s: s.translate(str.maketrans("ab", "ba")),
    "translate to texts": lambda s: s.translate({97: "xyz", 98: None, 49: 50}),
    "isdecimal": lambda s: (s.isdecimal(), s.isnumeric(), s.casefold()),
}
BYTES_ONLY = {
    "sum": sum,
    "arithmetic": lambda s: [b * 2 for b in s],
    "in": lambda s: [97 in s, s.count(98), s.find(s[0])],
    "contains": lambda s: [bool(symbolic_contains(b"aAb", b)) for b in s],
    "decode": lambda s: s.decode(),
    "bytes": bytes,
    "left": lambda s: (b"x" + s, b"b" < s, b"a" == s, s == "a"),  # noqa: SIM300
}


@table(TEXT_PAIRS)
@given(s=texts, p=patterns | texts, symbolic=sides(2))
def test_two_strings(function, s, p, symbolic):
    agree(function, [s, p], symbolic)


@table(TEXT_PAIRS)
@given(s=texts, p=patterns, symbolic=sides(2))
def test_two_bytes(function, s, p, symbolic):
    agree(function, [s.encode(), p.encode()], symbolic)


@table(TEXT | STRING_ONLY)
@given(s=texts)
def test_string(function, s):
    agree(function, [s], [True])


@table(TEXT | BYTES_ONLY)
@given(s=texts)
def test_bytes(function, s):
    agree(function, [s.encode()], [True])


@few
@given(
    sign=st.sampled_from(["", "-", "+", " -", "--"]), digits=st.text("0123456789 +-_", max_size=5)
)
def test_int_of_text(sign, digits):
    s = sign + digits
    agree(symbolic_int, [s], [True])
    agree(symbolic_int, [s.encode()], [True])


@few
@given(s=texts, i=st.integers(-9, 9), j=st.integers(-9, 9), k=st.integers(-3, 3))
def test_index_by_symbolic_integer(s, i, j, k):
    agree(lambda s, i: s[i], [s, i], [True, True])
    agree(lambda s, i: s[i], [list(s), i], [False, True])
    agree(lambda s, i, j, k: s[i:j:k], [s, i, j, k], [True, True, False, True])
