"""What the cells of a report say."""

from __future__ import annotations

from typing import Any

import pytest

from xsynth.bench.results import Row
from xsynth.report.bench_view import measured_cell, number_text, seconds_text, share_text


def _row(**given: Any) -> Row:
    return Row(**{"program": "p", "scale": 9, "method": "synthesis", "status": "done", **given})


@pytest.mark.parametrize(
    ("row", "text", "kind"),
    [
        pytest.param(
            _row(seconds=1.234, cost=5, predicted=5, verified=True), "1.23", "good", id="worst"
        ),
        pytest.param(
            _row(seconds=1.234, cost=4, predicted=5, verified=False),
            "1.23 (80 %)",
            "short",
            id="not the worst",
        ),
        pytest.param(
            _row(seconds=1.0, cost=5, predicted=5, verified=False),
            "1.00 (not verified)",
            "short",
            id="beaten",
        ),
        pytest.param(_row(seconds=2.0, cost=4), "2.00 (no formula)", "short", id="no formula"),
        pytest.param(_row(status="OOT", seconds=60.0, predicted=5), "OOT", "out", id="OOT"),
        pytest.param(
            _row(status="OOT", cost=4, predicted=5, verified=False),
            "OOT (80 %)",
            "out",
            id="OOT with something",
        ),
        pytest.param(
            _row(status="OOT", cost=5, predicted=5, verified=True),
            "OOT (100 %)",
            "out",
            id="OOT with the worst",
        ),
        pytest.param(_row(status="failed", reason="no"), "–", "none", id="failed"),
        pytest.param(
            _row(method="random", cost=4, predicted=5, verified=False), "80 %", "short", id="random"
        ),
        pytest.param(
            _row(method="climb", cost=5, predicted=5, verified=True), "100 %", "good", id="climb"
        ),
        pytest.param(None, "", "none", id="not measured yet"),
    ],
)
def test_cells(row: Row | None, text: str, kind: str) -> None:
    cell = measured_cell(row)
    assert (cell.text, cell.kind) == (text, kind)


def test_a_share_is_100_only_if_it_is() -> None:
    assert share_text(10**20 - 1, 10**20) == "99.9 %"
    assert share_text(7, 7) == "100 %"
    assert share_text(989, 1000) == "98 %"
    assert share_text(3, 2) == "150 %"


def test_numbers() -> None:
    assert number_text(None) == "–"
    assert number_text(376747) == "376,747"
    assert number_text(10**40) == "about 10^40"
    assert [seconds_text(s) for s in (0.5, 12.34, 123.4)] == ["0.50", "12.3", "123"]
