"""The results of a benchmark on a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xsynth.bench.results import Results
from xsynth.report.bench_view import (
    DETAILS,
    ELSEWHERE,
    NOTE,
    Cell,
    details,
    head,
    learned_text,
    seconds_text,
    table,
)

TEXT_COLUMNS = ("program",)
"""Aligned to the left."""


def summary_text(results: Results) -> str:
    """One table, wide as it is, and the formulas."""
    titles = head(results)
    rows = [[cell.text or "–" for cell in row] for row in table(results)]
    widths = [max(len(row[k]) for row in [titles, *rows]) for k in range(len(titles))]
    lines = [_line(row, titles, widths) for row in [titles, *rows]]
    lines += ["", *(f"{name}: {learned_text(one)}" for name, one in results.learned.items())]
    if results.published:
        lines += [ELSEWHERE]
    return "\n".join(lines) + "\n"


def _line(row: Sequence[str], titles: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        text.ljust(width) if title in TEXT_COLUMNS else text.rjust(width)
        for text, title, width in zip(row, titles, widths, strict=True)
    ]
    return "  ".join(cells).rstrip()


def report_markdown(results: Results, level: int = 1) -> str:
    mark = "#" * level
    parts = [f"{mark} {results.title}", _about(results), NOTE]
    parts.append(markdown_table(head(results), table(results)))
    if results.published:
        given = [f"- {s.source}. Measured on: {s.measured}." for s in results.sources]
        parts.append("\n".join([f"{ELSEWHERE} Their sources:", "", *given]))
    parts.append(f"{mark}# What was learned")
    parts.append(
        "\n".join(
            f"- **{name}**: {_escaped(learned_text(one))}" + (f" ({one.note})" if one.note else "")
            for name, one in results.learned.items()
        )
    )
    for program in results.programs:
        rows = list(details(results, program))
        if rows:
            parts += [f"{mark}# {program}", markdown_table(DETAILS, rows)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(results: Results) -> str:
    machine = "; ".join(f"{name}: {value}" for name, value in results.machine.items())
    settings = results.settings
    state = "" if results.finished else f" **Unfinished: {len(results.rows)} of {results.cells}.**"
    return (
        f"Measured in {seconds_text(results.seconds)} s, {settings['jobs']} at a time, at most "
        f"{settings['time limit']:g} s and {settings['memory limit']:g} MB each.{state} "
        f"Machine: {machine}."
    )


def markdown_table(titles: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    lines = [list(titles), ["---"] * len(titles)]
    lines += [[_escaped(cell.text) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(text: str) -> str:
    """Stars and bars mean something in Markdown."""
    return text.replace("|", "\\|").replace("*", "\\*")
