"""A solution against the condition as it was given, as arrays.

Nothing here knows what was reduced or how it was solved: every clause, definition,
bound and assumption is evaluated on the values.  Definitions are computed in the order
in which they depend on each other; where their values are already claimed, each is
compared with its row instead, which says the same without a pass for every step of a
long chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from xsynth.model.patterns import DefHole
from xsynth.synthesize.assumed import extra_columns
from xsynth.synthesize.columns import Evaluator, Space, holes
from xsynth.synthesize.condition import Array, ClauseColumn, PathCondition
from xsynth.synthesize.graph import Graph, waves
from xsynth.trace.terms import Sort


def violations(
    condition: PathCondition,
    values: Mapping[str, Array],
    *,
    space: Space | None = None,
    definitions: tuple[Array, Array] | None = None,
    assumptions: Sequence[ClauseColumn] | None = None,
) -> list[str]:
    """What does not hold, in words; empty for a solution.

    `definitions`: the claimed value of every variable, and a mask of those to believe.
    `assumptions`: the extra terms as columns, where these are made already.
    """
    space = space or Space(condition)
    found = list(_outside(condition, values))
    vector = _vector(condition, space, values)
    known = np.zeros(space.size, dtype=bool)
    if definitions is not None:
        claimed, known = definitions
        if claimed.dtype == object:
            vector = vector.astype(object)
        known = known.copy()
        known[: space.cells] = False
        vector[known] = claimed[known]
    vector, circular = _define(space, vector, known)
    if circular:
        return [*found, f"{circular} definitions refer to each other in a circle"]
    evaluator = Evaluator(space, vector)
    for column, ids in space.definitions:
        value, faults = evaluator.column(column.pattern, column.leaves)
        _report(found, "definitions", str(column.pattern), (value == vector[ids]) & ~faults)
    for kind, columns in (
        ("clauses", condition.clauses),
        ("assumptions", extra_columns(condition.extra) if assumptions is None else assumptions),
    ):
        for clause in columns:
            for leaves in clause.blocks():
                value, faults = evaluator.column(clause.pattern, leaves)
                _report(found, kind, str(clause.pattern), value.astype(bool) & ~faults)
    return found


def _report(found: list[str], kind: str, what: str, holds: Array) -> None:
    bad = ~holds.astype(bool)
    if bad.any():
        found.append(f"{int(bad.sum())} {kind} (first: row {int(np.argmax(bad))}) of {what}")


def _outside(condition: PathCondition, values: Mapping[str, Array]) -> list[str]:
    found: list[str] = []
    for layout in condition.layouts:
        array = values[layout.name]
        if array.shape != layout.dims:
            found.append(f"{layout.name} has shape {array.shape}, not {layout.dims}")
        elif layout.sort is not Sort.BOOL and array.size:
            if layout.lo is not None:
                _report(found, "cells", f"{layout.name}: below", (array >= layout.lo).ravel())
            if layout.hi is not None:
                _report(found, "cells", f"{layout.name}: above", (array <= layout.hi).ravel())
    return found


def _vector(condition: PathCondition, space: Space, values: Mapping[str, Array]) -> Array:
    """The values of all variables in one array; those of definitions are still 0."""
    exact = any(values[layout.name].dtype == object for layout in condition.layouts)
    vector = np.zeros(space.size, dtype=object if exact else np.int64)
    for layout in condition.layouts:
        vector[space.layout_slice(layout)] = values[layout.name].ravel()
    return vector


def _define(space: Space, vector: Array, known: Array) -> tuple[Array, int]:
    """Computes the definitions that are not known, and counts those that cannot be."""
    unknown = ~known
    unknown[: space.cells] = False
    if not unknown.any():
        return vector, 0
    column_of = np.full(space.size, -1, dtype=np.int64)
    row_of = np.zeros(space.size, dtype=np.int64)
    sources: list[Array] = []
    targets: list[Array] = []
    for number, (column, ids) in enumerate(space.definitions):
        column_of[ids] = number
        row_of[ids] = np.arange(len(ids))
        for hole, start in holes(column.pattern):
            if isinstance(hole, DefHole):
                needs = space.variables(hole, column.leaves[:, start : start + hole.arity])
                open_edge = unknown[needs] & unknown[ids]
                sources.append(needs[open_edge])
                targets.append(ids[open_edge])
    none = np.zeros(0, dtype=np.int64)
    source, target = np.concatenate([none, *sources]), np.concatenate([none, *targets])
    left = int(unknown.sum())
    for wave, _ in waves(Graph(space.size, source, target, none, none)):
        ready = wave[unknown[wave]]
        left -= len(ready)
        numbers = column_of[ready]
        for number in np.unique(numbers).tolist():
            ids = ready[numbers == number]
            column, _ = space.definitions[number]
            value, _ = Evaluator(space, vector).column(column.pattern, column.leaves[row_of[ids]])
            if value.dtype == object and vector.dtype != object:
                vector = vector.astype(object)
            vector[ids] = value
    return vector, left
