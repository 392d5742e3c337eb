"""Solves a path condition: the only place that calls Z3 for one, and it calls it once.

Prepare the columns, solve equalities out, set aside variables that only bounds touch,
drop comparisons that others imply, recognise the theory, write SMT-LIB text, ask the
solver that was fastest for that theory (section 7 of the design), read the model, and
check it against every clause as it was given.  Where sums are left, plain values are tried
before (`plain_values.py`), and where these satisfy every clause no solver is asked; of parts
that say the same, one is solved (`alike.py`).

Readable answers: where only integer differences are left, the values shown are the
least ones at or above zero if there are such (see `order.least`), else Z3's, ranked
where only their order matters.  A cell that nothing constrains is 0, or the bound
nearest to 0.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from xsynth.interrupts import check
from xsynth.memory import peak_megabytes
from xsynth.synthesize.alike import without_copies
from xsynth.synthesize.check import violations
from xsynth.synthesize.columns import BOOL, INT, REAL, SAFE, Space
from xsynth.synthesize.condition import Array, Layout, PathCondition, Sat, Stats, Unknown, Unsat
from xsynth.synthesize.crowded import crowded
from xsynth.synthesize.least import is_order, least, raising, ranked
from xsynth.synthesize.linear import LE, NE, Contradiction, Rows, is_difference, normal, strongest
from xsynth.synthesize.order import without_implied
from xsynth.synthesize.plain_values import plain_solution
from xsynth.synthesize.prepare import General, Prepared, general_variables, is_boolean, prepare
from xsynth.synthesize.reduce import Renamed, Step, restore, solve_equalities
from xsynth.synthesize.rows import occurring
from xsynth.synthesize.smtlib import declarations, general_text, linear_text, numeral
from xsynth.trace.terms import Sort

_FAR = 2**61
_MOST_ASKED = 20_000
"""How many rows Z3 is asked about where the least values are known to satisfy all of them.

