"""Tables of runs: what they expand to, and what they leave out."""

from __future__ import annotations

import numpy as np
import pytest

from xsynth.model.expand import expand
from xsynth.model.isg import parse
from xsynth.synthesize.table import table

LOOPS = [
    pytest.param(["incre(0, n - 1, 1)"], 1, id="one loop"),
    pytest.param(
        [
            "incre(const(0, n - 1), incre(0, n - 2, 1), 1)",
            "const(incre(1, n - 1, 1), incre(1, n - 1, 1))",
        ],
        1,
        id="a triangle",
    ),
    pytest.param(
        [
            "const(const(incre(0, n - 1, 1), const(n, n)), const(const(n, n), const(n, n)))",
            "incre(const(const(0, n), const(n, n)), const(const(n - 1, n), const(n, n)), 1)",
        ],
        7,
        id="the middle loop does not matter",
    ),
    pytest.param(["const(const(3, n), const(n, n))"], 49, id="no loop matters"),
    pytest.param(["incre(0, n**2 - 1, 1)", "const(incre(1, n, 1), const(n, n))"], 1, id="unlike"),
    pytest.param(["5", "const(n, 1)"], 1, id="one row"),
    pytest.param(["incre(const(0, n), incre(-1, n - 2, 1), 1)"], 1, id="an empty run"),
    pytest.param(["incre(const(0, 2), const(2*n, 2), incre(1, 2, 1))"], 1, id="steps that vary"),
]


@pytest.mark.parametrize(("texts", "times"), LOOPS)
def test_a_table_has_the_rows_of_its_generators(texts: list[str], times: int) -> None:
    isgs = [parse(text) for text in texts]
    full = np.stack([expand(isg, 7) for isg in isgs], axis=1)
    made = table(isgs, 7)
    assert made.total == len(full)
    rows = made.whole()
    assert {tuple(row) for row in rows.tolist()} == {tuple(row) for row in full.tolist()}
    assert len(rows) * times <= len(full)
    if times == 1 and len(rows) == len(full):
        assert np.array_equal(rows, full)


@pytest.mark.parametrize("most", [1, 2, 3, 10, 100])
def test_blocks_are_the_rows_in_order(most: int) -> None:
    made = table([parse("incre(const(0, n), incre(0, n - 1, 1), 1)"), parse("n")], 7 - 6)
    made = table([parse("incre(const(0, n), incre(0, n - 1, 1), 1)")], 7) if most > 1 else made
    blocks = list(made.blocks(most))
    assert max(len(block) for block in blocks) <= most
    assert np.array_equal(np.concatenate(blocks), made.whole())


def test_loops_that_do_not_matter_are_not_enumerated() -> None:
    text, count = "incre(0, n - 1, 1)", "const(n, n)"
    for _ in range(3):
        text, count = f"const({text}, {count})", f"const({count}, {count})"
    made = table([parse(text)], 500)
    assert made.total == 500**4
    assert len(made) == len(made.count) == 500


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        table([parse("incre(0, n, 1)"), parse("const(1, n)")], 5)
    with pytest.raises(ValueError, match="step 0"):
        table([parse("incre(0, n, 0)")], 5)
