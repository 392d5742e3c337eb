"""`xsynth complexity` as a person types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SORT = """
def insertion_sort(a: list[int]) -> list[int]:
    for i in range(1, len(a)):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a
"""


def _xsynth(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "xsynth", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("complexity")
    (folder / "sort.py").write_text(SORT)
    assert _xsynth(folder, "learn", "sort.py", "--scales", "2..5").returncode == 0
    return folder


def test_table_and_json(learned: Path) -> None:
    shown = _xsynth(learned, "complexity", "--upto", "40")
    assert shown.returncode == 0, shown.stderr
    assert "O(n^2)" in shown.stdout and "random average" in shown.stdout
    found = json.loads(_xsynth(learned, "complexity", "--upto", "40", "--json").stdout)
    assert found["fit"]["name"] == "n^2" and found["fit"]["r2"] > 0.999
    assert found["sizes"][-1]["scale"] == 40
    assert all(one["average"] < one["cost"] for one in found["sizes"] if one["scale"] > 5)


def test_a_plot_is_a_png_or_an_svg(learned: Path) -> None:
    refused = _xsynth(learned, "complexity", "--plot", "growth.doc")
    assert refused.returncode == 2 and "PNG or SVG" in refused.stderr


def test_a_plot_or_what_to_install(learned: Path) -> None:
    drawn = _xsynth(learned, "complexity", "--upto", "20", "--plot", "growth.svg")
    try:
        import matplotlib  # type: ignore[import-not-found,unused-ignore]  # noqa: F401
    except ImportError:
        assert drawn.returncode == 2 and "xsynth[plot]" in drawn.stderr
    else:
        assert (learned / "growth.svg").read_text().startswith("<?xml")
