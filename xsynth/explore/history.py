"""SPF-WCA: policies that look at the last decisions of the running call.

Luckow, Kersten and Pasareanu, "Symbolic Complexity Analysis Using Context-Preserving
Histories" (ICST 2017).  The choice at a condition depends on the last h decisions taken in
the same call of its function: h = 0 is a policy without memory, h = 1 can alternate.

The histories of a condition form a trie, from the latest decision back, so one trie holds
every h.  A node knows the sides taken after its suffix, and apart from these the sides
taken where the suffix was the whole history, as it is when a call has just started.

A choice of value (an index, a key) is a decision with many sides; where the policy names
one value, that one is taken.

Two things are freer than in the paper.  A decision that could only go one way is part of
the history, but says nothing of the policy; and where a policy's side is not feasible the
other one is followed, so a policy never loses a path for want of a choice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xsynth.explore.guide import BOTH, PREFER, Permits
from xsynth.explore.paths import chain_for, paths
from xsynth.explore.search import Search
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.proxies.current import current
from xsynth.trace.terms import Place, Site
from xsynth.trace.tracer import Deadline, Tracer

LONGEST_ADAPTIVE = 16
"""The longest histories that are kept where no size is given."""
TIES_KEPT = 300


@dataclass(frozen=True, slots=True)
class Valued:
    """The side of a choice of value.  Not a plain integer: 1 would equal True."""

    value: int


Side: TypeAlias = bool | Valued
Decision: TypeAlias = tuple[Site, Side]
Observed: TypeAlias = tuple[Site, tuple[Decision, ...], Side]
"""A free decision: the condition, the history with the latest decision first, the side."""


@dataclass(slots=True)
class Trie:
    after: dict[Decision, Trie] = field(default_factory=dict)
    sides: set[Side] = field(default_factory=set)
    whole: set[Side] = field(default_factory=set)

    def add(self, history: Sequence[Decision], side: Side) -> None:
        node = self
        node.sides.add(side)
        for decision in history:
            node = node.after.setdefault(decision, Trie())
            node.sides.add(side)
        node.whole.add(side)

    def unite(self, other: Trie) -> None:
        waiting = [(self, other)]
        while waiting:
            mine, theirs = waiting.pop()
            mine.sides |= theirs.sides
            mine.whole |= theirs.whole
            for decision, node in theirs.after.items():
                waiting.append((mine.after.setdefault(decision, Trie()), node))

    def choices(self, history: Sequence[Decision], h: int) -> set[Side]:
        """The sides taken after the last h decisions; none where they were never seen."""
        node = self
        for decision in history[:h]:
            following = node.after.get(decision)
            if following is None:
                return set()
            node = following
        return node.sides if len(history) >= h else node.whole

    def resolutions(self, h: int) -> Iterator[set[Side]]:
        """The choices of every history of size h, or shorter where it is whole."""
        level = [self]
        for _ in range(h):
            yield from (node.whole for node in level if node.whole)
            level = [following for node in level for following in node.after.values()]
        yield from (node.sides for node in level)

    @property
    def height(self) -> int:
        level, height = [self], 0
        while level := [following for node in level for following in node.after.values()]:
            height += 1
        return height


@dataclass(frozen=True, slots=True)
class HistoryPolicy:
    """A trie for each condition; `size` is the size of all histories, None for adaptive."""

    size: int | None
    tries: dict[Site, Trie]

    def size_at(self, site: Site) -> int:
        """Adaptive: from 0 up until every choice is determined, or as many as can be."""
        if self.size is not None:
            return self.size
        trie = self.tries[site]
        return min(range(trie.height + 1), key=lambda h: (self._undetermined(trie, h), h))

    @staticmethod
    def _undetermined(trie: Trie, h: int) -> int:
        return sum(len(sides) > 1 for sides in trie.resolutions(h))

    @property
    def open(self) -> int:
        """How many histories leave the choice open."""
        return sum(
            self._undetermined(trie, self.size_at(site)) for site, trie in self.tries.items()
        )

    @property
    def rank(self) -> tuple[int, int, int]:
        """Conditions determined (procedure 4), then few open histories, then few histories."""
        opened = [self._undetermined(trie, self.size_at(s)) for s, trie in self.tries.items()]
        entries = sum(
            1 for site, trie in self.tries.items() for _ in trie.resolutions(self.size_at(site))
        )
        return (-sum(1 for count in opened if count), -sum(opened), -entries)

    def united(self, other: HistoryPolicy) -> HistoryPolicy:
        tries: dict[Site, Trie] = {}
        for policy in (self, other):
            for site, trie in policy.tries.items():
                tries.setdefault(site, Trie()).unite(trie)
        return HistoryPolicy(self.size, tries)


def policy_of(path: Sequence[Observed], size: int | None) -> HistoryPolicy:
    """Procedure 2."""
    tries: dict[Site, Trie] = {}
    for site, history, side in path:
        tries.setdefault(site, Trie()).add(history, side)
    return HistoryPolicy(size, tries)


@dataclass
class Histories:
    """The last decisions of every running call, the latest first."""

    longest: int
    _held: dict[int, tuple[object, deque[Decision]]] = field(default_factory=dict)

    def begin(self) -> None:
        self._held = {}

    def here(self) -> deque[Decision]:
        recorder = current()
        assert isinstance(recorder, Tracer)
        call = recorder.activation
        held = self._held.get(id(call))
        if held is None:
            # The call is held too: an identity is good only while its object lives.
            held = self._held[id(call)] = (call, deque(maxlen=self.longest))
        return held[1]


@dataclass
class Observe:
    """Permits everything, and knows the free decisions of the path so far."""

    longest: int
    path: list[Observed] = field(default_factory=list)
    _histories: Histories = field(init=False)

    def __post_init__(self) -> None:
        self._histories = Histories(self.longest)

    def begin(self) -> None:
        self.path = []
        self._histories.begin()

    def permits(self, place: Place) -> Permits:
        return BOTH

    def took(self, place: Place, side: bool, free: bool) -> None:
        self._add(place.site, side, free)

    def value(self, place: Place) -> int | None:
        return None

    def chose(self, place: Place, value: int, free: bool) -> None:
        self._add(place.site, Valued(value), free)

    def _add(self, site: Site, side: Side, free: bool) -> None:
        history = self._histories.here()
        if free:
            self.path.append((site, tuple(history), side))
        history.appendleft((site, side))


@dataclass
class FollowHistory:
    """Guides by a history policy (procedure 3)."""

    policy: HistoryPolicy
    _histories: Histories = field(init=False)
    _sizes: dict[Site, int] = field(init=False)

    def __post_init__(self) -> None:
        self._sizes = {site: self.policy.size_at(site) for site in self.policy.tries}
        self._histories = Histories(max(self._sizes.values(), default=0))

    def begin(self) -> None:
        self._histories.begin()

    def permits(self, place: Place) -> Permits:
        side = self._side(place.site)
        return PREFER[side] if isinstance(side, bool) else BOTH

    def took(self, place: Place, side: bool, free: bool) -> None:
        self._histories.here().appendleft((place.site, side))

    def value(self, place: Place) -> int | None:
        side = self._side(place.site)
        return side.value if isinstance(side, Valued) else None

    def chose(self, place: Place, value: int, free: bool) -> None:
        self._histories.here().appendleft((place.site, Valued(value)))

    def _side(self, site: Site) -> Side | None:
        """The only one that the policy has seen after the last decisions."""
        trie = self.policy.tries.get(site)
        if trie is None:
            return None
        choices = trie.choices(tuple(self._histories.here()), self._sizes[site])
        return next(iter(choices)) if len(choices) == 1 else None


def worst_paths(
    program: Program, scale: Scale, size: int | None, deadline: float | None = None
) -> list[list[Observed]] | None:
    """The tied worst paths of a scale, up to a cap; None where it could not be exhausted."""
    observe = Observe(LONGEST_ADAPTIVE if size is None else size)
    search = Search(chain_for(program, scale, deadline), guide=observe, eager=True)
    worst: list[list[Observed]] = []
    cost: int | None = None
    try:
        for path in paths(search, program, scale, deadline):
            if path.outcome.raised is not None or (cost is not None and path.cost < cost):
                continue
            if cost is None or path.cost > cost:
                cost = path.cost
                worst = []
            if len(worst) < TIES_KEPT:
                worst.append(observe.path)
    except Deadline:
        return None
    return worst if search.incomplete is None else None


def choose(ties: Sequence[Sequence[list[Observed]]], size: int | None) -> HistoryPolicy:
    """Phase (i) of procedure 1, from the largest scale down.

    Of the tied paths of a scale the one is taken whose policy, united with that of the
    larger scales, ranks best: ties broken apart at each scale would contradict each other.
    """
    united = HistoryPolicy(size, {})
    for tied in ties:
        candidates = (united.united(policy_of(path, size)) for path in tied)
        united = max(candidates, key=lambda policy: policy.rank, default=united)
    return united


def learn_history(
    program: Program, scales: Sequence[Scale], size: int | None, deadline: float | None = None
) -> HistoryPolicy | None:
    """A policy from the scales that could be exhausted in time; None if none could."""
    ties: list[list[list[Observed]]] = []
    for scale in sorted(scales):
        found = worst_paths(program, scale, size, deadline)
        if found is None:
            break
        ties.append(found)
    return choose(ties[::-1], size) if ties else None
