"""Models as text files: `read_model(write_model(model)) == model`.

`grammars/model.lark` is the format.  The writer here makes one text of a model, always
the same; the reader accepts a text only whole and unaltered (its last line holds the
digest of the others), builds the model from the tree of the parse, and executes nothing.

Places are named by their line, `p8`, and `p8.2` for the second on that line, so that a
change in one part of a program leaves the names in other parts alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, VisitError

from xsynth.errors import ModelFileError, XsynthError
from xsynth.model.decision_text import (
    READ_SIDES,
    SIDES,
    DecisionReader,
    decision_lines,
    piece_line,
    places_of,
)
from xsynth.model.grammars import parser
from xsynth.model.isg import Expr, parse_expr
from xsynth.model.model import BranchPolicy, GeneratorPoint, Model, ScaleRecord
from xsynth.model.pattern_text import check_depth, parts, write_pattern
from xsynth.model.patterns import DefHole
from xsynth.model.quoting import integer, number, unquoted, word
from xsynth.model.region import Region, parse_region
from xsynth.program.inputs import InputSpec, describe, parse_described
from xsynth.scale import Scale, sizes_of
from xsynth.trace.terms import Place, Site

VERSION = 1
LEARN_AGAIN = "Learn it again: xsynth learn PROGRAM --scales 2..6"
_HEADER = re.compile(r"xsynth model (\S{1,20})")
_END = re.compile(r"end sha256 ([0-9a-f]{64})")
_FUNCTION = re.compile(r"(?:[^\W\d]\w*|<\w+>)(?:\.(?:[^\W\d]\w*|<\w+>))*")
_MEASURE = re.compile(r"[^\s=\"]+")
_LINE = re.compile(r"[^ \"](?:.*[^ ])?")


# ------------------------------------------------------------------ writing


def write_model(model: Model) -> str:
    places = _names(model)
    body = "\n".join(_statements(model, places)) + "\n"
    return f"{body}end sha256 {_digest(body)}\n"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def _names(model: Model) -> dict[Place, str]:
    """A name for each place that the model speaks of, in the order of the source."""
    used = {policy.place for policy in model.policies}
    for decision in model.decisions:
        used |= places_of(decision)
    for point in model.points:
        used.add(point.place)
        check_depth(point.pattern)
        for part in parts(point.pattern):
            if isinstance(part, DefHole):
                used.add(part.place)
    names: dict[Place, str] = {}
    for line, group in groupby(sorted(used, key=_source_order), key=lambda p: p.site.line):
        for rank, place in enumerate(group, 1):
            names[place] = f"p{line}" if rank == 1 else f"p{line}.{rank}"
    return names


def _source_order(place: Place) -> tuple[tuple[int, int, str], ...]:
    return tuple((s.line, s.instruction, s.function) for s in (place.site, *place.context))


def _statements(model: Model, places: Mapping[Place, str]) -> Iterator[str]:
    yield f"xsynth model {VERSION}"
    yield f"program {word(model.program, _LINE)}"
    yield f"function {word(model.function, _LINE)}"
    yield f"sha256 {word(model.digest, _LINE)}"
    formula = "" if model.formula is None else f" = {model.formula}"
    yield f"cost {word(model.measure, _MEASURE)}{formula}"
    yield f"family {word(model.family, _LINE)}"
    for seen in model.scales:
        extent = "exhaustive" if seen.exhaustive else "partial"
        paths, cost, ties = number(seen.paths), number(seen.cost), number(seen.ties)
        yield f"scale {_scale(seen.scale)}: paths {paths}, {extent}, cost {cost}, ties {ties}"
    if model.guided:
        yield f"guided {' '.join(map(_scale, model.guided))}"
    if model.never_ran:
        yield f"never ran {' '.join(map(number, model.never_ran))}"
    if model.region is not None:
        yield f"where {model.region}"
    for line in describe(model.spec):
        keyword, _, rest = line.partition(" ")
        yield f"{keyword} {word(rest, _LINE)}"
    if places:
        yield ""
    for place, name in places.items():
        around = " > ".join(map(_site, place.context))
        yield f"place {name} = {_site(place.site)}{' in ' if around else ''}{around}"
    for point in model.points:
        yield ""
        side = "assign" if point.taken is None else SIDES[point.taken]
        yield f"point {places[point.place]} {side}: {write_pattern(point.pattern, places)}"
        for piece in point.pieces:
            yield f"  {piece_line(piece)}"
    if model.policies:
        yield ""
    for policy in model.policies:
        prefer = "either" if policy.prefer is None else SIDES[policy.prefer]
        yield f"policy {places[policy.place]} {prefer}"
    for decision in model.decisions:
        yield ""
        yield from decision_lines(decision, places)


def _scale(scale: Scale) -> str:
    return number(scale) if isinstance(scale, int) else str(scale)


def _site(site: Site) -> str:
    function = word(site.function, _FUNCTION)
    return f"{function}:{number(site.line)}@{number(site.instruction)}"


# ------------------------------------------------------------------ reading


def read_model(text: str, source: str = "<model>") -> Model:
    """The model of a text; `source` names the file in what a ModelFileError says."""
    text = text.replace("\r\n", "\n")
    _check_whole(text, source)
    try:
        tree = parser("model", "model").parse(text, "model")
    except UnexpectedInput as error:
        line = error.line if isinstance(error.line, int) and error.line > 0 else text.count("\n")
        raise _unreadable(source, line, text, "it is not what a model says here") from None
    statements = tree.children[1]
    assert isinstance(statements, Tree)
    build = _Build()
    found: dict[str, list[Any]] = {rule: [] for rule in _STATEMENTS}
    for statement in statements.children:
        assert isinstance(statement, Tree)
        try:
            found[_KINDS.get(statement.data, statement.data)].append(build.transform(statement))
        except VisitError as error:
            at = _first_line(error.obj) or _first_line(statement)
            raise _unreadable(source, at, text, _reason(error.orig_exc)) from None
    specs: list[InputSpec] = found["input"] + found["assume"]
    measure, formula = found["cost"][0]
    return Model(
        program=found["program"][0],
        function=found["function"][0],
        digest=found["digest"][0],
        spec=InputSpec(
            tuple(param for spec in specs for param in spec.params),
            tuple(text for spec in specs for text in spec.assumptions),
        ),
        measure=measure,
        formula=formula,
        scales=tuple(found["scale"]),
        region=found["where"][0] if found["where"] else None,
        guided=found["guided"][0] if found["guided"] else (),
        family=found["family"][0],
        points=tuple(found["point"]),
        policies=tuple(found["policy"]),
        decisions=tuple(found["decision"]),
        never_ran=found["never"][0] if found["never"] else (),
    )


def _check_whole(text: str, source: str) -> None:
    """Refuses what is no model, or not exactly what was written."""
    lines = text.split("\n")
    header = _HEADER.fullmatch(lines[0])
    if not text.strip():
        raise ModelFileError(f"{source}, line 1: the file is empty", LEARN_AGAIN)
    if header is None:
        raise ModelFileError(
            f"{source}, line 1: not a model, which begins with `xsynth model {VERSION}`",
            "Give the file that xsynth learn wrote, .xsynth/NAME.isg.",
        )
    if header[1] != str(VERSION):
        raise ModelFileError(
            f"{source}, line 1: made by version {header[1]!a}; this xsynth reads {VERSION}",
            LEARN_AGAIN,
        )
    last = len(lines) - 1 if lines[-1] == "" else len(lines)
    end = _END.fullmatch(lines[last - 1])
    if end is None:
        ended = any(_END.fullmatch(line) for line in lines)
        fault = "goes on after its end" if ended else "is cut off"
        raise ModelFileError(
            f"{source}, line {last}: the file {fault}, this last line is not `end sha256 ...`",
            LEARN_AGAIN,
        )
    body = "".join(f"{line}\n" for line in lines[: last - 1])
    if _digest(body) != end[1]:
        raise ModelFileError(
            f"{source}, line {last}: the file was changed by hand or damaged,"
            " its digest is another one",
            LEARN_AGAIN,
        )


def _unreadable(source: str, line: int, text: str, reason: str) -> ModelFileError:
    content = text.split("\n")[line - 1].strip()
    shown = content if len(content) <= 60 else f"{content[:60]}..."
    return ModelFileError(f"{source}, line {line}: cannot read {shown!a}: {reason}", LEARN_AGAIN)


def _reason(error: Exception) -> str:
    words = error.found if isinstance(error, XsynthError) else str(error)
    first = (words.splitlines() or [type(error).__name__])[0]
    return first if len(first) <= 100 else f"{first[:100]}..."


def _first_line(node: object) -> int:
    """The line of the first token under `node`, 0 if there is none."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, Token) and part.line is not None:
            return part.line
        if isinstance(part, Tree):
            stack += reversed(part.children)
    return 0


