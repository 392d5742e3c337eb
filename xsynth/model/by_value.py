"""A worst input by value: what every element is, as a function of the size.

Where neither the constraints of the worst paths nor their order are regular, the inputs that
take them often are: `[4, 7, 6, 5, 3, 2, 1, 0]` at 8, `[5, 9, 8, 7, 6, 4, 3, 2, 1, 0]` at 10.
Inputs of a few scales that are described alike (`stretches.py`) give a hypothesis: the ends
and the values of each stretch as `floor((a*n + b)/c)`.  It is a guess, made from as few as three
scales; that it is a worst case at the other explored scales too is for the caller to see, by
running the function.  As generators it says `a[X1] == X2`, a piece for each stretch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import TypeAlias

from xsynth.model.algebra import linear_combination, polynomial
from xsynth.model.fit import floor_of
from xsynth.model.isg import Const as Repeat
from xsynth.model.isg import Expr, Incre, Isg, Num
from xsynth.model.model import GeneratorPoint, Piece
from xsynth.model.order import WRITTEN
from xsynth.model.patterns import CellHole, IntHole, Node, Pattern
from xsynth.model.stretches import Description, Stretch
from xsynth.trace.terms import Op, Sort

SLOPES = {1: (0, 1, -1, 2, -2), 2: (1, -1, 3, -3), 3: (1, 2, -1, -2), 4: (1, 3, -1, -3)}
"""What n is multiplied with, by the divisor; the simplest first."""
MOST_WAYS = 24
"""How many hypotheses one set of inputs gives at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """floor((times*n + plus) / parts)"""

    times: int
    plus: int
    parts: int

    def at(self, n: int) -> int:
        return (self.times * n + self.plus) // self.parts

    @property
    def expr(self) -> Expr:
        if self.parts == 1:
            return polynomial([self.plus, self.times])
        whole, rest = divmod(self.plus, self.parts)
        return _raised(
            floor_of([Fraction(rest, self.parts), Fraction(self.times, self.parts)]), whole
        )


def _raised(expr: Expr, by: int) -> Expr:
    return linear_combination([(Fraction(1), expr), (Fraction(by), Num(1))])


def lines(ranges: Mapping[int, tuple[int, int]]) -> Iterator[Line]:
    """Lines that lie within the range at every scale, with the least divisor that has any."""
    for parts, slopes in SLOPES.items():
        found = False
        for times in slopes:
            least = max(parts * low - times * n for n, (low, _) in ranges.items())
            most = min(parts * high + parts - 1 - times * n for n, (_, high) in ranges.items())
            if least <= most:
                found = True
                yield Line(times, least, parts)
                if least < most:
                    yield Line(times, most, parts)
        if found:
            return


@dataclass(frozen=True, slots=True)
class Growing:
    """A stretch at any size; `last` and `end` may be bounds that its steps do not hit."""

    first: Line
    last: Line
    every: int
    value: Line
    end: Line
    step: int
    count: Line
    single: bool
    """Whether it has one element at every scale that was seen."""

    def fill(self, n: int, values: list[int | None]) -> bool:
        """Writes its elements down; whether they were free, and there."""
        first, last = self.first.at(n), self.last.at(n)
        if first < 0 or last >= len(values):
            return False
        value = self.value.at(n)
        for i in range(first, last + 1, self.every):
            if values[i] is not None:
                return False
            values[i], value = value, value + self.step
        return True