They are a solution already, and every clause is checked against them; what Z3 adds is a
second opinion.  Those on the lowest values are taken, since they carry the others: for
250,000 rows of a grid reading the text took 4 s and solving it 4 s more.
"""


@dataclass(slots=True)
class _Record:
    """What is gathered on the way for `Stats`."""

    clauses: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    megabytes: dict[str, float] = field(default_factory=dict)
    variables: int = 0
    theory: str = "order"
    solver: str = "none"
    calls: int = 0

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin
            self.megabytes[name] = peak_megabytes()

    def stats(self) -> Stats:
        return Stats(
            dict(self.clauses),
            self.variables,
            self.theory,
            self.solver,
            self.calls,
            dict(self.seconds),
            dict(self.megabytes),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """What is left for the solver, and how to get back."""

    rows: Rows
    general: tuple[General, ...]
    names: Array
    """The text of each variable that the general columns mention."""
    mentioned: Array
    """The variables that these texts contain."""
    steps: list[Step]
    loose: Array
    loose_values: Array
    asked: Rows
    """The rows that the solver gets; the others hold for the least values."""
    least: tuple[Array, Array] | None = None
    """Variables and the smallest natural values for them, where they satisfy the rows."""


def solve(
    condition: PathCondition, *, timeout: float | None = None, resources: int | None = None
) -> Sat | Unsat | Unknown:
    """One answer; `resources` limits what Z3 spends on it, in its own units.

    `DanglingDefinition` and `CellOutOfRange` for a condition that is none.
    """
    begin = time.perf_counter()
    record = _Record()
    try:
        with record.phase("prepare"):
            space = Space(condition)
            prepared = prepare(condition, space)
            record.clauses["given"] = prepared.clauses
            record.clauses["expanded"] = prepared.expanded
        with record.phase("reduce"):
            reduced = _reduce(prepared, space, record)
    except Contradiction:
        return Unsat(record.stats())
    rows = reduced.rows
    record.theory = _theory(rows, reduced.general, space, prepared)
    values = np.zeros(space.size, dtype=np.int64)
    values[prepared.literal == 1] = 1
    values[reduced.loose] = reduced.loose_values
    try:
        prepared.bounds.fill(values, prepared.loose)
    except Contradiction:
        return Unsat(record.stats())
    if record.theory == "linear":
        with record.phase("plain"):
            plain = plain_solution(condition, space, rows, prepared.assumptions)
        if plain is not None:
            record.clauses["asked"] = 0
            record.solver = f"plain values: {plain[0]}"
            return Sat(plain[1], record.stats())
        with record.phase("alike"):
            reduced = _without_copies(reduced, space, record)
        rows = reduced.rows
    if len(rows) or reduced.general:
        with record.phase("least"):
            reduced = _with_least(reduced, space, record)
        if reduced.least is None:
            with record.phase("crowded"):
                reason = crowded(rows, space.sorts)
            if reason is not None:
                return Unsat(record.stats(), reason)
        left = None if timeout is None else timeout - (time.perf_counter() - begin)
        answer = _ask(reduced, space, record, left, resources)
        if answer == "unsat":
            return Unsat(record.stats())
        if isinstance(answer, str):
            timed_out = answer in ("timeout", "canceled") and timeout is not None
            reason = f"timeout after {timeout:g} seconds" if timed_out else answer
            return Unknown(reason, record.stats())
        with record.phase("model"):
            found = _values(answer, reduced, space, values)
        if found is None:
            return Unknown("the solver found a solution in irrational numbers", record.stats())
        values = found
    with record.phase("model"):
        values = restore(values, reduced.steps)
        arrays = {layout.name: _array(layout, values, space) for layout in condition.layouts}
    with record.phase("check"):
        claimed = _claimed(prepared, space)
        wrong = violations(
            condition,
            arrays,
            space=space,
            definitions=(values, claimed),
            assumptions=prepared.assumptions,
        )
    if wrong:
        raise AssertionError("a solution does not satisfy its condition: " + "; ".join(wrong))
    return Sat(arrays, record.stats())


def _reduce(prepared: Prepared, space: Space, record: _Record) -> Reduced:
    sorts = space.sorts
    texts = sum(len(g.leaves) for g in prepared.general)
    bounds = prepared.bounds.taken
    record.clauses["with definitions and bounds"] = len(prepared.rows) + texts + bounds
    texts += int(prepared.loose.sum())
    rows = strongest(normal(prepared.rows, sorts))
    record.clauses["without repeats"] = len(rows) + texts
    protected = general_variables(prepared.general, space)
    rows, steps = solve_equalities(rows, sorts, protected)
    record.clauses["without equalities"] = len(rows) + texts
    names, mentioned = _names(steps, protected, prepared.literal, sorts)
    rows, loose, loose_values = _set_loose_aside(rows, sorts, mentioned)
    texts -= int(prepared.loose.sum())
    record.clauses["without loose bounds"] = len(rows) + texts
    apart = is_difference(rows, sorts)
    if apart.all():
        rows = without_implied(rows, sorts)
    record.clauses["without implied"] = len(rows) + texts
    return Reduced(rows, prepared.general, names, mentioned, steps, loose, loose_values, rows)


def _without_copies(reduced: Reduced, space: Space, record: _Record) -> Reduced:
    rows, copies = without_copies(reduced.rows, space.sorts)
    record.clauses["without copies"] = len(rows)
    if copies is None:
        return reduced
    return replace(reduced, rows=rows, asked=rows, steps=[*reduced.steps, copies])


def _with_least(reduced: Reduced, space: Space, record: _Record) -> Reduced:
    """Finds the least solution; where there is one, bounds from above need no solver."""
    rows = reduced.rows
    small = None
    if not reduced.general and is_difference(rows, space.sorts).all():
        small = least(rows)
    asked, left = rows, len(rows)
    if small is not None:
        needed = rows.take(raising(rows))
        if len(needed):
            left = len(needed)
            asked = needed.take(_highest_first(needed, *small)[-_MOST_ASKED:])
    texts = sum(len(g.leaves) for g in reduced.general)
    record.clauses["without bounds that the least values meet"] = left + texts
    record.clauses["asked"] = len(asked) + texts
    return replace(reduced, asked=asked, least=small)


def _highest_first(rows: Rows, variables: Array, values: Array) -> Array:
    """The rows by the values that they lead to, in descending order.

    Z3 adds differences one by one and moves what lies behind each: 250,000 rows of a grid
    took 3.4 s this way, 12 s row by row of the grid, and 24 s in ascending order.
    """
    height = values[np.searchsorted(variables, rows.variable)]
    return np.argsort(-np.maximum.reduceat(height, rows.start[:-1]), kind="stable")


def _names(steps: list[Step], wanted: Array, literal: Array, sorts: Array) -> tuple[Array, Array]:
    """The text of the wanted variables once renamed, and the variables in those texts."""
    if not wanted.any():
        return np.zeros(0, dtype=object), np.zeros(len(sorts), dtype=bool)
    name = np.arange(len(sorts))
    shift = np.zeros(len(sorts), dtype=np.int64)
    for step in steps:
        if isinstance(step, Renamed):
            new = np.arange(len(sorts) + 1)
            new[-1] = -1
            more = np.zeros(len(sorts) + 1, dtype=np.int64)
            new[step.ids], more[step.ids] = step.names, step.shift
            name, shift = new[name], shift + more[name]
    texts = np.full(len(sorts), "", dtype=object)
    mentioned = np.zeros(len(sorts), dtype=bool)
    for variable in np.flatnonzero(wanted).tolist():
        kind, root, apart = sorts[variable], int(name[variable]), int(shift[variable])
        if kind == BOOL and literal[variable] >= 0:
            texts[variable] = "true" if literal[variable] else "false"
        elif root < 0:
            texts[variable] = numeral(apart, kind == REAL)
        else:
            mentioned[root] = True
            far = f"(+ v{root} {numeral(apart, kind == REAL)})"
            texts[variable] = far if apart else f"v{root}"
    return texts, mentioned


def _set_loose_aside(rows: Rows, sorts: Array, mentioned: Array) -> tuple[Rows, Array, Array]:
    """Gives variables that only have bounds a value; their rows need no solver."""
    if not len(rows):
        none = np.zeros(0, dtype=np.int64)
        return rows, none, none
    tied = mentioned.copy()
    width = rows.width
    single = width == 1
    tied[rows.variable[~single[rows.row]]] = True
    first = np.minimum(rows.start[:-1], max(len(rows.variable) - 1, 0))
    variable, coefficient = rows.variable[first], rows.coefficient[first]
    bound = single & (rows.relation == LE) & (np.abs(coefficient) == 1)
    tied[variable[single & ~bound]] = True
    free = bound & ~tied[variable]
    lower = np.full(len(sorts), -_FAR, dtype=np.int64)
    upper = np.full(len(sorts), _FAR, dtype=np.int64)
    above, below = free & (coefficient == -1), free & (coefficient == 1)
    np.maximum.at(lower, variable[above], -rows.constant[above])
    np.minimum.at(upper, variable[below], rows.constant[below])
    loose = occurring(variable[free])
    if (lower[loose] > upper[loose]).any():
        raise Contradiction
    return rows.take(~free), loose, np.clip(0, lower[loose], upper[loose])


def _theory(rows: Rows, general: tuple[General, ...], space: Space, prepared: Prepared) -> str:
    if general:
        boolean = not len(rows) and all(is_boolean(g, space) for g in general)
        return "boolean" if boolean else "general"
    if not len(rows):
        return "boolean" if (prepared.literal >= 0).any() else "order"
    if not is_difference(rows, space.sorts).all():
        return "linear"
    return "order" if is_order(rows, space.sorts) else "difference"


def _solver(theory: str, rows: Rows, sorts: Array) -> tuple[Any, str]:
    """The solver that was measured to be the fastest for the theory."""
    import z3

    if theory in ("order", "difference"):
        if (rows.relation == NE).any():
            # That solver splits on disequalities one by one: 266 s for 120 different values.
            return z3.SimpleSolver(), "simple"
        solver = z3.SimpleSolver()
        solver.set("arith.solver", 1)
        return solver, "simple, arith.solver=1"
    if theory == "linear":
        kinds = np.unique(sorts[rows.variable])
        if len(kinds) == 1:
            logic = "QF_LIA" if kinds[0] == INT else "QF_LRA"
            return z3.SolverFor(logic), logic
    return z3.Solver(), "default"


def _ask(
    reduced: Reduced, space: Space, record: _Record, left: float | None, resources: int | None
) -> Any:
    """The Z3 solver, which has a model, or "unsat", or why there is no answer."""
    rows, sorts = reduced.asked, space.sorts
    with record.phase("write"):
        used = reduced.mentioned.copy()
        used[rows.variable] = True
        variables = np.flatnonzero(used)
        record.variables = len(variables)
        lines = [*declarations(variables, sorts), *linear_text(rows, sorts)]
        for column in reduced.general:
            lines.extend(general_text(column, space, reduced.names))
        text = "\n".join(lines)
    if left is not None and left <= 0:
        return "timeout"
    with record.phase("import"):
        import z3
    with record.phase("parse"):
        solver, record.solver = _solver(record.theory, rows, sorts)
        solver.set("random_seed", 0)
        if resources is not None:
            solver.set("rlimit", resources)
            solver.set("ctrl_c", False)
        solver.from_string(text)
    if left is not None:
        left -= record.seconds["import"] + record.seconds["parse"]
        if left <= 0:
            return "timeout"
        solver.set("timeout", ceil(left * 1000))
    with record.phase("solver"):
        record.calls += 1
        result = check(solver, left, limited=resources is not None)
    if result == z3.unsat:
        return "unsat"
    if result == z3.unknown:
        return str(solver.reason_unknown())
    return solver


def _values(solver: Any, reduced: Reduced, space: Space, values: Array) -> Array | None:
    """The values of the variables that the solver saw; None where one is irrational."""
    rows, sorts = reduced.rows, space.sorts
    if reduced.least is not None:
        variables, small = reduced.least
        values[variables] = small
        return values
    apart = not reduced.general and bool(is_difference(rows, sorts).all())
    ids: list[int] = []
    found: list[int | Fraction] = []
    for variable, text in _MODEL_ENTRY.findall(solver.model().sexpr()):
        value = _read(text)
        if value is None:
            return None
        ids.append(int(variable))
        found.append(value)
    if any(isinstance(v, Fraction) or abs(v) >= SAFE for v in found):
        values = values.astype(object)
    values[ids] = found
    if apart and values.dtype != object and is_order(rows, sorts):
        names = occurring(rows.variable)
        smaller = ranked(rows, names, values[names])
        if smaller is not None:
            values[names] = smaller
    return values


_MODEL_ENTRY = re.compile(r"\(define-fun v(\d+) \(\) \w+\s+([^\n]*)\)\n?")
_WORD = re.compile(r"[()]|[^\s()]+")


def _read(text: str) -> int | Fraction | None:
    """A value as Z3 prints it: 3, 3.0, true, (- 3), (/ 1.0 3.0), (- (/ 1.0 3.0))."""
    if text in ("true", "false"):
        return int(text == "true")
    words = [w for w in _WORD.findall(text) if w not in "()"]
    sign = -1 if words[0] == "-" else 1
    words = words[1:] if sign < 0 else words
    try:
        if words[0] == "/":
            top, bottom = words[1:]
            return sign * Fraction(top) / Fraction(bottom)
        (word,) = words
        return sign * (Fraction(word) if "." in word else int(word))
    except ValueError:
        return None


def _array(layout: Layout, values: Array, space: Space) -> Array:
    block = values[space.layout_slice(layout)].reshape(layout.dims)
    match layout.sort:
        case Sort.BOOL:
            return block.astype(bool)
        case Sort.REAL:
            exact = np.empty(layout.dims, dtype=object)
            exact.ravel()[:] = [Fraction(v) for v in block.ravel().tolist()]
            return exact
        case Sort.INT:
            whole = [int(v) for v in block.ravel().tolist()] if block.dtype == object else []
            if any(abs(v) >= SAFE for v in whole):
                return np.array(whole, dtype=object).reshape(layout.dims)
            return block.astype(np.int64, copy=False)


def _claimed(prepared: Prepared, space: Space) -> Array:
    """The definitions whose values were solved for; the others were never needed."""
    known = general_variables(prepared.general, space) | (prepared.literal >= 0)
    known[prepared.rows.variable] = True
    return known
