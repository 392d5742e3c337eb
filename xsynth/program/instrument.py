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
  symbolic value plain in silence.

Blocks are numbered in one pass that both ways share.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TypeVar, cast

from xsynth.program.blocks import Block, Kind

COUNTS = "__xsynth_counts__"
TICK = "__xsynth_tick__"
TRACER = "__xsynth_tracer__"
CALLS = "__xsynth_calls__"
BASE = "__xsynth_base__"

SUBSTITUTED = frozenset(
    {"int", "float", "bool", "str", "bytes", "ord", "chr", "isinstance", "type", "pow", "sum"}
)
"""Built-ins that a traced program calls in a form that knows proxies."""

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
        self.rebound: frozenset[str] = frozenset()

    def blocks(self) -> tuple[Block, ...]:
        return tuple(Block(d.kind, d.line, tuple(d.lines), d.conditions) for d in self.drafts)

    # -- modules, classes, functions

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.rebound = _bound_names(node)
        node.body = [self.visit(s) for s in node.body]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        saved, self.in_function = self.in_function, False
        node.body = [self.visit(s) for s in node.body]
        self.in_function = saved
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node  # refused when it is called; its body is left alone

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.args = cast(ast.arguments, self.generic_visit(node.args))
        saved = (self.depth, self.in_function, self.in_generator)
        self.depth, self.in_function = 0, True
        self.in_generator = _is_generator(node)
        first = self._draft(Kind.CALL, node.lineno)
        body = self._body(node.body, first)
        if self.options.trace and not self.in_generator:
            body = self._traced_function(node, body)
        node.body = body
        self.depth, self.in_function, self.in_generator = saved
        return node

    def _traced_function(self, node: ast.FunctionDef, body: list[ast.stmt]) -> list[ast.stmt]:
        named: list[ast.stmt] = [
            _at(ast.Assign([ast.Name(a.arg, ast.Store())], self._named(_load(a.arg))), node)
            for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        ]
        enter = _at(
            ast.Assign([ast.Name(BASE, ast.Store())], _call(TRACER, "enter", [])),
            node,
        )
        leave = _at(ast.Expr(_call(TRACER, "leave", [])), node)
        # `nonlocal` and `global` must come before the names they speak of are used.
        scope = [s for s in body if isinstance(s, ast.Nonlocal | ast.Global)]
        rest = [s for s in body if not isinstance(s, ast.Nonlocal | ast.Global)]
        guarded = _at(ast.Try([*named, *rest], [], [], [leave]), node)
        return [*scope, enter, guarded]

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return cast(ast.Lambda, self.generic_visit(node))

    # -- statements

    def _draft(self, kind: Kind, line: int) -> _Draft:
        draft = _Draft(self.first + len(self.drafts), kind, line)
        self.drafts.append(draft)
        return draft

    def _count(self, draft: _Draft, where: ast.AST) -> list[ast.stmt]:
        if not self.options.counted:
            return []
        target = ast.Subscript(_load(COUNTS), ast.Constant(draft.number), ast.Store())
        return [_at(ast.AugAssign(target, ast.Add(), ast.Constant(1)), where)]

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
            if _is_counted(statement):
                draft.lines.append(statement.lineno)
            if isinstance(statement, ast.If | ast.While | ast.Assert):
                draft.conditions += 1
            visited = self.visit(statement)
            result += visited if isinstance(visited, list) else [visited]
            if _ends_block(statement):
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
        if not self._marks_loops() or _leaves_from_else(node):
            return [node]
        where = [_load(BASE), ast.Constant(depth)]
        mark = _at(ast.Expr(_call(TRACER, "turn", where)), node)
        if isinstance(node, ast.While):
            self._test_inside(node)
        node.body.insert(0, mark)
        self.loops += 1
        opened = _call(
            TRACER, "open", [*where, ast.Constant(node.lineno), ast.Constant(self.loops)]
        )
        closed = _call(TRACER, "close", where)
        return [_at(ast.Expr(opened), node), node, _at(ast.Expr(closed), node)]

    def _test_inside(self, node: ast.While) -> None:
        """`while test: body` as `while True: if test: pass else: break; body`.

        CPython compiles the test of a while loop twice, for the first turn and for the
        others; as an `if` of the body it is one place.
        """
        leave = [*node.orelse, _at(ast.Break(), node)]
        test = _at(ast.If(node.test, [_at(ast.Pass(), node)], leave), node.test)
        node.test, node.orelse = _at(ast.Constant(True), node.test), []
        node.body.insert(0, test)

    def _marks_loops(self) -> bool:
        # A generator's body runs in slices between its consumer's turns: its loops
        # cannot be brackets on the one stack, so its events count as the consumer's.
        return self.options.trace and self.in_function and not self.in_generator

    def visit_Try(self, node: ast.Try) -> ast.Try:
        node.body = self._body(node.body)
        for handler in node.handlers:
            if handler.type is not None:
                handler.type = self.visit(handler.type)
            handler.body = self._body(handler.body)
            if self._marks_loops():
                cut = _call(TRACER, "close", [_load(BASE), ast.Constant(self.depth)])
                handler.body.insert(0, _at(ast.Expr(cut), handler))
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
            if case.guard is not None:
                case.guard = self.visit(case.guard)
            case.body = self._body(case.body)
        return node

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
        return _at(_call(TRACER, "named", [value]), value)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        node.func = self.visit(function)
        node.args = [
            _at(ast.Starred(self.visit(a.value), a.ctx), a)
            if isinstance(a, ast.Starred)
            else self._stored(a)
            for a in node.args
        ]
        for keyword in node.keywords:
            keyword.value = self._stored(keyword.value)
        if not self._names():
            return node
        match function:
            case ast.Name(id=name) if name in SUBSTITUTED and name not in self.rebound:
                node.func = _at(ast.Attribute(_load(CALLS), f"{name}_", ast.Load()), function)
            case ast.Attribute(attr=name, value=owner) if name in TEXT_METHODS:
                node.func = _at(_call(CALLS, "method", [owner, ast.Constant(name)]), function)
            case _:
                pass
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn() as op], comparators=[container]):
                if not self._names():
                    return node
                found = _at(_call(CALLS, "contains", [container, node.left]), node)
                return found if isinstance(op, ast.In) else _at(ast.UnaryOp(ast.Not(), found), node)
            case _:
                return node

    def visit_List(self, node: ast.List) -> ast.List:
        return self._display(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.Tuple:
        return self._display(node)

    def visit_Set(self, node: ast.Set) -> ast.Set:
        node.elts = [self._stored(e) for e in node.elts]
        return node

    def _display(self, node: N) -> N:
        display = cast(ast.List | ast.Tuple, node)
        if isinstance(display.ctx, ast.Load):
            display.elts = [self._stored(e) for e in display.elts]
        else:
            self.generic_visit(display)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        node.keys = [None if k is None else self.visit(k) for k in node.keys]
        node.values = [self._stored(v) for v in node.values]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return self._comprehension(node)

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
        return _at(_call(CALLS, "turns", [iterable, *numbers]), iterable)

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
        tick = ast.Call(_load(TICK), [ast.Constant(draft.number)], [])
        return _at(ast.BoolOp(ast.Or(), [tick, value]), value)


def instrument(
    source: str, options: Options, first_block: int = 0
) -> tuple[ast.Module, tuple[Block, ...]]:
    """The rewritten module and its basic blocks, numbered from `first_block`."""
    tree = ast.parse(source, options.filename)
    instrumenter = Instrumenter(options, first_block)
    rewritten = ast.fix_missing_locations(instrumenter.visit(tree))
    return rewritten, instrumenter.blocks()


def _is_counted(statement: ast.stmt) -> bool:
    """Docstrings and declarations are statements that do nothing."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Global() | ast.Nonlocal():
            return isinstance(statement, ast.Pass)
        case _:
            return True


def _ends_block(statement: ast.stmt) -> bool:
    return isinstance(
        statement,
        ast.If | ast.For | ast.While | ast.Try | ast.TryStar | ast.With | ast.Match,
    )


def _leaves_from_else(node: ast.For | ast.While) -> bool:
    """Whether the else part breaks out of an outer loop: then it cannot be moved inside."""
    jumps = (ast.Break, ast.Continue)
    return any(isinstance(inner, jumps) for s in node.orelse for inner in ast.walk(s))


def _is_generator(function: ast.FunctionDef) -> bool:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _bound_names(tree: ast.Module) -> frozenset[str]:
    """Every name that the module binds anywhere: those are not the built-ins."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.arg(arg=name):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names.update(a.asname or a.name for a in aliases)
            case _:
                pass
    return frozenset(names)


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(owner: str, method: str, arguments: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Attribute(_load(owner), method, ast.Load()), arguments, [])


def _at(node: N, where: ast.AST) -> N:
    return ast.fix_missing_locations(ast.copy_location(node, where))
