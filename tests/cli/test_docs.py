"""Every console session in the README and the documentation, run and compared.

A line `...` in the expected output stands for any lines; seconds are not compared.  A block
of Python with a file name behind the word is that file, for all sessions of the document.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SECONDS = re.compile(r"\d+(\.\d+)? s\b")


def _sessions(text: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def _files(text: str) -> dict[str, str]:
    return dict(re.findall(r"```python (\w+\.py)\n(.*?)```", text, re.DOTALL))


def _pattern(lines: list[str]) -> re.Pattern[str]:
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(SECONDS.sub("0 s", line.rstrip())) + r"[ ]*\n")
    return re.compile("".join(parts))


@pytest.mark.parametrize("document", [pytest.param(d, id=d.name) for d in DOCUMENTS])
def test_sessions(document: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "benchmarks" / "programs", tmp_path / "benchmarks" / "programs")
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    command = bin_folder / "xsynth"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m xsynth "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "100",
    }
    for name, source in _files(document.read_text()).items():
        (tmp_path / name).write_text(source)
    for line, expected in _sessions(document.read_text()):
        run = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in run.stderr
        # A terminal shows both streams; results come first here, words after them.
        shown = SECONDS.sub("0 s", run.stdout + run.stderr)
        wanted = _pattern(expected)
        assert wanted.fullmatch(shown), f"$ {line}\n{shown}\n--- expected\n" + "\n".join(expected)


def test_the_documents_have_sessions() -> None:
    assert sum(len(_sessions(d.read_text())) for d in DOCUMENTS) >= 5
