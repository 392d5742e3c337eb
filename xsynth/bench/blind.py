"""Searches that know nothing but the cost: random inputs, and Hypothesis with a target.

Both draw from the domains of the program's cells (1000 either way where there is no bound)
and have the same help with preconditions: where an input is refused, its lists are sorted
and it is tried once more.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from xsynth.complexity import bounds, random_arguments
from xsynth.program.assumptions import assumption_holds
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program, TimeUp
from xsynth.trace.terms import Sort, Value

Arguments: TypeAlias = dict[str, object]


@dataclass
class Tried:
    """What was run so far: the greatest cost, the average, and how many inputs."""

    best: int | None = None
    runs: int = 0
    total: int = 0
    refused: int = 0
    missing: str = ""
    """What has to be installed first."""
    hindrance: str = "no input was run to its end in time"
    """Why there is no cost, if there is none."""

    @property
    def average(self) -> float | None:
        return self.total / self.runs if self.runs else None

    def run(self, program: Program, scale: int, arguments: Arguments, until: float) -> int | None:
        """The cost; None where the input is refused or the function raises an exception.

        TimeUp where it does not end in time.
        """
        for given in (arguments, _sorted(arguments)):
            if time.monotonic() > until:
                raise TimeUp
            try:
                if not all(
                    assumption_holds(text, given, {"n": scale}) for text in program.spec.assumptions
                ):
                    continue
                cost = program.replay(given, until - time.monotonic()).cost
            except AssumptionFailed:
                continue
            if cost is not None:
                self.runs += 1
                self.total += cost
                self.best = cost if self.best is None else max(self.best, cost)
            return cost
        self.refused += 1
        if not self.runs:
            self.hindrance = f"none of {self.refused} inputs met the preconditions"
        return None


def _sorted(arguments: Arguments) -> Arguments:
    return {
        name: sorted(value) if isinstance(value, list) and _is_flat(value) else value
        for name, value in arguments.items()
    }


def _is_flat(values: list[Any]) -> bool:
    return all(isinstance(value, int | float | Fraction) for value in values)


def random_search(program: Program, scale: int, until: float) -> Tried:
    source = random.Random(scale)
    tried = Tried()
    try:
        while time.monotonic() < until:
            tried.run(program, scale, random_arguments(program, scale, source), until)
    except TimeUp:
        pass
    return tried


class _Enough(BaseException):
    """Not an Exception: Hypothesis would take that for a failure to be made smaller."""


def hill_climb(program: Program, scale: int, until: float) -> Tried:
    """`hypothesis.target` on the counted cost, begun anew for as long as there is time."""
    tried = Tried()
    try:
        import hypothesis
    except ImportError:
        tried.missing = "Hypothesis is not installed: pip install 'xsynth[bench]'"
        return tried
    draw = _strategy(program, scale)

    def test(drawn: list[list[Value]]) -> None:
        try:
            arguments = _arguments(program, scale, drawn)
            cost = tried.run(program, scale, arguments, until)
        except TimeUp:
            raise _Enough from None
        hypothesis.assume(cost is not None)
        hypothesis.target(float(cost or 0))

    try:
        for number in itertools.count():
            before = tried.runs + tried.refused
            _round(test, draw, number)
            if tried.runs + tried.refused == before:
                raise hypothesis.errors.InvalidArgument
    except hypothesis.errors.InvalidArgument:
        tried.hindrance = "Hypothesis cannot draw inputs so large"
    except _Enough:
        pass
    return tried


def _round(test: Callable[[list[list[Value]]], None], draw: Any, number: int) -> None:
    import hypothesis
    from hypothesis import HealthCheck, Phase

    library: Any = hypothesis  # its types fit decorators, not calls
    settings = library.settings(
        max_examples=10_000,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    run = library.seed(number)(settings(library.given(draw)(test)))
    with suppress(hypothesis.errors.Unsatisfiable):
        run()


def _strategy(program: Program, scale: int) -> Any:
    """A list of values for every group of cells with the same domain."""
    from hypothesis import strategies

    drawn = []
    for (sort, first, last), cells in _groups(program, scale):
        one = strategies.booleans() if sort is Sort.BOOL else strategies.integers(first, last)
        drawn.append(strategies.lists(one, min_size=len(cells), max_size=len(cells)))
    return strategies.tuples(*drawn)


def _groups(program: Program, scale: int) -> list[tuple[tuple[Sort, int, int], list[Any]]]:
    found: dict[tuple[Sort, int, int], list[Any]] = {}
    for cell, low, high in program.spec.domains(scale):
        found.setdefault((cell.sort, *bounds(low, high)), []).append(cell)
    return list(found.items())


def _arguments(program: Program, scale: int, drawn: list[list[Value]]) -> Arguments:
    values: dict[tuple[str, tuple[int, ...]], Value] = {}
    for ((sort, *_), cells), group in zip(_groups(program, scale), drawn, strict=True):
        for cell, value in zip(cells, group, strict=True):
            values[cell.name, cell.index] = Fraction(value) if sort is Sort.REAL else value
    return program.spec.concrete(scale, lambda name, index: values[name, index])
