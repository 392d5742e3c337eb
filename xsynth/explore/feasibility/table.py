"""Every assignment of a few cells with small domains, in a table of columns.

What the other layers cannot read (a remainder by a cell, a product) is read by none of them in
part, and each question about it goes to Z3, which may take seconds where there are 2500 inputs
in all.  So the asserted terms are followed here too, in groups of cells that some term ties
together: the rows of a group are the assignments of its cells that satisfy all of its terms.
Another term joins groups, whose rows are combined before it drops its own; so what is tied late,
when few rows are left of each, is no table of all combinations.

A group that would have too many rows, or whose terms have no columns (reals, large numbers), is
given up, with whatever a later term ties to it.  Otherwise the answer is exact: no other term
says anything about these cells, and the witness keeps its values for all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from xsynth.explore.feasibility.cells import Cells
from xsynth.explore.feasibility.outcome import Infeasible
from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Term

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = "np.ndarray[Any, Any]"

MOST_ROWS = 500_000
MOST_KEPT = 1_000_000
MOST_NAMES = 64
"""How many values of definitions a group keeps, besides those of its cells, and of how many."""
MOST_REMEMBERED = 50_000
LARGEST = 1 << 61
"""Sums and products stay below this, so that 64 bits hold them."""
ROWS_A_STEP = 20
STEPS_A_QUESTION = 100
"""What a question costs, as the work of the sums is counted."""

Column: TypeAlias = "tuple[Array, Array | None]"
"""Values, and the rows where Python cannot evaluate them, if there are any."""


class _NoColumnError(Exception):
    """The term has none."""


@dataclass(slots=True, eq=False)
class _Group:
    """The rows that are left, column by column; with `given_up` there are none to speak of."""

    cells: dict[int, Array]
    rows: int
    definitions: dict[int, tuple[Def, Column]] = field(default_factory=dict)
    given_up: bool = False
    whole: bool = False
    """Whether nothing was asserted: then the definitions are of many paths."""


class Table:
    """The groups at the level up to which the asserted terms were read: `seen` of them."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._groups: dict[int, _Group] = {}
        self._alone: dict[int, _Group] = {}
        """Of cells that nothing was asserted of."""
        self._undo: list[list[tuple[int, _Group | None]]] = []
        self._mentioned: dict[int, tuple[Def, frozenset[int]]] = {}
        self._joined: tuple[tuple[_Group, ...], _Group] | None = None
        self.steps = 0

    @property
    def seen(self) -> int:
        return len(self._undo)

    def retract(self, level: int) -> None:
        for changed in reversed(self._undo[level:]):
            for number, before in reversed(changed):
                if before is None:
                    del self._groups[number]
                else:
                    self._groups[number] = before
        del self._undo[level:]

    def solve(self, asserted: Sequence[Term], term: Term) -> Mapping[int, int] | Infeasible | None:
        """Values for the cells of the term and those tied to them; None where that is unknown."""
        for known in asserted[self.seen :]:
            self._assert(known)
        numbers = self._cells_of(term)
        if not numbers:
            return None
        group = self._join(numbers)
        if group.given_up:
            return None
        try:
            mask = self._mask(term, group)
        except _NoColumnError:
            return None
        if not mask.any():
            return Infeasible()
        row = int(mask.argmax())
        return {number: int(column[row]) for number, column in group.cells.items()}

    def _assert(self, term: Term) -> None:
        changed: list[tuple[int, _Group | None]] = []
        self._undo.append(changed)
        numbers = self._cells_of(term)
        if not numbers:
            return
        group = self._join(numbers)
        if not group.given_up:
            try:
                group = _kept(group, self._mask(term, group))
            except _NoColumnError:
                group = _Group(group.cells, 0, given_up=True)
        for number in group.cells:
            changed.append((number, self._groups.get(number)))
            self._groups[number] = group

    # -- groups

    def _join(self, numbers: frozenset[int]) -> _Group:
        groups = list(dict.fromkeys(self._group(number) for number in sorted(numbers)))
        if len(groups) == 1:
            return groups[0]
        key = tuple(groups)
        if self._joined is not None and self._joined[0] == key:
            return self._joined[1]
        joined = groups[0]
        for other in groups[1:]:
            joined = _product(joined, other)
        self._joined = key, joined
        return joined

    def _group(self, number: int) -> _Group:
        found = self._groups.get(number) or self._alone.get(number)
        if found is None:
            found = self._alone[number] = self._every_value(number)
        return found

    def _every_value(self, number: int) -> _Group:
        import numpy as np

        low, high = self._cells.lows[number], self._cells.highs[number]
        if low is None or high is None or self._cells.real[number] or high - low >= MOST_ROWS:
            return _Group({number: np.zeros(0, dtype=np.int64)}, 0, given_up=True)
        column = np.arange(int(low), int(high) + 1, dtype=np.int64)
        return _Group({number: column}, len(column), whole=True)

    def _cells_of(self, term: Term) -> frozenset[int]:
        if len(self._mentioned) > MOST_REMEMBERED:
            self._mentioned.clear()
        known = self._mentioned
        for definition in _below(term, lambda one: id(one) in known):
            known[id(definition)] = definition, self._mentions(definition.value)
        return self._mentions(term)

    def _mentions(self, term: Term) -> frozenset[int]:
        match term:
            case Cell():
                return frozenset((self._cells.number(term),))
            case Def():
                return self._mentioned[id(term)][1]
            case Const():
                return frozenset()
            case Apply(args=args):
                return frozenset().union(*(self._mentions(argument) for argument in args))

    # -- columns

    def _mask(self, term: Term, group: _Group) -> Array:
        import numpy as np

        self.steps += STEPS_A_QUESTION + group.rows // ROWS_A_STEP
        known = group.definitions
        if len(known) > MOST_NAMES or group.rows * len(known) > MOST_KEPT:
            known.clear()
        for definition in _below(term, lambda one: id(one) in known):
            known[id(definition)] = definition, self._column(definition.value, group)
        values, wrong = self._column(term, group)
        truth = np.broadcast_to(values != 0, (group.rows,))
        return truth if wrong is None else truth & ~wrong

    def _column(self, term: Term, group: _Group) -> Column:
        match term:
            case Cell():
                return group.cells[self._cells.number(term)], None
            case Def():
                return group.definitions[id(term)][1]
            case Const(value=int() as value) if abs(value) < LARGEST:
                import numpy as np

                return np.asarray(int(value), dtype=np.int64), None
            case Apply(op=op, args=args):
                columns = [self._column(argument, group) for argument in args]
                wrong = None
                for _, own in columns:
                    if own is not None:
                        wrong = own if wrong is None else wrong | own
                return _applied(op, [values for values, _ in columns], wrong)
        raise _NoColumnError


