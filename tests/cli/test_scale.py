"""Generation at scale as a person types it: what the replay says when its time is up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SLOW = """\
def slow(a: list[int]) -> int:
    steps = 0
    for i in range(len(a)):
        if a[i] > 0:
            for _ in range(len(a)):
                for _ in range(len(a)):
                    steps += 1
    return steps
"""


def test_a_replay_beyond_its_time_leaves_verified_null(tmp_path: Path) -> None:
    source, model = tmp_path / "slow.py", tmp_path / "slow.isg"
    source.write_text(SLOW)
    xsynth = [sys.executable, "-m", "xsynth"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    learn = [*xsynth, "learn", str(source), "--scales", "2..5", "--model", str(model)]
    subprocess.run(learn, check=True, capture_output=True, cwd=tmp_path, env=env)
    at = ["--scale", "1500", "--model", str(model), "--timeout", "3"]
    done = subprocess.run(
        [*xsynth, "generate", *at],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=env,
    )
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert found["verified"] is None
    assert found["cost"]["observed"] is None
    assert len(found["arguments"]["a"]) == 1500
    assert any("longer than the time limit" in note for note in found["notes"])


def test_help_and_generate_leave_out_what_they_do_not_use() -> None:
    """`--help` needs no numpy and no Z3; generation nothing that only learning needs."""
    code = "import sys, xsynth.{}; print(*sorted(sys.modules))"
    for module, absent in (
        ("cli", {"numpy", "z3", "lark", "sympy"}),
        ("commands", {"z3", "sympy", "xsynth.pipeline", "xsynth.model.fit"}),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code.format(module)], check=True, capture_output=True, text=True
        )
        assert not absent & set(done.stdout.split())
