"""Arguments from arrays: the same as cell by cell, whatever their shape; written by rows."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from xsynth.program.program import Options, load
from xsynth.report import jsonable
from xsynth.synthesize.arguments import plain_arguments
from xsynth.synthesize.generate import Generated
from xsynth.synthesize.recipe import Strategy
from xsynth.trace.terms import Sort

SIGNATURES = [
    "a: list[int]",
    "a: list[list[int]], k: int",
    "a: list[bool], s: str",
    "a: list[float]",
    "a: list[tuple[int, bool]]",
    "a: bytes, x: float, flag: bool",
    "a: list[str]",
]


def _values(program_spec: object, scale: int) -> dict[str, np.ndarray]:
    made = {}
    for layout in program_spec.layouts(scale):  # type: ignore[attr-defined]
        count = int(np.prod(layout.dims))
        whole = np.arange(count).reshape(layout.dims) + 65
        if layout.sort is Sort.BOOL:
            whole = whole % 2 == 0
        elif layout.sort is Sort.REAL:
            exact = np.empty(layout.dims, dtype=object)
            exact.ravel()[:] = [Fraction(v, 2) for v in whole.ravel().tolist()]
            whole = exact
        made[layout.name] = whole
    return made


@pytest.mark.parametrize("signature", SIGNATURES)
def test_arrays_become_the_arguments_that_cells_do(signature: str, tmp_path: Path) -> None:
    source = tmp_path / "target.py"
    source.write_text(f"def target({signature}):\n    for _ in a:\n        pass\n")
    program = load(source, "target", Options())
    for scale in (1, 4):
        values = _values(program.spec, scale)
        cells = program.spec.concrete(scale, lambda name, index, v=values: v[name][index])
        found = plain_arguments(program.spec, scale, values)
        assert found == cells
        flat = {name: array.ravel().tolist() for name, array in values.items()}
        blocks = program.spec.of_blocks(scale, flat)
        assert repr(blocks) == repr(cells)  # true is not 1 there
        assert json.dumps(jsonable.encode_arguments(found)) == json.dumps(
            jsonable.encode_arguments(cells)
        )
        made = Generated(
            Strategy.SYNTHESIZE, scale, found, 1, 1, True, None, (), None, {"solve": 0.0}
        )
        parts = "".join(jsonable.generated_parts(made, program, changed=False, seconds=0.0))
        whole = jsonable.generated_json(made, program, changed=False, seconds=0.0)
        assert parts == jsonable.dump(whole)
