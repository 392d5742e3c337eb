"""Seconds and megabytes against n, on logarithmic axes, a panel a program: one SVG file.

Drawn by hand, so that it needs nothing installed and is the same file for the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

COLUMNS = 3
WIDTH, HEIGHT = 330, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 44, 40, 30
BLUE, RED = "#2a6fbb", "#c0562a"


@dataclass(frozen=True)
class Point:
    n: int
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Panel:
    """`seconds` and `megabytes` are what stands in the legend: the slopes."""

    points: tuple[Point, ...]
    seconds: str
    megabytes: str


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[int]:
        """Exponents of the powers of ten on the axis."""
        return list(range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1))


def _axis(values: Sequence[float], start: float, end: float) -> Axis:
    """Whole powers of ten at both ends, and at least one between them."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = math.ceil(math.log10(max(values)) - 1e-9)
    return Axis(low, max(high, low + 1), start, end)


def growth_svg(panels: Mapping[str, Panel]) -> str:
    rows = max(1, math.ceil(len(panels) / COLUMNS))
    width, height = COLUMNS * WIDTH, rows * HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, (name, panel) in enumerate(panels.items()):
        x, y = number % COLUMNS * WIDTH, number // COLUMNS * HEIGHT
        lines.append(f'<g transform="translate({x} {y})">')
        lines += _panel(name, panel)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(name: str, panel: Panel) -> list[str]:
    across = _axis([p.n for p in panel.points], LEFT, WIDTH - RIGHT)
    left = _axis([p.seconds for p in panel.points], HEIGHT - BOTTOM, TOP)
    right = _axis([p.megabytes for p in panel.points], HEIGHT - BOTTOM, TOP)
    middle = WIDTH / 2
    lines = [
        _text(middle, 14, name.replace("_", " "), "middle", "black", 12),
        _text(middle - 6, 29, f"seconds, slope {panel.seconds}", "end", BLUE),
        _text(middle + 6, 29, f"MB, slope {panel.megabytes}", "start", RED),
        _text(middle, HEIGHT - 4, "n", "middle", "black"),
    ]
    for power in across.ticks():
        x = across.at(10.0**power)
        lines.append(_line([(x, TOP), (x, HEIGHT - BOTTOM)], "#dddddd", 0.5))
        lines.append(_text(x, HEIGHT - BOTTOM + 12, _number(power), "middle", "black"))
    for power in left.ticks():
        y = left.at(10.0**power)
        lines.append(_line([(LEFT, y), (WIDTH - RIGHT, y)], "#dddddd", 0.5))
        lines.append(_text(LEFT - 4, y + 3, _number(power), "end", BLUE))
    for power in right.ticks():
        y = right.at(10.0**power)
        lines.append(_text(WIDTH - RIGHT + 4, y + 3, _number(power), "start", RED))
    for axis, values, colour in (
        (left, [p.seconds for p in panel.points], BLUE),
        (right, [p.megabytes for p in panel.points], RED),
    ):
        places = [(across.at(p.n), axis.at(v)) for p, v in zip(panel.points, values, strict=True)]
        lines.append(_line(places, colour, 1.5))
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>' for x, y in places]
    return lines


def _number(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:g}"


def _text(x: float, y: float, text: str, anchor: str, colour: str, size: int = 10) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-size="{size}">{text}</text>'
    )


def _line(places: Sequence[tuple[float, float]], colour: str, width: float) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
