"""An input as a picture: bars for a list of numbers, a heat map for a table, text as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from xsynth.report.svg import rectangle
from xsynth.report.words import in_words

WIDTH, HEIGHT = 640, 150
MOST_BARS = 640
MOST_CELLS = 120
"""Of a table, this many rows and columns; more are drawn by taking every so many."""
MOST_TEXT = 4000


def input_html(arguments: Mapping[str, object]) -> str:
    return "".join(_argument(name, value) for name, value in arguments.items())


def _argument(name: str, value: object) -> str:
    words = in_words(value)
    told = ", ".join(part for part in (_kind(value), words) if part)
    drawing = _drawing(name, value)
    head = f"<h3><code>{escape(name)}</code> <span class='soft'>{escape(told)}</span></h3>"
    return f"<figure>{head}{drawing}</figure>"


def _kind(value: object) -> str:
    match value:
        case str() | bytes():
            return f"{len(value)} characters"
        case list() | tuple() if _table(value) is not None:
            return f"{len(value)} × {len(value[0])}"
        case list() | tuple():
            return f"{len(value)} elements"
        case _:
            return ""


def _drawing(name: str, value: object) -> str:
    table = _table(value)
    if table is not None:
        return _heat_map(name, table)
    numbers = _numbers(value)
    if numbers is not None and len(numbers) > 1:
        return _bars(name, numbers)
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    shown = value if isinstance(value, str) else repr(value)
    cut = len(shown) > MOST_TEXT
    rest = f" … ({len(shown) - MOST_TEXT} more)" if cut else ""
    return f'<pre class="input">{escape(_visible(shown[:MOST_TEXT]))}{rest}</pre>'


def _visible(text: str) -> str:
    """Characters that print nothing are written as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _numbers(value: object) -> list[float] | None:
    if not isinstance(value, list | tuple) or not value:
        return None
    if not all(isinstance(item, int | float | Fraction) for item in value):
        return None
    return _scaled(value)


def _scaled(values: Sequence[Any]) -> list[float] | None:
    try:
        found = [float(value) for value in values]
    except OverflowError:
        largest = max(abs(value) for value in values)
        found = [float(Fraction(value, largest)) for value in values]
    return found if all(map(math.isfinite, found)) else None


def _table(value: object) -> list[list[float]] | None:
    if not isinstance(value, list | tuple) or not value:
        return None
    rows = [_numbers(row) for row in value]
    if any(row is None for row in rows) or len({len(row) for row in rows if row}) != 1:
        return None
    return [row for row in rows if row is not None]


def _bars(name: str, numbers: list[float]) -> str:
    """One a number, up or down from zero."""
    every = math.ceil(len(numbers) / MOST_BARS)
    shown = numbers[::every]
    low, high = min(0.0, *shown), max(0.0, *shown)
    span = high - low or 1.0
    wide = WIDTH / len(shown)
    gap = min(0.2 * wide, 2.0)
    zero = HEIGHT * high / span
    bars = []
    for k, value in enumerate(shown):
        tall = max(HEIGHT * abs(value) / span, 1.5)
        top = zero - tall if value >= 0 else zero
        told = f"{name}[{k * every}] = {value:g}"
        bars.append(rectangle(k * wide, top, wide - gap, tall, told))
    remark = f", one in {every} drawn" if every > 1 else ""
    told = f"{name}: from {min(numbers):g} to {max(numbers):g}{remark}"
    return (
        f'<svg class="s0" viewBox="0 0 {WIDTH} {HEIGHT + 4}" role="img" '
        f'aria-label="{escape(told)}">{"".join(bars)}'
        f'<path class="axis" d="M0,{zero:.1f} H{WIDTH}"/></svg>'
        f"<figcaption>{escape(told)}</figcaption>"
    )


def _heat_map(name: str, table: list[list[float]]) -> str:
    every = math.ceil(max(len(table), len(table[0])) / MOST_CELLS)
    rows = [row[::every] for row in table[::every]]
    low = min(min(row) for row in table)
    high = max(max(row) for row in table)
    span = high - low or 1.0
    size = min(24.0, WIDTH / max(len(rows), len(rows[0])))
    cells = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            shade = 0.08 + 0.92 * (value - low) / span
            told = f"{name}[{i * every}][{j * every}] = {value:g}"
            cells.append(rectangle(j * size, i * size, size, size, told, shade))
    wide, tall = size * len(rows[0]), size * len(rows)
    remark = f", one row and column in {every} drawn" if every > 1 else ""
    told = f"{name}: from {low:g} (pale) to {high:g} (strong){remark}"
    return (
        f'<svg class="s1" viewBox="0 0 {wide:.0f} {tall:.0f}" style="max-width: {wide:.0f}px" '
        f'role="img" aria-label="{escape(told)}">{"".join(cells)}</svg>'
        f"<figcaption>{escape(told)}</figcaption>"
    )
