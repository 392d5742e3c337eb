"""Decision sequences: which side a worst path takes, turn by turn, in terms of n.

The leaves of a constraint may have no generator where the decision has one: which elements
a recursive sort compares is irregular, but not which of the two is the smaller.  So the
turns at which a branch goes to the rarer side are learned as the rows of a generator point
are (`columns.py`), with the counters for columns and no leaves.

Where the turns have no generator either, a decision may follow from those before it in the
same call, as in SPF-WCA's history policies: a merge that alternates does so in calls of every
length.  The shortest history is taken that leaves nothing open at any scale, if the largest
scale brings no history that the smaller ones had not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xsynth.model.allowance import Allowance, unlimited
from xsynth.model.model import After, Decision, History, Piece, Turns, Values
from xsynth.model.points import Row
from xsynth.scale import Scale, tails
from xsynth.trace.events import Clause, Trace
from xsynth.trace.terms import Apply, Const, Place, Site

TURNS_WORK = 500
"""How much is tried for the turns of one decision."""
LONGEST_HISTORY = 6
PLACE_WORK = 5000
"""How much is tried for one place, over all choices of scales."""
FEWEST_SCALES = 4
"""The smallest scales may be left out, but so many stay."""


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of a run: the counters and the history before it, and the side or value."""

    place: Place
    at: tuple[int, ...]
    history: History
    answer: int
    plain: bool


By: TypeAlias = Mapping[Scale, Sequence[Decided]]
"""The decisions of one place, by scale."""


class Counting:
    """Numbers the decisions at one place within one turn: a built-in may ask for several."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[tuple[int, ...], int]] = {}

    def numbered(self, place: Place, at: tuple[int, ...]) -> tuple[int, ...]:
        """Places are shared objects, so their identity will do."""
        before = self._last.get(id(place))
        again = 0 if before is None or before[0] != at else before[1] + 1
        self._last[id(place)] = (at, again)
        return (*at, again)


class Histories:
    """The last decisions of every call."""

    def __init__(self) -> None:
        self._held: dict[tuple[int, ...], deque[tuple[Place, bool]]] = {}
        self._calls: dict[tuple[Site, ...], int] = {}
        self._depths: dict[int, tuple[int, int]] = {}

    def of(self, place: Place, at: tuple[int, ...]) -> deque[tuple[Place, bool]]:
        """The history of the call that the place is in, the latest decision first."""
        known = self._depths.get(id(place))
        if known is None:
            depth = call_depth(place)
            call = self._calls.setdefault(place.context[:depth], len(self._calls))
            known = self._depths[id(place)] = (depth, call)
        depth, call = known
        key = (call, *at[:depth])
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = deque(maxlen=LONGEST_HISTORY)
        return held


def call_depth(place: Place) -> int:
    """How many of the counters around a place belong to its call (loops have instructions < 0)."""
    calls = [d for d, site in enumerate(place.context, 1) if site.instruction >= 0]
    return calls[-1] if calls else 0


def decided(trace: Trace) -> Iterator[Decided]:
    """The decisions of a run, in order."""
    counting = Counting()
    histories = Histories()
    for event in trace.events:
        if not isinstance(event, Clause):
            continue
        place = event.place
        history = histories.of(place, event.at)
        answer = _chosen(event) if event.plain else int(event.taken)
        at = counting.numbered(place, event.at)
        yield Decided(place, at, tuple(history), answer, event.plain)
        if not event.plain:
            history.appendleft((place, event.taken))


def _chosen(clause: Clause) -> int:
    assert isinstance(clause.term, Apply)
    value = clause.term.args[1]
    assert isinstance(value, Const)
    return int(value.value)


@dataclass(frozen=True, slots=True)
class LearnedDecisions:
    """The rules, and the places that have none."""

    rules: tuple[Decision, ...]
    open: tuple[Place, ...]


def learn_decisions(
    traces: Sequence[Trace],
    allowance: Allowance | None = None,
    *,
    remember: bool = False,
    known: Mapping[Place, Decision] | None = None,
) -> LearnedDecisions:
    """With `remember` a history is preferred to a generator of turns, where there are both.

    Places with a rule that is known already keep it.
    """
    by_place: dict[tuple[Place, bool], dict[Scale, list[Decided]]] = {}
    for trace in traces:
        for one in decided(trace):
            found = by_place.setdefault((one.place, one.plain), {})
            found.setdefault(trace.scale, []).append(one)
    scales = tuple(sorted(trace.scale for trace in traces))
    rules: list[Decision] = []
    left: list[Place] = []
    for (place, plain), own in by_place.items():
        part = (allowance or unlimited()).part(PLACE_WORK)
        rule: Decision | None
        if plain:
            rule = _values(place, own, scales, part)
        elif known is not None and place in known:
            rule = known[place]
        else:
            rule = _rule(place, own, scales, part, remember=remember)
        if rule is None:
            left.append(place)
        else:
            rules.append(rule)
    return LearnedDecisions(tuple(rules), tuple(left))


def _rule(
    place: Place, own: By, scales: tuple[Scale, ...], allowance: Allowance, *, remember: bool
) -> Decision | None:
    sides = {one.answer for here in own.values() for one in here}
    if len(sides) == 1:
        return Turns(place, bool(sides.pop()), ())
    if remember:
        return _after(place, own, scales) or _turns(place, own, scales, allowance)
    return _turns(place, own, scales, allowance) or _after(place, own, scales)


def _turns(place: Place, own: By, scales: tuple[Scale, ...], allowance: Allowance) -> Turns | None:
    """The rarer side's turns as exceptions; those of the other if they have no generator."""
    trues = sum(one.answer for here in own.values() for one in here)
    usual = 2 * trues > sum(map(len, own.values()))
    for side in (usual, not usual):
        pieces = _pieces(own, scales, not side, allowance)
        if pieces is not None:
            return Turns(place, side, tuple(piece.counters for piece in pieces))
    return None


def _values(
    place: Place, own: By, scales: tuple[Scale, ...], allowance: Allowance
) -> Values | None:
    pieces = _pieces(own, scales, None, allowance)
    return None if pieces is None else Values(place, pieces)


def _pieces(
    own: By, scales: tuple[Scale, ...], side: bool | None, allowance: Allowance
) -> tuple[Piece, ...] | None:
    """Generators of the turns that take a side; with None, of all turns and their values."""
    for used in tails(scales):
        if len(used) < min(FEWEST_SCALES, len(scales)):
            break
        rows = {
            scale: tuple(
                sorted(
                    Row(one.at, (one.answer,) if side is None else ())
                    for one in own[scale]
                    if side is None or one.answer == side
                )
            )
            for scale in used
            if scale in own
        }
        rows = {scale: here for scale, here in rows.items() if here}
        if not rows:
            return ()
        part = allowance.part(TURNS_WORK)
        from xsynth.model.columns import learn_rows  # following rules needs no fitting

        learned = learn_rows(rows, used, counters=True, spare=1, allowance=part)
        if learned is not None:
            return learned.pieces
        if allowance.spent:
            break
    return None


def _after(place: Place, own: By, scales: Sequence[Scale]) -> After | None:
    for size in range(1, LONGEST_HISTORY + 1):
        choices: dict[History, bool] = {}
        fresh = False
        for scale in scales:
            for one in own.get(scale, ()):
                history = one.history[:size]
                known = choices.get(history)
                if known is None:
                    choices[history] = bool(one.answer)
                    fresh |= scale == scales[-1]
                elif known != one.answer:
                    break
            else:
                continue
            break
        else:
            if not fresh:
                return After(place, size, tuple(choices.items()))
    return None
