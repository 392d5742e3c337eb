"""The model of a worst case: what `learn` writes down and `generate` reads.

Data only.  `isg.py` has the generators, `file.py` the text form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from xsynth.model.growth import growth
from xsynth.model.isg import Expr, Isg, evaluate, evaluate_int
from xsynth.model.patterns import Pattern
from xsynth.model.region import Region
from xsynth.program.inputs import InputSpec
from xsynth.scale import Scale, at_least, holds_from, named
from xsynth.trace.terms import Place


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a point's rows: one generator for each column, all of the same length.

    Only definitions need their counters (other clauses refer to them by these).
    """

    counters: tuple[Isg, ...]
    leaves: tuple[Isg, ...]


@dataclass(frozen=True, slots=True)
class GeneratorPoint:
    """A constraint generator point: place, direction, pattern, and its generators.

    `taken` is None for an assignment.
    """

    place: Place
    taken: bool | None
    pattern: Pattern
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ScaleRecord:
    """What exploration saw at one scale."""

    scale: Scale
    paths: int
    exhaustive: bool
    cost: int
    ties: int


@dataclass(frozen=True, slots=True)
class BranchPolicy:
    """What the worst paths did at a place where both sides could be taken."""

    place: Place
    prefer: bool | None


@dataclass(frozen=True, slots=True)
class Turns:
    """A branch that goes to one side at every turn but some.

    Each exception is a table of counters, a generator for each loop and call around the
    place; the last one counts decisions within one turn, from 0.
    """

    place: Place
    usual: bool
    exceptions: tuple[tuple[Isg, ...], ...]


History: TypeAlias = tuple[tuple[Place, bool], ...]
"""The decisions of a call before another one, the latest first."""


@dataclass(frozen=True, slots=True)
class After:
    """A branch whose side follows from the last `size` decisions of the same call.

    A history that is shorter is all that the call has decided so far.
    """

    place: Place
    size: int
    choices: tuple[tuple[History, bool], ...]


@dataclass(frozen=True, slots=True)
class Values:
    """A symbolic integer where a plain one is needed: counters as in `Turns`, and the value."""

    place: Place
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """A branch of a function that is called with many sizes: in each call as in `Turns`.

    In the generators n is the size of the call, named as `hi - lo` or `len(a)` of its
    arguments, and the counters are those of the loops in the call.
    """

    place: Place
    size: str
    usual: bool
    exceptions: tuple[tuple[Isg, ...], ...]


Decision: TypeAlias = Turns | After | Within | Values
"""What is decided at a place, at any scale, without a look at what is feasible."""


EVERY_INPUT = "every input"
"""The family of a program that decides nothing by its input: its path has no constraints."""


EVERY_PATH = "every path"
"""The family where no path is told from another: there are so few that all are looked at."""


NOT_LEARNED = "not learned"
"""Where no family leads beyond the explored scales: a search finds what it finds."""


@dataclass(frozen=True, slots=True)
class Model:
    program: str
    """The path of the program, relative to the model file where it can be."""
    function: str
    digest: str
    """sha256 of the program's source."""
    spec: InputSpec
    measure: str
    formula: Expr | None
    """The worst-case cost as an exact function of n."""
    scales: tuple[ScaleRecord, ...]
    guided: tuple[Scale, ...]
    """Scales beyond the exhausted ones whose traces confirmed the model."""
    family: str
    """The rule that chose one worst path a scale among the tied ones."""
    points: tuple[GeneratorPoint, ...]
    """Empty where only the policies were learned, or where there is nothing to decide."""
    policies: tuple[BranchPolicy, ...]
    region: Region | None = None
    """With several variables: where the model holds, if not everywhere."""
    decisions: tuple[Decision, ...] = ()
    """For a directed run: one for each place whose decisions follow a rule."""
    never_ran: tuple[int, ...] = ()
    """Lines that no path reached at the scales it was learned from."""

    @property
    def generates(self) -> bool:
        """Whether inputs can be synthesized: from generators, or because any input will do."""
        return bool(self.points) or self.family == EVERY_INPUT

    @property
    def enumerates(self) -> bool:
        """Whether every path is looked at, at any scale: the worst is known then, not guessed."""
        return self.family == EVERY_PATH

    @property
    def promises_nothing(self) -> bool:
        """Whether nothing was learned: then inputs are sought, and none is called the worst."""
        return self.family == NOT_LEARNED

    @property
    def directed(self) -> bool:
        """Whether a run can be directed: no branch with a choice is left to a search."""
        ruled = {decision.place for decision in self.decisions}
        return bool(ruled) and all(p.place in ruled or p.prefer is not None for p in self.policies)

    @property
    def holds_from(self) -> Scale:
        """The scale from which on the formula is the worst cost that exploration found.

        The smallest scales can be exceptions: a loop is still empty, another path is worse.
        """
        formula, region = self.formula, self.region
        inside = [r for r in self.scales if region is None or region.has(r.scale)]
        return holds_from(
            [record.scale for record in inside],
            [r.scale for r in inside if formula and not _is_value(formula, r.scale, r.cost)],
        )

    def predicted(self, scale: Scale) -> int | None:
        """The worst cost at a scale: by exploration, else by the formula where that holds."""
        if self.region is not None and not self.region.has(scale):
            return None
        for record in self.scales:
            if record.scale == scale and record.exhaustive:
                return record.cost
        if self.formula is None or not at_least(scale, self.holds_from):
            return None
        return evaluate_int(self.formula, named(scale))

    @property
    def growth(self) -> str | None:
        """The complexity class of the formula."""
        return None if self.formula is None else growth(self.formula, self.region)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the sizes, in the order in which they were given."""
        return tuple(named(self.scales[0].scale))


def _is_value(formula: Expr, scale: Scale, cost: int) -> bool:
    try:
        return evaluate(formula, named(scale)) == cost
    except ValueError:  # no logarithm there, say
        return False
