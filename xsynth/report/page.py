"""A page of HTML that needs nothing but itself: style sheet and script are in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files


def page(title: str, body: str) -> str:
    assets = files("xsynth") / "report" / "assets"
    style = (assets / "page.css").read_text(encoding="utf-8")
    script = (assets / "sort.js").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    kind: str = ""
    """text (to the left), wide (may break), elsewhere, or empty for numbers."""


@dataclass(frozen=True, slots=True)
class Data:
    """A cell: its text, the number it is sorted by, and a class."""

    text: str
    number: float | None = None
    kind: str = ""


def sorting_table(
    columns: Sequence[Column], rows: Iterable[Sequence[Data]], *, name: str, grouped: bool = False
) -> str:
    """`grouped`: the first column stays in sight, and a rule parts its values."""
    heads = "".join(
        f'<th scope="col" class="{_classes(column.kind)}">'
        f'<button type="button">{escape(column.title)}</button></th>'
        for column in columns
    )
    body, before = [], None
    for row in rows:
        first = ' class="first"' if grouped and before != row[0].text else ""
        before = row[0].text
        cells = "".join(_cell(data, column) for data, column in zip(row, columns, strict=True))
        body.append(f"<tr{first}>{cells}</tr>")
    stuck = " stick" if grouped else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}">'
        f'<table class="sorts{stuck}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _cell(data: Data, column: Column) -> str:
    number = "" if data.number is None else f' data-number="{_sortable(data.number)}"'
    kind = _classes(column.kind, data.kind)
    return f'<td class="{kind}"{number}>{escape(data.text)}</td>'


def _sortable(number: float) -> str:
    try:
        return f"{float(number):.9g}"
    except OverflowError:
        return "Infinity"


def _classes(*kinds: str) -> str:
    found = dict.fromkeys(kind for kind in kinds if kind)
    return " ".join(["text", *found] if "wide" in found else found)


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    return f"<dl>{''.join(f'<dt>{escape(k)}</dt><dd>{escape(v)}</dd>' for k, v in pairs)}</dl>"


def figure(title: str, drawing: str, legend: str, caption: str = "") -> str:
    if not drawing:
        return ""
    under = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure><h3>{escape(title)}</h3>{drawing}{legend}{under}</figure>"
