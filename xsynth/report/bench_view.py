"""What the reports of a benchmark show in each cell, the same in text, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from xsynth.bench.methods import AS_LONG, METHODS
from xsynth.bench.published import QUANTITIES
from xsynth.bench.results import Learned, Results, Row

NOTE = (
    "Seconds of the whole process, learning included. A percentage is the cost reached, of the "
    "worst-case cost that the formula predicts; without one, the worst case was reached and "
    "verified by running the function. Random search and hill climbing run for as long as "
    "synthesis took (5 s where that gave nothing), so only what they reached is shown. Once a "
    "method is out of time or memory, it is not run at larger n. "
    "OOT: out of time; OOM: out of memory; –: no input was found (the details say why)."
)
ELSEWHERE = "Published figures were measured elsewhere, by others, on other machines and programs."


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, and the number by which a column is sorted."""

    text: str
    number: float | None = None
    kind: str = ""
    """good, short, out, none or elsewhere: for colours."""


def seconds_text(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.2f}"
    return f"{seconds:.1f}" if seconds < 100 else f"{seconds:.0f}"


def number_text(number: int | float | None) -> str:
    if number is None:
        return "–"
    if isinstance(number, float):
        return f"{number:,.1f}"
    return f"{number:,}" if abs(number) < 10**15 else f"about 10^{len(str(abs(number))) - 1}"


def share_text(cost: int, predicted: int) -> str:
    """Never 100 % unless it is."""
    share = Fraction(cost, predicted) if predicted else Fraction(1)
    tenths = int(share * 1000)
    return f"{tenths // 10} %" if tenths < 990 or tenths >= 1000 else f"{tenths / 10} %"


def measured_cell(row: Row | None) -> Cell:
    """One method in the table of all."""
    if row is None:
        return Cell("", None, "none")
    reached = row.cost is not None and row.predicted is not None
    short = ""
    if reached and not row.verified:
        assert row.cost is not None and row.predicted is not None
        short = share_text(row.cost, row.predicted)
        if row.cost == row.predicted:
            short = "not verified"
    if row.status in ("OOT", "OOM"):
        more = f" ({short or '100 %'})" if reached else ""
        return Cell(f"{row.status}{more}", None, "out")
    if row.status != "done" or row.cost is None:
        return Cell("–", None, "none")
    if row.method in AS_LONG:
        shown = short or ("100 %" if reached else number_text(row.cost))
        share = row.cost / row.predicted if reached and row.predicted else None
        return Cell(shown, share, "short" if short else "good")
    assert row.seconds is not None
    shown = seconds_text(row.seconds) + (f" ({short})" if short else "")
    if not reached:
        shown += " (no formula)"
    return Cell(shown, row.seconds, "short" if short or not reached else "good")


def tools(results: Results) -> list[str]:
    return list(dict.fromkeys(figure.tool for figure in results.published))


def published_cell(results: Results, program: str, scale: int, tool: str) -> Cell:
    found = {
        figure.quantity: figure.value
        for figure in results.published
        if (figure.program, figure.scale, figure.tool) == (program, scale, tool)
    }
    if "seconds" in found:
        value = found["seconds"]
        number = None if value in ("OOT", "OOM") else float(value)
        return Cell(value if number is None else seconds_text(number), number, "elsewhere")
    shown = ", ".join(f"{value} {QUANTITIES[q]}" for q, value in found.items())
    return Cell(shown, None, "elsewhere")


def head(results: Results) -> list[str]:
    methods = [METHODS[method] for method in results.methods]
    return ["program", "n", *methods, *(f"{tool} (published)" for tool in tools(results))]


def table(results: Results) -> Iterator[list[Cell]]:
    """A row a program and scale; a column a method, and one a published tool."""
    by_key = {(row.program, row.scale, row.method): row for row in results.rows}
    for program in results.programs:
        for scale in results.scales(program):
            cells = [measured_cell(by_key.get((program, scale, m))) for m in results.methods]
            if not any(cell.text for cell in cells):
                continue
            beside = [published_cell(results, program, scale, tool) for tool in tools(results)]
            yield [Cell(program), Cell(str(scale), scale), *cells, *beside]


DETAILS = (
    "n",
    "method",
    "seconds",
    "of these learning",
    "MB",
    "solver calls",
    "paths",
    "cost reached",
    "worst case",
    "verified",
    "remarks",
)


def details(results: Results, program: str) -> Iterator[list[Cell]]:
    for row in results.rows:
        if row.program == program:
            yield [
                Cell(str(row.scale), row.scale),
                Cell(METHODS[row.method]),
                _quantity(row.seconds, seconds_text),
                _quantity(row.learn_seconds, seconds_text),
                _quantity(row.megabytes, lambda mb: f"{mb:.0f}"),
                Cell(number_text(row.solver_calls), row.solver_calls),
                Cell(number_text(row.paths), row.paths),
                Cell(number_text(row.cost), row.cost),
                Cell(number_text(row.predicted), row.predicted),
                Cell(_VERIFIED[row.verified]),
                Cell(_remark(row)),
            ]


_VERIFIED = {True: "yes", False: "no", None: "–"}


def _remark(row: Row) -> str:
    status = "" if row.status == "done" else row.status
    return ": ".join(part for part in (status, row.reason) if part)


def _quantity(value: float | None, text: object) -> Cell:
    return Cell("–") if value is None else Cell(text(value), value)  # type: ignore[operator]


def learned_text(learned: Learned) -> str:
    """`learned in 0.8 s from 872 paths at scales 2, 3, 4, 5, 6: 3*n**2/2 + ..., O(n^2)`."""
    start = f"{learned.status} in {seconds_text(learned.seconds)} s"
    if learned.paths:
        scales = ", ".join(map(str, learned.scales)) or "none exhausted"
        start += f" from {number_text(learned.paths)} paths (scales {scales})"
    if learned.formula is None:
        return f"{start}: {learned.reason}" if learned.reason else start
    return f"{start}; worst case ({learned.measure}): {learned.formula}, {learned.growth}"
