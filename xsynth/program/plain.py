"""Which local names are surely plain integers, by a look at the syntax.

A counter of `range`, a length, a constant, and what is computed from these can hold no
symbolic value, so an index made of them needs no look when it is used.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xsynth.program.syntax import own_nodes

Binding = tuple[str, ast.expr | None]
"""A name, and the expression it is bound to; None for one that nothing is known of."""

_COUNTED = ast.Constant(0)


def plain_names(function: ast.FunctionDef, rebound: frozenset[str]) -> frozenset[str]:
    """The names of a function that hold plain integers wherever they are bound."""
    bindings = list(_bindings(function, rebound))
    unknown = {name for name, value in bindings if value is None}
    for inner in ast.walk(function):
        if isinstance(inner, ast.Nonlocal | ast.Global):
            unknown.update(inner.names)
    plain = {name for name, _ in bindings} - unknown
    while True:
        spoiled = {
            name
            for name, value in bindings
            if name in plain and value is not None and not is_plain(value, plain, rebound)
        }
        if not spoiled:
            return frozenset(plain)
        plain -= spoiled


def is_plain(
    value: ast.expr, plain: frozenset[str] | set[str], rebound: frozenset[str] = frozenset()
) -> bool:
    match value:
        case ast.Constant(value=int()):
            return True
        case ast.Name(id=name):
            return name in plain
        case ast.UnaryOp(operand=inner):
            return is_plain(inner, plain, rebound)
        case ast.BinOp(left=left, right=right):
            return is_plain(left, plain, rebound) and is_plain(right, plain, rebound)
        case ast.Call(func=ast.Name(id="len")):
            return "len" not in rebound
        case _:
            return False


def _bindings(function: ast.FunctionDef, rebound: frozenset[str]) -> Iterator[Binding]:
    arguments = function.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        yield argument.arg, None
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            yield extra.arg, None
    known: set[int] = set()
    for node in own_nodes(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _assigned(target, value, known)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from _assigned(target, value, known)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                known.add(id(target))
                yield target.id, None if isinstance(op, ast.Div | ast.Pow) else value
            case ast.For(target=target, iter=items) | ast.comprehension(target=target, iter=items):
                yield from _counted(target, items, rebound, known)
            case _:
                pass
    for node in own_nodes(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in known:
                yield name, None
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                yield name, None
            case ast.ExceptHandler(name=str() as name):
                yield name, None
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, None
            case _:
                pass


def _assigned(target: ast.expr, value: ast.expr, known: set[int]) -> Iterator[Binding]:
    match target, value:
        case ast.Name(id=name), _:
            known.add(id(target))
            yield name, value
        case ast.Tuple(elts=left), ast.Tuple(elts=right) if len(left) == len(right):
            for one, its in zip(left, right, strict=True):
                yield from _assigned(one, its, known)
        case _:
            pass


def _counted(
    target: ast.expr, items: ast.expr, rebound: frozenset[str], known: set[int]
) -> Iterator[Binding]:
    """The counters of `range` and `enumerate`: both ask for plain numbers themselves."""
    match target, items:
        case (ast.Name(id=name), ast.Call(func=ast.Name(id="range"))) if "range" not in rebound:
            known.add(id(target))
            yield name, _COUNTED
        case (
            ast.Tuple(elts=[ast.Name(id=name) as first, _]),
            ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]),
        ) if "enumerate" not in rebound:
            known.add(id(first))
            yield name, _COUNTED
        case _:
            pass
