"""One program as a page: where its worst case spends its steps, and why it is the worst."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from xsynth.complexity import Complexity, measure
from xsynth.model.isg import evaluate_int
from xsynth.model.model import GeneratorPoint, Model
from xsynth.model.order import WRITTEN
from xsynth.program.described import describe, in_words
from xsynth.program.places import own_site
from xsynth.report.decisions import decision_words
from xsynth.report.drawings import input_html
from xsynth.report.page import Column, Data, definitions, figure, page, sorting_table
from xsynth.report.patterns import piece_text
from xsynth.report.svg import Series, line_chart, series_legend
from xsynth.report.tables import cost_lines
from xsynth.scale import Scale, extent, named, shown
from xsynth.session import Opened, generate_from
from xsynth.synthesize.generate import Generated

CURVE = 40
"""Points of the formula's curve."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found out for the page: the input at its scale, and the lines it ran."""

    scale: Scale
    made: Generated | None
    failed: str
    lines: dict[int, int]
    measured: Complexity | None

    @property
    def verdict(self) -> str:
        made = self.made
        if made is None:
            return f"no input was found: {self.failed}"
        if made.verified:
            return f"cost {made.observed}, as predicted: verified"
        if made.observed is None:
            return "the input was not run to its end: not verified"
        return f"cost {made.observed}, predicted {made.predicted}: not verified"


def inspect(opened: Opened, scale: Scale, timeout: float) -> Seen:
    made = generate_from(opened, scale, timeout=timeout)
    measured = measure(opened, extent(scale)) if isinstance(scale, int) else None
    if not isinstance(made, Generated):
        failed = "; ".join(f"{one.strategy.value}: {one.reason}" for one in made)
        return Seen(scale, None, failed, {}, measured)
    lines: dict[int, int] = {}
    if made.observed is not None:
        counts = opened.program.replay(made.arguments).counts
        lines = opened.program.line_counts(counts)
    return Seen(scale, made, "", lines, measured)


def program_html(opened: Opened, seen: Seen) -> str:
    model = opened.model
    parts = [
        f"<header><h1>The worst case of <code>{escape(model.function)}</code></h1>",
        _formula(model),
        definitions(_facts(opened, seen)),
        "</header><main>",
        _section(f"The source, at {shown(seen.scale)}", _source(opened, seen)),
        _section("Growth", _growth(opened, seen)),
        _section("The worst-case input", _input(seen)),
        _section("How it was verified", _verified(opened, seen)),
        "</main>",
    ]
    return page(f"xsynth: {model.function}", "\n".join(parts))


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _formula(model: Model) -> str:
    (told,) = cost_lines(model)
    if model.formula is None:
        return f"<p class='big'>{escape(told)}</p>"
    before, formula, after = told.partition(str(model.formula))
    return f"<p class='big'>{escape(before)}<code>{escape(formula)}</code>{escape(after)}</p>"


def _facts(opened: Opened, seen: Seen) -> list[tuple[str, str]]:
    model = opened.model
    scales = ", ".join(str(one.scale) for one in model.scales if one.exhaustive)
    paths = sum(one.paths for one in model.scales)
    facts = [
        ("file", opened.program.path.name),
        ("inputs", "; ".join(map(in_words, describe(model.spec)))),
        ("explored", f"every path at scales {scales}: {paths:,} paths"),
        (f"at {shown(seen.scale)}", seen.verdict),
    ]
    if model.guided:
        facts.insert(3, ("confirmed at", ", ".join(map(str, model.guided))))
    return facts


# -- the source


def _source(opened: Opened, seen: Seen) -> str:
    """Each line with its count, its heat, and the generator points that it makes."""
    model = opened.model
    source = opened.program.source
    text = source.splitlines()
    points: dict[int, list[GeneratorPoint]] = {}
    for point in model.points if not opened.changed else ():
        points.setdefault(own_site(point.place, source).line, []).append(point)
    decisions: dict[int, str] = {}
    for decision in model.decisions if not opened.changed and not model.points else ():
        told = decision_words(decision, source)
        words = "".join(f"<div>{escape(one)}</div>" for one in told)
        at = own_site(decision.place, source).line
        decisions[at] = decisions.get(at, "") + words
    most = max(seen.lines.values(), default=0)
    rows = []
    for number, line in enumerate(text, start=1):
        count = seen.lines.get(number)
        share = 0.0 if not count or not most else count / most
        beside = "".join(_point(point, source) for point in points.get(number, ()))
        beside += decisions.get(number, "")
        rows.append(
            f'<tr><td class="line">{number}</td>'
            f'<td class="count">{"" if count is None else format(count, ",")}</td>'
            f'<td class="code"><span style="--share: {share:.3f}">{escape(line) or " "}</span></td>'
            f'<td class="point">{beside}</td></tr>'
        )
    note = _source_note(opened, seen)
    return (
        f'<p class="note">{escape(note)}</p>'
        '<div class="scroll" tabindex="0" role="region" aria-label="the source">'
        f'<table class="source"><tbody>{"".join(rows)}</tbody></table></div>'
        f"{_order_points(points, source)}"
    )


def _source_note(opened: Opened, seen: Seen) -> str:
    if opened.changed:
        return "The file has changed since it was learned: generator points are not shown."
    if not seen.lines:
        return "No input was run, so no line was counted."
    hot, most = max(seen.lines.items(), key=lambda pair: (pair[1], -pair[0]))
    note = f"How often each line ran, and the colder the paler; line {hot} ran {most:,} times."
    if opened.model.points:
        note += " Beside a line: the constraints that the worst path meets there."
    elif opened.model.decisions:
        note += " Beside a line: how the worst path decides there."
    return note


