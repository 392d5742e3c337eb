"""Which branches a program takes on a plain input, those that symbolic execution does not see too.

WISE's policies hold every branch of a program, and forbid the sides that no worst path of the
small scales took; those in xsynth hold the conditions over the input alone.  This tells what
the difference amounts to.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

Side: TypeAlias = tuple[int, int, bool]
"""Line and column of a condition, and what it came to."""

RECORD = "__record__"


class _Conditions(ast.NodeTransformer):
    """Every operand of every condition, recorded."""

    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        node.test = self._recorded(node.test)
        return node

    visit_While = visit_IfExp = visit_If  # type: ignore[assignment]  # noqa: N815

    def _recorded(self, test: ast.expr) -> ast.expr:
        match test:
            case ast.BoolOp():
                test.values = [self._recorded(value) for value in test.values]
                return test
            case ast.UnaryOp(op=ast.Not()):
                test.operand = self._recorded(test.operand)
                return test
            case _:
                where = [ast.Constant(test.lineno), ast.Constant(test.col_offset)]
                return ast.Call(ast.Name(RECORD, ast.Load()), [*where, test], [])


def branches_of(path: Path, function: str) -> Callable[[Mapping[str, object]], frozenset[Side]]:
    """A function from arguments to the branches that the program takes on them."""
    tree = _Conditions().visit(ast.parse(path.read_text(encoding="utf-8")))
    taken: set[Side] = set()

    def record(line: int, column: int, value: Any) -> Any:
        taken.add((line, column, bool(value)))
        return value

    namespace: dict[str, Any] = {RECORD: record, "__name__": path.stem}
    exec(compile(ast.fix_missing_locations(tree), str(path), "exec"), namespace)

    def branches(arguments: Mapping[str, object]) -> frozenset[Side]:
        taken.clear()
        namespace[function](**arguments)
        return frozenset(taken)

    return branches
