"""Rows of a point: parted where one generator does not serve."""

from __future__ import annotations

import pytest

from xsynth.model.allowance import Allowance
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


def _two_differ(n: int) -> tuple[Row, ...]:
    """The first two turns and the last one have forms of their own."""
    own = {0: 7 * n, 1: 3, n: 100 - n}
    return tuple(Row((i,), (own.get(i, n + 2 * i),)) for i in range(n + 1))


def _by_threes(n: int) -> tuple[Row, ...]:
    return tuple(Row((i,), ((i, n - i, 5)[i % 3],)) for i in range(3 * n))


@pytest.mark.parametrize(
    "made", [_skipping, _versions, _first_differs, _alternating, _two_differ, _by_threes]
)
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


@pytest.mark.parametrize(
    "allowance", [Allowance(1), Allowance(1000, deadline=0.0)], ids=["work", "time"]
)
def test_once_the_allowance_is_spent_nothing_is_parted(allowance: Allowance) -> None:
    rows = {n: _first_differs(n) for n in SCALES}
    assert learn_rows(rows, SCALES, counters=False, spare=1, allowance=allowance) is None


def test_an_allowance_is_taken_from_the_whole() -> None:
    whole = Allowance(10)
    part = whole.part(4)
    part.spend(450)
    assert (part.left, whole.left) == (1, 7)
    whole.part(100).spend(1300)
    assert part.spent
