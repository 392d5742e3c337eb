"""The instrumenter: rewrites a module's syntax tree, in one of two ways.

*Counting* adds `COUNTS[k] += 1` at the start of every basic block and nothing else:
this is what a replay runs.  *Tracing* adds the same counters, and besides

- `base = TRACER.enter(f)` ... `TRACER.leave()` round a function's body,
- `TRACER.open/turn/close(base, depth, loop)` round and in a loop, where `depth` is how
  many loops of the function are around it: `break`, `return` and exceptions need no
  marks of their own, since whatever comes next cuts the stack to its own depth,
- names for computed values, and calls in place of some built-ins (see `rewrite.py`).

A generator's body runs in slices between its consumer's turns.  It has a stack of its own,
`HELD`, that a `yield` puts aside.

Blocks are numbered in one pass that both ways share.
"""

# ruff: noqa: N802  (methods are named by `ast.NodeTransformer`)

from __future__ import annotations

import ast
from typing import cast

from xsynth.program.blocks import Block, Kind
from xsynth.program.plain import plain_names
from xsynth.program.rewrite import (
    BASE,
    CALLS,
    COUNTS,
    HELD,
    ITEM,
    TRACER,
    Draft,
    Expressions,
    Options,
)
from xsynth.program.substituted import PATTERN_TYPES
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


class Instrumenter(Expressions):
    """Rewrites one module: its statements here, its expressions in `rewrite.py`."""

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
        outer, self.plain = self.plain, plain_names(node, self.rebound)
        around, self.around = self.around, []
        self.depth, self.in_function = 0, True
        self.in_generator = is_generator(node)
        self.held = self.in_generator and not gives_up_yield(node)
        first = self._draft(Kind.CALL, node.lineno)
        described = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = self._body(node.body, first)
        if self.options.trace and (self.held or not self.in_generator):
            body = self._traced_function(node, body)
        # A program may read the docstring, which is one only where it comes first.
        node.body = [*described, *body]
        self.depth, self.in_function, self.in_generator, self.held = saved
        self.plain, self.around = outer, around
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

    def _count(self, draft: Draft, where: ast.AST) -> list[ast.stmt]:
        if not self.options.counted:
            return []
        target = ast.Subscript(load(COUNTS), ast.Constant(draft.number), ast.Store())
        return [at(ast.AugAssign(target, ast.Add(), ast.Constant(1)), where)]

    def _body(self, statements: list[ast.stmt], first: Draft | None = None) -> list[ast.stmt]:
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
            draft.conditions -= self._tests_left_out(statement)
            visited = self.visit(statement)
            result += visited if isinstance(visited, list) else [visited]
            if ends_block(statement):
                draft = None
        return result

    def _tests_left_out(self, statement: ast.stmt) -> int:
        """A turn counts the test that follows it; here the loop is left without one."""
        match statement:
            case ast.Break():
                return int(self.around[-1])
            case ast.Return():
                return sum(self.around)
            case _:
                return 0

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
        self.around.append(isinstance(node, ast.While))
        node.body = self._body(node.body, turn)
        self.around.pop()
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
                case.pattern = self._patterns(case.pattern)
            if case.guard is not None:
                case.guard = self.visit(case.guard)
            case.body = self._body(case.body)
        return node

    def _patterns(self, pattern: ast.pattern) -> ast.pattern:
        """Class patterns of built-in types, True and False take proxies for what they stand for."""
        pattern = cast(ast.pattern, _Singletons().visit(pattern))
        for inner in ast.walk(pattern):
            match inner:
                case ast.MatchClass(cls=ast.Name(id=name) as cls) if (
                    name in PATTERN_TYPES and name not in self.rebound
                ):
                    inner.cls = at(ast.Attribute(load(CALLS), f"case_{name}", ast.Load()), cls)
                case _:
                    pass
        return pattern

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


def instrument(
    source: str, options: Options, first_block: int = 0
) -> tuple[ast.Module, tuple[Block, ...]]:
    """The rewritten module and its basic blocks, numbered from `first_block`."""
    tree = ast.parse(source, options.filename)
    instrumenter = Instrumenter(options, first_block)
    rewritten = ast.fix_missing_locations(instrumenter.visit(tree))
    return rewritten, instrumenter.blocks()


class _Singletons(ast.NodeTransformer):
    """`case True:` asks by identity; a symbolic truth value is asked which one it is."""

    def visit_MatchSingleton(self, node: ast.MatchSingleton) -> ast.pattern:
        if node.value is None:
            return node
        side = ast.Attribute(load(CALLS), f"case_{node.value}", ast.Load())
        return at(ast.MatchClass(side, [], [], []), node)
