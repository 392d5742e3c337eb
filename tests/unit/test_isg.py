"""One table of generators and the loop nests they stand for, used in every direction."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
import sympy

from xsynth.model.algebra import polynomial
from xsynth.model.expand import expand, length
from xsynth.model.fit import Fitted, learn_column
from xsynth.model.grammars import parser
from xsynth.model.growth import growth
from xsynth.model.isg import (
    Add,
    Const,
    Div,
    Floor,
    Incre,
    Isg,
    Log2,
    N,
    Name,
    Neg,
    Num,
    Pow,
    Sub,
    evaluate,
    evaluate_int,
    parse,
    parse_expr,
    renamed,
)
from xsynth.model.sequence import Tree, leaves

Nest = Callable[[int], Tree]

CASES = [
    pytest.param("n - 1", lambda n: n - 1, id="no loop"),
    pytest.param("const(n, n)", lambda n: tuple(n for _ in range(n)), id="constant"),
    pytest.param("incre(0, n - 1, 1)", lambda n: tuple(range(n)), id="up"),
    pytest.param("incre(n, 1, -1)", lambda n: tuple(range(n, 0, -1)), id="down"),
    pytest.param("incre(0, n - 2, 1)", lambda n: tuple(range(n - 1)), id="pairs"),
    pytest.param("incre(0, n - 3, 1)", lambda n: tuple(range(n - 2)), id="empty at first"),
    pytest.param("incre(1, 3*n - 2, 3)", lambda n: tuple(range(1, 3 * n, 3)), id="stride"),
    pytest.param(
        "incre(0, n**2 - n, n)", lambda n: tuple(range(0, n * n, n)), id="stride of the scale"
    ),
    pytest.param(
        "const(incre(1, n - 1, 1), incre(1, n - 1, 1))",
        lambda n: tuple((i,) * i for i in range(1, n)),
        id="example 1",
    ),
    pytest.param(
        "incre(incre(0, n - 2, 1), const(0, n - 1), -1)",
        lambda n: tuple(tuple(range(i, -1, -1)) for i in range(n - 1)),
        id="example 2",
    ),
    pytest.param(
        "incre(incre(1, n, 1), const(n - 1, n), 1)",
        lambda n: tuple(tuple(range(i + 1, n)) for i in range(n)),
        id="last run empty",
    ),
    pytest.param(
        "incre(const(0, n), incre(-1, n - 2, 1), 1)",
        lambda n: tuple(tuple(range(i)) for i in range(n)),
        id="first run empty",
    ),
    pytest.param(
        "incre(const(2, n), incre(-1, n - 2, 1), 1)",
        lambda n: tuple(tuple(range(2, i)) for i in range(n)),
        id="three runs empty",
    ),
    pytest.param("const(const(0, n), const(1, n))", lambda n: ((0,),) * n, id="runs of one turn"),
    pytest.param(
        "incre(incre(0, n**2 - n, n), incre(n - 1, n**2 - 1, n), 1)",
        lambda n: tuple(tuple(i * n + j for j in range(n)) for i in range(n)),
        id="rows of a flat matrix",
    ),
    pytest.param(
        "incre(incre(0, n - 1, 1), incre(n**2 - n, n**2 - 1, 1), n)",
        lambda n: tuple(tuple(i + j * n for j in range(n)) for i in range(n)),
        id="columns of a flat matrix",
    ),
    pytest.param(
        "incre(incre(1, n, 1), incre(n, n**2, n), incre(1, n, 1))",
        lambda n: tuple(tuple(i * j for j in range(1, n + 1)) for i in range(1, n + 1)),
        id="step of its own in each run",
    ),
    pytest.param(
        "incre(const(const(0, n), const(n, n)), const(incre(0, n - 1, 1), const(n, n)), 1)",
        lambda n: tuple(tuple(tuple(range(i + 1)) for _ in range(n)) for i in range(n)),
        id="three loops",
    ),
    pytest.param("incre(0, floor((n - 2)/2), 1)", lambda n: tuple(range(n // 2)), id="half"),
    pytest.param(
        "const(n**2/2 - n/2 + 3, n)",
        lambda n: ((n * n - n) // 2 + 3,) * n,
        id="triangular number",
    ),
    pytest.param("const(0, 0)", lambda n: (), id="never"),
]


@pytest.mark.parametrize(("text", "nest"), CASES)
def test_parse_and_print(text: str, nest: Nest) -> None:
    assert str(parse(text)) == text
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(("text", "nest"), CASES)
def test_expand(text: str, nest: Nest) -> None:
    for n in [*range(2, 13), 50]:
        column = expand(parse(text), n)
        assert column.dtype == np.int64
        assert column.tolist() == leaves(nest(n))
        assert length(parse(text), n) == len(column)


@pytest.mark.parametrize(("text", "nest"), CASES)
def test_learn(text: str, nest: Nest) -> None:
    learned = learn_column({n: nest(n) for n in range(2, 8)})
    assert isinstance(learned, Fitted)
    assert str(learned.isg) == text
    assert learned.spare >= 1


def test_classes_and_rules_share_their_names() -> None:
    lark = parser("isg", "isg", "expr")
    built = {
        rule.alias or str(rule.origin.name)
        for rule in lark.rules
        if rule.alias or not (rule.options.expand1 or str(rule.origin.name).startswith("_"))
    }
    assert built == {kind.__name__.lower() for kind in get_args(Isg)}


EXPRESSIONS = [
    "0",
    "-3",
    "n",
    "-n",
    "-(3)",
    "n - 1",
    "n - -1",
    "n**2/2 - n/2 + 3",
    "-n**2/3",
    "(-2)**n",
    "-2**n",
    "2**-n",
    "2**n**2",
    "(2**n)**2",
    "n - (n - 1)",
    "n/(n/2)",
    "n*(n + 1)/2",
    "floor(n/2)",
    "floor((n - 1)/2)",
    "floor(-n/2)",
    "floor(log(n, 2))",
    "floor(log(n/3, 2))",
    "2**floor(log(n, 2))",
    "log(2**n, 2)",
    "factorial(n - 1)",
    "floor(sqrt(n))",
    "floor(n/floor(sqrt(n)))",
    "sqrt(n**2)",
    "Sum(k**2, (k, 1, n))",
    "Sum(floor(n/2**k), (k, 1, floor(log(n, 2))))",
    "2*Sum(factorial(n - 1)/factorial(k), (k, 0, n - 1)) - 1",
    "Sum(Sum(j*k, (j, 1, k)), (k, 1, n))",
    "Sum(Min(1, floor((n + 1 - k)/2**k)), (k, 1, floor(log(n + 1, 2))))",
    "Sum(Max(0, n + 2 - k - 2*3**k), (k, 0, floor(log(n + 1, 2))))",
    "Sum(2**k*floor((n + 1)/2**(k + 1)) + Max(0, n - 2**k), (k, 0, floor(log(n, 2))))",
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression_text_is_kept_and_sympy_reads_it(text: str) -> None:
    expr = parse_expr(text)
    assert str(expr) == text
    function = sympy.sympify(text)
    for n in (1, 2, 3, 4, 7):
        value = sympy.nsimplify(function.subs("n", n).doit())
        assert sympy.simplify(value - sympy.Rational(str(evaluate(expr, {"n": n})))) == 0


@pytest.mark.parametrize(
    "expr",
    [
        Neg(Num(3)),
        Neg(Num(-3)),
        Neg(Neg(N)),
        Add(N, Neg(N)),
        Add(N, Num(-1)),
        Sub(N, Sub(N, Num(1))),
        Div(N, Div(N, Num(2))),
        Pow(Pow(N, Num(2)), Num(3)),
        Pow(Neg(N), Neg(N)),
        Pow(Num(-1), Num(-1)),
        Neg(Pow(Num(2), N)),
        Floor(Log2(Name("width"))),
        Const(Num(1), Neg(Num(1))),
    ],
    ids=str,
)
def test_awkward_trees_come_back(expr: Isg) -> None:
    assert parse(str(expr)) == expr


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("n +", 3),
        ("incre(1, 2)", 11),
        ("const(1, 2", 10),
        ("n $ 2", 3),
        ("log(n, 3)", 8),
        ("2 n", 3),
        ("incre(1, 2, 3) + 1", 16),
        ("floor", 1),
    ],
)
def test_faults_have_a_position(text: str, column: int) -> None:
    with pytest.raises(ValueError, match=rf"line 1, column {column}:"):
        parse(text)


def test_hostile_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="deeper"):
        parse("(" * 3000 + "n" + ")" * 3000 + "+1" * 3000)
    with pytest.raises(ValueError, match="too large"):
        evaluate(parse_expr("9**9**9"), {})
    with pytest.raises(ValueError, match="factorial"):
        evaluate(parse_expr("factorial(10**9)"), {})
    with pytest.raises(ValueError, match="too many terms"):
        evaluate(parse_expr("Sum(k, (k, 1, 10**9))"), {})
    with pytest.raises(ValueError, match="no name"):
        Name("__import__('os')")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1/(n - 2)", "zero"),
        ("log(n - 2, 2)", "argument is 0"),
        ("log(n + 1, 2)", "not rational"),
        ("factorial(-n)", "argument"),
        ("2**(n/4)", "exponent"),
        ("sqrt(n)", "not a whole number"),
        ("floor(sqrt(-n))", "argument is -2"),
        ("Sum(k, (k, 1, n)) + k", "no value for k"),
        ("m", "no value for m"),
    ],
)
def test_expressions_without_a_value(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        evaluate(parse_expr(text), {"n": 2})


def test_integers_only() -> None:
    assert evaluate(parse_expr("n/2"), {"n": 5}) == Fraction(5, 2)
    assert evaluate_int(parse_expr("n/2"), {"n": 6}) == 3
    with pytest.raises(ValueError, match="5/2, not an integer, where n = 5"):
        evaluate_int(parse_expr("n/2"), {"n": 5})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("const(incre(0, n, 1), n)", "5 and 1 elements"),
        ("incre(const(0, 2), const(0, 3), 1)", "2 and 3 elements"),
        ("incre(const(0, 2), const(0, 2), const(1, 3))", "2 and 3 elements"),
        ("const(1, 2 - n)", "negative count"),
        ("incre(0, n, n - 4)", "step 0"),
        ("incre(0, n/3, 1)", "not an integer"),
        ("n**40", "64 bits"),
    ],
)
def test_generators_that_mean_nothing(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        expand(parse(text), 4)


def test_stops_as_algorithm_1_has_them() -> None:
    assert expand(parse("incre(0, -1, 1)"), 1).tolist() == []
    assert expand(parse("incre(0, -5, 1)"), 1).tolist() == []
    assert expand(parse("incre(0, 5, 2)"), 1).tolist() == [0, 2, 4]
    assert expand(parse("incre(5, 0, -2)"), 1).tolist() == [5, 3, 1]


def test_several_scales() -> None:
    assert expand(parse("const(rows, columns)"), {"rows": 2, "columns": 3}).tolist() == [2, 2, 2]


def test_ten_million_elements() -> None:
    isg = parse("incre(incre(0, n - 2, 1), const(0, n - 1), -1)")
    column = expand(isg, 4473)
    assert len(column) == 4473 * 4472 // 2
    assert column[-3:].tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [
        ([0], "0"),
        ([3, Fraction(-1, 2), Fraction(1, 2)], "n**2/2 - n/2 + 3"),
        ([-1, 1], "n - 1"),
        ([0, -1], "-n"),
        ([Fraction(1, 3), 0, Fraction(-2, 3)], "-2*n**2/3 + 1/3"),
        ([0, 0, 0, 5], "5*n**3"),
    ],
)
def test_polynomials_read_well(coefficients: list[Fraction], text: str) -> None:
    assert str(polynomial(coefficients)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", "O(1)"),
        ("n - n", "O(1)"),
        ("n - 2*floor(n/2)", "O(1)"),
        ("1/n", "O(1)"),
        ("floor(log(n, 2)) + 3", "O(log n)"),
        ("-n/2 + 3", "O(n)"),
        ("n*floor(n/2) - n**2/2", "O(n)"),
        ("2**floor(log(n, 2))", "O(n)"),
        ("n*floor(log(n - 1, 2)) - 2*2**floor(log(n - 1, 2)) + n", "O(n log n)"),
        ("n**2/2 - n/2", "O(n^2)"),
        ("floor(n**2/4)", "O(n^2)"),
        ("n**2*floor(log(n, 2))", "O(n^2 log n)"),
        ("n**3 - n**2", "O(n^3)"),
        ("2**n - n**9", "O(2^n)"),
        ("n*2**n", "O(n 2^n)"),
        ("2**(n - 1)", "O(2^n)"),
        ("3**n + 2**n", "O(3^n)"),
        ("factorial(n) - 5**n", "O(n!)"),
        ("floor(sqrt(n)) - 3", "O(n^(1/2))"),
        ("floor(n/floor(sqrt(n)))", "O(n^(1/2))"),
        ("n*floor(sqrt(2*n + 1))", "O(n^(3/2))"),
        ("n + Sum(floor(n/2**k), (k, 1, floor(log(n, 2))))", "O(n)"),
        ("Sum(factorial(n - 1)/factorial(k), (k, 0, n - 1))", "O(n^-1 n!)"),
        ("Sum(k**n, (k, 1, n))", "O(Sum(k**n, (k, 1, n)))"),
        ("Sum(floor(log(j, 2)) + 3, (j, 2, n))", "O(n log n)"),
        ("Sum(Sum(floor(j/2**k), (k, 1, floor(log(j, 2)))), (j, 3, n)) + 7*n", "O(n^2)"),
        ("Sum(floor(n/2**k), (k, 1, floor(log(n, 2)))) - n", "O(log n)"),
        ("Sum(floor((n + 1 - k)/3**k), (k, 1, floor(log(n + 1, 2)))) - n/2 + 3", "O(log n)"),
        ("Sum(Max(0, floor(n/3**k) - 1), (k, 1, floor(log(n, 2)))) - n/3", "O(n)"),
        ("Sum(Min(1, floor((n - k)/(3*2**k))), (k, 0, floor(log(n, 2))))", "O(log n)"),
        ("Sum(2**k*Min(1, floor(n/(3*2**k))), (k, 0, floor(log(n, 2))))", "O(n)"),
        ("Sum(Max(0, n - k - 2**k), (k, 1, floor(log(n, 2)))) + 7*n", "O(n log n)"),
        ("Sum(n - 2**k*floor(n/2**k), (k, 0, floor(log(n, 2)) - 1))", "O(n)"),
        (
            "Sum(n*floor(n/2**k), (k, 1, floor(log(n, 2))))",
            "O(Sum(n*floor(n/2**k), (k, 1, floor(log(n, 2)))))",
        ),
        ("2**n**2", "O(2**n**2)"),
        ("rows*columns", "O(rows*columns)"),
    ],
)
def test_growth(text: str, expected: str) -> None:
    assert growth(parse_expr(text)) == expected


def test_sympy_is_not_needed() -> None:
    code = (
        "import sys, xsynth.model.fit as f, xsynth.model.isg as i, xsynth.model.expand as e;"
        "e.expand(i.parse('incre(0, n, 1)'), 3); f.fit_values({2: 3, 3: 4, 4: 5});"
        "sys.exit('sympy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_incre_keeps_its_arguments_apart() -> None:
    isg = parse("incre(1, 2, 3)")
    assert isg == Incre(Num(1), Num(2), Num(3))


def test_renaming_leaves_what_a_sum_binds() -> None:
    expr = parse_expr("n + Sum(n*k, (k, 1, n)) + Sum(n, (n, 1, 3))")
    assert str(renamed(expr, "n", Name("j"))) == "j + Sum(j*k, (k, 1, j)) + Sum(n, (n, 1, 3))"
