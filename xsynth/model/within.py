"""Decisions of a function that is called with many sizes, as each call sees them.

Divide and conquer does in a call of five elements what it does in any call of five elements, at
whatever scale and depth.  So the decisions of a place are learned call by call: the turns at
which a branch goes to the rarer side, with the size of the call in the role of n and the
counters of the loops in the call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from xsynth.model.allowance import Allowance
from xsynth.model.decisions import call_depth, decided
from xsynth.model.model import Within
from xsynth.model.points import Row
from xsynth.scale import Scale
from xsynth.trace.events import Trace
from xsynth.trace.sizes import CallKey, CallSizes, Function
from xsynth.trace.terms import Place

if TYPE_CHECKING:
    from xsynth.model.columns import Learned

FEWEST_SIZES = 4
"""Calls of so many sizes must have been seen."""
WITHIN_WORK = 1500

Step: TypeAlias = tuple[Place, tuple[int, ...], bool]
"""A decision of a call: the place, the counters within the call, the side."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call with something to decide."""

    function: Function
    sizes: CallSizes
    steps: tuple[Step, ...]

    def size(self, name: str) -> int | None:
        """None where this call has no such size: an argument may be a number or None."""
        return dict(self.sizes).get(name)


def called(trace: Trace) -> list[Called]:
    """The calls of a run that decided anything and have a size, in the order of their ends."""
    steps: dict[CallKey, list[Step]] = {}
    depths: dict[Place, int] = {}
    for one in decided(trace):
        if one.plain:
            continue
        depth = depths.setdefault(one.place, call_depth(one.place))
        key = (one.place.context[:depth], one.at[:depth])
        steps.setdefault(key, []).append((one.place, one.at[depth:], bool(one.answer)))
    return [
        Called(key[0], trace.calls[key], tuple(own))
        for key, own in steps.items()
        if key in trace.calls
    ]


def size_names(trace: Trace) -> dict[Function, list[str]]:
    """For each function that is called several times in a run, the sizes that vary there."""
    found: dict[Function, dict[str, set[int]]] = {}
    calls: dict[Function, int] = {}
    for call in called(trace):
        calls[call.function] = calls.get(call.function, 0) + 1
        for name, value in call.sizes:
            found.setdefault(call.function, {}).setdefault(name, set()).add(value)
    return {
        function: [name for name, values in own.items() if len(values) > 1]
        for function, own in found.items()
        if calls[function] > 1 and any(len(values) > 1 for values in own.values())
    }


def learn_within(
    traces: Sequence[Trace], sizes: Mapping[Function, str], allowance: Allowance
) -> dict[Place, Within]:
    """A rule for each place of these functions whose turns have generators in the call's size."""
    steps: dict[Place, dict[int, set[tuple[tuple[int, ...], bool]]]] = {}
    all_sizes: dict[Function, set[int]] = {}
    for trace in traces:
        for call in called(trace):
            name = sizes.get(call.function)
            if name is None:
                continue
            size = call.size(name)
            if size is None:
                continue
            all_sizes.setdefault(call.function, set()).add(size)
            for place, at, side in call.steps:
                steps.setdefault(place, {}).setdefault(size, set()).add((at, side))
    found: dict[Place, Within] = {}
    for place, own in steps.items():
        function = place.context[: call_depth(place)]
        known = tuple(sorted(all_sizes[function]))
        rule = _rule(place, own, known, sizes[function], allowance.part(WITHIN_WORK))
        if rule is not None:
            found[place] = rule
    return found


def _rule(
    place: Place,
    own: Mapping[int, set[tuple[tuple[int, ...], bool]]],
    sizes: tuple[int, ...],
    name: str,
    allowance: Allowance,
) -> Within | None:
    if any(len({at for at, _ in steps}) < len(steps) for steps in own.values()):
        return None  # calls of one size that decide differently
    sides = [side for steps in own.values() for _, side in steps]
    if len(set(sides)) == 1:
        return Within(place, name, sides[0], ())
    if len(own) < FEWEST_SIZES:
        return None
    usual = 2 * sum(sides) > len(sides)
    best: tuple[tuple[int, int], Within] | None = None
    for side in (usual, not usual):
        learned = _exceptions(own, sizes, not side, allowance)
        if learned is not None:
            # A loop that has few turns so far can be unrolled, which explains nothing further on.
            rank = (len(learned.pieces), -learned.spare)
            exceptions = tuple(piece.counters for piece in learned.pieces)
            if best is None or rank < best[0]:
                best = (rank, Within(place, name, side, exceptions))
    return None if best is None else best[1]


def _exceptions(
    own: Mapping[int, set[tuple[tuple[int, ...], bool]]],
    sizes: tuple[int, ...],
    side: bool,
    allowance: Allowance,
) -> Learned | None:
    """Generators of the turns that take a side."""
    from xsynth.model.columns import learn_rows  # following rules needs no fitting

    rows: dict[Scale, tuple[Row, ...]] = {
        size: tuple(sorted(Row(at, ()) for at, taken in steps if taken is side))
        for size, steps in own.items()
    }
    rows = {size: here for size, here in rows.items() if here}
    return learn_rows(rows, sizes, counters=True, spare=1, allowance=allowance)
