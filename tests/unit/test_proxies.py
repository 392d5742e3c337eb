"""What proxies ask the recorder, where from, and what they refuse."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import pytest

from xsynth.errors import UnsupportedError
from xsynth.trace.bounds import bounds
from xsynth.trace.proxies import (
    SUBSTITUTES,
    SymBool,
    SymBytes,
    SymInt,
    SymReal,
    SymStr,
    current,
    recording,
    symbolic_contains,
    symbolic_int,
    symbolic_isinstance,
    symbolic_method,
    symbolic_type,
    unwrap,
    wrap,
)
from xsynth.trace.proxies.build import (
    FALSE,
    TRUE,
    add,
    compare,
    conj,
    disj,
    div,
    equal,
    floordiv,
    integer,
    ite,
    mod,
    mul,
    neg,
    power,
    same,
    sub,
)
from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Place, Site, Sort, const

A, B = (Cell("a", (i,), Sort.INT) for i in range(2))
P, Q = (Cell("p", (i,), Sort.BOOL) for i in range(2))
R = Cell("r", (), Sort.REAL)


class Log:
    """Says yes to every test and 3 to every value, and keeps what was asked."""

    def __init__(self, yes=True):
        self.yes = yes
        self.asked = []
        self.lines = []

    def test(self, term, frame):
        self.asked.append(term)
        self.lines.append(frame.f_lineno)
        assert frame.f_code.co_filename == __file__
        return self.yes

    def value(self, term, frame):
        self.test(term, frame)
        return 3

    def bounds(self, term):
        return bounds(term, {})

    def name(self, term, frame):
        self.test(term, frame)
        return Def(Place(Site("f", frame.f_lineno, 0), ()), (len(self.asked),), term.sort, term)


@pytest.fixture
def log():
    with recording(Log()) as recorder:
        yield recorder


@pytest.fixture
def no_log():
    with recording(Log(yes=False)) as recorder:
        yield recorder


@pytest.fixture
def a():
    return SymInt(A)


@pytest.fixture
def b():
    return SymInt(B)


def test_no_recorder():
    with pytest.raises(RuntimeError, match="outside a trace"):
        current()
    with pytest.raises(RuntimeError, match="outside a trace"):
        bool(SymInt(A) < 3)


def test_recording_nests_and_ends():
    outer, inner = Log(), Log()
    with recording(outer):
        with recording(inner):
            assert current() is inner
        assert current() is outer
    with pytest.raises(RuntimeError):
        current()


FOLDED = [
    pytest.param(add(A, integer(0)), A, id="x + 0"),
    pytest.param(add(integer(0), A), A, id="0 + x"),
    pytest.param(sub(A, integer(0)), A, id="x - 0"),
    pytest.param(mul(A, integer(1)), A, id="x * 1"),
    pytest.param(mul(A, integer(0)), integer(0), id="x * 0"),
    pytest.param(mul(R, integer(0)), const(Fraction(0)), id="real * 0"),
    pytest.param(neg(neg(A)), A, id="--x"),
    pytest.param(sub(integer(0), A), neg(A), id="0 - x"),
    pytest.param(floordiv(A, integer(1)), A, id="x // 1"),
    pytest.param(mod(A, integer(1)), integer(0), id="x % 1"),
    pytest.param(mod(integer(-7), integer(3)), integer(2), id="-7 % 3"),
    pytest.param(div(integer(1), integer(3)), const(Fraction(1, 3)), id="1 / 3"),
    pytest.param(power(A, 0), integer(1), id="x ** 0"),
    pytest.param(add(add(A, integer(1)), integer(1)), add(A, integer(2)), id="x + 1 + 1"),
    pytest.param(sub(add(A, integer(1)), integer(1)), A, id="x + 1 - 1"),
    pytest.param(sub(sub(A, integer(1)), integer(1)), sub(A, integer(2)), id="x - 1 - 1"),
    pytest.param(add(integer(1), A), add(A, integer(1)), id="1 + x"),
    pytest.param(compare(Op.LT, integer(1), A), compare(Op.GT, A, integer(1)), id="1 < x"),
    pytest.param(compare(Op.LT, A, A), FALSE, id="x < x"),
    pytest.param(compare(Op.LE, mul(A, B), mul(A, B)), TRUE, id="x * y <= x * y"),
    pytest.param(compare(Op.LT, A, const(Fraction(5, 2))), compare(Op.LT, A, integer(3)), id="2.5"),
    pytest.param(compare(Op.EQ, A, const(Fraction(5, 2))), FALSE, id="x == 2.5"),
    pytest.param(compare(Op.EQ, ite(P, integer(1), integer(0)), integer(1)), P, id="int(p) == 1"),
    pytest.param(conj(P, TRUE), P, id="p and True"),
    pytest.param(disj(P, TRUE), TRUE, id="p or True"),
    pytest.param(conj(P, P), P, id="p and p"),
    pytest.param(equal(P, FALSE), Apply(Op.NOT, (P,), Sort.BOOL), id="p == False"),
    pytest.param(ite(P, A, A), A, id="x if p else x"),
]


@pytest.mark.parametrize(("term", "folded"), FOLDED)
def test_folding(term, folded):
    assert term == folded


def test_same_looks_only_so_deep():
    left = right = A
    for _ in range(10 * sys.getrecursionlimit()):
        left, right = mul(left, B), mul(right, B)
    assert not same(left, right)


@pytest.mark.parametrize("value", [0, 7, -(10**30), True, 0.5, -2.0, Fraction(1, 3)])
def test_plain_values_pass_in_and_out(value):
    result = wrap(unwrap(value))
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize("proxy", [SymInt(A), SymBool(P), SymReal(R)])
def test_proxies_pass_in_and_out(proxy):
    assert type(wrap(unwrap(proxy))) is type(proxy)


@pytest.mark.parametrize("value", [None, "1", [1], math.inf, math.nan, 1j])
def test_no_term(value):
    with pytest.raises(TypeError):
        unwrap(value)


def test_a_branch_is_asked_with_the_frame_of_user_code(log, a, b):
    line = sys._getframe().f_lineno + 1
    if a < b:
        pass
    assert log.asked == [Apply(Op.LT, (A, B), Sort.BOOL)]
    assert log.lines == [line]


def test_a_built_in_between_keeps_the_frame(log, a, b):
    sorted([a, b])
    assert log.asked == [Apply(Op.LT, (B, A), Sort.BOOL)]


def test_plain_integers_are_asked_for(log, a):
    assert "abcdef"[a] == "d"
    assert list(range(a)) == [0, 1, 2]
    assert {3: "x"}.get(a.__index__()) == "x"
    assert hash(a) == hash(3)
    assert f"{a}" == str(a) == "3"
    assert log.asked == [A] * 6


def test_repr_asks_nothing(a, b):
    assert repr(a + 1) == "<a[0] + 1>"
    assert repr((a + 1) * b < 3) == "<((a[0] + 1) * a[1]) < 3>"
    assert repr(abs(a)) == "<a[0] if (a[0] >= 0) else (-a[0])>"
    assert repr(SymReal(R)) == "<r>"
    assert repr(SymStr(("x", A))) == "<str 'x' a[0]>"
    deep = a
    for _ in range(1000):
        deep = deep * b
    assert "..." in repr(deep)


def test_augmented_assignment_names_what_it_computes(log, a, b):
    total = a
    total += b
    assert isinstance(total.term, Def)
    assert total.term.value == Apply(Op.ADD, (A, B), Sort.INT)
    total -= 1
    assert isinstance(total.term, Def)
    assert len(log.asked) == 2
    total *= 1
    a += 0
    a *= 0
    assert a == 0
    assert len(log.asked) == 2


def test_plain_operators_name_nothing(log, a, b):
    total = a + b
    assert isinstance(total.term, Apply)
    assert log.asked == []


def test_division_by_a_symbolic_zero(log, a, b):
    for divide in (lambda: a // b, lambda: a % b, lambda: a / b, lambda: 1 // b, lambda: b**-1):
        with pytest.raises(ZeroDivisionError):
            divide()
    assert log.asked == [Apply(Op.EQ, (B, integer(0)), Sort.BOOL)] * 5


def test_divmod_asks_once(no_log, a, b):
    divmod(a, b)
    assert len(no_log.asked) == 1


def test_division_by_a_constant_asks_nothing(a):
    assert (a // 2).term == Apply(Op.FLOORDIV, (A, integer(2)), Sort.INT)
    with pytest.raises(ZeroDivisionError):
        a // 0


def test_masks_are_remainders(a):
    assert (a & 1).term == Apply(Op.MOD, (A, integer(2)), Sort.INT)
    assert (a & 255).term == Apply(Op.MOD, (A, integer(256)), Sort.INT)
    assert (a << 3).term == Apply(Op.MUL, (A, integer(8)), Sort.INT)


def test_mixed_with_reals(a):
    assert isinstance(a + 0.5, SymReal)
    assert isinstance(a + 0.0, SymReal)
    assert isinstance(a / 2, SymReal)
    assert isinstance(SymReal(R) + a, SymReal)
    assert (a / 2).term == Apply(Op.DIV, (A, Const(Fraction(2), Sort.REAL)), Sort.REAL)


REFUSED = [
    pytest.param(lambda x, y, r: x & y, "bit operation", id="x & y"),
    pytest.param(lambda x, y, r: x | -(y & 6), "bit operation", id="x | -y"),
    pytest.param(lambda x, y, r: x**0.5, "power", id="x ** 0.5"),
    pytest.param(lambda x, y, r: x**1000, "power 1000", id="x ** 1000"),
    pytest.param(lambda x, y, r: 2**r, "power", id="2 ** r"),
    pytest.param(lambda x, y, r: pow(x, -1, 7), "inverse", id="pow(x, -1, 7)"),
    pytest.param(lambda x, y, r: x * math.inf, "'\\*' of a symbolic number and inf", id="x * inf"),
    pytest.param(lambda x, y, r: float(r), "float\\(\\)", id="float(r)"),
    pytest.param(lambda x, y, r: {r: 1}, "hash", id="{r: 1}"),
    pytest.param(lambda x, y, r: str(r), "str\\(\\)", id="str(r)"),
    pytest.param(lambda x, y, r: x.to_bytes(2), "int.to_bytes", id="to_bytes"),
    pytest.param(lambda x, y, r: r.hex(), "float.hex", id="hex"),
    pytest.param(lambda x, y, r: SymStr((A,)).expandtabs(), "str.expandtabs", id="expandtabs"),
    pytest.param(lambda x, y, r: SymBytes((A,)).hex(), "bytes.hex", id="bytes.hex"),
    pytest.param(lambda x, y, r: symbolic_int(SymStr((A,)), 0), "base", id="int(s, 0)"),
]


@pytest.mark.parametrize(("function", "words"), REFUSED)
def test_refused_by_name_with_file_and_line(log, function, words):
    with pytest.raises(UnsupportedError, match=words) as caught:
        function(SymInt(A), SymInt(B), SymReal(R))
    line = function.__code__.co_firstlineno
    assert caught.value.found.startswith(f"{__file__}:{line}: ")
    assert caught.value.advice


@pytest.mark.parametrize("proxy", [SymInt(A), SymBool(P), SymReal(R), SymStr((A,))])
def test_unknown_attribute(proxy):
    with pytest.raises(AttributeError, match="no_such"):
        _ = proxy.no_such


def test_booleans_build_terms(log):
    p, q = SymBool(P), SymBool(Q)
    assert (p & q).term == Apply(Op.AND, (P, Q), Sort.BOOL)
    assert (p | q).term == Apply(Op.OR, (P, Q), Sort.BOOL)
    assert (p ^ q).term == Apply(Op.NE, (P, Q), Sort.BOOL)
    assert (p == 1).term == P
    assert (p == 2) is False
    assert (p + 1).term == add(ite(P, integer(1), integer(0)), integer(1))
    assert log.asked == []
    p &= q
    assert isinstance(p.term, Def)


def test_one_character_is_one_clause(log):
    text = SymStr((A, "b", B))
    found = text[0] == "a"
    assert log.asked == []
    assert found.term == Apply(Op.EQ, (A, integer(97)), Sort.BOOL)
    assert text[0].isupper().term.op is Op.AND
    assert text[1] == "b"
    assert text[1].isalpha() is True
    assert log.asked == []


def test_texts_are_compared_from_the_left(log, no_log):
    first, last = (Apply(Op.EQ, (unit, integer(97)), Sort.BOOL) for unit in (A, B))
    assert (SymStr((A, B)) == "aa") is False
    assert no_log.asked == [first]
    with recording(Log()) as yes:
        assert (SymStr((A, B)) == "aa") is True
        assert yes.asked == [first, last]
        assert (SymStr((A, B)) == "aaa") is False
        assert len(yes.asked) == 2


def test_the_last_character_settles_the_order(log):
    assert (SymStr((A, B)) < "aa").term == Apply(Op.LT, (B, integer(97)), Sort.BOOL)
    assert (SymStr((A, B)) < "aab").term == Apply(Op.LE, (B, integer(97)), Sort.BOOL)
    assert (SymStr((A,)) < "").__class__ is bool
    assert len(log.asked) == 2


def test_plain_results_are_plain():
    text = SymStr(("x", A, "y"))
    assert type(text[0]) is str
    assert type(text[2:]) is str
    assert type(SymBytes((1, A))[0]) is int
    assert type(SymBytes((1, A))[1]) is SymInt


def test_class_of_character_in_a_plain_text(log):
    assert symbolic_contains("abc", SymStr((A,))).term == Apply(
        Op.AND,
        (
            Apply(Op.GE, (A, integer(97)), Sort.BOOL),
            Apply(Op.LE, (A, integer(99)), Sort.BOOL),
        ),
        Sort.BOOL,
    )
    assert symbolic_contains([1, 2], 2) is True
    assert log.asked == []


def test_beyond_ascii(no_log):
    with pytest.raises(UnsupportedError, match="beyond ASCII"):
        SymStr((A,)).encode()


def test_join_of_a_plain_separator():
    joined = symbolic_method(", ", "join")(iter(["a", SymStr((A,))]))
    assert joined.units == (97, 44, 32, A)
    assert symbolic_method("abc", "upper")() == "ABC"
    assert symbolic_method([3], "index")(3) == 0


@pytest.mark.parametrize(
    ("proxy", "types", "others"),
    [
        (SymInt(A), (int, object), (bool, float, str)),
        (SymBool(P), (int, bool), (float,)),
        (SymReal(R), (float,), (int,)),
        (SymStr((A,)), (str,), (bytes,)),
        (SymBytes((A,)), (bytes,), (str,)),
        (3, (int,), (bool,)),
    ],
)
def test_types(proxy, types, others):
    assert symbolic_type(proxy) is types[-1] or symbolic_type(proxy) is types[0]
    assert all(symbolic_isinstance(proxy, each) for each in types)
    assert not any(symbolic_isinstance(proxy, each) for each in others)
    assert symbolic_isinstance(proxy, types)
    assert not symbolic_isinstance(proxy, others)


@pytest.mark.parametrize("name", SUBSTITUTES)
def test_substitutes_are_the_built_ins_on_plain_values(name):
    arguments = {"ord": ["a"], "isinstance": [3, int], "int": ["11", 2], "pow": [2, 5, 7]}.get(
        name, [65]
    )
    built_in = __builtins__[name] if isinstance(__builtins__, dict) else getattr(__builtins__, name)
    assert SUBSTITUTES[name](*arguments) == built_in(*arguments)
