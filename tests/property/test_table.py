"""Tables against the plain expansion of random loop nests."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from xsynth.model.expand import expand
from xsynth.model.isg import Const, Incre, Isg, Num
from xsynth.synthesize.table import table

small = st.integers(-3, 3)


@st.composite
def nests(draw: st.DrawFn) -> list[Isg]:
    """Columns of one loop nest: each is constant in some loops and counts others."""
    trips = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    columns: list[Isg] = [Num(draw(small)) for _ in range(draw(st.integers(1, 3)))]
    length = 1
    for trip in trips:
        count: Isg = Const(Num(trip), Num(length))
        for k, column in enumerate(columns):
            value = column if length != 1 else Const(column, Num(1))
            if draw(st.booleans()):
                columns[k] = Const(value, count)
            else:
                start = draw(small)
                step = draw(st.sampled_from([-2, -1, 1, 2]))
                columns[k] = Incre(
                    Const(Num(start), Num(length)),
                    Const(Num(start + step * (trip - 1)), Num(length)),
                    Num(step),
                )
        length *= trip
    return columns


@settings(max_examples=200, deadline=None)
@given(nests(), st.integers(1, 7))
def test_the_same_rows_as_often(columns: list[Isg], most: int) -> None:
    full = np.stack([expand(column, 5) for column in columns], axis=1)
    made = table(columns, 5)
    rows = made.whole()
    assert made.total == len(full)
    assert {tuple(r) for r in rows.tolist()} == {tuple(r) for r in full.tolist()}
    blocks = list(made.blocks(most))
    assert np.array_equal(np.concatenate([np.zeros((0, len(columns)), np.int64), *blocks]), rows)
    assert np.array_equal(
        np.unique(np.repeat(rows, np.repeat(made.times, made.count), axis=0), axis=0),
        np.unique(full, axis=0),
    )
