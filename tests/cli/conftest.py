"""The commands as a person types them, in a folder of their own."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from xsynth import cli

ROOT = Path(__file__).parents[2]

SORT = """\
def insertion_sort(a: list[int]) -> list[int]:
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a
"""


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


@dataclass(frozen=True)
class Folder:
    path: Path

    def write(self, name: str, text: str) -> Path:
        file = self.path / name
        file.write_text(text)
        return file

    def xsynth(self, *args: object, stdin: str = "") -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "xsynth", *map(str, args)],
            cwd=self.path,
            env=environment(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stdout + done.stderr
        return Finished(done.returncode, done.stdout, done.stderr)

    def refused(self, *args: object, code: int = 2, stdin: str = "") -> str:
        """Runs a command that ends in a message, and gives the message."""
        done = self.xsynth(*args, stdin=stdin)
        assert done.code == code, done
        assert done.err.startswith("xsynth: ")
        assert len(done.err.splitlines()) <= 3
        assert "internal error" not in done.err
        return done.err

    def start(self, *args: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "xsynth", *map(str, args)],
            cwd=self.path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def files(self) -> dict[str, bytes]:
        return {
            str(file.relative_to(self.path)): file.read_bytes()
            for file in sorted(self.path.rglob("*"))
            if file.is_file() and "__pycache__" not in file.parts
        }


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


class Here(Folder):
    """The same commands in this process, where starting one each would take too long."""

    def __init__(
        self, path: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]
    ) -> None:
        super().__init__(path)
        object.__setattr__(self, "_patch", patch)
        object.__setattr__(self, "_capture", capture)

    def xsynth(self, *args: object, stdin: str = "") -> Finished:
        patch: pytest.MonkeyPatch = self._patch  # type: ignore[attr-defined]
        capture: pytest.CaptureFixture[str] = self._capture  # type: ignore[attr-defined]
        patch.setattr(sys, "argv", ["xsynth", *map(str, args)])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        patch.setattr(sys, "set_int_max_str_digits", lambda digits: None)
        capture.readouterr()
        code = cli._run()
        shown = capture.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return Finished(code, shown.out, shown.err)


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Here:
    monkeypatch.chdir(tmp_path)
    return Here(tmp_path, monkeypatch, capfd)


@pytest.fixture(scope="session")
def learned_once(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    own = Folder(tmp_path_factory.mktemp("learned"))
    own.write("sort.py", SORT)
    assert own.xsynth("learn", "sort.py", "--scales", "2..5").code == 0
    return own


@pytest.fixture
def learned(learned_once: Folder, tmp_path: Path) -> Folder:
    """A folder with sort.py and the model of its insertion sort."""
    shutil.copytree(learned_once.path, tmp_path / "project")
    return Folder(tmp_path / "project")
