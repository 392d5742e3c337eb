"""Patterns: terms with their leaves taken out (definition 4 of XSTRESSOR).

`split(term)` gives the pattern, which is the same for every clause of a generator
point, and the leaf vector: indices of cells, counters of definitions, and integer
constants, from left to right.  `join(pattern, leaves)` is the way back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, assert_never

from xsynth.trace.terms import Apply, Cell, Const, Def, Op, Place, Sort, Term

LEAF_LIMIT = 2**62
"""Larger integers do not fit a column; they stay in the pattern."""


@dataclass(frozen=True, slots=True)
class CellHole:
    """An element of input `name`: `arity` indices are leaves."""

    name: str
    arity: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class DefHole:
    """A value named at `place`: `arity` counters are leaves."""

    place: Place
    arity: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class IntHole:
    """An integer constant: one leaf."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A constant that is no leaf: a Boolean, a rational, a huge integer."""

    value: int | bool | Fraction
    sort: Sort


@dataclass(frozen=True, slots=True)
class Node:
    op: Op
    args: tuple[Pattern, ...]
    sort: Sort


Pattern: TypeAlias = CellHole | DefHole | IntHole | Fixed | Node


def split(term: Term) -> tuple[Pattern, tuple[int, ...]]:
    leaves: list[int] = []
    return _split(term, leaves), tuple(leaves)


def _split(term: Term, leaves: list[int]) -> Pattern:
    match term:
        case Cell(name=name, index=index, sort=sort):
            leaves.extend(index)
            return CellHole(name, len(index), sort)
        case Def(place=place, at=at, sort=sort):
            leaves.extend(at)
            return DefHole(place, len(at), sort)
        case Const(value=int() as value, sort=Sort.INT) if abs(value) < LEAF_LIMIT:
            leaves.append(value)
            return IntHole()
        case Const(value=value, sort=sort):
            return Fixed(value, sort)
        case Apply(op=op, args=args, sort=sort):
            return Node(op, tuple([_split(a, leaves) for a in args]), sort)
        case _:
            assert_never(term)


def leaves_of(pattern: Pattern, term: Term) -> tuple[int, ...] | None:
    """The leaves of a term that has this pattern, else None: `split` without building."""
    leaves: list[int] = []
    return tuple(leaves) if _collect(pattern, term, leaves) else None


def _collect(pattern: Pattern, term: Term, leaves: list[int]) -> bool:
    # This runs once a clause of a run at scale N, so types are compared, not matched.
    kind = type(pattern)
    if kind is Node:
        if type(term) is not Apply or term.op is not pattern.op:  # type: ignore[union-attr]
            return False
        parts = pattern.args  # type: ignore[union-attr]
        if len(parts) != len(term.args) or term.sort is not pattern.sort:  # type: ignore[union-attr]
            return False
        for part, argument in zip(parts, term.args, strict=True):
            if not _collect(part, argument, leaves):
                return False
        return True
    if kind is CellHole:
        if type(term) is not Cell or term.name != pattern.name:  # type: ignore[union-attr]
            return False
        leaves.extend(term.index)
        return len(term.index) == pattern.arity  # type: ignore[union-attr]
    if kind is DefHole:
        if type(term) is not Def or len(term.at) != pattern.arity:  # type: ignore[union-attr]
            return False
        leaves.extend(term.at)
        return term.place == pattern.place and term.sort is pattern.sort  # type: ignore[union-attr]
    found, own = split(term)
    leaves.extend(own)
    return found == pattern


def arity(pattern: Pattern) -> int:
    """How many leaves the pattern takes."""
    match pattern:
        case CellHole(arity=count) | DefHole(arity=count):
            return count
        case IntHole():
            return 1
        case Fixed():
            return 0
        case Node(args=args):
            return sum(arity(a) for a in args)
        case _:
            assert_never(pattern)


def join(
    pattern: Pattern, leaves: Sequence[int], define: Callable[[Place, tuple[int, ...], Sort], Term]
) -> Term:
    """The term again; `define` gives the definition that a `DefHole` refers to."""
    return _join(pattern, iter(leaves), define)


def _join(
    pattern: Pattern, leaves: Iterator[int], define: Callable[[Place, tuple[int, ...], Sort], Term]
) -> Term:
    match pattern:
        case CellHole(name=name, arity=count, sort=sort):
            return Cell(name, tuple(next(leaves) for _ in range(count)), sort)
        case DefHole(place=place, arity=count, sort=sort):
            return define(place, tuple(next(leaves) for _ in range(count)), sort)
        case IntHole():
            return Const(next(leaves), Sort.INT)
        case Fixed(value=value, sort=sort):
            return Const(value, sort)
        case Node(op=op, args=args, sort=sort):
            return Apply(op, tuple([_join(a, leaves, define) for a in args]), sort)
        case _:
            assert_never(pattern)
