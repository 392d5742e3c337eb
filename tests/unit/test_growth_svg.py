"""The drawing of how seconds and memory grow."""

from __future__ import annotations

import importlib.util
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "growth_svg.py"
_spec = importlib.util.spec_from_file_location("growth_svg", SCRIPT)
assert _spec is not None and _spec.loader is not None
growth_svg = importlib.util.module_from_spec(_spec)
sys.modules["growth_svg"] = growth_svg
_spec.loader.exec_module(growth_svg)

SVG = "{http://www.w3.org/2000/svg}"


def test_every_measurement_is_drawn_within_its_panel() -> None:
    points = [growth_svg.Point(n, 0.7 + n**2 / 1e4, 60 + n / 10) for n in (10, 20, 50, 100, 1000)]
    panels = {
        f"program_{k}": growth_svg.Panel(tuple(points[: k + 1]), "1.96", "-") for k in range(4)
    }
    text = growth_svg.growth_svg(panels)
    assert text == growth_svg.growth_svg(panels)
    root = ET.fromstring(text)
    groups = root.findall(f"{SVG}g")
    assert len(groups) == 4
    for k, group in enumerate(groups):
        places = [(float(c.get("cx")), float(c.get("cy"))) for c in group.findall(f"{SVG}circle")]
        assert len(places) == 2 * (k + 1)
        for x, y in places:
            assert growth_svg.LEFT <= x <= growth_svg.WIDTH - growth_svg.RIGHT
            assert growth_svg.TOP <= y <= growth_svg.HEIGHT - growth_svg.BOTTOM
        seconds, megabytes = places[: k + 1], places[k + 1 :]
        for series in (seconds, megabytes):  # n to the right, more is higher up
            assert series == sorted(series, key=lambda place: (place[0], -place[1]))
            assert [y for _, y in series] == sorted((y for _, y in series), reverse=True)
        words = [t.text for t in group.findall(f"{SVG}text")]
        assert f"program {k}" in words
        assert "seconds, slope 1.96" in words
