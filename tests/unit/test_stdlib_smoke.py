"""The smoke test over the standard library: what it runs, and that it sees a crash."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "stdlib_smoke.py"


@pytest.fixture(scope="module")
def smoke() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stdlib_smoke", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOUCHING = """
import os
import threading as th
from subprocess import run

class Lock:
    def __init__(self): self.inner = th.Lock()

def starts(): return run(["ls"])
def locks(): return Lock()
def through(): return locks()
def removes(name): os.remove(name)
def harmless(x): return os.path.join(x, "y")
"""


def test_functions_that_reach_the_machine_are_told_apart(smoke: ModuleType) -> None:
    found = smoke.touching(ast.parse(TOUCHING), "some.module")
    assert found == {"Lock", "starts", "locks", "through", "removes"}


def test_a_module_that_acts_when_it_is_imported_is_left_alone(smoke: ModuleType) -> None:
    source = "import webbrowser\nwebbrowser.open('x')\ndef harmless(): pass\n"
    assert smoke.touching(ast.parse(source), "some.module") == {"harmless"}
    assert smoke.touching(ast.parse("def f(): pass"), "socket") == {"f"}


def test_functions_go_on_behind_one_that_hangs_or_dies(
    smoke: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd.py"
    path.write_text(
        "def first(a: int): return a\n"
        "def hangs(a: int):\n    __import__('time').sleep(60)\n"
        "def dies(a: int):\n    __import__('os')._exit(3)\n"
        "def last(a: int): return a\n"
    )
    monkeypatch.setattr(smoke, "LIBRARY", tmp_path)
    monkeypatch.setattr(smoke, "SHAPES", ("",))
    monkeypatch.setattr(smoke, "LIMIT", 2.0)
    monkeypatch.setattr(smoke, "MACHINE", set())
    seen = list(smoke.watched(path, 0.1))
    assert ("first", "", "explored") in seen
    assert ("last", "", "explored") in seen
    assert [how for name, _, how in seen if name.startswith("#")] == ["killed", "died: 3"]


def test_methods_are_targets_with_what_their_receiver_needs(
    smoke: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "classes.py"
    path.write_text(
        "import socket\n"
        "class Shelf:\n"
        "    def __init__(self, items, limit=3): self.items = items\n"
        "    def count(self, wanted):\n"
        "        return sum(1 for item in self.items if item == wanted)\n"
        "    @staticmethod\n"
        "    def twice(x): return 2 * x\n"
        "class Line:\n"
        "    def __init__(self): self.end = socket.socket()\n"
        "    def close(self): self.end.close()\n"
    )
    monkeypatch.setattr(smoke, "LIBRARY", tmp_path)
    found = {name: (needed, touches) for name, needed, touches in smoke.functions(path)}
    assert found["Shelf.count"] == (["self.items", "wanted"], False)
    assert found["Shelf.twice"] == (["x"], False)
    assert found["Line.close"][1]
    assert smoke.one(path, "Shelf.count", *found["Shelf.count"][:1], "list[int]", 0.1) == "explored"
