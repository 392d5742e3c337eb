"""ruff and mypy (strict) are part of the tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["ruff", "check", "."], id="ruff check"),
        pytest.param(["ruff", "format", "--check", "."], id="ruff format"),
        pytest.param(["mypy"], id="mypy"),
    ],
)
def test_clean(command: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_no_program_is_special() -> None:
    """Nothing in xsynth/ knows a benchmark by its name."""
    names = [path.stem for path in (ROOT / "benchmarks" / "programs").glob("*.py")]
    pattern = re.compile("|".join(rf"\b{name}\b" for name in names))
    for path in (ROOT / "xsynth").rglob("*.py"):
        code = re.sub(r'"""[\s\S]*?"""', "", path.read_text())  # examples in docstrings are fine
        found = pattern.search(code)
        assert found is None, f"{path}: {found}"
