"""From a pattern to instructions for a backtracking machine.

The pattern is read by the standard library's own parser, so that its syntax and errors are
Python's.  Counted repeats are written out.  A loop whose body may match nothing leaves after
a turn that did not advance, as CPython's does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

from xsynth.trace.proxies.current import unsupported

LARGEST = 20_000
"""How many instructions a pattern may have."""
LAST_CODE = 0x10FFFF
CASE = int(re.IGNORECASE)


class Single:
    """What one character is tried against: a literal, a class, any."""

    def __init__(self, op: Any, argument: Any, flags: int, of_bytes: bool) -> None:
        state = _parser.State()
        state.flags = flags
        self._matcher = _compiler.compile(_parser.SubPattern(state, [(op, argument)]), flags)
        self._bytes = of_bytes
        self._known: dict[int, bool] = {}
        self._ranges: dict[int, tuple[tuple[int, int], ...]] = {}

    def takes(self, code: int) -> bool:
        """Whether a plain character matches."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = self._matcher.fullmatch(self._text([code])) is not None
        return known

    def _text(self, codes: Iterable[int]) -> str | bytes:
        return bytes(codes) if self._bytes else "".join(map(chr, codes))

    def ranges(self, last: int) -> tuple[tuple[int, int], ...]:
        """The codes up to the last that match, as ranges."""
        last = min(last, 255 if self._bytes else LAST_CODE)
        known = self._ranges.get(last)
        if known is None:
            found: list[tuple[int, int]] = []
            for match in self._matcher.finditer(self._text(range(last + 1))):
                code = match.start()
                if found and found[-1][1] == code - 1:
                    found[-1] = (found[-1][0], code)
                else:
                    found.append((code, code))
            known = self._ranges[last] = tuple(found)
        return known


@dataclass(frozen=True, slots=True)
class Char:
    single: Single


@dataclass(frozen=True, slots=True)
class Split:
    """Goes on at `first`; if that fails, at `second`."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Jump:
    to: int


@dataclass(frozen=True, slots=True)
class Save:
    """The position goes into a register (the ends of groups, and starts of turns), or a number."""

    register: int
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A turn that did not advance since `register` leaves the loop."""

    register: int
    to: int


