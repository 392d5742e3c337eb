"""Lines that no path reached: what they cost cannot be in any formula.

Where a loop only starts once a log has twenty entries, every path up to scale 6 misses it,
and the worst of them is not the worst at 500.  Plain inputs may show that (`probes.py`), or
may not; that there are such lines is known for certain, and said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xsynth.explore.worst import WorstCase
from xsynth.program.program import Program
from xsynth.trace.events import Trace

_ENDS = (ast.Return, ast.Raise, ast.Pass, ast.Continue, ast.Break, ast.Assert)
"""Statements that end a run, a turn or nothing: reaching one more seldom adds to the cost."""


def unreached_lines(
    program: Program, worst: Sequence[WorstCase], beyond: Sequence[Trace] = ()
) -> tuple[int, ...]:
    """The lines of the file that no path at any of the scales ran, nor any trace beyond them.

    Functions that were never called are left out, and so is what only ends a run: a
    `return` for an empty input, a `raise` for a wrong one.
    """
    if not worst or not any(case.paths for case in worst):
        return ()
    missed = set.intersection(*(set(case.unreached) for case in worst))
    missed = {block for block in missed if not any(trace.counts[block] for trace in beyond)}
    own = program.blocks[: program.counting.own]
    lines = {line for number, block in enumerate(own) if number in missed for line in block.lines}
    reached = {
        line for number, block in enumerate(own) if number not in missed for line in block.lines
    }
    lines -= reached
    if not lines:
        return ()
    found: set[int] = set()
    for function, body in _functions(ast.parse(program.source)):
        inside = {statement.lineno for statement in body}
        if not reached & inside:
            continue
        telling = {
            statement.lineno
            for statement in body
            if not isinstance(statement, (*_ENDS, ast.FunctionDef, ast.ClassDef))
            and statement is not function
        }
        found |= lines & telling
    return tuple(sorted(found))


def _functions(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """Every function, and the statements in it that are in no function within it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node, list(_statements(node))


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _statements(child)
