"""Decision sequences in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, assert_never

from xsynth.model.model import After, Decision, History, Turns, Values, Within
from xsynth.program.places import own_site

if TYPE_CHECKING:
    from xsynth.model.isg import Isg

_SIDES = {True: "true", False: "false"}


def decision_words(decision: Decision, source: str | None = None) -> Iterator[str]:
    match decision:
        case Turns(usual=usual, exceptions=()):
            yield f"always {_SIDES[usual]}"
        case Turns(usual=usual, exceptions=exceptions):
            yield f"{_SIDES[usual]}, except at the turns"
            for columns in exceptions:
                yield f"  {_turns(columns)}"
        case Within(size=size, usual=usual, exceptions=()):
            yield f"always {_SIDES[usual]}, in a call of any {size}"
        case Within(size=size, usual=usual, exceptions=exceptions):
            yield f"in a call with n = {size}: {_SIDES[usual]}, except at the turns"
            for columns in exceptions:
                yield f"  {_turns(columns)}"
        case After(size=size, choices=choices):
            for history, side in choices:
                yield f"{_SIDES[side]} after {_history(history, size, source)}"
        case Values(pieces=pieces):
            yield "these values, at the turns"
            for piece in pieces:
                yield f"  {', '.join(map(str, piece.leaves))} at {_turns(piece.counters)}"
        case _:
            assert_never(decision)


def _turns(columns: tuple[Isg, ...]) -> str:
    return "; ".join(map(str, columns))


def _history(history: History, size: int, source: str | None) -> str:
    lines = [(side, own_site(place, source).line) for place, side in history]
    words = [f"{_SIDES[side]} on line {line}" for side, line in lines]
    return ", ".join(words if len(history) >= size else [*words, "the start of the call"])
