"""The feasibility chain: layers asked in turn, the cheap exact ones first.

    constant     the term is true or false by itself
    witness      the values at hand satisfy the term already
    difference   order and difference constraints, by an incremental graph
    sums         integer sums: combinations that are known to contradict each other
    nudge        one cell moved by what a comparison lacks, if nothing else breaks
    sums         a simplex, over the constraints that its candidates violate
    table        every assignment of the cells in question, where there are few
    z3           everything else

The chain keeps a stack of asserted terms, each with a witness of all terms up
to it.  That witness is at the same time the solution from which the difference
layer starts its next repair, so going back is restoring an older list.

Exactness.  `Infeasible` from the difference layer or the sums holds whatever else is
asserted, since more constraints only exclude more.  `Feasible` is answered by
these only if the values found satisfy every asserted term: those that a layer reads
completely by construction, any others by evaluating them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from xsynth.explore.feasibility.cells import (
    FIRST_CELL,
    INT_ZERO,
    Assignment,
    Cells,
    DefValues,
    Domain,
    narrow,
)
from xsynth.explore.feasibility.dependents import Dependents, Overlay, Values
from xsynth.explore.feasibility.difference import Constraint, DifferenceGraph, NoSolution
from xsynth.explore.feasibility.nudge import divisors, moves
from xsynth.explore.feasibility.outcome import Feasible, Infeasible, Outcome, Unknown
from xsynth.explore.feasibility.reading import OPAQUE, Reader
from xsynth.explore.feasibility.smt import Smt
from xsynth.explore.feasibility.sums import Sums, valued
from xsynth.explore.feasibility.table import Table
from xsynth.trace.terms import Cell, Term, Value, evaluate

__all__ = ["ALL_LAYERS", "Chain", "Domain"]

ALL_LAYERS = frozenset({"constant", "witness", "difference", "sums", "nudge", "table", "z3"})

INFEASIBLE = Infeasible()


class Chain:
    def __init__(
        self,
        domains: Sequence[Domain],
        *,
        layers: frozenset[str] = ALL_LAYERS,
        z3_timeout_ms: int = 60_000,
        deadline: float | None = None,
    ) -> None:
        if not layers <= ALL_LAYERS:
            raise ValueError(f"no such layers: {sorted(layers - ALL_LAYERS)}")
        self.stats = dict.fromkeys(
            (
                "constant",
                "witness",
                "difference",
                "sums",
                "nudge",
                "table",
                "z3",
                "unknown",
            ),
            0,
        )
        self._cells = Cells()
        self._constant = "constant" in layers
        self._witness = "witness" in layers
        self._difference = "difference" in layers
        self._use_sums = "sums" in layers
        self._nudge = "nudge" in layers
        self._table = Table(self._cells) if "table" in layers else None
        self._z3 = "z3" in layers
        self._z3_timeout_ms = z3_timeout_ms
        self._deadline = deadline  # when Z3 has to be done: then `check` raises `Deadline`
        self._smt: Smt | None = None
        for domain in domains:
            self._cells.declare(domain)
        self._empty = any(
            low is not None and high is not None and low > high
            for low, high in zip(self._cells.lows, self._cells.highs, strict=True)
        )
        self._graph = DifferenceGraph(self._cells)
        self._reader = Reader(self._cells)
        initial = [self._cells.initial(number) for number in range(len(self._cells))]
        self._current = Assignment(self._cells, initial)
        self._terms: list[Term] = []
        self._constraints: list[Constraint] = []
        self._sums = Sums(self._cells)
        self._summed = 0  # how many asserted terms the sums have to say something about
        self._opaque: list[Term] = []  # the asserted terms that graph and sums do not say in full
        self._dependents = Dependents(self._cells)  # of those terms
        self._steps: list[int] = []  # what remainders are taken by in those terms
        self._undo: list[tuple[tuple[int, int], tuple[int, int], int, int, int, Assignment]] = []
        self._last_read: tuple[Term, Constraint] | None = None
        self._last_found: tuple[Term, Assignment, Overlay | None] | None = None
        self._values = Values(self._dependents)
        self._values_of: Assignment | None = self._current

    @property
    def steps(self) -> int:
        """The work on sums, which grows with the path, and on tables: other cheap layers' does
        not."""
        tabled = 0 if self._table is None else self._table.steps
        return self._sums.steps + self._reader.forms.steps + tabled

    @property
    def level(self) -> int:
        """The number of asserted terms."""
        return len(self._terms)

    @property
    def witness(self) -> Mapping[Cell, Value]:
        """Satisfies all asserted terms; total over the cells met so far."""
        return self._current

    def evaluate(self, term: Term) -> Value:
        """The value of a term under the current witness."""
        return evaluate(term, self._current, self._known())

    def _known(self) -> Values:
        """The values of definitions, for the current witness."""
        if self._values_of is not self._current:
            self._values = Values(self._dependents)
            self._values_of = self._current
        return self._values

    def holds(self, term: Term) -> bool:
        """Whether the current witness satisfies a term."""
        constraint = self._read(term)
        if constraint.complete or constraint.whole:
            return _fulfils(self._current.vector, constraint)
        return bool(self.evaluate(term))

    def check(self, term: Term) -> Outcome:
        """Is everything asserted, and this term, satisfiable together?"""
        if self._constant or self._witness or self._difference:
            outcome = self._check_cheaply(term)
            if outcome is None and self._use_sums:
                outcome = self._refuted(term)
            if outcome is None and self._nudge:
                outcome = self._nudged(term)
            if outcome is None and self._use_sums:
                outcome = self._summed_up(term)
            if outcome is not None:
                return outcome
        if self._table is not None:
            tabled = self._tabled(self._table, term)
            if tabled is not None:
                self.stats["table"] += 1
                return tabled
        if not self._z3:
            self.stats["unknown"] += 1
            return Unknown("no layer in use can answer")
        if self._smt is None:
            self._smt = Smt(self._cells, self._z3_timeout_ms, self._deadline)
        answer = self._smt.check(self._terms, term)
        self._grow()
        match answer:
            case Infeasible():
                self.stats["z3"] += 1
                return answer
            case Unknown():
                self.stats["unknown"] += 1
                return answer
            case vector:
                self.stats["z3"] += 1
                return self._moved_to(term, vector)

    def _tabled(self, table: Table, term: Term) -> Outcome | None:
        values = table.solve(self._terms, term)
        self._grow()
        if values is None or isinstance(values, Infeasible):
            return values
        vector = list(self._current.vector)
        for number, value in values.items():
            vector[number] = value
        return self._moved_to(term, vector)

    def _moved_to(self, term: Term, vector: list[int | Fraction]) -> Feasible:
        pairs = zip(self._current.vector, vector, strict=False)
        moved = [number for number, (before, now) in enumerate(pairs) if before != now]
        overlay = Overlay(self._known(), self._dependents.affected(moved)[0])
        return self._found(term, Assignment(self._cells, vector), overlay)

    def _check_cheaply(self, term: Term) -> Outcome | None:
        constraint = self._read(term)
        stats = self.stats
        if self._empty or constraint.contradiction:
            if self._constant or self._difference:
                stats["constant" if self._constant else "difference"] += 1
                return INFEASIBLE
            return None
        if self._constant and constraint.trivial:
            stats["constant"] += 1
            return self._found(term, self._current)
        if self._witness and self._satisfies_now(term, constraint):
            stats["witness"] += 1
            return self._found(term, self._current)
        if not self._difference or not (
            constraint.complete or constraint.edges or constraint.unequal
        ):
            return None
        solution = self._graph.solve(self._current.vector, constraint)
        if isinstance(solution, NoSolution):
            if solution is NoSolution.GAVE_UP:
                return None
            stats["difference"] += 1
            return INFEASIBLE
        found = self._still(term, constraint, solution, self._graph.moved)
        if found is not None:
            stats["difference"] += 1
        return found

    def _refuted(self, term: Term) -> Outcome | None:
        self._sums.follow(self._constraints)
        if not self._sums.refutes(self._read(term)):
            return None
        self.stats["sums"] += 1
        return INFEASIBLE

    def _summed_up(self, term: Term) -> Outcome | None:
        constraint = self._read(term)
        if not (constraint.edges or constraint.unequal or constraint.sums or constraint.unlike):
            return None
        self._sums.follow(self._constraints)
        solution = self._sums.solve(self._current.vector, constraint)
        if isinstance(solution, NoSolution):
            if solution is NoSolution.GAVE_UP:
                return None
            self.stats["sums"] += 1
            return INFEASIBLE
        # The edges between reals are the graph's alone.
        if any(self._cells.real[p] for p, _, _ in (*constraint.edges, *constraint.unequal)):
            return None
        found = self._still(term, constraint, solution, None)
        if found is not None:
            self.stats["sums"] += 1
        return found

    def _nudged(self, term: Term) -> Outcome | None:
        """Moves one cell of a comparison by what it lacks, and whatever the graph then asks.

        Not a decision procedure: what it finds is checked, what it does not find says nothing.
        """
        constraint = self._read(term)
        vector = self._current.vector
        for cell, change in moves(term, self.evaluate, self._steps):
            number = self._cells.number(cell)
            if self._cells.real[number] or number >= len(vector):
                continue
            goal = vector[number] + change
            edge = (INT_ZERO, number, goal) if change > 0 else (number, INT_ZERO, -goal)
            solution = self._graph.solve(vector, Constraint((edge,), (), complete=False))
            if isinstance(solution, NoSolution) or not _fulfils(solution, constraint):
                continue
            found = self._still(term, OPAQUE, solution, self._graph.moved)
            if found is not None:
                self.stats["nudge"] += 1
                return found
        return None

    def _still(
        self,
        term: Term,
        constraint: Constraint,
        solution: list[int | Fraction],
        moved: set[int] | None,
    ) -> Feasible | None:
        """A solution of one layer, if it is one of what the others say too.

        Only what is asserted of a cell that it moved has to be looked at.
        """
        found = Assignment(self._cells, solution)
        if not constraint.complete and not _fulfils(solution, constraint):
            return None
        unsaid = not (constraint.complete or constraint.whole)
        if not (self._opaque or self._summed or unsaid):
            return self._found(term, found)
        if moved is None:
            pairs = zip(self._current.vector, solution, strict=True)
            moved = {number for number, (before, now) in enumerate(pairs) if before != now}
        if self._summed:
            self._sums.follow(self._constraints)
            if not self._sums.satisfied_by(solution, moved):
                return None
        if not (self._opaque or unsaid):
            return self._found(term, found)
        touched, above = self._dependents.affected(moved)
        now = Overlay(self._known(), touched)
        unread = [term, *above] if unsaid else above
        return self._found(term, found, now) if _satisfied(unread, found, now) else None

    def push(self, term: Term, witness: Mapping[Cell, Value]) -> None:
        """Assert a term, with a witness of it and of everything asserted before."""
        constraint = self._read(term)
        last = self._last_found
        if last is not None and last[0] is term and last[1] is witness:
            new = last[1]
            if last[2] is not None and last[2].before is self._values:
                self._values.settle(last[2])
                self._values_of = new
        else:
            new = self._adopt(witness)
            if not self._is_witness(term, constraint, new):
                raise ValueError(f"not a witness of {term!r} and what is asserted: {witness!r}")
        marks = self._graph.mark(), self._dependents.mark()
        sizes = len(self._opaque), len(self._steps), self._summed
        self._undo.append((*marks, *sizes, self._current))
        self._terms.append(term)
        self._constraints.append(constraint)
        self._graph.add(constraint)
        self._summed += bool(constraint.sums or constraint.unlike)
        if not (constraint.complete or constraint.whole):
            self._opaque.append(term)
            self._dependents.add(term)
            self._steps += [step for step in divisors(term) if step not in self._steps]
        self._current = new
        self._last_found = None

    def pop(self, level: int) -> None:
        """Back to the level."""
        if not 0 <= level <= len(self._terms):
            raise ValueError(f"no level {level}: there are {len(self._terms)}")
        if level == len(self._terms):
            return
        mark, below, opaque, steps, self._summed, self._current = self._undo[level]
        self._graph.undo(mark)
        self._dependents.undo(below)
        del self._opaque[opaque:], self._steps[steps:], self._undo[level:], self._terms[level:]
        del self._constraints[level:]
        self._sums.retract(level)
        self._last_found = None
        # Also where the witness stays: of fewer definitions it is known what they depend on.
        self._values_of = None
        if self._table is not None:
            self._table.retract(level)
        if self._smt is not None:
            self._smt.retract(level)

    def _found(self, term: Term, witness: Assignment, now: Overlay | None = None) -> Feasible:
        self._last_found = (term, witness, now)
        return Feasible(witness)

    def _read(self, term: Term) -> Constraint:
        last = self._last_read
        if last is not None and last[0] is term:
            constraint = last[1]
        else:
            constraint = self._reader.read(term)
            self._last_read = (term, constraint)
        if len(self._current.vector) < len(self._cells):
            self._grow()
        return constraint

    def _grow(self) -> None:
        """Take in cells met for the first time."""
        self._graph.grow()
        vector = self._current.vector
        if len(vector) < len(self._cells):
            known = self._values_of is self._current
            self._current = Assignment(self._cells, self._padded(vector))
            if known:  # no value has changed
                self._values_of = self._current

    def _padded(self, vector: list[int | Fraction]) -> list[int | Fraction]:
        missing = range(len(vector), len(self._cells))
        return [*vector, *(self._cells.initial(number) for number in missing)]

    def _satisfies_now(self, term: Term, constraint: Constraint) -> bool:
        if not _fulfils(self._current.vector, constraint):
            return False
        if constraint.complete or constraint.whole:
            return True
        try:
            return bool(self.evaluate(term))
        except ZeroDivisionError:
            return False

    def _adopt(self, witness: Mapping[Cell, Value]) -> Assignment:
        if witness is self._current:
            return self._current
        if isinstance(witness, Assignment) and witness.numbering is self._cells:
            if len(witness.vector) == len(self._cells):
                return witness
            return Assignment(self._cells, self._padded(witness.vector))
        vector = list(self._current.vector)
        for number in range(FIRST_CELL, len(vector)):
            value = witness.get(self._cells.cells[number], vector[number])
            vector[number] = narrow(value)
        return Assignment(self._cells, vector)

    def _is_witness(self, term: Term, constraint: Constraint, witness: Assignment) -> bool:
        if witness is self._current:
            return self._satisfies_now(term, constraint)
        if not self._graph.satisfied_by(witness.vector):
            return False
        if self._summed:
            self._sums.follow(self._constraints)
            if not self._sums.satisfied_by(witness.vector, range(len(witness.vector))):
                return False
        return _satisfied([*self._opaque, term], witness)


def _fulfils(vector: list[int | Fraction], constraint: Constraint) -> bool:
    if constraint.contradiction:
        return False
    for p, q, weight in constraint.edges:
        if vector[q] < vector[p] + weight:
            return False
    for p, q, weight in constraint.unequal:
        if vector[q] == vector[p] + weight:
            return False
    for one in constraint.sums:
        if valued(one.form, vector) < one.value:
            return False
    return all(valued(one.form, vector) != one.value for one in constraint.unlike)


def _satisfied(terms: list[Term], witness: Assignment, values: DefValues | None = None) -> bool:
    values = DefValues() if values is None else values
    try:
        return all(evaluate(term, witness, values) for term in terms)
    except ZeroDivisionError:
        return False
