"""The path condition of a large run as SMT-LIB text, every clause as the model gives it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from xsynth.model.patterns import split
from xsynth.program.spec import Layout
from xsynth.synthesize.columns import SORTS, Space
from xsynth.synthesize.condition import Array, PathCondition
from xsynth.synthesize.prepare import General
from xsynth.synthesize.smtlib import general_text, numeral
from xsynth.trace.terms import Sort

_SORT_TEXT = {Sort.INT: "Int", Sort.BOOL: "Bool", Sort.REAL: "Real"}


def smt2_text(condition: PathCondition, title: str) -> str:
    space = Space(condition)
    names = _names(condition, space)
    lines = [f"; {title}", "(set-logic ALL)"]
    lines += [
        f"(declare-const {name} {_SORT_TEXT[SORTS[sort]]})"
        for name, sort in zip(names.tolist(), space.sorts.tolist(), strict=True)
    ]
    for layout in condition.layouts:
        lines += _bounds(layout, names[space.layout_slice(layout)])
    for column, ids in space.definitions:
        lines += general_text(General(column.pattern, column.leaves, ids), space, names)
    for clause in condition.clauses:
        lines += general_text(General(clause.pattern, clause.leaves, None), space, names)
    for term in condition.extra:
        pattern, leaves = split(term)
        row = np.array([leaves], dtype=np.int64).reshape(1, len(leaves))
        lines += general_text(General(pattern, row, None), space, names)
    return "\n".join([*lines, "(check-sat)", "(get-model)", ""])


def _names(condition: PathCondition, space: Space) -> Array:
    """Cells are called as in Python, `|a[3]|`; computed values v1, v2, ..."""
    names = np.array([f"v{number}" for number in range(space.size)], dtype=object)
    for layout in condition.layouts:
        names[space.layout_slice(layout)] = [
            f"|{cell.name}{''.join(f'[{i}]' for i in cell.index)}|" for cell in layout.cells()
        ]
    return names


def _bounds(layout: Layout, names: Array) -> Iterator[str]:
    real = layout.sort is Sort.REAL
    for name in names.tolist():
        if layout.lo is not None:
            yield f"(assert (<= {numeral(layout.lo, real)} {name}))"
        if layout.hi is not None:
            yield f"(assert (<= {name} {numeral(layout.hi, real)}))"
