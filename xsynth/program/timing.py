"""Whether a function does no more with the clock than to print what it says.

`start = time.time()` and then `print(time.time() - start)` is how people time what they wrote;
no path depends on it.  The clock's values, and the names that hold them, may meet arithmetic,
formatting and `print`, and nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

_ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.JoinedStr, ast.FormattedValue)
_CALLED = frozenset(["print", "round", "int", "float", "str", "abs", "format"])


def only_printed(function: ast.AST, reads_clock: Callable[[ast.AST], bool]) -> bool:
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    waiting = [node for node in parents if reads_clock(node)]
    held: set[str] = set()
    for node in waiting:
        end = _statement(node, parents)
        match end:
            case ast.Assign(targets=targets) if all(isinstance(t, ast.Name) for t in targets):
                names = {t.id for t in targets if isinstance(t, ast.Name)} - held
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
                names = {name} - held
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
                continue
            case _:
                return False
        held |= names
        waiting += [n for n in parents if _is_read(n, names)]
    return not any(
        held & set(node.names) for node in parents if isinstance(node, ast.Global | ast.Nonlocal)
    )


def _is_read(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names


def _statement(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.stmt | None:
    """The statement that a value ends in, if nothing on the way can do anything else with it."""
    while not isinstance(node, ast.stmt):
        inner, node = node, parents[node]
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _CALLED:
                pass
            case ast.Call(func=ast.Attribute() as method) if method is inner:
                pass  # `(end - start).total_seconds()`
            case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="format")):
                pass
            case ast.Attribute() | ast.stmt():
                pass
            case _ if isinstance(node, _ARITHMETIC):
                pass
            case _:
                return None
    return node