Written: TypeAlias = "tuple[Growing, ...] | Line"
"""An array, or a number that is not in any."""
Input: TypeAlias = "Mapping[str, Description | int]"
"""The values of each block of an input: described, where it is an array."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    blocks: tuple[tuple[str, Written], ...]

    def at(self, n: int, sizes: Mapping[str, int | None]) -> dict[str, list[int]] | None:
        """The values at a scale, if there is one for each element; sizes of arrays are given."""
        found: dict[str, list[int]] = {}
        for name, written in self.blocks:
            size = sizes[name]
            if isinstance(written, Line):
                found[name] = [written.at(n)]
                continue
            values: list[int | None] = [None] * (size or 0)
            if not all(own.fill(n, values) for own in written):
                return None
            full = [value for value in values if value is not None]
            if len(full) < len(values):
                return None
            found[name] = full
        return found


def hypotheses(inputs: Mapping[int, Input]) -> Iterator[Hypothesis]:
    """What inputs of several scales that are described alike may look like at any scale."""
    first = next(iter(inputs.values()))
    ways: list[list[Written]] = []
    for name, block in first.items():
        if isinstance(block, int):
            values = {n: own[name] for n, own in inputs.items()}
            ranges = {n: (v, v) for n, v in values.items() if isinstance(v, int)}
            ways.append(list(lines(ranges)))
        else:
            described = {n: own[name] for n, own in inputs.items()}
            ways.append(list(_arrays({n: d for n, d in described.items() if isinstance(d, tuple)})))
    for chosen in islice(product(*ways), MOST_WAYS):
        yield Hypothesis(tuple(zip(first, chosen, strict=True)))


def _arrays(described: Mapping[int, Description]) -> Iterator[tuple[Growing, ...]]:
    count = len(next(iter(described.values())))
    ways = [list(_growing({n: d[k] for n, d in described.items()})) for k in range(count)]
    yield from islice(product(*ways), MOST_WAYS)


def _growing(stretches: Mapping[int, Stretch]) -> Iterator[Growing]:
    some = next(iter(stretches.values()))
    step = next((s.step for s in stretches.values() if s.step is not None), 0)
    single = all(s.step is None for s in stretches.values())
    slack = some.every - 1
    firsts = _exact({n: s.first for n, s in stretches.items()})
    lasts = list(lines({n: (s.last, s.last + slack) for n, s in stretches.items()}))
    values = _exact({n: s.value for n, s in stretches.items()})
    counts = _exact({n: s.count for n, s in stretches.items()})
    ends = list(lines({n: _stop(s, step) for n, s in stretches.items()}))
    if not (step == 0 or single):
        counts = [Line(0, 0, 1)]
    else:
        ends = [Line(0, 0, 1)]
    for first, last, value, end, times in product(firsts, lasts, values, ends, counts):
        yield Growing(first, last, some.every, value, end, step, times, single)


def _exact(values: Mapping[int, int]) -> list[Line]:
    return list(lines({n: (value, value) for n, value in values.items()}))


def _stop(stretch: Stretch, step: int) -> tuple[int, int]:
    """Where counting up or down may be told to stop: anywhere before the next step."""
    slack = max(abs(step) - 1, 0)
    return (stretch.end, stretch.end + slack) if step > 0 else (stretch.end - slack, stretch.end)


# ------------------------------------------------------------------ generators


def points_of(hypothesis: Hypothesis, sorts: Mapping[str, Sort]) -> tuple[GeneratorPoint, ...]:
    """`a[X1] == X2` for every block; of truth values those that are true, and the others."""
    found: list[GeneratorPoint] = []
    for name, written in hypothesis.blocks:
        rows = [written] if isinstance(written, Line) else list(written)
        hole = CellHole(name, 0 if isinstance(written, Line) else 1, sorts[name])
        if sorts[name] is not Sort.BOOL:
            pattern: Pattern = Node(Op.EQ, (hole, IntHole()), Sort.BOOL)
            pieces = tuple(Piece((), (*_where(row), _what(row))) for row in rows)
            found.append(GeneratorPoint(WRITTEN, True, pattern, pieces))
            continue
        for taken in (True, False):
            own = [row for row in rows if bool(_level(row)) is taken]
            pieces = tuple(Piece((), _where(row)) for row in own)
            if own:
                found.append(GeneratorPoint(WRITTEN, taken, hole, pieces))
    return tuple(found)


def _level(row: Growing | Line) -> int:
    return row.plus if isinstance(row, Line) else row.value.plus


def _where(row: Growing | Line) -> tuple[Isg, ...]:
    if isinstance(row, Line):
        return ()
    if row.single:
        return (row.first.expr,)
    return (Incre(row.first.expr, row.last.expr, Num(row.every)),)


def _what(row: Growing | Line) -> Isg:
    if isinstance(row, Line):
        return row.expr
    if row.single:
        return row.value.expr
    if row.step:
        return Incre(row.value.expr, row.end.expr, Num(row.step))
    return Repeat(row.value.expr, row.count.expr)


def usable(hypothesis: Hypothesis, sorts: Mapping[str, Sort]) -> bool:
    """Whether it can be said with generators: truth values must not change with the size."""
    return all(
        sorts[name] is not Sort.BOOL
        or all(_constant(row) for row in ([w] if isinstance(w, Line) else w))
        for name, w in hypothesis.blocks
    )


def _constant(row: Growing | Line) -> bool:
    line = row if isinstance(row, Line) else row.value
    return line.times == 0 and (isinstance(row, Line) or not row.step)
