"""Modules by name: where their source is, and what of them is the program's own."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from xsynth.errors import ProgramError
from xsynth.program import locate
from xsynth.program.program import Options, load

CORE = """\
try:
    from _core_in_c import work
except ImportError:
    from .slow import work

def total(a: list[int]) -> int:
    found = 0
    for x in a:
        found += work(x)
    return found

class Box:
    def __init__(self, items: list[int]):
        self.items = items

    def first(self) -> int:
        return 1 if self.items[0] > 0 else 0
"""
SLOW = """\
from . import core

def work(x):
    if x > 0:
        return 1
    return 0
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package; what is beside it is somebody else's."""
    folder = tmp_path / "lib" / "site-packages"
    for name, text in {
        "pack/__init__.py": "from .core import total as summed\nfrom .more import *\nraise OSError",
        "pack/core.py": CORE,
        "pack/slow.py": SLOW,
        "pack/more.py": "from .core import Box\ndef again(): pass\nplus = again",
        "alone.py": "import other\n\ndef f(a: list[int]):\n    return other.g(a)\n",
        "other.py": "def g(a):\n    return len(a)\n",
        "spaces/inner.py": "def h(a: list[int]): pass\n",
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_a_module_is_found_and_not_executed(package: Path) -> None:
    assert locate.module_file("pack.core") == package / "pack/core.py"
    assert locate.module_file("spaces.inner") == package / "spaces/inner.py"
    assert "pack" not in sys.modules


@pytest.mark.parametrize(
    ("target", "function", "module", "written"),
    [
        ("pack.core", "total", "pack.core", "total"),
        ("pack", "summed", "pack.core", "total"),
        ("pack", "Box.first", "pack.core", "Box.first"),
        ("pack", "plus", "pack.more", "again"),
        ("pack", "nowhere", "pack", "nowhere"),
        ("bisect", "insort", "bisect", "insort_right"),
    ],
)
def test_a_function_is_learned_where_it_is_written(
    package: Path, target: str, function: str, module: str, written: str
) -> None:
    found = locate.locate(target, function)
    assert (found.module, found.function) == (module, written)
    assert found.path == locate.module_file(module)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("math", "written in C"),
        ("_bisect", "written in C"),
        ("sys", "written in C"),
        ("no_such_module", "no such module"),
        ("bisect.inner", "no such module"),
        ("spaces", "folder of modules"),
    ],
)
def test_what_has_no_source_says_why(package: Path, name: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message) as raised:
        locate.module_file(name)
    assert raised.value.advice


def test_files_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bisect").write_text("")
    assert not locate.is_module_name("bisect")
    assert not locate.is_module_name("folder/sort")
    assert not locate.is_module_name("sort.py")
    assert locate.is_module_name("pack.core")
    # What is merely below this folder is a file to a model.
    (tmp_path / "mine.py").write_text("def f(): pass\n")
    assert locate.locate("mine", "f").module is None


def test_the_package_is_instrumented_and_nothing_else(package: Path) -> None:
    found = locate.locate("pack.core", "total")
    program = load(found.path, found.function, Options(), module=found.module)
    assert program.place == "module:pack.core"
    assert set(program.counting.compiled) == {"pack.core", "pack.slow"}
    assert program.replay({"a": [1, 0, 2]}).cost == 4 + 3 + 1 + 1 + 3 * 2
    alone = load(package / "alone.py", "f", Options())
    assert set(alone.counting.compiled) == {"alone"}


def test_c_forms_are_left_out() -> None:
    path = locate.module_file("bisect")
    program = load(path, "insort_right", Options(inputs={"a": "list[int]", "x": "int"}))
    assert program.replay({"a": [1, 2, 3], "x": 2, "lo": 0, "hi": None, "key": None}).cost
    tree = ast.parse(
        "try:\n    from _bisect import *\nexcept ImportError:\n    pass\nimport _heapq"
    )
    assert locate.optional_imports(tree) >= {"_bisect"}
    assert "_heapq" not in locate.optional_imports(tree)
    assert locate.is_accelerator("_bisect")
    assert not locate.is_accelerator("math")


def test_a_function_that_becomes_another_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text("def f(a: list[int]):\n    return a\n\nfrom math import gcd as f\n")
    with pytest.raises(ProgramError, match="not the Python function"):
        load(file, "f", Options())
