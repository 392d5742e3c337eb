"""The same program gives the same model file, byte for byte, whatever the hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from suite import PROGRAMS

SCRIPT = """
import sys
from pathlib import Path
from xsynth.model.file import write_model
from xsynth.pipeline import learn
from xsynth.program.program import Options, load
name, first, last = sys.argv[2:5]
learning = learn(load(Path(sys.argv[1]), name, Options()), range(int(first), int(last) + 1))
print(write_model(learning.model))
"""


def _model_text(name: str, scales: tuple[int, int], seed: int) -> str:
    command = [sys.executable, "-c", SCRIPT, str(PROGRAMS / f"{name}.py"), name, *map(str, scales)]
    environment = {
        **os.environ,
        "PYTHONHASHSEED": str(seed),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(
    ("name", "scales"),
    [
        pytest.param("insertion_sort", (2, 5), id="by place"),
        pytest.param("heap_insert", (1, 7), id="by order, many ties"),
        pytest.param("ngram_score", (3, 6), id="parted rows"),
    ],
)
def test_the_model_does_not_depend_on_the_hash_seed(name: str, scales: tuple[int, int]) -> None:
    texts = {_model_text(name, scales, seed) for seed in (1, 2, 3)}
    assert len(texts) == 1
