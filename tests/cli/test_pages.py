"""The pages in a real browser: Debian's Chromium, driven by Playwright.

Where no browser is found these tests are skipped, and say so.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xsynth.bench.published import Figure, Source
from xsynth.bench.results import Learned, Results, Row, to_json
from xsynth.report.bench_html import report_html

from .conftest import Folder

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZES = {"desk": 1280, "phone": 400}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    found = os.environ.get("XSYNTH_BROWSER") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if found is None:
        pytest.skip("no browser was found: install chromium to test the pages")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


def _row(scale: int, method: str, seconds: float, **more: Any) -> Row:
    return Row("sorts", scale, method, "done", seconds=seconds, predicted=scale**2, **more)


@pytest.fixture(scope="module")
def results() -> Results:
    at = [10, 100, 9]
    rows = [
        _row(n, method, seconds, cost=n**2, verified=True, phases={"expand": 0.1, "solve": 0.2})
        for n in at
        for method, seconds in (("synthesis", n / 7), ("wise", n / 3))
    ]
    rows += [_row(n, "random", 3.0, cost=n**2 // 2, verified=False, average=n / 2) for n in at]
    rows[1] = Row("sorts", 10, "wise", "OOT", reason="stopped after 60 s", seconds=60.0)
    learned = Learned(
        program="sorts",
        status="learned",
        reason="",
        seconds=1.5,
        megabytes=80.0,
        measure="steps",
        formula="n**2",
        growth="O(n^2)",
        points=1,
        paths=872,
        scales=(2, 3),
        phases={"explore": 1.0, "fit": 0.5},
        predicted={str(n): n**2 for n in at},
        note="<b>bold</b> & dangerous",
    )
    return Results(
        suite="own",
        title="A suite <of> tests",
        settings={
            "methods": ["synthesis", "wise", "random"],
            "at": {"sorts": at},
            "jobs": 2,
            "time limit": 60.0,
            "memory limit": 4096.0,
        },
        machine={"processor": "abacus"},
        cells=9,
        learned={"sorts": learned},
        rows=tuple(rows),
        published=(
            Figure("sorts", 10, "XSTRESSOR", "seconds", "1.30"),
            Figure("sorts", 100, "XSTRESSOR", "seconds", "OOM"),
        ),
        sources=(Source("t.csv", "A paper", "another machine"),),
        seconds=90.0,
    )


def _texts(table: Any) -> list[list[str]]:
    rows = table.locator("tbody tr")
    return [rows.nth(k).locator("td").all_inner_texts() for k in range(rows.count())]


def _problems(page: Any) -> list[str]:
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda said: found.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: found.append(asked.url) if "file:" not in asked.url else None)
    return found


def test_tables_are_read_and_sorted(browser: Any, results: Results, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report_html(results))
    page = browser.new_page()
    problems = _problems(page)
    page.goto(file.as_uri())
    assert page.locator("h1").inner_text() == "A suite <of> tests"
    table = page.locator("table").first
    heads = table.locator("th").all_inner_texts()
    assert [head.strip() for head in heads] == [
        "program",
        "n",
        "synthesis",
        "guided, WISE",
        "random search",
        "XSTRESSOR (published)",
    ]
    assert _texts(table) == [
        ["sorts", "10", "1.43", "OOT", "50 %", "1.30"],
        ["sorts", "100", "14.3", "33.3", "50 %", "OOM"],
        ["sorts", "9", "1.29", "3.00", "49 %", ""],
    ]
    by_wise = table.locator("th", has_text="guided, WISE")
    by_wise.locator("button").click()
    assert [row[3] for row in _texts(table)] == ["3.00", "33.3", "OOT"]
    assert by_wise.get_attribute("aria-sort") == "ascending"
    by_wise.locator("button").click()
    assert [row[3] for row in _texts(table)] == ["33.3", "3.00", "OOT"]
    assert by_wise.get_attribute("aria-sort") == "descending"
    table.locator("th", has_text=re.compile("^n")).locator("button").press("Enter")
    assert [row[1] for row in _texts(table)] == ["9", "10", "100"]
    assert by_wise.get_attribute("aria-sort") is None
    assert page.locator("section", has_text="<b>bold</b> & dangerous").count() == 1
    assert not problems  # no error of the script, and nothing is loaded from elsewhere
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_plots_are_drawn_and_nothing_sticks_out(
    browser: Any, results: Results, tmp_path: Path, size: str, scheme: str
) -> None:
    file = tmp_path / "report.html"
    file.write_text(report_html(results))
    page = browser.new_page(viewport={"width": SIZES[size], "height": 800}, color_scheme=scheme)
    page.goto(file.as_uri())
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SIZES[size]
    drawings = page.locator("figure svg")
    assert drawings.count() == 3
    for k in range(3):
        box = drawings.nth(k).bounding_box()
        assert box["width"] > 250
        assert box["x"] + box["width"] <= SIZES[size]
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (_light(ink) < _light(paper)) is (scheme == "light")
    shot = page.screenshot(full_page=True, path=tmp_path / "report.png")
    assert shot.startswith(b"\x89PNG")
    page.close()


def _light(colour: str) -> int:
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])


def test_on_paper_tables_are_whole(browser: Any, results: Results, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(report_html(results))
    page = browser.new_page(viewport={"width": 720, "height": 1000}, color_scheme="dark")
    page.emulate_media(media="print")
    page.goto(file.as_uri())
    tables = page.locator(".scroll")
    for k in range(tables.count()):
        table = tables.nth(k).locator("table").bounding_box()
        assert table["x"] + table["width"] <= 721
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.close()


def test_the_page_of_one_program(browser: Any, learned: Folder) -> None:
    done = learned.xsynth("report", "--scale", "20")
    assert done.code == 0
    assert "insertion_sort at n = 20: cost 667, as predicted: verified" in done.err
    page = browser.new_page(viewport={"width": SIZES["phone"], "height": 800})
    problems = _problems(page)
    page.goto((learned.path / "insertion_sort.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]
    lines = page.locator("table.source tr")
    counts = {k + 1: lines.nth(k).locator("td.count").inner_text() for k in range(lines.count())}
    # the loop 20 times, its body 19 times, each shift 190 times
    assert (counts[2], counts[3], counts[6], counts[9]) == ("20", "19", "190", "1")
    shares = [
        float(
            lines.nth(k)
            .locator("td.code span")
            .evaluate("e => e.style.getPropertyValue('--share')")
        )
        for k in range(lines.count())
    ]
    assert max(shares) == shares[4] == 1.0
    assert shares[1] < 0.2
    beside = lines.nth(4).locator("td.point").inner_text()
    assert "a[X1] > a[X2]" in beside
    assert "incre(" in beside
    assert page.locator(".big code").inner_text() == "3*n**2/2 + 7*n/2 - 3"
    assert page.locator(".badge").inner_text() == "verified"
    assert page.locator("figure", has_text="strictly decreasing").locator("rect").count() == 20
    assert not problems
    page.close()


def test_results_survive_json(results: Results) -> None:
    from xsynth.bench.results import from_json

    assert from_json(to_json(results)) == results.in_order()
