"""The results of a benchmark as one page: tables that sort, and plots for each program."""

from __future__ import annotations

import re
from html import escape

from xsynth.bench.methods import AS_LONG, METHODS
from xsynth.bench.results import Learned, Results, Row
from xsynth.report import bench_view as view
from xsynth.report.page import Column, Data, definitions, figure, page, sorting_table
from xsynth.report.svg import Series, legend, line_chart, series_legend, stacked_bars
from xsynth.report.tables import plural

PHASES = {
    "explore": "explore small scales",
    "fit": "find generators",
    "expand": "expand",
    "solve": "solve",
    "input": "make the input",
    "replay": "replay",
    "probes": "try to beat it",
    "conformance": "check the path",
    "start-up": "start-up, reading",
}


def report_html(results: Results) -> str:
    parts = [
        f"<header><h1>{escape(results.title)}</h1>{_about(results)}</header>",
        _contents(results),
        "<main><section id='all'><h2>All programs</h2>",
        f'<p class="note">{escape(view.NOTE)}</p>',
        _summary(results),
        _sources(results),
        "</section>",
        *(_program(results, name) for name in results.programs),
        "</main>",
    ]
    return page(f"xsynth bench: {results.title}", "\n".join(part for part in parts if part))


def _about(results: Results) -> str:
    settings = results.settings
    at_once = plural(int(settings["jobs"]), "program")
    spent = f"{results.seconds / 60:.1f} minutes, {at_once} at a time"
    limits = f"{settings['time limit']:g} s and {settings['memory limit']:g} MB for each run"
    done = "" if results.finished else f"; unfinished, {len(results.rows)} of {results.cells}"
    pairs = [("measured in", spent + done), ("limits", limits), *results.machine.items()]
    return definitions(pairs)


def _contents(results: Results) -> str:
    links = "".join(
        f'<li><a href="#{_anchor(name)}">{escape(name)}</a></li>' for name in results.programs
    )
    return f'<nav aria-label="programs"><ul>{links}</ul></nav>'


def _anchor(name: str) -> str:
    return "program-" + re.sub(r"\W+", "-", name)


def _summary(results: Results) -> str:
    columns = [
        Column(title, "text" if k == 0 else "elsewhere" if "(published)" in title else "")
        for k, title in enumerate(view.head(results))
    ]
    rows = ([_data(cell) for cell in row] for row in view.table(results))
    return sorting_table(columns, rows, name="all programs", grouped=True)


def _data(cell: view.Cell) -> Data:
    return Data(cell.text, cell.number, cell.kind)


def _sources(results: Results) -> str:
    if not results.published:
        return ""
    items = "".join(
        f"<li>{escape(s.source)}. Measured on: {escape(s.measured)}.</li>" for s in results.sources
    )
    return (
        f'<p class="note">{escape(view.ELSEWHERE)} Their sources:</p><ul class="note">{items}</ul>'
    )


# -- one program


def _program(results: Results, name: str) -> str:
    rows = [row for row in results.rows if row.program == name]
    learned = results.learned.get(name)
    if not rows and learned is None:
        return ""
    parts = [f'<section id="{_anchor(name)}"><h2>{escape(name)}</h2>']
    if learned is not None:
        parts.append(f"<p>{escape(view.learned_text(learned))}</p>")
        if learned.note:
            parts.append(f'<p class="note">Note: {escape(learned.note)}.</p>')
    drawings = [
        _times(results, name, rows),
        _costs(rows, learned),
        _phases(rows, learned),
    ]
    parts.append(f'<div class="figures">{"".join(drawings)}</div>')
    columns = [Column(title, _KINDS.get(title, "")) for title in view.DETAILS]
    details = ([_data(cell) for cell in row] for row in view.details(results, name))
    parts.append(sorting_table(columns, details, name=f"{name}, all runs", grouped=True))
    return "\n".join([*parts, "</section>"])


_KINDS = {"method": "text", "verified": "text", "remarks": "wide"}


def _times(results: Results, name: str, rows: list[Row]) -> str:
    """Seconds of each method that is done when it has an input, and the published ones."""
    limit = float(results.settings["time limit"])
    series = []
    for colour, method in enumerate(METHODS):
        own = [row for row in rows if row.method == method and method not in AS_LONG]
        done = [(r.scale, r.seconds) for r in own if r.status == "done" and r.seconds is not None]
        out = [(r.scale, max(limit, r.seconds or 0)) for r in own if r.status in ("OOT", "OOM")]
        if done or out:
            series.append(Series(METHODS[method], tuple(done), colour, out=tuple(out[:1])))
    for colour, tool in enumerate(view.tools(results), start=6):
        points = [
            (figure.scale, float(figure.value))
            for figure in results.published
            if (figure.program, figure.tool, figure.quantity) == (name, tool, "seconds")
            and figure.value not in ("OOT", "OOM")
        ]
        if points:
            series.append(Series(f"{tool}, published", tuple(points), colour, dashed=True))
    drawn = line_chart(series, "n", "seconds", f"{name}: seconds against n")
    crossed = any(one.out for one in series)
    caption = "× out of time or memory there, and not run beyond" if crossed else ""
    return figure("Time", drawn, series_legend(series), caption)


def _costs(rows: list[Row], learned: Learned | None) -> str:
    predicted = {} if learned is None else learned.predicted
    formula = tuple((int(n), cost) for n, cost in predicted.items())
    reached: dict[int, int] = {}
    for row in rows:
        if row.cost is not None and row.method not in AS_LONG:
            reached[row.scale] = max(row.cost, reached.get(row.scale, 0))
    series = [Series("formula", formula, 4, dots=False)] if formula else []
    series.append(Series("worst case found", tuple(sorted(reached.items())), 0, line=False))
    for method, colour in (("random", 1), ("climb", 2)):
        own = [row for row in rows if row.method == method]
        best = tuple((row.scale, row.cost) for row in own if row.cost is not None)
        series.append(Series(f"{METHODS[method]}, best", best, colour))
        mean = tuple((row.scale, row.average) for row in own if row.average is not None)
        if method == "random":
            series.append(Series("random average", mean, 3))
    series = [one for one in series if one.points]
    measure = "cost" if learned is None or not learned.measure else f"cost ({learned.measure})"
    return figure("Cost", line_chart(series, "n", measure, "cost against n"), series_legend(series))


def _phases(rows: list[Row], learned: Learned | None) -> str:
    own = [row for row in rows if row.method == "synthesis" and row.status == "done"]
    if not own or learned is None:
        return ""
    spent = [_added(dict(learned.phases), row) for row in own]
    names = [name for name in PHASES if any(name in one for one in spent)]
    colours = dict(zip(PHASES, (0, 1, 2, 3, 5, 6, 7, 9, 4), strict=True))
    parts = {PHASES[name]: (colours[name], [one.get(name, 0.0) for one in spent]) for name in names}
    labels = [str(row.scale) for row in own]
    drawn = stacked_bars(labels, parts, "n", "seconds", "phases of synthesis")
    entries = [(name, colour, "box") for name, (colour, _) in parts.items()]
    return figure("Phases of synthesis", drawn, legend(entries))


def _added(spent: dict[str, float], row: Row) -> dict[str, float]:
    for name, seconds in row.phases.items():
        spent[name] = spent.get(name, 0.0) + seconds
    return spent
