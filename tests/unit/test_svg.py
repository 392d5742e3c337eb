"""Plots and drawings: what is in them, at sizes where floats end."""

from __future__ import annotations

import math
import re

import pytest

from xsynth.report.drawings import input_html
from xsynth.report.svg import Series, axis, line_chart, number, stacked_bars


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.05, "0.05"),
        (500, "500"),
        (20_000, "20k"),
        (3_000_000, "3M"),
        (10**12, "10^12"),
        (math.factorial(500), "10^1134"),
    ],
)
def test_short_numbers(value: int | float, text: str) -> None:
    assert number(value) == text


def test_a_logarithmic_axis_marks_round_numbers() -> None:
    texts = [text for _, text in axis([10, 500], 0, 100, logarithmic=True).ticks()]
    assert texts == ["10", "20", "50", "100", "200", "500"]


def test_a_wide_logarithmic_axis_marks_powers_of_ten() -> None:
    texts = [text for _, text in axis([1, 10**9], 0, 100, logarithmic=True).ticks()]
    assert texts[0] == "1"
    assert texts == ["1", "100", "10k", "1M", "100M"]


def test_a_linear_axis_starts_at_zero() -> None:
    ticks = axis([3, 47], 0, 100, logarithmic=False).ticks()
    assert [text for _, text in ticks] == ["0", "10", "20", "30", "40"]
    assert ticks[0][0] == 0


def test_lines_rise_with_the_numbers_even_beyond_floats() -> None:
    points = tuple((n, math.factorial(n)) for n in (10, 100, 1000))
    drawn = line_chart([Series("n!", points, 0)], "n", "cost", "factorials")
    heights = [float(y) for y in re.findall(r'cy="([\d.]+)"', drawn)]
    assert len(heights) == 3
    assert heights == sorted(heights, reverse=True)


def test_what_has_no_logarithm_is_left_out() -> None:
    drawn = line_chart([Series("s", ((1, 0), (2, 5)), 0)], "n", "cost", "t")
    assert drawn.count("<circle") == 1
    assert line_chart([Series("s", ((1, 0),), 0)], "n", "cost", "t") == ""


def test_names_are_escaped() -> None:
    drawn = line_chart([Series("<i>", ((1, 2),), 0)], "n", "a & b", "t")
    assert "&lt;i&gt;" in drawn
    assert "a &amp; b" in drawn


def test_bars_are_stacked_without_gaps() -> None:
    parts = {"one": (0, [1.0, 2.0]), "two": (4, [3.0, 0.5])}
    drawn = stacked_bars(["10", "20"], parts, "n", "seconds", "t")
    found = re.findall(r'<rect class="bar" x="([\d.]+)" y="([\d.]+)".*?height="([\d.]+)"', drawn)
    boxes = [(float(x), float(y), float(h)) for x, y, h in found]
    assert len(boxes) == 4
    for below, above in ((boxes[0], boxes[2]), (boxes[1], boxes[3])):
        assert below[0] == above[0]
        assert above[1] + above[2] == pytest.approx(below[1], abs=0.11)
    assert boxes[2][2] == pytest.approx(3 * boxes[0][2], abs=0.2)


def test_a_list_is_bars_a_table_is_a_heat_map_a_text_is_text() -> None:
    shown = input_html({"a": [3, -1, 2], "grid": [[0, 1], [2, 3]], "text": "a<b\x00", "k": 7})
    assert shown.count("<figure>") == 4
    assert shown.count("a[0] = 3") == 1
    assert shown.count("grid[1][0] = 2") == 1
    assert "2 × 2" in shown
    assert "a&lt;b\\x00" in shown
    assert '<pre class="input">7</pre>' in shown


def test_large_inputs_are_thinned_and_say_so() -> None:
    shown = input_html({"a": list(range(5000)), "m": [[1] * 300 for _ in range(300)]})
    assert shown.count("<rect") < 700 + 120 * 120
    assert "one in 8 drawn" in shown
    assert "one row and column in 3 drawn" in shown


def test_numbers_beyond_floats_are_drawn() -> None:
    assert input_html({"a": [10**400, 10**399]}).count("<rect") == 2
