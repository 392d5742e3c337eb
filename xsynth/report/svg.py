"""Small plots as inline SVG; colours come from the page's style sheet, in both schemes.

Numbers may be integers of any size: on a logarithmic axis only their logarithms are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeAlias

Number: TypeAlias = "int | float"
Point: TypeAlias = "tuple[Number, Number]"

WIDTH, HEIGHT = 420, 280
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 12, 40
COLOURS = 10


@dataclass(frozen=True, slots=True)
class Series:
    """`colour` is one of the style sheet's; `out` marks where a method gave up."""

    name: str
    points: tuple[Point, ...]
    colour: int
    dashed: bool = False
    dots: bool = True
    line: bool = True
    out: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Axis:
    """From numbers to a stretch of the drawing."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    def at(self, value: Number) -> float:
        here = math.log10(value) if self.logarithmic else float(value)
        return self.start + (here - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Where, and what stands there."""
        if not self.logarithmic:
            return [(self.at(v), number(v)) for v in _round_numbers(self.low, self.high)]
        return [(self.at(v), number(v)) for v in _powers(self.low, self.high)]


def axis(values: Sequence[Number], start: float, end: float, *, logarithmic: bool) -> Axis:
    if logarithmic:
        logs = [math.log10(value) for value in values if value > 0] or [0.0, 1.0]
        low, high = min(logs), max(logs)
        room = max(0.04 * (high - low), 0.05)
        return Axis(low - room, high + room, start, end, True)
    top = max([float(value) for value in values if math.isfinite(value)], default=1.0) or 1.0
    return Axis(0.0, 1.05 * top, start, end, False)


def _round_numbers(low: float, high: float) -> list[float]:
    step = 10 ** math.floor(math.log10((high - low) / 2))
    for factor in (1, 2, 5, 10):
        if (high - low) / (factor * step) <= 6:
            step *= factor
            break
    count = math.floor(high / step + 1e-9)
    return [k * step for k in range(math.ceil(low / step), count + 1)]