def _below(term: Term, known: Any) -> Iterator[Def]:
    """The definitions that a term needs and that are not known, those that others need first."""
    waiting: list[Def] = []
    while True:
        missing = _missing(waiting[-1].value if waiting else term, known)
        if missing is not None:
            waiting.append(missing)
        elif waiting:
            yield waiting.pop()
        else:
            return


def _missing(term: Term, known: Any) -> Def | None:
    match term:
        case Def():
            return None if known(term) else term
        case Apply(args=args):
            return next((m for a in args if (m := _missing(a, known)) is not None), None)
    return None


def _product(one: _Group, other: _Group) -> _Group:
    """Every row of the one with every row of the other."""
    rows = one.rows * other.rows
    if one.given_up or other.given_up or rows > MOST_ROWS:
        return _Group({**one.cells, **other.cells}, 0, given_up=True)
    import numpy as np

    cells = {number: np.repeat(values, other.rows) for number, values in one.cells.items()}
    cells.update({number: np.tile(values, one.rows) for number, values in other.cells.items()})
    return _Group(cells, rows)


def _kept(group: _Group, mask: Array) -> _Group:
    if mask.all():
        return group
    import numpy as np

    rows = int(mask.sum())
    cells = {number: values[mask] for number, values in group.cells.items()}
    kept = _Group(cells, rows)
    if not group.whole:
        shape = (group.rows,)
        for key, (definition, (values, wrong)) in group.definitions.items():
            where = None if wrong is None else np.broadcast_to(wrong, shape)[mask]
            kept.definitions[key] = definition, (np.broadcast_to(values, shape)[mask], where)
    return kept


def _applied(op: Op, sides: list[Array], wrong: Array | None) -> Column:
    import numpy as np

    match op:
        case Op.AND | Op.OR:
            both = np.logical_and if op is Op.AND else np.logical_or
            truth = np.asarray(op is Op.AND)
            for side in sides:
                truth = both(truth, side != 0)
            return truth, wrong
        case Op.NOT:
            return sides[0] == 0, wrong
        case Op.ITE:
            return np.where(sides[0] != 0, _number(sides[1]), _number(sides[2])), wrong
        case Op.NEG:
            return -_number(sides[0]), wrong
    left, right = map(_number, sides)
    match op:
        case Op.ADD | Op.SUB:
            if _largest(left) + _largest(right) >= LARGEST:
                raise _NoColumnError
            return left + right if op is Op.ADD else left - right, wrong
        case Op.MUL:
            if _largest(left) * _largest(right) >= LARGEST:
                raise _NoColumnError
            return left * right, wrong
        case Op.FLOORDIV | Op.MOD:
            zero = right == 0
            if zero.any():
                wrong = zero if wrong is None else wrong | zero
                right = np.where(zero, 1, right)
            return left // right if op is Op.FLOORDIV else left % right, wrong
        case Op.LT:
            return left < right, wrong
        case Op.LE:
            return left <= right, wrong
        case Op.GT:
            return left > right, wrong
        case Op.GE:
            return left >= right, wrong
        case Op.EQ:
            return left == right, wrong
        case Op.NE:
            return left != right, wrong
    raise _NoColumnError


def _number(values: Array) -> Array:
    """Truth values count as 0 and 1."""
    return values.astype(int) if values.dtype == bool else values


def _largest(values: Array) -> int:
    return max(abs(int(values.max())), abs(int(values.min()))) if values.size else 0
