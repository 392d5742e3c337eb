"""Difference constraints: is there a value for each node with x_q >= x_p + w on every edge?

There is one unless the weights around some cycle add up to more than zero.  As
in Cotton and Maler, "Fast and flexible difference constraint propagation for
DPLL(T)" (SAT 2006), a solution of the old constraints is repaired when an edge
is added: x_q is raised to x_p + w, and whatever now falls short is raised in
turn.  Every new cycle runs through the new edge, so if the wave comes back to
p, and only then, a positive cycle is found and there is no solution.  The wave
is a first-in, first-out queue, which bounds it by nodes times edges; a heap
does not pay at tens of nodes.

Integers take strictness as one unit.  Over the reals x_q > x_p + w has the
weight w + epsilon for an infinitely small epsilon (`Delta`), and the solution
gets a number for epsilon at the end (`settle`).  No edge joins the two kinds.

A disequality x_q != x_p + w is split into its two strict sides where the
solution violates it.  If both sides fail, however deep, the answer is exact;
beyond `MOST_SPLITS` the layer gives up.  Where raising one node after the other is enough,
nothing is split.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from xsynth.explore.feasibility.cells import INT_ZERO, REAL_ZERO, Cells, narrow

MOST_SPLITS = 128


class Delta:
    """`standard + small * epsilon`, ordered first by the standard part."""

    __slots__ = ("small", "standard")

    def __init__(self, standard: int | Fraction, small: int | Fraction) -> None:
        self.standard = standard
        self.small = small

    def __add__(self, other: Number) -> Delta:
        if isinstance(other, Delta):
            return Delta(self.standard + other.standard, self.small + other.small)
        return Delta(self.standard + other, self.small)

    __radd__ = __add__

    def __neg__(self) -> Delta:
        return Delta(-self.standard, -self.small)

    def __sub__(self, other: Number) -> Delta:
        return self + -other

    def __rsub__(self, other: int | Fraction) -> Delta:
        return -self + other

    def _sign_against(self, other: Number) -> int:
        standard, small = (other.standard, other.small) if isinstance(other, Delta) else (other, 0)
        if self.standard != standard:
            return 1 if self.standard > standard else -1
        return (self.small > small) - (self.small < small)

    def __lt__(self, other: Number) -> bool:
        return self._sign_against(other) < 0

    def __gt__(self, other: Number) -> bool:
        return self._sign_against(other) > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Delta | int | Fraction):
            return NotImplemented
        return self._sign_against(other) == 0

    def __hash__(self) -> int:
        return hash((self.standard, self.small))

    def __repr__(self) -> str:
        return f"Delta({self.standard}, {self.small})"


Number: TypeAlias = int | Fraction | Delta
Edge: TypeAlias = tuple[int, int, Number]
"""(p, q, w): x_q >= x_p + w, or x_q != x_p + w."""


Form: TypeAlias = tuple[tuple[int, int], ...]
"""Cells, in order, and what they are multiplied by."""


class Sum(NamedTuple):
    """c1*x1 + ... + ck*xk >= value over integer cells, or != value.

    The cells are in order, and the factors have no divisor in common.
    """

    form: Form
    value: int


class Constraint(NamedTuple):
    """What the cheap layers understand of a term.

    The term implies all of it.  It is implied by the edges and disequalities if `complete`, and
    by these and the sums if `whole`; `contradiction` says that the term is false by itself.
    """

    edges: tuple[Edge, ...]
    unequal: tuple[Edge, ...]
    complete: bool
    contradiction: bool = False
    sums: tuple[Sum, ...] = ()
    unlike: tuple[Sum, ...] = ()
    whole: bool = False

    @property
    def trivial(self) -> bool:
        return self.complete and not self.edges and not self.unequal


class NoSolution(enum.Enum):
    CONTRADICTION = "no solution, proved"
    GAVE_UP = "too many disequalities to split"


Solution: TypeAlias = list[int | Fraction]


class DifferenceGraph:
    """The asserted edges, with a trail to undo them."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._out: list[dict[int, Number]] = []
        self._trail: list[tuple[int, int, Number | None]] = []
        self._unequal: list[Edge] = []
        self._unequal_at: dict[int, list[int]] = {}
        """For each node the numbers of the disequalities that it is in."""
        self.moved: set[int] | None = set()
        """The nodes that the last solution moved; None where that is not known."""
        self.grow()

    def grow(self) -> None:
        """Take in newly numbered cells and their bounds, which are never undone."""
        cells = self._cells
        for number in range(len(self._out), len(cells)):
            self._out.append({})
            if number <= REAL_ZERO:
                continue
            zero = REAL_ZERO if cells.real[number] else INT_ZERO
            low, high = cells.lows[number], cells.highs[number]
            if low is not None:
                self._out[zero][number] = low
            if high is not None:
                self._out[number][zero] = -high

    def mark(self) -> tuple[int, int]:
        return len(self._trail), len(self._unequal)

    def add(self, constraint: Constraint) -> None:
        for edge in constraint.edges:
            self._insert(edge)
        self._differ(constraint.unequal)

    def _differ(self, unequal: tuple[Edge, ...]) -> None:
        for edge in unequal:
            for node in edge[:2]:
                self._unequal_at.setdefault(node, []).append(len(self._unequal))
            self._unequal.append(edge)

    def undo(self, mark: tuple[int, int]) -> None:
        edges, unequal = mark
        trail = self._trail
        while len(trail) > edges:
            p, q, before = trail.pop()
            if before is None:
                del self._out[p][q]
            else:
                self._out[p][q] = before
        while len(self._unequal) > unequal:
            p, q, _ = self._unequal.pop()
            self._unequal_at[p].pop()
            self._unequal_at[q].pop()

    def _insert(self, edge: Edge) -> None:
        p, q, weight = edge
        before = self._out[p].get(q)
        if before is None or before < weight:
            self._trail.append((p, q, before))
            self._out[p][q] = weight

    def satisfied_by(self, vector: Solution) -> bool:
        """Whether a vector satisfies everything asserted here, the bounds included."""
        for p, targets in enumerate(self._out):
            for q, weight in targets.items():
                if vector[q] < vector[p] + weight:
                    return False
        return all(vector[q] != vector[p] + weight for p, q, weight in self._unequal)

    def solve(self, start: Solution, constraint: Constraint) -> Solution | NoSolution:
        """Everything asserted and the constraint, from a solution of what is asserted."""
        if constraint.contradiction:
            return NoSolution.CONTRADICTION
        values: list[Number] = list(start)
        moved: set[int] = set()
        self.moved = moved
        edges = constraint.edges
        if len(edges) == 1 and not constraint.unequal and not self._unequal:
            p, q, weight = edges[0]
            if type(weight) is int:
                # The repair never raises p, so the edge need not be in the graph.
                if not self._repair(values, p, q, weight, moved):
                    return NoSolution.CONTRADICTION
                return self._settle(values)
        mark = self.mark()
        try:
            for edge in edges:
                if not self._repair(values, *edge, moved):
                    return NoSolution.CONTRADICTION
                self._insert(edge)
            self._differ(constraint.unequal)
            suspect = moved.union(*(edge[:2] for edge in constraint.unequal))
            raised = self._raise_apart(values, suspect)
            if raised is not None:
                return self._settle(raised)
            separated = self._separate(values, MOST_SPLITS, suspect)[0]
            return separated if isinstance(separated, NoSolution) else self._settle(separated)
        finally:
            self.undo(mark)

    def _repair(
        self, values: list[Number], p: int, q: int, weight: Number, moved: set[int]
    ) -> bool:
        """Raise values until x_q >= x_p + w holds too; False on a positive cycle."""
        least = values[p] + weight
        if not values[q] < least:
            return True
        values[q] = least
        out = self._out
        queue = [q]
        for node in queue:
            value = values[node]
            for target, step in out[node].items():
                least = value + step
                if values[target] < least:
                    if target == p:
                        return False
                    values[target] = least
                    queue.append(target)
        moved.update(queue)
        return True

    def _raise_apart(self, start: list[Number], suspect: set[int]) -> list[Number] | None:
        """As `_separate` where raising one node at a time suffices, without splits.

        One value among hundreds that must all differ is raised past each of the others in
        turn.  None where raising a node would raise others too: that says nothing.
        """
        values = list(start)
        out, real = self._out, self._cells.real
        near = sorted({number for node in suspect for number in self._unequal_at.get(node, ())})
        raised: set[int] = set()
        for _ in range(2 * len(near) + 1):
            violated = (
                edge
                for edge in map(self._unequal.__getitem__, near)
                if values[edge[1]] == values[edge[0]] + edge[2]
            )
            found = next(violated, None)
            if found is None:
                assert self.moved is not None
                self.moved |= suspect | raised
                return values
            p, q, weight = found
            least = values[p] + weight + 1
            if real[q] or any(values[to] < least + step for to, step in out[q].items()):
                return None
            values[q] = least
            if q not in suspect and q not in raised:
                raised.add(q)
                near = sorted({*near, *self._unequal_at.get(q, ())})
        return None

    def _separate(
        self, values: list[Number], splits: int, suspect: set[int]
    ) -> tuple[list[Number] | NoSolution, int]:
        """A solution without violated disequalities, and the splits left.

        Only those at a suspect node can be violated: the others held before, and still do.
        """
        near = {number for node in suspect for number in self._unequal_at.get(node, ())}
        for number in sorted(near):
            p, q, weight = self._unequal[number]
            if values[q] == values[p] + weight:
                break
        else:
            assert self.moved is not None
            self.moved |= suspect
            return values, splits
        unit: Number = Delta(0, 1) if self._cells.real[p] else 1
        for edge in ((p, q, weight + unit), (q, p, unit - weight)):
            if splits == 0:
                return NoSolution.GAVE_UP, 0
            splits -= 1
            side = list(values)
            moved = set(suspect)
            if not self._repair(side, *edge, moved):
                continue
            mark = self.mark()
            self._insert(edge)
            found, splits = self._separate(side, splits, moved)
            if found is not NoSolution.CONTRADICTION:
                # The edges chosen on the way must outlive this call: `_settle` needs them.
                return found, splits
            self.undo(mark)
        return NoSolution.CONTRADICTION, splits

    def _settle(self, values: list[Number]) -> Solution:
        """Numbers for the epsilons, and both zeros back at zero."""
        settled: Solution
        if Delta in map(type, values):
            self.moved = None
            epsilon = self._epsilon(values)
            settled = [
                narrow(value.standard + value.small * epsilon)
                if isinstance(value, Delta)
                else value
                for value in values
            ]
        else:
            settled = values  # type: ignore[assignment]  # no Delta among them
        shift, real_shift = settled[INT_ZERO], settled[REAL_ZERO]
        if shift or real_shift:
            self.moved = None
            settled = [
                value - (real_shift if real else shift)
                for value, real in zip(settled, self._cells.real, strict=True)
            ]
        return settled

    def _epsilon(self, values: list[Number]) -> int | Fraction:
        """As large as the slack of every edge allows, and at most 1."""
        epsilon: int | Fraction = 1
        infinitesimal = [type(value) is Delta for value in values]
        for p, targets in enumerate(self._out):
            for q, weight in targets.items():
                if infinitesimal[p] or infinitesimal[q]:
                    slack = values[q] - values[p] - weight
                    if isinstance(slack, Delta) and slack.small < 0:
                        epsilon = min(epsilon, Fraction(slack.standard) / -slack.small)
        for p, q, weight in self._unequal:
            gap = values[q] - values[p] - weight
            if isinstance(gap, Delta) and gap.standard * gap.small < 0:
                epsilon = min(epsilon, abs(Fraction(gap.standard) / gap.small) / 2)
        return epsilon