@dataclass(frozen=True, slots=True)
class At:
    where: Any
    word: Single | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """What the group matched, once more."""

    group: int
    fold: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A pattern that must (or must not) match here, or end here, and takes nothing."""

    inside: tuple[Instruction, ...]
    back: int
    wanted: bool


@dataclass(frozen=True, slots=True)
class Atomic:
    """A pattern whose first match is kept."""

    inside: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class IfGroup:
    group: int
    otherwise: int


@dataclass(frozen=True, slots=True)
class Accept:
    pass


Instruction: TypeAlias = (
    Char | Split | Jump | Save | Leave | At | Again | Look | Atomic | IfGroup | Accept
)


@dataclass(frozen=True, slots=True)
class Compiled:
    instructions: tuple[Instruction, ...]
    groups: int
    names: dict[str, int]
    registers: int


def compiled(pattern: str | bytes, flags: int) -> Compiled:
    parsed = _parser.parse(pattern, flags)
    last = 2 * parsed.state.groups
    writer = _Writer(isinstance(pattern, bytes), last, last + 1)
    writer.sequence(parsed, parsed.state.flags)
    writer.add(Accept())
    names = dict(parsed.state.groupdict)
    return Compiled(tuple(writer.made), parsed.state.groups - 1, names, writer.registers)


@dataclass
class _Writer:
    of_bytes: bool
    last: int
    """The register of the group that was closed last."""
    registers: int
    made: list[Any] = field(default_factory=list)
    singles: dict[tuple[str, int], Single] = field(default_factory=dict)
    """Shared by what stands in the pattern more than once, as in `a+`, which is `aa*`."""

    def add(self, instruction: Any) -> int:
        if len(self.made) >= LARGEST:
            raise unsupported(
                f"a pattern of more than {LARGEST} instructions", "Use smaller counts in {m,n}."
            )
        self.made.append(instruction)
        return len(self.made) - 1

    def sequence(self, items: Any, flags: int) -> None:
        for op, argument in items:
            self.one(op, argument, flags)

    def one(self, op: Any, argument: Any, flags: int) -> None:
        match str(op):
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                self.add(Char(self._single(op, argument, flags)))
            case "AT":
                self.add(At(_place(argument, flags), self._word(flags)))
            case "SUBPATTERN":
                group, added, removed, inside = argument
                inner = (flags | added) & ~removed
                if group is not None:
                    self.add(Save(2 * group))
                self.sequence(inside, inner)
                if group is not None:
                    self.add(Save(2 * group + 1))
                    self.add(Save(self.last, group))
            case "BRANCH":
                self._branch(argument[1], flags)
            case "MAX_REPEAT" | "MIN_REPEAT":
                self._repeat(argument, flags, greedy=str(op) == "MAX_REPEAT")
            case "POSSESSIVE_REPEAT":
                inner = self._inner()
                inner._repeat(argument, flags, greedy=True)
                self.add(Atomic(self._closed(inner)))
            case "ATOMIC_GROUP":
                inner = self._inner()
                inner.sequence(argument, flags)
                self.add(Atomic(self._closed(inner)))
            case "ASSERT" | "ASSERT_NOT":
                direction, inside = argument
                inner = self._inner()
                inner.sequence(inside, flags)
                back = inside.getwidth()[0] if direction < 0 else 0
                self.add(Look(self._closed(inner), back, str(op) == "ASSERT"))
            case "GROUPREF":
                self.add(Again(argument, bool(flags & CASE)))
            case "GROUPREF_EXISTS":
                group, then, otherwise = argument
                self._if(group, then, otherwise, flags)
            case "FAILURE":
                self.add(Look((Accept(),), 0, False))
            case name:
                raise unsupported(f"{name} in a pattern", "Write it another way.")

    def _word(self, flags: int) -> Single:
        category = [(_constants.CATEGORY, _constants.CATEGORY_WORD)]
        return self._single(_constants.IN, category, flags)

    def _single(self, op: Any, argument: Any, flags: int) -> Single:
        key = (f"{op} {argument}", flags)
        if key not in self.singles:
            self.singles[key] = Single(op, argument, flags, self.of_bytes)
        return self.singles[key]

    def _inner(self) -> _Writer:
        return _Writer(self.of_bytes, self.last, self.registers, singles=self.singles)

    def _closed(self, inner: _Writer) -> tuple[Any, ...]:
        inner.add(Accept())
        self.registers = inner.registers
        return tuple(inner.made)

    def _branch(self, branches: list[Any], flags: int) -> None:
        jumps = []
        for branch in branches[:-1]:
            split = self.add(None)
            self.sequence(branch, flags)
            jumps.append(self.add(None))
            self.made[split] = Split(split + 1, len(self.made))
        self.sequence(branches[-1], flags)
        for jump in jumps:
            self.made[jump] = Jump(len(self.made))

    def _if(self, group: int, then: Any, otherwise: Any, flags: int) -> None:
        test = self.add(None)
        self.sequence(then, flags)
        jump = self.add(None)
        self.made[test] = IfGroup(group, len(self.made))
        if otherwise is not None:
            self.sequence(otherwise, flags)
        self.made[jump] = Jump(len(self.made))

    def _repeat(self, argument: Any, flags: int, *, greedy: bool) -> None:
        least, most, body = argument
        for _ in range(least):
            self.sequence(body, flags)
        empty = body.getwidth()[0] == 0
        endless = most == _constants.MAXREPEAT
        leaving: list[tuple[int, int | None]] = []
        for _ in range(1 if endless else most - least):
            split = self.add(None)
            leaving.append((split, None))
            entered = self.registers
            if empty:
                self.registers += 1
                self.add(Save(entered))
            self.sequence(body, flags)  # which may take registers of its own
            if empty:
                leaving.append((self.add(None), entered))
            if endless:
                self.add(Jump(split))
        end = len(self.made)
        for at, register in leaving:
            if register is not None:
                self.made[at] = Leave(register, end)
            else:
                self.made[at] = Split(at + 1, end) if greedy else Split(end, at + 1)


def _place(where: Any, flags: int) -> str:
    name = str(where).removeprefix("AT_")
    if flags & re.MULTILINE and name in ("BEGINNING", "END"):
        return f"{name}_LINE"
    return name
