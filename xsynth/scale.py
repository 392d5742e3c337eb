"""Scales: how large an input is, as one number or as several with names.

With the one variable n a scale is an `int`.  With several (the lengths of two texts, the
vertices and edges of a graph) it is a `Sizes`, which maps their names to numbers and can
be used wherever a mapping of names to values is wanted.  The text of a scale, `4` or
`n=4,m=3`, is what a person types, what a model file says, and the key in JSON.

Scales are sorted by their sum, then by their numbers in the order of the names.  That order
is for listing; whether one scale is at least another is `at_least`, for every variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Sizes(Mapping[str, int]):
    """One number for each of several variables, in a fixed order."""

    pairs: tuple[tuple[str, int], ...]

    def __getitem__(self, name: str) -> int:
        for own, value in self.pairs:
            if own == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.pairs)

    def __lt__(self, other: Sizes) -> bool:
        return self._key() < other._key()

    def __gt__(self, other: Sizes) -> bool:
        return other < self

    def _key(self) -> tuple[int, tuple[int, ...]]:
        values = tuple([value for _, value in self.pairs])
        return sum(values), values


Scale: TypeAlias = int | Sizes


def sizes_of(values: Mapping[str, int]) -> Scale:
    """The scale with these values; a plain number where n is the only variable."""
    if set(values) == {"n"}:
        return values["n"]
    return Sizes(tuple(values.items()))


def named(scale: Scale) -> Mapping[str, int]:
    """The values by name."""
    return {"n": scale} if isinstance(scale, int) else scale


def shown(scale: Scale) -> str:
    """`n = 4` or `n = 4, m = 3`: as a sentence says it."""
    return ", ".join(f"{name} = {value}" for name, value in named(scale).items())


def plain(scale: Scale) -> int | dict[str, int]:
    """As JSON says it: the number, or an object of them."""
    return scale if isinstance(scale, int) else dict(scale)


def at_least(scale: Scale, other: Scale) -> bool:
    """Whether every variable is at least as large."""
    least = named(other)
    return all(value >= least[name] for name, value in named(scale).items())


def only_differs(scale: Scale, other: Scale, name: str) -> bool:
    """Whether the two are the same but in this variable."""
    theirs = named(other)
    return all(value == theirs[own] for own, value in named(scale).items() if own != name)


def extent(scale: Scale) -> int:
    """The largest of the numbers."""
    return max(named(scale).values())


def corner(scales: Iterable[Scale], *, lowest: bool = False) -> Scale:
    """The largest (or the smallest) value of every variable among these scales."""
    choose = min if lowest else max
    columns = [named(scale) for scale in scales]
    return sizes_of({name: choose(own[name] for own in columns) for name in columns[0]})


def grown(scale: Scale, by: int, times: int = 1) -> Scale:
    """Every variable `times` as large, and larger by `by`."""
    if isinstance(scale, int):
        return times * scale + by
    return Sizes(tuple([(name, times * value + by) for name, value in scale.pairs]))


def grown_in(scale: Scale, name: str, by: int, times: int = 1) -> Scale:
    """As `grown`, in one variable alone."""
    if isinstance(scale, int):
        return times * scale + by
    return Sizes(tuple([(k, times * v + by if k == name else v) for k, v in scale.pairs]))


def holds_from(scales: Iterable[Scale], wrong: Iterable[Scale]) -> Scale:
    """The corner from which on no scale is wrong, so that most of the scales lie there.

    With one variable that is the scale after the largest wrong one.
    """
    known, bad = list(scales), list(wrong)
    names = list(named(known[0]))
    levels = [sorted({named(scale)[name] for scale in known}) for name in names]
    best: tuple[int, Scale] | None = None
    for values in product(*([*own, own[-1] + 1] for own in levels)):
        found = sizes_of(dict(zip(names, values, strict=True)))
        if any(at_least(scale, found) for scale in bad):
            continue
        count = sum(at_least(scale, found) for scale in known)
        if best is None or count > best[0]:
            best = (count, found)
    assert best is not None  # nothing lies beyond the last level
    return best[1]


def tails(scales: Sequence[Scale]) -> Iterator[tuple[Scale, ...]]:
    """All of the scales, then fewer and fewer: the smallest are left out, variable by variable.

    At least two values of every variable are left.
    """
    names = list(named(scales[0]))
    levels = [sorted({named(scale)[name] for scale in scales}) for name in names]
    starts = product(*(range(max(1, len(own) - 1)) for own in levels))
    for start in sorted(starts, key=lambda one: (sum(one), one)):
        values = [own[i] for own, i in zip(levels, start, strict=True)]
        lowest = sizes_of(dict(zip(names, values, strict=True)))
        yield tuple(scale for scale in scales if at_least(scale, lowest))
