"""The instrumenter's half that rewrites expressions.

- `TRACER.named(value)` round what is assigned, returned, passed or stored (dynamic
  single assignment; a value that is not computed keeps the name that it had),
- `CALLS.name(...)` for the built-ins that C implements in a way that would make a
  symbolic value plain in silence, or compare values without loop coordinates,
- with `work`, `CALLS` where a built-in touches many values (see `work.py`).

It also keeps the table of basic blocks, since comprehensions and conditions have blocks.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TypeVar, cast

from xsynth.program.blocks import Block, Kind
from xsynth.program.plain import is_plain
from xsynth.program.substituted import LIST_METHODS, PASSED_ON, STATIC, SUBSTITUTED, TEXT_METHODS
from xsynth.program.syntax import at, call, load
from xsynth.program.work import WORK_FUNCTIONS, WORK_METHODS

COUNTS = "__xsynth_counts__"
TICK = "__xsynth_tick__"
TRACER = "__xsynth_tracer__"
WRITE = "__xsynth_write__"
CALLS = "__xsynth_calls__"
BASE = "__xsynth_base__"
HELD = "__xsynth_held__"
ITEM = "__xsynth_item__"

PLAIN_VALUES = (ast.Constant, ast.Name, ast.Subscript, ast.Attribute, ast.Lambda, ast.JoinedStr)
"""What need not be named where it is assigned: it has a name, or is no number."""

TEXTS = (ast.Constant, ast.JoinedStr)
"""What may stand to the left of a `%` that puts a text together."""

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
N = TypeVar("N", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Options:
    filename: str
    trace: bool
    conditions: bool
    """Whether evaluated conditions inside expressions are counted (`--cost branches`)."""
    work: bool = False
    """Whether calls and operators charge for what they touch (`--cost work`)."""
    counted: bool = True
    """Whether the module's statements cost anything (those of xsynth's own forms do not)."""


@dataclass
class Draft:
    """A basic block while its statements are being collected."""

    number: int
    kind: Kind
    line: int
    lines: list[int] = field(default_factory=list)
    conditions: int = 0


class Expressions(ast.NodeTransformer):
    """Rewrites expressions; `blocks` is the table that both halves append to."""

    def __init__(self, options: Options, first_block: int = 0) -> None:
        self.options = options
        self.first = first_block
        self.drafts: list[Draft] = []
        self.depth = 0
        self.loops = 0
        self.around: list[bool] = []
        """For each loop around, in this function: whether it is a while loop."""
        self.in_function = False
        self.in_generator = False
        self.held = False
        self.rebound: frozenset[str] = frozenset()
        self.plain: frozenset[str] = frozenset()
        traced, charged = options.trace, options.work
        self.functions = (SUBSTITUTED if traced else set()) | (WORK_FUNCTIONS if charged else set())
        self.methods = (TEXT_METHODS | LIST_METHODS if traced else set()) | (
            WORK_METHODS if charged else set()
        )

    def blocks(self) -> tuple[Block, ...]:
        return tuple(Block(d.kind, d.line, tuple(d.lines), d.conditions) for d in self.drafts)

    def _draft(self, kind: Kind, line: int) -> Draft:
        draft = Draft(self.first + len(self.drafts), kind, line)
        self.drafts.append(draft)
        return draft

    def _assigned(self, value: ast.expr) -> ast.expr:
        visited = cast(ast.expr, self.visit(value))
        skip = isinstance(value, PLAIN_VALUES) or not self._names()
        return visited if skip else self._named(visited)

    def _stored(self, value: ast.expr) -> ast.expr:
        """An argument or an element: only arithmetic can have computed something."""
        visited = cast(ast.expr, self.visit(value))
        arithmetic = isinstance(value, ast.BinOp | ast.UnaryOp)
        return self._named(visited) if arithmetic and self._names() else visited

    def _names(self) -> bool:
        return self.options.trace and self.in_function

    def _named(self, value: ast.expr) -> ast.expr:
        return at(call(TRACER, "named", [value]), value)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="str" | "bytes" as kind), attr=name),
                args=[owner, *others],
            ) if self._is_unbound(kind, name) and not isinstance(owner, ast.Starred):
                # `str.lower(x)` is `x.lower()`
                node.func = at(ast.Attribute(owner, name, ast.Load()), node.func)
                node.args = others
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"),
                    attr="write" | "flush" as name,
                )
            ) if self.in_function and self.options.counted:
                node.func = load(WRITE if name == "write" else "print")
            case _:
                pass
        function = node.func
        node.func = self.visit(function)
        node.args = [
            at(ast.Starred(self.visit(a.value), a.ctx), a)
            if isinstance(a, ast.Starred)
            else self._stored(a)
            for a in node.args
        ]
        for keyword in node.keywords:
            keyword.value = self._stored(keyword.value)
        if not self.in_function:
            return node
        if self.options.trace:
            self._pass_on(node)
        match function:
            case ast.Name(id=name) if name in self.functions and name not in self.rebound:
                node.func = self._substitute(name, function)
            case ast.Attribute(attr=name, value=owner) if name in self.methods:
                node.func = at(call(CALLS, "method", [owner, ast.Constant(name)]), function)
            case _:
                pass
        return node

    def _is_unbound(self, kind: str, name: str) -> bool:
        """Whether `kind.name` is a method of texts, taken from its class."""
        looks = self.in_function and (self.options.trace or self.options.work)
        own = name.startswith("_") or name in STATIC
        return looks and not own and kind not in self.rebound

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=value, attr="__class__", ctx=ast.Load()) if self._names():
                kind = self._substitute("type", node)
                return at(ast.Call(kind, [self.visit(value)], []), node)
            case ast.Attribute(value=ast.Name(id="str" | "bytes" as kind), attr=name) if (
                self.options.trace and self._is_unbound(kind, name)
            ):
                return at(call(CALLS, "unbound", [node.value, ast.Constant(name)]), node)
            case _:
                return cast(ast.expr, self.generic_visit(node))

    def _substitute(self, name: str, where: ast.AST) -> ast.expr:
        return at(ast.Attribute(load(CALLS), f"{name}_", ast.Load()), where)

    def _pass_on(self, node: ast.Call) -> None:
        """`map(int, items)`, `sorted(items, key=str)`: built-ins that are not called here."""

        def passed(value: ast.expr) -> ast.expr:
            match value:
                case ast.Name(id=name) if name in PASSED_ON and name not in self.rebound:
                    return self._substitute(name, value)
                case _:
                    return value

        match node.func:
            case ast.Name(id="map" | "filter" | "reduce"):
                node.args[:1] = [passed(a) for a in node.args[:1]]
            case _:
                pass
        for keyword in node.keywords:
            if keyword.arg == "key":
                keyword.value = passed(keyword.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        if not self._names():
            return cast(ast.expr, self.generic_visit(node))
        parts: list[ast.expr] = []
        for part in node.values:
            match part:
                case ast.FormattedValue(value=value, conversion=kind, format_spec=spec):
                    conversion = ast.Constant("" if kind < 0 else chr(kind))
                    form = ast.Constant("") if spec is None else self.visit(spec)
                    field = call(CALLS, "field", [self.visit(value), conversion, form])
                    parts.append(at(field, part))
                case _:
                    parts.append(part)
        return at(call(CALLS, "written", parts), node)

    def _charges(self) -> bool:
        return self.options.work and self.in_function

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        written = isinstance(node.op, ast.Mod) and isinstance(node.left, TEXTS)
        self.generic_visit(node)
        if written and self._names():
            return at(call(CALLS, "percent", [node.left, node.right]), node)
        if self._charges() and isinstance(node.op, ast.Add | ast.Mult):
            return at(call(CALLS, "made", [node]), node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        looks = self._names() and self._may_be_symbolic(node)
        self.generic_visit(node)
        if looks:
            owner = load(cast(ast.Name, node.value).id)
            node.slice = at(call(CALLS, "index", [owner, node.slice]), node.slice)
        sliced = isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load)
        return at(call(CALLS, "made", [node]), node) if sliced and self._charges() else node

    def _may_be_symbolic(self, node: ast.Subscript) -> bool:
        """Whether the index of a named sequence may be a symbolic integer."""
        spread = (ast.Slice, ast.Tuple, ast.Constant, ast.JoinedStr)
        return (
            isinstance(node.value, ast.Name)
            and not isinstance(node.slice, spread)
            and not is_plain(node.slice, self.plain, self.rebound)
        )

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        self.generic_visit(node)
        if self._charges() and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            old = load(node.target.id)
            node.value = at(call(CALLS, "grown", [old, node.value]), node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn() as op], comparators=[container]):
                if not (self._names() or self._charges()):
                    return node
                found = at(call(CALLS, "within", [node.left, container]), node)
                return found if isinstance(op, ast.In) else at(ast.UnaryOp(ast.Not(), found), node)
            case ast.Compare(ops=[ast.Is() | ast.IsNot() as op], comparators=[other]):
                none = isinstance(other, ast.Constant) and other.value in (None, ...)
                if none or not (self._names() and self.options.counted):
                    return node
                same = at(call(CALLS, "same", [node.left, other]), node)
                return same if isinstance(op, ast.Is) else at(ast.UnaryOp(ast.Not(), same), node)
            case _:
                return node

    def visit_List(self, node: ast.List) -> ast.List:
        return self._display(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.Tuple:
        return self._display(node)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        node.elts = [self._stored(e) for e in node.elts]
        if not self.options.trace:
            return node
        return at(call(CALLS, "set_display", [ast.List(node.elts, ast.Load())]), node)

    def _display(self, node: N) -> N:
        display = cast(ast.List | ast.Tuple, node)
        if isinstance(display.ctx, ast.Load):
            display.elts = [self._stored(e) for e in display.elts]
        else:
            self.generic_visit(display)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        node.keys = [None if k is None else self.visit(k) for k in node.keys]
        node.values = [self._stored(v) for v in node.values]
        if not self.options.trace:
            return node
        entries: list[ast.expr] = [
            ast.Tuple([value] if key is None else [key, value], ast.Load())
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return at(call(CALLS, "dict_display", entries), node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        made = cast(ast.SetComp, self._comprehension(node))
        if not self.options.trace:
            return made
        items = at(ast.GeneratorExp(made.elt, made.generators), node)
        return at(call(CALLS, "set_display", [items]), node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        made = cast(ast.DictComp, self._comprehension(node))
        if not self.options.trace:
            return made
        pair = at(ast.Tuple([made.key, made.value], ast.Load()), node)
        return at(
            call(CALLS, "dict_from", [at(ast.GeneratorExp(pair, made.generators), node)]), node
        )

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> ast.expr:
        for generator in node.generators:
            turn = self._draft(Kind.TURN, node.lineno)
            turn.lines.append(node.lineno)
            generator.iter = self.visit(generator.iter)
            generator.ifs = [self._condition(self.visit(c)) for c in generator.ifs]
            if self.in_function and self.options.counted:
                generator.iter = self._turns(generator.iter, turn, node.lineno)
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.visit(node.key), self._stored(node.value)
        else:
            node.elt = self._stored(node.elt)
        return node

    def _turns(self, iterable: ast.expr, turn: Draft, line: int) -> ast.expr:
        """The iterable of a comprehension, wrapped so that its turns are counted."""
        self.loops += 1
        numbers = [ast.Constant(k) for k in (turn.number, line, self.loops)]
        return at(call(CALLS, "turns", [iterable, *numbers]), iterable)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        # The first operand is the condition of the statement itself.
        first, *others = [cast(ast.expr, self.visit(v)) for v in node.values]
        node.values = [first, *[self._condition(o) for o in others]]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        node.test = self._condition(self.visit(node.test))
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def _condition(self, value: ast.expr) -> ast.expr:
        """An expression that, when it is evaluated, counts as one more condition."""
        draft = self._draft(Kind.CONDITION, value.lineno)
        draft.conditions = 1
        if not (self.options.conditions and self.options.counted and self.in_function):
            return value
        tick = ast.Call(load(TICK), [ast.Constant(draft.number)], [])
        return at(ast.BoolOp(ast.Or(), [tick, value]), value)
