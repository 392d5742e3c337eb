"""Sums: the asserted integer constraints c1*x1 + ... + ck*xk >= b, and a search among them.

The difference graph knows x - y >= b; this layer knows any integer coefficients, edges of
the graph and the bounds of cells included.  `Sums` keeps what is asserted: each left side (a
form) once, with the greatest b.  It is filled only when a question gets this far.

Infeasible questions repeat.  A proof that constraints contradict each other is a positive
combination of their left sides that is zero, with right sides that add up to more (Farkas).
Such a combination is one whatever the right sides are, so it is kept (`_refutations`), and the
next question is held against those that its forms take part in before anything is searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from xsynth.explore.feasibility.cells import FIRST_CELL, Cells
from xsynth.explore.feasibility.difference import Constraint, Form, NoSolution
from xsynth.explore.feasibility.simplex import Tableau

Bound: TypeAlias = tuple[int, int]
"""(form, b): the form is at least b, or is not b."""

MOST_SPLITS = 16
"""Integers and disequalities split a question in two; so often at most."""
MOST_PIVOTS = 400
"""For one question, its parts together."""
MOST_ADDED = 4
"""Violated constraints that are taken into account at a time."""
MOST_FORMS = 50_000
"""Remembered besides those that are asserted."""
MOST_REFUTATIONS = 24
"""Kept for one form."""


@dataclass(frozen=True, slots=True)
class _Question:
    """Goals beside what is asserted: each holds, and each of `unlike` is not met."""

    goals: tuple[Bound, ...]
    unlike: tuple[Bound, ...]


class Sums:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self.steps = 0
        """Forms that were evaluated or added to one another: the work so far."""
        self._reset()

    def _reset(self) -> None:
        self._forms: list[Form] = []
        self._numbers: dict[Form, int] = {}
        self._least: dict[int, int] = {}
        self._at: dict[int, list[int]] = {}
        """For each cell the forms with a bound that it is in."""
        self._unlike: list[Bound] = []
        self._trail: list[tuple[int, int | None]] = []
        self._marks: list[tuple[int, int]] = []
        self._refutations: dict[int, list[dict[int, int]]] = {}
        self._bounded = FIRST_CELL

    # -- what is asserted

    def follow(self, asserted: Sequence[Constraint]) -> None:
        """Takes in what was asserted since; what was undone is told by `retract`."""
        # Of a long path all forms are needed: they are forgotten where most of them are not.
        if len(self._forms) > MOST_FORMS + 4 * len(self._least):
            self._reset()
        if self._bounded < len(self._cells):
            self._take_bounds()
        for constraint in asserted[len(self._marks) :]:
            self._marks.append((len(self._trail), len(self._unlike)))
            question = self._question(constraint)
            for bound in question.goals:
                self._assert(bound)
            self._unlike += question.unlike

    def retract(self, level: int) -> None:
        if level >= len(self._marks):
            return
        trail, unlike = self._marks[level]
        del self._marks[level:], self._unlike[unlike:]
        while len(self._trail) > trail:
            form, before = self._trail.pop()
            if before is None:
                del self._least[form]
                for cell, _ in self._forms[form]:
                    self._at[cell].pop()
            else:
                self._least[form] = before

    def _take_bounds(self) -> None:
        """The bounds of cells, which are never undone: they go below everything asserted."""
        self.retract(0)
        cells = self._cells
        for number in range(self._bounded, len(cells)):
            low, high = cells.lows[number], cells.highs[number]
            if cells.real[number]:
                continue
            if low is not None:
                self._assert((self._form(((number, 1),)), int(low)))
            if high is not None:
                self._assert((self._form(((number, -1),)), -int(high)))
        self._trail.clear()
        self._bounded = len(cells)

    def _assert(self, bound: Bound) -> None:
        form, least = bound
        before = self._least.get(form)
        if before is None:
            for cell, _ in self._forms[form]:
                self._at.setdefault(cell, []).append(form)
        elif before >= least:
            return
        self._trail.append((form, before))
        self._least[form] = least

    def _form(self, form: Form) -> int:
        number = self._numbers.get(form)
        if number is None:
            number = self._numbers[form] = len(self._forms)
            self._forms.append(form)
        return number

    def _question(self, constraint: Constraint) -> _Question:
        """Without what is about reals, which only the other layers know."""
        goals = [(self._form(one.form), one.value) for one in constraint.sums]
        unlike = [(self._form(one.form), one.value) for one in constraint.unlike]
        real = self._cells.real
        for p, q, weight in constraint.edges:
            if not real[p]:
                goals.append((self._form(difference(p, q)), int(weight)))  # type: ignore[arg-type]
        for p, q, weight in constraint.unequal:
            if not real[p]:
                unlike.append((self._form(difference(p, q)), int(weight)))  # type: ignore[arg-type]
        return _Question(tuple(goals), tuple(unlike))

    # -- questions

    def satisfied_by(self, vector: Sequence[int | Fraction], moved: Iterable[int]) -> bool:
        """Whether everything asserted of these cells holds."""
        return next(self._violated(vector, moved), None) is None and self._met(vector) is None

    def _violated(self, vector: Sequence[int | Fraction], moved: Iterable[int]) -> Iterator[int]:
        seen: set[int] = set()
        least, forms = self._least, self._forms
        for cell in moved:
            for form in self._at.get(cell, ()):
                if form not in seen:
                    seen.add(form)
                    self.steps += 1
                    if valued(forms[form], vector) < least[form]:
                        yield form

    def _met(self, vector: Sequence[int | Fraction], more: tuple[Bound, ...] = ()) -> Bound | None:
        """A disequality that does not hold."""
        self.steps += len(self._unlike)
        for form, value in (*more, *self._unlike):
            if valued(self._forms[form], vector) == value:
                return form, value
        return None

    def refutes(self, constraint: Constraint) -> bool:
        """Whether a known combination shows that there is no solution."""
        question = self._question(constraint)
        return any(self._contradicts(goal, question.goals) for goal in question.goals) or any(
            all(self._contradicts(side, (side, *question.goals)) for side in self._sides(one))
            for one in question.unlike
        )

    def _sides(self, unlike: Bound) -> tuple[Bound, Bound]:
        form, value = unlike
        negative = self._form(tuple([(cell, -factor) for cell, factor in self._forms[form]]))
        return (form, value + 1), (negative, 1 - value)

    def _contradicts(self, goal: Bound, goals: tuple[Bound, ...]) -> bool:
        known = self._refutations.get(goal[0])
        if known is None:
            return False
        least = self._least
        given: dict[int, int] = {}
        for form, bound in goals:
            given[form] = max(bound, least.get(form, bound))
        for place, combination in enumerate(known):
            total = 0
            for form, factor in combination.items():
                bound_or_none = given.get(form)
                if bound_or_none is None:
                    bound_or_none = least.get(form)
                    if bound_or_none is None:
                        break
                total += factor * bound_or_none
            else:
                if total > 0:
                    if place:
                        known.insert(0, known.pop(place))
                    return True
        return False

    def solve(
        self, start: list[int | Fraction], constraint: Constraint
    ) -> list[int | Fraction] | NoSolution:
        """Everything asserted and the constraint, from a solution of what is asserted."""
        question = self._question(constraint)
        pivots = MOST_PIVOTS
        waiting = [question.goals]
        splits = 0
        while waiting:
            goals = waiting.pop()
            tableau = Tableau(start, pivots)
            found = self._search(tableau, goals)
            pivots = tableau.pivots
            self.steps += tableau.steps
            if found is NoSolution.CONTRADICTION:
                continue
            if isinstance(found, NoSolution):
                return found
            halves = self._halves(found, question.unlike)
            if halves is None:
                return found
            splits += 1
            if splits > MOST_SPLITS:
                return NoSolution.GAVE_UP
            waiting += [(*goals, half) for half in reversed(halves)]
        return NoSolution.CONTRADICTION

    def _halves(
        self, found: list[int | Fraction], unlike: tuple[Bound, ...]
    ) -> tuple[Bound, Bound] | None:
        """What to try on either side of a value that cannot be; None if there is none."""
        for cell, value in enumerate(found):
            if type(value) is not int and not self._cells.real[cell]:
                down = int(value // 1)
                return (
                    (self._form(((cell, 1),)), down + 1),
                    (self._form(((cell, -1),)), -down),
                )
        met = self._met(found, unlike)
        return None if met is None else self._sides(met)

    def _search(
        self, tableau: Tableau, goals: tuple[Bound, ...]
    ) -> list[int | Fraction] | NoSolution:
        """Over the rationals.  A constraint counts once a candidate violates it."""
        for form, least in goals:
            tableau.add(form, self._forms[form], max(least, self._least.get(form, least)))
        while True:
            answer = tableau.repair()
            if isinstance(answer, dict):
                self._keep(answer, goals)
                return NoSolution.CONTRADICTION
            if answer is NoSolution.GAVE_UP:
                return answer
            vector, moved = tableau.candidate()
            added = 0
            for form in self._violated(vector, moved):
                tableau.add(form, self._forms[form], self._least[form])
                added += 1
                if added == MOST_ADDED:
                    break
            if not added:
                return vector

    def _keep(self, combination: dict[int, int], goals: tuple[Bound, ...]) -> None:
        for form, _ in goals:
            if form in combination:
                known = self._refutations.setdefault(form, [])
                known.insert(0, combination)
                del known[MOST_REFUTATIONS:]


def difference(p: int, q: int) -> Form:
    """x_q - x_p, where the zeros are left out."""
    if p < FIRST_CELL:
        return ((q, 1),)
    if q < FIRST_CELL:
        return ((p, -1),)
    return ((p, -1), (q, 1)) if p < q else ((q, 1), (p, -1))


def valued(form: Form, vector: Sequence[int | Fraction]) -> int | Fraction:
    total: int | Fraction = 0
    for cell, factor in form:
        total += factor * vector[cell]
    return total
