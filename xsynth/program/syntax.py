"""Questions about a syntax tree, and small pieces of one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

N = TypeVar("N", bound=ast.AST)


def is_counted(statement: ast.stmt) -> bool:
    """Docstrings and declarations are statements that do nothing."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Global() | ast.Nonlocal():
            return isinstance(statement, ast.Pass)
        case _:
            return True


def ends_block(statement: ast.stmt) -> bool:
    return isinstance(
        statement,
        ast.If | ast.For | ast.While | ast.Try | ast.TryStar | ast.With | ast.Match,
    )


def leaves_from_else(node: ast.For | ast.While) -> bool:
    """Whether the else part breaks out of an outer loop: then it cannot be moved inside."""
    jumps = (ast.Break, ast.Continue)
    return any(isinstance(inner, jumps) for s in node.orelse for inner in ast.walk(s))


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's body, without those of functions and classes inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))


def is_generator(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))


def gives_up_yield(function: ast.FunctionDef) -> bool:
    """Whether a `yield from` is used for its value: then it cannot be written as a loop."""
    nodes = list(own_nodes(function))
    alone = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    return any(isinstance(n, ast.YieldFrom) and id(n) not in alone for n in nodes)


def bound_names(tree: ast.Module) -> frozenset[str]:
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


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def call(owner: str, method: str, arguments: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Attribute(load(owner), method, ast.Load()), arguments, [])


def at(node: N, where: ast.AST) -> N:
    return ast.fix_missing_locations(ast.copy_location(node, where))
