"""Results in words and small tables, for people."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xsynth.model.isg import evaluate
from xsynth.model.model import GeneratorPoint, Model
from xsynth.program.described import describe, in_words
from xsynth.program.locate import MODULE
from xsynth.program.places import MAKING, of_the_input, own_site
from xsynth.program.program import Program
from xsynth.program.shapes import FixedValue
from xsynth.report.caveats import dearest, worst_shape
from xsynth.report.decisions import decision_words
from xsynth.report.patterns import pattern_text, piece_text
from xsynth.report.words import input_lines
from xsynth.scale import Scale, corner, named, shown, sizes_of
from xsynth.synthesize.expand import expand_point
from xsynth.synthesize.generate import Generated
from xsynth.synthesize.preconditions import has_input
from xsynth.trace.building import BUILDERS
from xsynth.trace.terms import Place

if TYPE_CHECKING:
    from xsynth.explore.worst import Finding
    from xsynth.pipeline import Learning

OUT_OF_THIS_WORLD = 10**12
BEARABLE = 10**5
"""Costs: up to the first a size is suggested as it is, otherwise one with at most the second."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Columns aligned to the right, two spaces between them."""
    cells = [tuple(head), *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  " + "  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def plural(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


CLAUSES_SHOWN = 12
SCALES_HEAD = ("scale", "paths", "worst cost", "ties", "exhausted")


def learning_text(
    learning: Learning,
    program: Program,
    model_file: Path | None,
    *,
    named: bool,
    given: Collection[str] = (),
) -> str:
    """`named` where the model is in a file of the user's choice; `given` has the arguments
    that the user has fixed."""
    from xsynth.pipeline import Status

    rows = [
        (c.scale, c.paths, "-" if c.cost is None else c.cost, c.ties, _yes(c.exhaustive))
        for c in learning.worst
    ]
    lines = [f"{program.function}: {learning.status.value} in {learning.seconds:.1f} s"]
    fixed = [
        f"{p.name} = {p.shape.value.text}"
        for p in program.spec.params
        if isinstance(p.shape, FixedValue)
    ]
    if fixed:
        defaults = any(
            p.name not in given for p in program.spec.params if isinstance(p.shape, FixedValue)
        )
        hint = " (to vary one: --input NAME=TYPE)" if defaults else ""
        lines.append(f"with {', '.join(fixed)}{hint}")
    lines += table(SCALES_HEAD, rows) if rows else []
    lines += [
        f"  of the {c.ties} ties at scale {c.scale}, {len(c.kept)} are kept"
        for c in learning.worst
        if c.ties > len(c.kept)
    ]
    model = learning.model
    if model is None:
        lines += _dearest_lines(learning, program)
    if model is not None:
        lines += cost_lines(model)
        if learning.status is Status.LEARNED:
            lines.append(f"{_points_head(model)}, {learning.reason}")
        else:
            count = plural(len(model.policies), "branch policy", "branch policies")
            if model.directed:
                count = plural(len(model.decisions), "decision sequence")
            if model.enumerates:
                count = "every path is looked at"
            lines.append(f"{count}; no generators:")
            lines.append(f"  {learning.reason}")
    if model_file is not None and model is None:
        option = f" --model {shlex.quote(str(model_file))}" if named else ""
        lines.append(f"to search for a dear input all the same: xsynth generate --scale 30{option}")
    elif model_file is not None:
        lines.append(f"model: {model_file}")
        option = f" --model {shlex.quote(str(model_file))}" if named else ""
        # Without generators a search must reach the scale, and 500 is far for one.
        far = model is not None and (model.generates or model.directed)
        size = _bearable(model, 500 if far else 30)
        if any(case.cost is None and case.exhaustive for case in learning.worst):
            size = next((n for n in range(size, 2 * size) if has_input(program, n)), size)
        scale = example_scale(model, size)
        lines.append(f"next:  xsynth generate --scale {scale}{option}")
    return "\n".join(lines)


def _bearable(model: Model | None, size: int) -> int:
    """That size, or a smaller one where the cost is out of this world: 2^500."""
    if model is None or model.formula is None or len(model.variables) > 1:
        return size
    formula = model.formula
    if evaluate(formula, {"n": size}) <= OUT_OF_THIS_WORLD:
        return size
    sizes = (100, 50, 30, 20, 15, 12, 10, 9, 8)
    return next((n for n in sizes if evaluate(formula, {"n": n}) <= BEARABLE), 7)


def scale_list(scales: Sequence[Scale]) -> str:
    return (", " if all(isinstance(n, int) for n in scales) else "; ").join(map(str, scales))


def example_scale(model: Model | None, size: int) -> str:
    """What a person types to ask for about that size."""
    names = ("n",) if model is None else model.variables
    values = dict.fromkeys(names, size)
    if model is not None and model.region is not None:
        values[model.region.right] = size // 2
    return str(sizes_of(values))


def _dearest_lines(learning: Learning, program: Program) -> list[str]:
    worst = dearest(learning, program)
    if worst is None:
        return []
    what = "a worst input" if worst.exhaustive else "the worst input that was found"
    head = f"{what} at {shown(worst.scale)}, cost {worst.cost}:"
    shape = worst_shape(learning, program)
    lines = [head, *(f"  {line}" for line in input_lines(worst.arguments))]
    return lines if shape is None else [*lines, shape]


def _yes(exhaustive: bool) -> str:
    return "yes" if exhaustive else "no"


def sureness(model: Model) -> str:
    """Where the formula is known to be the worst case, and where it is believed to be."""
    proved = [r.scale for r in model.scales if r.exhaustive]
    return f"every path was explored at {scale_list(proved)}; beyond, this is an extrapolation"


def cost_lines(model: Model) -> list[str]:
    if model.formula is None:
        return [f"worst-case cost ({model.measure}): no formula"]
    text = f"worst-case cost ({model.measure}): {model.formula}, {model.growth}"
    start = model.holds_from
    region = model.region
    inside = [r.scale for r in model.scales if region is None or region.has(r.scale)]
    where = [] if region is None else [str(region)]
    lowest = named(corner(inside, lowest=True))
    where += [f"{k} >= {v}" for k, v in named(start).items() if v > lowest[k]]
    return [f"{text}, for {', '.join(where)}" if where else text]


def findings_text(findings: Sequence[Finding], program: Program) -> list[str]:
    """One warning for each exception and line: the smallest scale where it is met."""
    seen: dict[tuple[str, int], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.raised.kind, finding.raised.line), finding)
    return [
        f"warning: {program.path.name}:{f.raised.line}: {f.raised.kind}"
        f"{': ' + _short(f.raised.message) if f.raised.message else ''}"
        f" where {_short(', '.join(f'{k} = {v!r}' for k, v in f.arguments.items()))}"
        for f in seen.values()
    ]


def _short(text: str, most: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def generated_line(made: Generated, program: Program, seconds: float) -> str:
    """`insertion_sort at n = 500: cost 376748, as predicted: verified (synthesize, 0.9 s)`."""
    how = f"({made.strategy.value}, {seconds:.1f} s)"
    start = f"{program.function} at {shown(made.scale)}:"
    if made.raised is not None:
        return f"{start} it raises {made.raised.kind} on line {made.raised.line}: unverified {how}"
    if made.verified is None:
        return f"{start} predicted cost {made.predicted}: not verified {how}"
    if made.verified:
        return f"{start} cost {made.observed}, as predicted: verified {how}"
    if made.predicted is None:
        return f"{start} cost {made.observed}, with nothing to compare it with: unverified {how}"
    if made.beaten:
        return f"{start} cost {made.observed}, as predicted, but not the worst: unverified {how}"
    return f"{start} cost {made.observed}, predicted {made.predicted}: unverified {how}"


def changed_line(program: Program, model_file: Path) -> str:
    return (
        f"warning: {program.path.name} has changed since {model_file} was learned from it:"
        f" the replay decides; to learn again: xsynth learn"
        f" {shlex.quote(str(program.path))}::{program.function}"
    )


# -- explain


def _place(program: str) -> str:
    """A module by its name, a file by its path."""
    name = program.removeprefix(MODULE)
    return name if name != program else str(_near(Path(program)))


def _near(path: Path) -> Path:
    """A path below the current folder as one types it there."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def model_text(model: Model, source: str | None) -> list[str]:
    """The whole model: inputs, scales, cost, and its points beside the source lines."""
    lines = [f"{model.function} in {_place(model.program)}"]
    lines += [f"  {in_words(line)}" for line in describe(model.spec)]
    lines += ["", "scales explored:"]
    records = [(s.scale, s.paths, s.cost, s.ties, _yes(s.exhaustive)) for s in model.scales]
    lines += table(SCALES_HEAD, records)
    if model.guided:
        lines.append(f"  confirmed beyond, at {scale_list(model.guided)}")
    if not model.promises_nothing:
        lines.append(f"  worst path followed from scale to scale: {model.family}")
    lines.append("")
    lines += cost_lines(model)
    lines += ["", f"{_points_head(model)}{':' if model.points else ''}"]
    for point in model.points:
        lines += point_lines(point, source)
    if model.policies:
        count = plural(len(model.policies), "branch", "branches")
        lines += ["", f"{count} in the policy:"]
        for policy in model.policies:
            lines.append(f"  {where(policy.place, source)}  -> {_PREFER[policy.prefer]}")
    if model.decisions:
        lines += ["", f"{plural(len(model.decisions), 'decision sequence')}:"]
        for decision in model.decisions:
            lines.append(f"  {where(decision.place, source)}")
            lines += [f"    {text}" for text in decision_words(decision, source)]
    return lines


_PREFER = {True: "true where it can be", False: "false where it can be", None: "either side"}
_TAKEN = {True: "true", False: "false", None: "assigned"}


def _points_head(model: Model) -> str:
    if model.generates and not model.points:
        return "no decision depends on the input: every input of a size costs the same"
    if model.promises_nothing:
        return "nothing was learned: generate searches for a dear input, and verifies nothing"
    if model.enumerates:
        return "no generators: there are few paths, and generate looks at every one"
    return plural(len(model.points), "generator point")


def point_lines(point: GeneratorPoint, source: str | None) -> list[str]:
    def line_of(place: Place) -> int:
        return own_site(place, source).line

    lines = [f"  {where(point.place, source)}  [{_TAKEN[point.taken]}]"]
    for piece in point.pieces:
        clause, generators = piece_text(point, piece, line_of)
        target = f"value@{line_of(point.place)} = " if point.taken is None else ""
        lines.append(f"    {target}{clause}")
        lines += [f"      {generator}" for generator in generators]
    return lines


def clause_lines(model: Model, source: str | None) -> list[str]:
    """The path condition at the largest explored scale where it is short."""
    for record in reversed(model.scales):
        try:
            clauses = list(_clauses(model.points, record.scale, source))
        except ValueError:  # the generators begin at a larger scale
            break
        if 0 < len(clauses) <= CLAUSES_SHOWN:
            return ["", f"path condition at {shown(record.scale)}:", *(f"  {c}" for c in clauses)]
    return []


def _clauses(points: Sequence[GeneratorPoint], scale: Scale, source: str | None) -> Iterator[str]:
    def line_of(place: Place) -> int:
        return own_site(place, source).line

    for point in points:
        for counters, leaves in expand_point(point, scale):
            for at, row in zip(counters.tolist(), leaves.tolist(), strict=True):
                name = f"value@{line_of(point.place)}({', '.join(map(str, at))}) = "
                body = pattern_text(point.pattern, [str(leaf) for leaf in row], line_of)
                yield (name if point.taken is None else "") + body


def where(place: Place, source: str | None) -> str:
    """The line of a place, as the program has it."""
    if place.site.function in BUILDERS:
        return MAKING
    if not place.site.line:
        return of_the_input(place)
    line = own_site(place, source).line
    return f"line {line}: {_source_line(source, line)}".rstrip()


def _source_line(source: str | None, number: int) -> str:
    rows = [] if source is None else source.splitlines()
    return rows[number - 1].strip() if 0 < number <= len(rows) else ""