def _order_points(points: dict[int, list[GeneratorPoint]], source: str) -> str:
    """Those that stand for no line: comparisons reduced to an order, or an input's values."""
    own = points.get(0, ())
    if not own:
        return ""
    told = "The comparisons of the worst path, reduced to the order of the elements:"
    if any(point.place == WRITTEN for point in own):
        told = "The values of the input, which the worst path's constraints only bound:"
    loose = "".join(_point(point, source) for point in own)
    return (
        f"<p class='note'>{told}</p><table class='source'><tbody><tr><td class='point'>{loose}"
        "</td></tr></tbody></table>"
    )


_TAKEN = {True: "true", False: "false", None: "assigned"}


def _point(point: GeneratorPoint, source: str) -> str:
    parts = []
    for piece in point.pieces:
        clause, generators = piece_text(point, piece, lambda place: own_site(place, source).line)
        name = f"{clause}  [{_TAKEN[point.taken]}]"
        parts.append(f"<div>{escape(name)}</div>")
        parts += [f'<div class="generator">{escape(line)}</div>' for line in generators]
    return "".join(parts)


# -- growth


def _growth(opened: Opened, seen: Seen) -> str:
    found = seen.measured
    if found is None:
        return "<p>With several size variables no curve is drawn.</p>"
    sizes = [one.scale for one in found.sizes]
    series = _curves(opened.model, found, sizes)
    drawn = line_chart(series, "n", opened.model.measure, "cost against n")
    told = series_legend(series)
    columns = [
        Column("n"),
        Column("worst cost"),
        Column("random average"),
        Column("found by", "text"),
    ]
    rows = [
        [
            Data(str(one.scale), extent(one.scale)),
            Data(f"{one.cost:,}", one.cost),
            Data("–" if one.average is None else f"{one.average:,.1f}", one.average),
            Data(one.source + ("" if one.verified else " (not verified)")),
        ]
        for one in found.sizes
    ]
    table = sorting_table(columns, rows, name="cost against n")
    return f'<div class="figures">{figure("Cost", drawn, told)}<div>{table}</div></div>'


def _curves(model: Model, found: Complexity, sizes: Sequence[Scale]) -> list[Series]:
    first, last = extent(sizes[0]), extent(sizes[-1])
    between = sorted({round(first * (last / first) ** (k / CURVE)) for k in range(CURVE + 1)})
    series = []
    if model.formula is not None:
        curve = tuple((n, evaluate_int(model.formula, {"n": n})) for n in between)
        series.append(Series("formula", curve, 4, dots=False))
    worst = tuple((extent(one.scale), one.cost) for one in found.sizes)
    series.append(Series("worst case", worst, 1, line=False))
    average = tuple((extent(o.scale), o.average) for o in found.sizes if o.average is not None)
    if average:
        series.append(Series("random average", average, 0))
    return series


# -- the input, and how it was verified


def _input(seen: Seen) -> str:
    if seen.made is None:
        return f"<p>None was found: {escape(seen.failed)}.</p>"
    return f'<div class="figures">{input_html(seen.made.arguments)}</div>'


def _verified(opened: Opened, seen: Seen) -> str:
    made = seen.made
    model = opened.model
    badge, word = ("open", "not known")
    if made is not None and made.verified is not None:
        badge, word = ("yes", "verified") if made.verified else ("no", "not verified")
    parts = [f'<p><span class="badge {badge}">{word}</span></p><ul>']
    exhausted = ", ".join(str(one.scale) for one in model.scales if one.exhaustive)
    parts.append(
        f"<li>At the scales {escape(exhausted)} every path was explored: there the worst cost "
        "is proved.</li>"
    )
    if model.guided:
        beyond = ", ".join(map(str, model.guided))
        parts.append(
            f"<li>At {escape(beyond)}, beyond them, inputs made from the model cost what the "
            "formula says.</li>"
        )
    if made is not None:
        parts += [f"<li>{escape(line)}</li>" for line in _run_lines(made)]
    parts.append(
        "<li>Beyond the explored scales the formula is an extrapolation: exact where it was "
        "checked, not a proof.</li></ul>"
    )
    return "".join(parts)


def _run_lines(made: Generated) -> list[str]:
    where = ", ".join(f"{name} = {value}" for name, value in named(made.scale).items())
    lines = [f"The input at {where} was found by: {made.strategy.value}."]
    if made.stats is not None:
        given = made.stats.clauses.get("given", 0)
        lines.append(
            f"Its path condition has {given:,} clauses; the solver was asked "
            f"{made.stats.solver_calls} time{'s' * (made.stats.solver_calls != 1)}."
        )
    if made.observed is not None:
        lines.append(
            f"The function itself ran on it, with counters and nothing else: cost "
            f"{made.observed:,}, predicted {_number(made.predicted)}."
        )
    if made.conforms is not None:
        met = "exactly" if made.conforms else "not"
        lines.append(f"Traced again, the run met {met} the predicted constraints.")
    lines += [f"{note[:1].upper()}{note[1:]}." for note in made.notes]
    spent = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in made.seconds.items())
    return [*lines, f"Time: {spent}."]


def _number(value: int | None) -> str:
    return "nothing" if value is None else f"{value:,}"
