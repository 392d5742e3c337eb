"""Modules and packages that a program imports."""

from __future__ import annotations

import pytest

from xsynth.errors import ProgramError
from xsynth.explore.worst import explore
from xsynth.program.program import load


@pytest.fixture
def package(tmp_path):
    """`shop/` with a module that imports its neighbours in every way."""
    files = {
        "shop/__init__.py": "from shop.prices import double\nRATE = 2\n",
        "shop/prices.py": "def double(x):\n    y = x * 2\n    return y\n",
        "shop/inner/__init__.py": "",
        "shop/inner/deep.py": "from ..prices import double\ndef twice(x):\n    return double(x)\n",
        "shop/main.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def main(imports: str, call: str):
        text = f"{imports}\n\ndef f(a: list[int]):\n    for x in a:\n        if {call} > 2:\n"
        (tmp_path / "shop/main.py").write_text(f"{text}            return True\n    return False\n")
        return load(tmp_path / "shop/main.py", "f")

    return main


IMPORTS = {
    "absolute": ("from shop.prices import double", "double(x)", 2),
    "relative": ("from .prices import double", "double(x)", 2),
    "module": ("from . import prices", "prices.double(x)", 2),
    "dotted": ("import shop.prices", "shop.prices.double(x)", 2),
    "alias": ("import shop.prices as p", "p.double(x)", 2),
    "from the package": ("from shop import double, RATE", "double(x) + RATE - 2", 2),
    "deep": ("from .inner.deep import twice", "twice(x)", 3),
}


@pytest.mark.parametrize(("imports", "call", "steps"), IMPORTS.values(), ids=IMPORTS)
def test_what_is_imported_is_counted_and_traced(package, imports, call, steps):
    program = package(imports, call)
    # Two turns of two steps and the steps of the callee; arrival, and the return.
    assert program.replay({"a": [0, 0]}).cost == 2 * (2 + steps) + 2
    found = explore(program, 2)
    assert found.exhaustive
    assert found.cost == 2 * (2 + steps) + 2


def test_an_import_that_is_not_there(tmp_path):
    path = tmp_path / "prog.py"
    path.write_text("from .missing import x\n\ndef f(a: list[int]):\n    return x\n")
    with pytest.raises(ProgramError, match="fails when it is imported"):
        load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(a: list[int]):\n    return a\n\ndel f\n", "no function once"),
        ("def f(a: list[int]):\n    return a\n\nf = 3\n", "no function once"),
        ("def f(a: list[int]):\n    return a\n\nreturn 1\n", "prog.py:4: syntax error"),
        ("def f(a: list[int]):\n    break\n", "prog.py:2: syntax error"),
    ],
    ids=["deleted", "bound again", "return outside", "break outside"],
)
def test_what_is_no_function_in_the_end(tmp_path, text, message):
    path = tmp_path / "prog.py"
    path.write_text(text)
    with pytest.raises(ProgramError, match=message):
        load(path, "f")


@pytest.mark.parametrize("name", ["collections", "functools", "re"])
def test_a_file_of_the_users_hides_the_library(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("def own(x):\n    return x\n")
    path = tmp_path / "prog.py"
    path.write_text(f"import {name}\n\ndef f(a: list[int]):\n    return {name}.own(a[0])\n")
    assert load(path, "f").replay({"a": [1]}).cost == 2


def test_what_a_function_imports_is_counted_from_the_start(tmp_path):
    (tmp_path / "helper.py").write_text("def twice(x):\n    y = x * 2\n    return y\n")
    path = tmp_path / "prog.py"
    path.write_text(
        "def f(a: list[int]):\n    if a[0] > 2:\n        from helper import twice\n"
        "        return twice(a[0])\n    return 0\n"
    )
    program = load(path, "f")
    assert explore(program, 1).cost == program.replay({"a": [5]}).cost == 5
    assert program.replay({"a": [0]}).cost == 2


@pytest.mark.parametrize(
    "source",
    [
        "class C:\n    n = 0\ndef f(a: list[int]):\n    C.n += 1\n    for _ in range(C.n): pass\n",
        "def f(a: list[int]):\n    f.n += 1\n    for _ in range(f.n): pass\nf.n = 0\n",
        "x, y = {}, []\ndef f(a: list[int]):\n    y.append(1)\n    for _ in y: pass\n",
        "if 1:\n    y = []\ndef f(a: list[int]):\n    y.append(1)\n    for _ in y: pass\n",
        "y = [1] * 2\ndef f(a: list[int]):\n    y.append(1)\n    for _ in y: pass\n",
        "y = ([], 1)\ndef f(a: list[int]):\n    y[0].append(1)\n    for _ in y[0]: pass\n",
    ],
)
def test_a_run_finds_nothing_that_another_left(program, source):
    target = program(source, "f")
    assert len({target.replay({"a": [1]}).cost for _ in range(3)}) == 1


def test_what_is_under_the_main_guard_is_no_state(program):
    source = "def f(a: list[int]):\n    return a\nif __name__ == '__main__':\n    b = [f([1])]\n"
    assert not program(source, "f").counting.stateful
