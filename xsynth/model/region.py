"""Regions: where one variable is at least as large as another, or larger.

With several variables the worst case can be of different kinds on either side of the
diagonal: a pattern that is longer than the text is never compared with it.  A model then
holds in a region, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from xsynth.scale import Scale, named

_TEXT = re.compile(r"([A-Za-z_]\w*) (>=|>) ([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Region:
    left: str
    relation: Literal[">=", ">"]
    right: str

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    def has(self, scale: Scale) -> bool:
        values = named(scale)
        left, right = values[self.left], values[self.right]
        return left > right or (self.relation == ">=" and left == right)


def parse_region(text: str) -> Region:
    """`n >= m`; ValueError where it is none."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} does not relate two sizes, as n >= m does")
    return Region(found[1], ">=" if found[2] == ">=" else ">", found[3])


def regions(scales: Sequence[Scale]) -> Iterator[Region | None]:
    """Everywhere (None), then the regions that some but not all of the scales lie in.

    Those with many of the scales come first: that is what was asked for.
    """
    yield None
    names = list(named(scales[0]))
    found = [
        Region(left, relation, right)
        for left, right in permutations(names, 2)
        for relation in (">=", ">")
    ]
    count = {region: sum(map(region.has, scales)) for region in found}
    yield from sorted(
        (region for region in found if 0 < count[region] < len(scales)),
        key=lambda region: -count[region],
    )
