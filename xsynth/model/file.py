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
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any, assert_never

from lark import Token, Tree
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import Transformer_NonRecursive

from xsynth.errors import ModelFileError, XsynthError
from xsynth.model.grammars import parser
from xsynth.model.isg import Expr, Isg, parse, parse_expr
from xsynth.model.model import BranchPolicy, GeneratorPoint, Model, Piece, ScaleRecord
from xsynth.model.patterns import CellHole, DefHole, Fixed, IntHole, Node, Pattern
from xsynth.program.inputs import InputSpec, describe, parse_described
from xsynth.trace.terms import Op, Place, Site, Sort

VERSION = 1
DEPTH_LIMIT = 200
"""Deeper patterns are refused: every walk over them is recursive."""
DECIMAL_BITS = 4096
"""Larger integers are written in hexadecimal: Python limits the length of decimal ones."""

LEARN_AGAIN = "Learn it again: xsynth learn PROGRAM --scales 2..6"
_HEADER = re.compile(r"xsynth model (\S{1,20})")
_END = re.compile(r"end sha256 ([0-9a-f]{64})")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\[^\n])*)"')
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|([\"\\])|)")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[0-9]+)*")
_FUNCTION = re.compile(r"(?:[^\W\d]\w*|<\w+>)(?:\.(?:[^\W\d]\w*|<\w+>))*")
_MEASURE = re.compile(r"[^\s=\"]+")
_LINE = re.compile(r"[^ \"](?:.*[^ ])?")
_WORDS = frozenset({"and", "or", "if", "else", "def", "op", "neg", "not", "True", "False"})
"""What a name in a pattern cannot be, without quotes."""
_SIDES = {True: "true", False: "false"}
_LOGICAL = frozenset({Op.LT, Op.LE, Op.GT, Op.GE, Op.EQ, Op.NE, Op.NOT, Op.AND, Op.OR})
_BINARY = frozenset(
    {Op.ADD, Op.SUB, Op.MUL, Op.FLOORDIV, Op.MOD, Op.DIV} | (_LOGICAL - {Op.NOT, Op.AND, Op.OR})
)


# ------------------------------------------------------------------ texts and numbers


def _quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def _word(text: str, bare: re.Pattern[str], reserved: Iterable[str] = ()) -> str:
    """The text itself where the grammar reads it back, otherwise in quotes."""
    plain = text.isprintable() and bare.fullmatch(text) and text not in reserved
    return text if plain else _quoted(text)


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    inside = _QUOTED.fullmatch(text)
    if inside is None:
        raise ValueError("a text in quotes does not end with one")
    return _ESCAPE.sub(_unescaped, inside[1])


def _unescaped(escape: re.Match[str]) -> str:
    code, character = escape.groups()
    if code is None and character is None:
        raise ValueError("a backslash that is no escape")
    return chr(int(code, 16)) if code is not None else str(character)


def _number(value: int) -> str:
    return str(int(value)) if value.bit_length() <= DECIMAL_BITS else hex(value)


def _integer(text: str) -> int:
    return int(text, 16 if "x" in text else 10)


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
    for point in model.points:
        used.add(point.place)
        for part in _parts(point.pattern):
            if isinstance(part, DefHole):
                used.add(part.place)
    names: dict[Place, str] = {}
    for line, group in groupby(sorted(used, key=_source_order), key=lambda p: p.site.line):
        for number, place in enumerate(group, 1):
            names[place] = f"p{line}" if number == 1 else f"p{line}.{number}"
    return names


def _source_order(place: Place) -> tuple[tuple[int, int, str], ...]:
    return tuple((s.line, s.instruction, s.function) for s in (place.site, *place.context))