_STATEMENTS = (
    "program", "function", "digest", "cost", "family", "scale", "guided", "never", "where", "input",
    "assume", "place", "point", "policy", "decision",
)  # fmt: skip
_KINDS = dict.fromkeys(("turns", "after", "within", "values"), "decision")


def _read_scale(token: Token) -> Scale:
    if token.type == "INT":
        return integer(token)
    pairs = [pair.split("=") for pair in token.split(",")]
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError(f"{token} names a size twice")
    return sizes_of({name: int(value) for name, value in pairs})


def _text(_: object, children: list[Token]) -> str:
    return unquoted(children[0].rstrip(" "))


def _described(keyword: str) -> Callable[[object, list[Token]], InputSpec]:
    return lambda _, children: parse_described([f"{keyword} {_text(None, children)}"])


class _Build(DecisionReader):
    """The statements of one file, in their order: a place stands above its uses."""

    program = function = digest = family = _text
    input = _described("input")
    assume = _described("assume")

    def cost(self, children: list[Token]) -> tuple[str, Expr | None]:
        measure, *formula = children
        return unquoted(measure), parse_expr(formula[0]) if formula else None

    def scale(self, children: list[Token]) -> ScaleRecord:
        scale, paths, extent, cost, ties = children
        exhaustive = extent == "exhaustive"
        return ScaleRecord(
            _read_scale(scale), integer(paths), exhaustive, integer(cost), integer(ties)
        )

    def guided(self, children: list[Token]) -> tuple[Scale, ...]:
        return tuple([_read_scale(child) for child in children])

    def never(self, children: list[Token]) -> tuple[int, ...]:
        return tuple([integer(child) for child in children])

    def where(self, children: list[Token]) -> Region:
        return parse_region(children[0].rstrip(" "))

    def place(self, children: list[Any]) -> None:
        name, site, *context = children
        if name in self.places:
            raise ValueError(f"there are two places {name}")
        self.places[str(name)] = Place(site, tuple(context))

    def site(self, children: list[Token]) -> Site:
        function, line, instruction = children
        return Site(unquoted(function), integer(line), integer(instruction))

    def point(self, children: list[Any]) -> GeneratorPoint:
        name, side, pattern, *pieces = children
        if side == "either":
            raise ValueError("a point is true, false or assign")
        check_depth(pattern)
        return GeneratorPoint(self.named(name), READ_SIDES[side], pattern, tuple(pieces))

    def policy(self, children: list[Token]) -> BranchPolicy:
        name, side = children
        if side == "assign":
            raise ValueError("a policy is true, false or either")
        return BranchPolicy(self.named(name), READ_SIDES[side])
