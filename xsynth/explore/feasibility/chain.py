"""The feasibility chain: layers asked in turn, the cheap exact ones first.

    constant     the term is true or false by itself
    witness      the values at hand satisfy the term already
    difference   order and difference constraints, by an incremental graph
    nudge        one cell moved by what a comparison lacks, if nothing else breaks
    z3           everything else

The chain keeps a stack of asserted terms, each with a witness of all terms up
to it.  That witness is at the same time the solution from which the difference
layer starts its next repair, so going back is restoring an older list.

Exactness.  `Infeasible` from the difference layer holds whatever else is
asserted, since more constraints only exclude more.  `Feasible` is answered by
it only if the values it found satisfy every asserted term: those it reads
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
from xsynth.trace.terms import Cell, Term, Value, evaluate

__all__ = ["ALL_LAYERS", "Chain", "Domain"]

ALL_LAYERS = frozenset({"constant", "witness", "difference", "nudge", "z3"})

INFEASIBLE = Infeasible()


class Chain:
    def __init__(
        self,
        domains: Sequence[Domain],
        *,
        layers: frozenset[str] = ALL_LAYERS,
        z3_timeout_ms: int = 60_000,
    ) -> None:
        if not layers <= ALL_LAYERS:
            raise ValueError(f"no such layers: {sorted(layers - ALL_LAYERS)}")
        self.stats = dict.fromkeys(
            ("constant", "witness", "difference", "nudge", "z3", "unknown"), 0
        )
        self._constant = "constant" in layers
        self._witness = "witness" in layers
        self._difference = "difference" in layers
        self._nudge = "nudge" in layers
        self._z3 = "z3" in layers
        self._z3_timeout_ms = z3_timeout_ms
        self._smt: Smt | None = None
        self._cells = Cells()
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
        self._opaque: list[Term] = []  # the asserted terms that the graph does not say in full
        self._dependents = Dependents(self._cells)  # of those terms
        self._steps: list[int] = []  # what remainders are taken by in those terms
        self._undo: list[tuple[tuple[int, int], tuple[int, int], int, int, Assignment]] = []
        self._last_read: tuple[Term, Constraint] | None = None
        self._last_found: tuple[Term, Assignment, Overlay | None] | None = None
        self._values = Values(self._dependents)
        self._values_of = self._current

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
        if constraint.complete:
            return _fulfils(self._current.vector, constraint)
        return bool(self.evaluate(term))

    def check(self, term: Term) -> Outcome:
        """Is everything asserted, and this term, satisfiable together?"""
        if self._constant or self._witness or self._difference:
            outcome = self._check_cheaply(term)
            if outcome is None and self._nudge:
                outcome = self._nudged(term)
            if outcome is not None:
                return outcome
        if not self._z3:
            self.stats["unknown"] += 1
            return Unknown("no layer in use can answer")
        if self._smt is None:
            self._smt = Smt(self._cells, self._z3_timeout_ms)
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
        found = self._still(term, constraint, solution)
        if found is not None:
            stats["difference"] += 1
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
            found = self._still(term, OPAQUE, solution)
            if found is not None:
                self.stats["nudge"] += 1
                return found
        return None

    def _still(
        self, term: Term, constraint: Constraint, solution: list[int | Fraction]
    ) -> Feasible | None:
        """A solution of the graph, if it is one of the terms that the graph does not say too.

        Only those above a cell that it moved have to be looked at.
        """
        found = Assignment(self._cells, solution)
        if not self._opaque and constraint.complete:
            return self._found(term, found)
        moved = self._graph.moved
        if moved is None:
            unread = self._opaque if constraint.complete else [*self._opaque, term]
            return self._found(term, found) if _satisfied(unread, found) else None
        touched, above = self._dependents.affected(moved)
        now = Overlay(self._known(), touched)
        unread = above if constraint.complete else [term, *above]
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
        self._undo.append((*marks, len(self._opaque), len(self._steps), self._current))
        self._terms.append(term)
        self._graph.add(constraint)
        if not constraint.complete:
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
        mark, below, opaque, steps, self._current = self._undo[level]
        self._graph.undo(mark)
        self._dependents.undo(below)
        del self._opaque[opaque:], self._steps[steps:], self._undo[level:], self._terms[level:]
        self._last_found = None
        # Also where the witness stays: of fewer definitions it is known what they depend on.
        self._values = Values(self._dependents)
        self._values_of = self._current
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
        if constraint.complete:
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
        return _satisfied([*self._opaque, term], witness)


def _fulfils(vector: list[int | Fraction], constraint: Constraint) -> bool:
    if constraint.contradiction:
        return False
    for p, q, weight in constraint.edges:
        if vector[q] < vector[p] + weight:
            return False
    return not constraint.unequal or all(
        vector[q] != vector[p] + weight for p, q, weight in constraint.unequal
    )


def _satisfied(terms: list[Term], witness: Assignment, values: DefValues | None = None) -> bool:
    values = DefValues() if values is None else values
    try:
        return all(evaluate(term, witness, values) for term in terms)
    except ZeroDivisionError:
        return False
