"""The lines of a model file that hold decision sequences and generators, in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from lark import Token

from xsynth.model.isg import Isg, parse
from xsynth.model.model import After, Decision, History, Piece, Turns, Values, Within
from xsynth.model.pattern_text import PatternReader
from xsynth.model.quoting import integer, number, quoted, unquoted
from xsynth.trace.terms import Place

SIDES = {True: "true", False: "false"}
READ_SIDES = {"true": True, "false": False, "assign": None, "either": None}


def places_of(decision: Decision) -> set[Place]:
    """The places that a decision speaks of."""
    match decision:
        case After(place=place, choices=choices):
            return {place, *(before for history, _ in choices for before, _ in history)}
        case Turns(place=place) | Within(place=place) | Values(place=place):
            return {place}
        case _:
            assert_never(decision)


def decision_lines(decision: Decision, places: Mapping[Place, str]) -> Iterator[str]:
    name = places[decision.place]
    match decision:
        case Turns(usual=usual, exceptions=exceptions):
            yield f"decision {name} {SIDES[usual]}"
            for columns in exceptions:
                yield f"  except{_columns(columns)}"
        case Within(size=size, usual=usual, exceptions=exceptions):
            yield f"decision {name} within {quoted(size)} {SIDES[usual]}"
            for columns in exceptions:
                yield f"  except{_columns(columns)}"
        case After(size=size, choices=choices):
            yield f"decision {name} after {number(size)}"
            for history, side in choices:
                yield f"  after {_history(history, size, places)}: {SIDES[side]}"
        case Values(pieces=pieces):
            yield f"decision {name} values"
            for piece in pieces:
                yield f"  {piece_line(piece)}"
        case _:
            assert_never(decision)


def _history(history: History, size: int, places: Mapping[Place, str]) -> str:
    parts = [f"{places[place]} {SIDES[side]}" for place, side in history]
    return ", ".join(parts if len(history) >= size else [*parts, "start"])


def piece_line(piece: Piece) -> str:
    counters = f" | counters{_columns(piece.counters)}" if piece.counters else ""
    return f"leaves{_columns(piece.leaves)}{counters}"


def _columns(isgs: tuple[Isg, ...]) -> str:
    return f" {'; '.join(map(str, isgs))}" if isgs else ""


class DecisionReader(PatternReader):
    def columns(self, children: list[Token]) -> tuple[Isg, ...]:
        return tuple([parse(column) for column in children])

    def piece(self, children: list[tuple[Isg, ...]]) -> Piece:
        leaves, *counters = children
        return Piece(counters[0] if counters else (), leaves)

    def exception(self, children: list[tuple[Isg, ...]]) -> tuple[Isg, ...]:
        return children[0]

    def turns(self, children: list[Any]) -> Turns:
        name, side, *exceptions = children
        return Turns(self.named(name), _side(side), tuple(exceptions))

    def within(self, children: list[Any]) -> Within:
        name, size, side, *exceptions = children
        return Within(self.named(name), unquoted(size), _side(side), tuple(exceptions))

    def before(self, children: list[Token]) -> tuple[Place, bool]:
        name, side = children
        return self.named(name), _side(side)

    def history(self, children: list[Any]) -> tuple[History, bool]:
        """With whether the call had decided nothing before it."""
        whole = isinstance(children[-1], Token)
        return tuple(children[:-1] if whole else children), whole

    def choices(self, children: list[Any]) -> tuple[History, bool, bool]:
        (history, whole), side = children
        return history, whole, _side(side)

    def after(self, children: list[Any]) -> After:
        name, size, *choices = children
        longest = integer(size)
        for history, whole, _ in choices:
            if len(history) > longest or whole is not (len(history) < longest):
                raise ValueError(f"a history here has {longest} decisions, or ends with start")
        sides = tuple([(history, side) for history, _, side in choices])
        return After(self.named(name), longest, sides)

    def values(self, children: list[Any]) -> Values:
        name, *pieces = children
        return Values(self.named(name), tuple(pieces))


def _side(text: str) -> bool:
    side = READ_SIDES[text]
    if side is None:
        raise ValueError("a decision is true or false")
    return side
