"""Why nothing was learned, in a user's words: what was tried, why it failed, and one advice."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field

from xsynth.model.learn import IRREGULAR
from xsynth.scale import Scale


class Attempt(enum.Enum):
    """What was tried, as far as the reason does not say it by itself."""

    GENERATORS = ""
    DECISIONS = "repeating their decisions at larger scales fails too"
    POLICIES = "preferring one side of each branch at larger scales fails too"


OUT_OF_TIME = "the time budget was used up"
OVERTAKEN = ("the worst path changes", "the input costs")


@dataclass
class Reasons:
    """Why families of worst paths were turned down, the most telling first."""

    found: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    refused_every: bool = False
    """Whether inputs without any constraint were tried in vain: that is one attempt for all."""

    def note(self, reason: str, attempt: Attempt = Attempt.GENERATORS) -> None:
        if attempt is Attempt.GENERATORS:
            self.found.append(reason)
        else:
            self.others.append(f"{attempt.value} ({reason})")

    def summary(self) -> str:
        """The first attempt; where it got to no inputs at larger scales, another that may have."""
        if not self.found:
            return self.others[0] if self.others else "no family of worst paths was found"
        first = self.found[0]
        if IRREGULAR in first and self.others:
            return f"{first}; {self.others[0]}"
        return first

    def told(self, further: Sequence[Scale] = ()) -> str:
        """The reason and what a person may try, where `further` scales were explored already."""
        return f"{self.summary()}. {self._advice(further)}"

    def _advice(self, further: Sequence[Scale]) -> str:
        told = self.summary()
        if OUT_OF_TIME in told:
            return "A larger --budget may help"
        explored = _explored(further)
        if any(word in told for word in OVERTAKEN):
            if explored:
                return f"{explored}: only scales on both sides of the change would show both paths"
            return "Scales on both sides of the change would show both paths"
        if "no input satisfies" in told:
            also = f"{explored}: a" if explored else "More --scales, or a"
            return f"{also} larger --range may help where values run out"
        if "the cost has no formula" in told and IRREGULAR not in told and not explored:
            return "More --scales may show the formula"
        also = f"{explored}: the" if explored else "More --scales may help, or the"
        return f"{also} --cost of one line or loop may be regular where this is not"


def _explored(further: Sequence[Scale]) -> str:
    if not further:
        return ""
    if len(further) == 1:
        return f"Scale {further[0]} was explored as well and did not help"
    return f"Scales up to {further[-1]} were explored as well and did not help"
