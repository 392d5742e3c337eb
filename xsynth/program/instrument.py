"""The instrumenter: rewrites a module's syntax tree, in one of two ways.

*Counting* adds `COUNTS[k] += 1` at the start of every basic block and nothing else:
this is what a replay runs.  *Tracing* adds the same counters, and besides

- `base = TRACER.enter(f)` ... `TRACER.leave()` round a function's body,
- `TRACER.open/turn/close(base, depth, loop)` round and in a loop, where `depth` is how
  many loops of the function are around it: `break`, `return` and exceptions need no
  marks of their own, since whatever comes next cuts the stack to its own depth,
- `TRACER.named(value)` round what is assigned, returned, passed or stored (dynamic
  single assignment; a value that is not computed keeps the name that it had),
- `CALLS.name(...)` for the built-ins that C implements in a way that would make a
  symbolic value plain in silence, or compare values without loop coordinates.

A generator's body runs in slices between its consumer's turns.  It has a stack of its own,
`HELD`, that a `yield` puts aside.

With `work`, both ways also call `CALLS` where a built-in touches many values (see `work.py`).

Blocks are numbered in one pass that both ways share.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TypeVar, cast

from xsynth.program.blocks import Block, Kind
from xsynth.program.syntax import (
    at,
    bound_names,
    call,
    ends_block,
    gives_up_yield,
    is_counted,
    is_generator,
    leaves_from_else,
    load,
)
from xsynth.program.work import WORK_FUNCTIONS, WORK_METHODS

COUNTS = "__xsynth_counts__"
TICK = "__xsynth_tick__"
TRACER = "__xsynth_tracer__"
CALLS = "__xsynth_calls__"
BASE = "__xsynth_base__"
HELD = "__xsynth_held__"
ITEM = "__xsynth_item__"

SUBSTITUTED = frozenset(
    [
        *("int", "float", "bool", "str", "bytes", "ord", "chr", "isinstance", "type", "pow"),
        *("sum", "min", "max", "sorted"),
    ]
)
"""Built-ins that a traced program calls in a form that knows proxies."""

PASSED_ON = frozenset({"int", "float", "bool", "str", "ord", "chr", "sum", "min", "max"})
"""Built-ins that are substituted too where they are passed to `map`, `filter` or `key=`."""

LIST_METHODS = frozenset({"sort", "index", "count", "remove"})
"""Methods of `list` that compare."""

TEXT_METHODS = frozenset(
    [
        "join",
        "startswith",
        "endswith",
        "find",
        "rfind",
        "index",
        "rindex",
        "count",
        "replace",
        "split",
        "rsplit",
        "strip",
        "lstrip",
        "rstrip",
        "partition",
        "rpartition",
        "removeprefix",
        "removesuffix",
    ]
)
"""Methods of `str` and `bytes` that take texts: a plain text must accept symbolic ones."""

PATTERN_TYPES = frozenset({"int", "float", "str", "bytes", "bool", "dict", "set", "frozenset"})
"""Built-in types that a class pattern (`case int():`) may name."""

PLAIN_VALUES = (ast.Constant, ast.Name, ast.Subscript, ast.Attribute, ast.Lambda, ast.JoinedStr)
"""What need not be named where it is assigned: it has a name, or is no number."""

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
class _Draft:
    """A basic block while its statements are being collected."""

    number: int
    kind: Kind
    line: int
    lines: list[int] = field(default_factory=list)
    conditions: int = 0


class Instrumenter(ast.NodeTransformer):
    """Rewrites one module; `blocks` is the shared table that it appends to."""

    def __init__(self, options: Options, first_block: int = 0) -> None:
        self.options = options
        self.first = first_block
        self.drafts: list[_Draft] = []
        self.depth = 0
        self.loops = 0
        self.in_function = False
        self.in_generator = False
        self.held = False
        self.rebound: frozenset[str] = frozenset()
        traced, charged = options.trace, options.work
        self.functions = (SUBSTITUTED if traced else set()) | (WORK_FUNCTIONS if charged else set())
        self.methods = (TEXT_METHODS | LIST_METHODS if traced else set()) | (
            WORK_METHODS if charged else set()
        )

    def blocks(self) -> tuple[Block, ...]:
        return tuple(Block(d.kind, d.line, tuple(d.lines), d.conditions) for d in self.drafts)

    # -- modules, classes, functions

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.rebound = bound_names(node)
        node.body = self._plain_body(node.body)
        return node

    def _plain_body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements of a module or class: visited, not counted."""
        result: list[ast.stmt] = []
        for statement in statements:
            visited = self.visit(statement)
            result += visited if isinstance(visited, list) else [visited]
        return result

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        saved, self.in_function = self.in_function, False
        node.body = self._plain_body(node.body)
        self.in_function = saved
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node  # refused when it is called; its body is left alone

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.args = cast(ast.arguments, self.generic_visit(node.args))
        saved = (self.depth, self.in_function, self.in_generator, self.held)
        self.depth, self.in_function = 0, True
        self.in_generator = is_generator(node)
        self.held = self.in_generator and not gives_up_yield(node)
        first = self._draft(Kind.CALL, node.lineno)
        body = self._body(node.body, first)
        if self.options.trace and (self.held or not self.in_generator):
            body = self._traced_function(node, body)
        node.body = body
        self.depth, self.in_function, self.in_generator, self.held = saved
        return node

    def _traced_function(self, node: ast.FunctionDef, body: list[ast.stmt]) -> list[ast.stmt]:
        named: list[ast.stmt] = [
            at(ast.Assign([ast.Name(a.arg, ast.Store())], self._named(load(a.arg))), node)
            for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        ]
        if self.held:
            start = [
                ast.Assign([ast.Name(HELD, ast.Store())], call(TRACER, "start", [])),
                ast.Assign(
                    [ast.Name(BASE, ast.Store())], ast.Attribute(load(HELD), "base", ast.Load())
                ),
            ]
            leave = at(ast.Expr(call(TRACER, "finish", [load(HELD)])), node)
        else:
            start = [ast.Assign([ast.Name(BASE, ast.Store())], call(TRACER, "enter", []))]
            leave = at(ast.Expr(call(TRACER, "leave", [])), node)
        enter = [at(statement, node) for statement in start]
        # `nonlocal` and `global` must come before the names they speak of are used.
        scope = [s for s in body if isinstance(s, ast.Nonlocal | ast.Global)]
        rest = [s for s in body if not isinstance(s, ast.Nonlocal | ast.Global)]
        guarded = at(ast.Try([*named, *rest], [], [], [leave]), node)
        return [*scope, *enter, guarded]

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        saved = (self.in_function, self.held)
        self.in_function, self.held = True, False
        visited = cast(ast.Lambda, self.generic_visit(node))
        self.in_function, self.held = saved
        return visited

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        if node.value is not None:
            node.value = self._assigned(node.value)
        if not (self.options.trace and self.held):
            return node
        given = node.value or at(ast.Constant(None), node)
        node.value = at(call(TRACER, "suspend", [load(HELD), given]), node)
        return at(call(TRACER, "reenter", [load(HELD), node]), node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """`yield from items` as a loop, where the stack has to be put aside at each item."""
        if not (isinstance(node.value, ast.YieldFrom) and self.options.trace and self.held):
            return cast(ast.stmt, self.generic_visit(node))
        items = self.visit(node.value.value)
        one = self.visit_Yield(at(ast.Yield(load(ITEM)), node))
        target = ast.Name(ITEM, ast.Store())
        return at(ast.For(target, items, [at(ast.Expr(one), node)], []), node)

    # -- statements

    def _draft(self, kind: Kind, line: int) -> _Draft:
        draft = _Draft(self.first + len(self.drafts), kind, line)
        self.drafts.append(draft)
        return draft

    def _count(self, draft: _Draft, where: ast.AST) -> list[ast.stmt]:
        if not self.options.counted:
            return []
        target = ast.Subscript(load(COUNTS), ast.Constant(draft.number), ast.Store())
        return [at(ast.AugAssign(target, ast.Add(), ast.Constant(1)), where)]

    def _body(self, statements: list[ast.stmt], first: _Draft | None = None) -> list[ast.stmt]:
        """The statements with a counter before each basic block."""
        result: list[ast.stmt] = []
        draft = first
        if draft is not None:
            result += self._count(draft, statements[0])
        for statement in statements:
            if draft is None:
                draft = self._draft(Kind.PLAIN, statement.lineno)
                result += self._count(draft, statement)
            if is_counted(statement):
                draft.lines.append(statement.lineno)
            if isinstance(statement, ast.If | ast.While | ast.Assert):
                draft.conditions += 1
            visited = self.visit(statement)
            result += visited if isinstance(visited, list) else [visited]
            if ends_block(statement):
                draft = None
        return result

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self.visit(node.test)
        node.body = self._body(node.body)
        if node.orelse:
            node.orelse = self._body(node.orelse)
        return node

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        node.iter = self.visit(node.iter)
        node.target = self.visit(node.target)
        return self._loop(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        node.test = self.visit(node.test)
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> list[ast.stmt]:
        turn = self._draft(Kind.TURN, node.lineno)
        turn.lines.append(node.lineno)
        turn.conditions += isinstance(node, ast.While)
        depth = self.depth
        self.depth += 1
        node.body = self._body(node.body, turn)
        self.depth -= 1
        if node.orelse:
            node.orelse = self._body(node.orelse)
        if not self._marks_loops() or leaves_from_else(node):
            return [node]
        where = [load(BASE), ast.Constant(depth)]
        mark = at(ast.Expr(call(TRACER, "turn", where)), node)
        if isinstance(node, ast.While):
            self._test_inside(node)
        node.body.insert(0, mark)
        self.loops += 1
        opened = call(TRACER, "open", [*where, ast.Constant(node.lineno), ast.Constant(self.loops)])
        closed = call(TRACER, "close", where)
        return [at(ast.Expr(opened), node), node, at(ast.Expr(closed), node)]

    def _test_inside(self, node: ast.While) -> None:
        """`while test: body` as `while True: if test: pass else: break; body`.

        CPython compiles the test of a while loop twice, for the first turn and for the
        others; as an `if` of the body it is one place.
        """
        leave = [*node.orelse, at(ast.Break(), node)]
        test = at(ast.If(node.test, [at(ast.Pass(), node)], leave), node.test)
        node.test, node.orelse = at(ast.Constant(True), node.test), []
        node.body.insert(0, test)

    def _marks_loops(self) -> bool:
        # A generator whose stack is not held has no loops of its own: its events count
        # as its consumer's.
        own = self.held or not self.in_generator
        return self.options.trace and self.in_function and own

    def visit_TryStar(self, node: ast.TryStar) -> ast.TryStar:
        return cast(ast.TryStar, self.visit_Try(node))

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.Try | ast.TryStar:
        node.body = self._body(node.body)
        for handler in node.handlers:
            if handler.type is not None:
                handler.type = self.visit(handler.type)
            handler.body = self._body(handler.body)
            if self._marks_loops():
                cut = call(TRACER, "close", [load(BASE), ast.Constant(self.depth)])
                handler.body.insert(0, at(ast.Expr(cut), handler))
        node.orelse = self._body(node.orelse) if node.orelse else []
        node.finalbody = self._body(node.finalbody) if node.finalbody else []
        return node

    def visit_With(self, node: ast.With) -> ast.With:
        node.items = [self.visit(i) for i in node.items]
        node.body = self._body(node.body)
        return node

    def visit_Match(self, node: ast.Match) -> ast.Match:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            if self._names():
                self._patterns(case.pattern)
            if case.guard is not None:
                case.guard = self.visit(case.guard)
            case.body = self._body(case.body)
        return node

    def _patterns(self, pattern: ast.pattern) -> None:
        """Class patterns of built-in types take proxies for what they stand for."""
        for inner in ast.walk(pattern):
            match inner:
                case ast.MatchClass(cls=ast.Name(id=name) as cls) if (
                    name in PATTERN_TYPES and name not in self.rebound
                ):
                    inner.cls = at(ast.Attribute(load(CALLS), f"case_{name}", ast.Load()), cls)
                case _:
                    pass

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.targets = [self.visit(t) for t in node.targets]
        node.value = self._assigned(node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self._assigned(node.value)
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        if node.value is not None:
            node.value = self._assigned(node.value)
        return node

    # -- expressions

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
        self.generic_visit(node)
        if self._charges() and isinstance(node.op, ast.Add | ast.Mult):
            return at(call(CALLS, "made", [node]), node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        sliced = isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load)
        return at(call(CALLS, "made", [node]), node) if sliced and self._charges() else node

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

    def _turns(self, iterable: ast.expr, turn: _Draft, line: int) -> ast.expr:
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


def instrument(
    source: str, options: Options, first_block: int = 0
) -> tuple[ast.Module, tuple[Block, ...]]:
    """The rewritten module and its basic blocks, numbered from `first_block`."""
    tree = ast.parse(source, options.filename)
    instrumenter = Instrumenter(options, first_block)
    rewritten = ast.fix_missing_locations(instrumenter.visit(tree))
    return rewritten, instrumenter.blocks()