def _parts(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern and everything in it.  Refuses what is nested too deeply."""
    stack = [(pattern, 1)]
    while stack:
        part, level = stack.pop()
        if level > DEPTH_LIMIT:
            raise ModelFileError(
                f"a condition of the program is nested deeper than {DEPTH_LIMIT} operations,"
                " which a model file cannot hold",
                "Assign parts of it to variables.",
            )
        yield part
        if isinstance(part, Node):
            stack += [(argument, level + 1) for argument in part.args]


def _statements(model: Model, places: Mapping[Place, str]) -> Iterator[str]:
    yield f"xsynth model {VERSION}"
    yield f"program {_word(model.program, _LINE)}"
    yield f"function {_word(model.function, _LINE)}"
    yield f"sha256 {_word(model.digest, _LINE)}"
    formula = "" if model.formula is None else f" = {model.formula}"
    yield f"cost {_word(model.measure, _MEASURE)}{formula}"
    yield f"family {_word(model.family, _LINE)}"
    for seen in model.scales:
        extent = "exhaustive" if seen.exhaustive else "partial"
        paths, cost, ties = _number(seen.paths), _number(seen.cost), _number(seen.ties)
        yield f"scale {_number(seen.scale)}: paths {paths}, {extent}, cost {cost}, ties {ties}"
    if model.guided:
        yield f"guided {' '.join(map(_number, model.guided))}"
    for line in describe(model.spec):
        keyword, _, rest = line.partition(" ")
        yield f"{keyword} {_word(rest, _LINE)}"
    if places:
        yield ""
    for place, name in places.items():
        around = " > ".join(map(_site, place.context))
        yield f"place {name} = {_site(place.site)}{' in ' if around else ''}{around}"
    for point in model.points:
        yield ""
        side = "assign" if point.taken is None else _SIDES[point.taken]
        yield f"point {places[point.place]} {side}: {_pattern(point.pattern, places)}"
        for piece in point.pieces:
            counters = f" | counters{_columns(piece.counters)}" if piece.counters else ""
            yield f"  leaves{_columns(piece.leaves)}{counters}"
    if model.policies:
        yield ""
    for policy in model.policies:
        prefer = "either" if policy.prefer is None else _SIDES[policy.prefer]
        yield f"policy {places[policy.place]} {prefer}"


def _site(site: Site) -> str:
    function = _word(site.function, _FUNCTION)
    return f"{function}:{_number(site.line)}@{_number(site.instruction)}"


def _columns(isgs: tuple[Isg, ...]) -> str:
    return f" {'; '.join(map(str, isgs))}" if isgs else ""


def _pattern(pattern: Pattern, places: Mapping[Place, str]) -> str:
    written = _bare(pattern, places)
    if _sort(pattern) is _usual_sort(pattern):
        return written
    return f"{_bracketed(written, pattern)}:{_sort(pattern).value}"


def _operand(pattern: Pattern, places: Mapping[Place, str]) -> str:
    written = _pattern(pattern, places)
    usual = _sort(pattern) is _usual_sort(pattern)
    return _bracketed(written, pattern) if usual else written


def _bracketed(written: str, pattern: Pattern) -> str:
    return f"({written})" if isinstance(pattern, Node) else written


def _bare(pattern: Pattern, places: Mapping[Place, str]) -> str:
    match pattern:
        case CellHole(name=name, arity=arity):
            return f"{_word(name, _NAME, _WORDS)}{_indices(arity)}"
        case DefHole(place=place, arity=arity):
            return f"def {places[place]}{_indices(arity)}"
        case IntHole():
            return "?"
        case Fixed(value=bool() as value):
            return str(value)
        case Fixed(value=Fraction(numerator=top, denominator=bottom)):
            return f"{_number(top)}/{_number(bottom)}"
        case Fixed(value=value):
            return _number(int(value))
        case Node(op=op, args=args):
            return _operation(op, args, places)
        case _:
            assert_never(pattern)


def _indices(arity: int) -> str:
    return f"[{', '.join('?' * arity)}]" if arity else ""


def _operation(op: Op, args: tuple[Pattern, ...], places: Mapping[Place, str]) -> str:
    match op, args:
        case ((Op.NEG | Op.NOT), (_,)):
            return f"{op.value} {_operand(args[0], places)}"
        case ((Op.AND | Op.OR), (_, _, *_)):
            return f" {op.value} ".join([_operand(a, places) for a in args])
        case Op.ITE, (_, _, _):
            condition, yes, no = [_operand(a, places) for a in args]
            return f"{yes} if {condition} else {no}"
        case _, (_, _) if op in _BINARY:
            return f"{_operand(args[0], places)} {op.value} {_operand(args[1], places)}"
        case _:
            return f"op({', '.join([op.value, *[_pattern(a, places) for a in args]])})"


def _sort(pattern: Pattern) -> Sort:
    return Sort.INT if isinstance(pattern, IntHole) else pattern.sort


def _usual_sort(pattern: Pattern) -> Sort:
    """The sort of a pattern that says nothing of it."""
    match pattern:
        case CellHole() | DefHole() | IntHole():
            return Sort.INT
        case Fixed(value=bool()):
            return Sort.BOOL
        case Fixed(value=Fraction()):
            return Sort.REAL
        case Fixed():
            return Sort.INT
        case Node(op=op, args=args):
            return _result_sort(op, args)
        case _:
            assert_never(pattern)


def _result_sort(op: Op, args: tuple[Pattern, ...]) -> Sort:
    if op in _LOGICAL:
        return Sort.BOOL
    if op is Op.DIV:
        return Sort.REAL
    values = args[1:] if op is Op.ITE else args
    sorts = {_sort(a) for a in values}
    if Sort.REAL in sorts:
        return Sort.REAL
    return Sort.BOOL if op is Op.ITE and sorts == {Sort.BOOL} else Sort.INT


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
            found[statement.data].append(build.transform(statement))
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
        guided=found["guided"][0] if found["guided"] else (),
        family=found["family"][0],
        points=tuple(found["point"]),
        policies=tuple(found["policy"]),
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
        raise ModelFileError(
            f"{source}, line {last}: the file is cut off, its last line is not `end sha256 ...`",
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
    "program", "function", "digest", "cost", "family", "scale", "guided", "input", "assume",
    "place", "point", "policy",
)  # fmt: skip
_READ_SIDES = {"true": True, "false": False, "assign": None, "either": None}


def _text(_: object, children: list[Token]) -> str:
    return _unquoted(children[0].rstrip(" "))


def _described(keyword: str) -> Callable[[object, list[Token]], InputSpec]:
    return lambda _, children: parse_described([f"{keyword} {_text(None, children)}"])


class _Build(Transformer_NonRecursive[Token, Any]):
    """The statements of one file, in their order: a place stands above its uses."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, Place] = {}

    program = function = digest = family = _text
    input = _described("input")
    assume = _described("assume")

    def cost(self, children: list[Token]) -> tuple[str, Expr | None]:
        measure, *formula = children
        return _unquoted(measure), parse_expr(formula[0]) if formula else None

    def scale(self, children: list[Token]) -> ScaleRecord:
        scale, paths, extent, cost, ties = children
        exhaustive = extent == "exhaustive"
        return ScaleRecord(
            _integer(scale), _integer(paths), exhaustive, _integer(cost), _integer(ties)
        )

    def guided(self, children: list[Token]) -> tuple[int, ...]:
        return tuple([_integer(number) for number in children])

    def place(self, children: list[Any]) -> None:
        name, site, *context = children
        if name in self.places:
            raise ValueError(f"there are two places {name}")
        self.places[str(name)] = Place(site, tuple(context))

    def site(self, children: list[Token]) -> Site:
        function, line, instruction = children
        return Site(_unquoted(str(function)), _integer(line), _integer(instruction))

    def point(self, children: list[Any]) -> GeneratorPoint:
        name, side, pattern, *pieces = children
        if side == "either":
            raise ValueError("a point is true, false or assign")
        for _ in _parts(pattern):
            pass
        return GeneratorPoint(self._place(name), _READ_SIDES[side], pattern, tuple(pieces))

    def piece(self, children: list[tuple[Isg, ...]]) -> Piece:
        leaves, *counters = children
        return Piece(counters[0] if counters else (), leaves)

    def columns(self, children: list[Token]) -> tuple[Isg, ...]:
        return tuple([parse(column) for column in children])

    def policy(self, children: list[Token]) -> BranchPolicy:
        name, side = children
        if side == "assign":
            raise ValueError("a policy is true, false or either")
        return BranchPolicy(self._place(name), _READ_SIDES[side])

    def _place(self, name: str) -> Place:
        if name not in self.places:
            raise ValueError(f"there is no place {name}")
        return self.places[name]

    def indices(self, children: list[Token]) -> int:
        return len(children)

    def cell(self, children: list[Any]) -> Pattern:
        name, *arity = children
        return CellHole(_unquoted(str(name)), arity[0] if arity else 0, Sort.INT)

    def definition(self, children: list[Any]) -> Pattern:
        name, *arity = children
        return DefHole(self._place(name), arity[0] if arity else 0, Sort.INT)

    def int_hole(self, _: list[Token]) -> Pattern:
        return IntHole()

    def integer(self, children: list[Token]) -> Pattern:
        return Fixed(_integer(children[0]), Sort.INT)

    def rational(self, children: list[Token]) -> Pattern:
        top, _, bottom = children[0].partition("/")
        return Fixed(Fraction(_integer(top), _integer(bottom)), Sort.REAL)

    def true(self, _: list[Token]) -> Pattern:
        return Fixed(True, Sort.BOOL)

    def false(self, _: list[Token]) -> Pattern:
        return Fixed(False, Sort.BOOL)

    def of_sort(self, children: list[Any]) -> Pattern:
        pattern, sort = children[0], Sort(str(children[1]))
        match pattern:
            case CellHole(name=name, arity=arity):
                return CellHole(name, arity, sort)
            case DefHole(place=place, arity=arity):
                return DefHole(place, arity, sort)
            case Fixed(value=value):
                return Fixed(value, sort)
            case Node(op=op, args=args):
                return Node(op, args, sort)
            case _:
                raise ValueError("a leaf has no sort but int")

    def binary(self, children: list[Any]) -> Pattern:
        left, op, right = children
        return _node(Op(str(op)), (left, right))

    def neg(self, children: list[Any]) -> Pattern:
        return _node(Op.NEG, tuple(children))

    def negation(self, children: list[Any]) -> Pattern:
        return _node(Op.NOT, tuple(children))

    def all_of(self, children: list[Any]) -> Pattern:
        return _node(Op.AND, tuple(children))

    def any_of(self, children: list[Any]) -> Pattern:
        return _node(Op.OR, tuple(children))

    def choice(self, children: list[Any]) -> Pattern:
        yes, condition, no = children
        return _node(Op.ITE, (condition, yes, no))

    def operation(self, children: list[Any]) -> Pattern:
        return _node(Op(str(children[0])), tuple(children[1:]))


def _node(op: Op, args: tuple[Pattern, ...]) -> Pattern:
    return Node(op, args, _result_sort(op, args))