def _powers(low: float, high: float) -> list[Number]:
    """1, 2, 5, 10, ... where there is room; powers of ten, or every so many of them."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    every = max(1, math.ceil((last - first) / 6))
    powers: list[Number] = [_power(k) for k in range(first, last + 1) if k % every == 0]
    if high - low > 3:
        return powers
    found: list[Number] = []
    for k in range(math.floor(low), last + 1):
        steps = (1, 2, 5) if high - low > 1 or len(powers) > 1 else (1, 1.5, 2, 3, 4, 5, 7)
        found += [factor * _power(k) for factor in steps]
    return [value for value in found if low <= math.log10(value) <= high]


def _power(exponent: int) -> Number:
    return 10**exponent if exponent >= 0 else 10.0**exponent


def number(value: Number) -> str:
    """Short: 0.05, 500, 20k, 3M, 10^12."""
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)) + 1e-9)
    if exponent >= 9:
        lead = round(value / 10**exponent) if exponent < 300 else 1
        return f"10^{exponent}" if lead == 1 else f"{lead}e{exponent}"
    for power, unit in ((6, "M"), (3, "k")):
        if exponent >= power + (power == 3):
            return f"{value / 10**power:g}{unit}"
    return f"{value:.10g}"


def line_chart(series: Sequence[Series], x_name: str, y_name: str, title: str) -> str:
    """Both axes logarithmic."""
    shown = [replace(one, points=_positive(one.points), out=_positive(one.out)) for one in series]
    points = [point for one in shown for point in (*one.points, *one.out)]
    if not points:
        return ""
    across = axis([x for x, _ in points], LEFT, WIDTH - RIGHT, logarithmic=True)
    up = axis([y for _, y in points], HEIGHT - BOTTOM, TOP, logarithmic=True)
    parts = [_frame(across.ticks(), up.ticks(), x_name, y_name)]
    for one in shown:
        parts.append(_series(one, across, up))
    return _svg(parts, title)


def _positive(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in points if x > 0 and y > 0)


def _series(series: Series, across: Axis, up: Axis) -> str:
    at = [(across.at(x), up.at(y)) for x, y in series.points]
    parts = []
    if series.line and len(at) > 1:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        kind = "line dashed" if series.dashed else "line"
        parts.append(f'<polyline class="{kind}" points="{path}"/>')
    if series.dots:
        for (x, y), (n, value) in zip(at, series.points, strict=True):
            told = f"{series.name}, n = {n}: {number(value)}"
            parts.append(
                f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3.4">'
                f"<title>{escape(told)}</title></circle>"
            )
    for n, value in series.out:
        x, y = across.at(n), up.at(value)
        cross = f"M{x - 4:.1f},{y - 4:.1f} l8,8 m0,-8 l-8,8"
        told = f"{series.name}, n = {n}: out of time or memory"
        parts.append(f'<path class="out" d="{cross}"><title>{escape(told)}</title></path>')
    return f'<g class="s{series.colour % COLOURS}">{"".join(parts)}</g>'


def stacked_bars(
    labels: Sequence[str],
    parts: Mapping[str, tuple[int, Sequence[float]]],
    x_name: str,
    y_name: str,
    title: str,
) -> str:
    """A bar a label; the parts, each with its colour, from below in the order given."""
    totals = [sum(values[k] for _, values in parts.values()) for k in range(len(labels))]
    if not labels or not any(totals):
        return ""
    up = axis(totals, HEIGHT - BOTTOM, TOP, logarithmic=False)
    room = (WIDTH - RIGHT - LEFT) / len(labels)
    middles = [LEFT + room * (k + 0.5) for k in range(len(labels))]
    drawn = [
        _frame(list(zip(middles, labels, strict=True)), up.ticks(), x_name, y_name, lines=False)
    ]
    wide = min(34.0, 0.7 * room)
    below = [0.0] * len(labels)
    for name, (colour, values) in parts.items():
        bars = []
        for k, value in enumerate(values):
            top, bottom = up.at(below[k] + value), up.at(below[k])
            below[k] += value
            told = f"{name}, {x_name} = {labels[k]}: {value:.2f} s"
            bars.append(rectangle(middles[k] - wide / 2, top, wide, bottom - top, told))
        drawn.append(f'<g class="s{colour % COLOURS}">{"".join(bars)}</g>')
    return _svg(drawn, title)


def rectangle(x: float, y: float, wide: float, tall: float, told: str, shade: float = 1) -> str:
    """`told` is shown where one points at it."""
    opacity = "" if shade == 1 else f' fill-opacity="{shade:.2f}"'
    return (
        f'<rect class="bar" x="{x:.2f}" y="{y:.1f}" width="{wide:.2f}" height="{tall:.1f}"'
        f"{opacity}><title>{escape(told)}</title></rect>"
    )


def _frame(
    across: Sequence[tuple[float, str]],
    up: Sequence[tuple[float, str]],
    x_name: str,
    y_name: str,
    *,
    lines: bool = True,
) -> str:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for y, text in up:
        parts.append(f'<path class="grid" d="M{LEFT},{y:.1f} H{right}"/>')
        parts.append(
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>'
        )
    for x, text in _spaced(across):
        if lines:
            parts.append(f'<path class="grid" d="M{x:.1f},{TOP} V{bottom}"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{escape(text)}</text>'
        )
    parts.append(f'<path class="axis" d="M{LEFT},{TOP} V{bottom} H{right}"/>')
    middle = (TOP + bottom) / 2
    parts.append(
        f'<text class="name" x="{(LEFT + right) / 2:.1f}" y="{HEIGHT - 6}" '
        f'text-anchor="middle">{escape(x_name)}</text>'
        f'<text class="name" transform="translate(13 {middle:.1f}) rotate(-90)" '
        f'text-anchor="middle">{escape(y_name)}</text>'
    )
    return "".join(parts)


def _spaced(ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Without those whose texts would touch the one before."""
    found: list[tuple[float, str]] = []
    for x, text in ticks:
        if not found or x - found[-1][0] > 4 * (len(text) + len(found[-1][1])) + 4:
            found.append((x, text))
    return found


def _svg(parts: Sequence[str], title: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def series_legend(series: Sequence[Series]) -> str:
    kinds = ("dot" if not one.line else "dashed" if one.dashed else "" for one in series)
    return legend([(one.name, one.colour, kind) for one, kind in zip(series, kinds, strict=True)])


def legend(entries: Sequence[tuple[str, int, str]]) -> str:
    """`(name, colour, kind)`, kind being empty (a line), dashed, dot or box."""
    items = (
        f'<li class="s{colour % COLOURS} {kind}"><i></i><span>{escape(name)}</span></li>'
        for name, colour, kind in entries
    )
    return f'<ul class="legend">{"".join(items)}</ul>'
