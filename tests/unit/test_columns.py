"""Rows of a point: parted where one generator does not serve."""

from __future__ import annotations

import time

import pytest

from xsynth.model.columns import learn_rows
from xsynth.model.expand import expand
from xsynth.model.points import Row

SCALES = (3, 4, 5, 6, 7)


def _skipping(n: int) -> tuple[Row, ...]:
    """Edges between different nodes: the turn j = i is skipped, and later ones count less."""
    return tuple(
        Row((i, j), (i, j if j < i else j - 1)) for i in range(n) for j in range(n) if i != j
    )


def _versions(n: int) -> tuple[Row, ...]:
    """Element i is rewritten at turn i, and read in its new version afterwards."""
    return tuple(Row((i, j), (i, i if j > i else i - 1)) for i in range(n) for j in range(n))


def _first_differs(n: int) -> tuple[Row, ...]:
    return tuple(Row((i,), (0 if i == 0 else n + i,)) for i in range(n))


def _alternating(n: int) -> tuple[Row, ...]:
    return tuple(Row((i,), (i // 2 if i % 2 else n - 1 - i // 2,)) for i in range(2 * n))


@pytest.mark.parametrize("made", [_skipping, _versions, _first_differs, _alternating])
@pytest.mark.parametrize("counters", [False, True])
def test_parts_together_give_the_rows_again(made, counters: bool) -> None:
    learned = learn_rows({n: made(n) for n in SCALES}, SCALES, counters=counters, spare=1)
    assert learned is not None
    for n in (*SCALES, 12):
        rows = set()
        for piece in learned.pieces:
            columns = [expand(isg, n) for isg in (*piece.counters, *piece.leaves)]
            rows |= set(zip(*(column.tolist() for column in columns), strict=True))
        wanted = {(*row.at, *row.leaves) if counters else row.leaves for row in made(n)}
        assert rows == wanted


def test_after_the_deadline_nothing_is_parted() -> None:
    rows = {n: _first_differs(n) for n in SCALES}
    past = time.monotonic() - 1
    assert learn_rows(rows, SCALES, counters=False, spare=1, deadline=past) is None
