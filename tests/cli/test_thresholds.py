"""A program that behaves otherwise beyond the explored scales is not verified there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
CUT_OVER = """
def total(a: list[int]) -> int:
    result = 0
    if len(a) <= 1000:
        for x in a:
            if x > 0:
                result += x
        return result
    for x in a:
        for y in a:
            if x > y:
                result += 1
    return result
"""


def test_a_cut_over_to_another_algorithm_is_not_verified(tmp_path: Path) -> None:
    (tmp_path / "cut.py").write_text(CUT_OVER)

    def xsynth(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "xsynth", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )

    assert xsynth("learn", "cut.py").returncode == 0
    assert xsynth("generate", "--scale", "60").returncode == 0
    beyond = xsynth("generate", "--scale", "1200")
    assert beyond.returncode == 1
    made = json.loads(beyond.stdout)
    assert made["verified"] is False
    assert made["cost"]["observed"] != made["cost"]["predicted"] or made["notes"]
