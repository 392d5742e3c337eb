"""The machine that runs a compiled pattern, by backtracking.

A symbolic character is tried by a decision, once for each thing it is tried against: what is
decided stays decided.  Each trial costs one unit of work, plain or symbolic, and there are no
shortcuts, so the work of a run does not depend on who runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xsynth.trace.proxies.characters import Unit, units_equal
from xsynth.trace.proxies.current import active, bounds, current, decide, unsupported
from xsynth.trace.proxies.text import within
from xsynth.trace.regex.compile import (
    LAST_CODE,
    Accept,
    Again,
    At,
    Atomic,
    Char,
    IfGroup,
    Instruction,
    Jump,
    Leave,
    Look,
    Save,
    Single,
    Split,
)

Registers: TypeAlias = "list[int | None]"
TRIALS_A_LOOK = 256
NEWLINE = ord("\n")


class Machine:
    """Runs over one text; `charge` is told the work."""

    def __init__(self, units: Sequence[Unit], end: int, charge: Callable[[int], None]) -> None:
        self._units = units
        self._end = end
        self._charge = charge
        self._trials = 0
        self._decided: dict[tuple[int, int], bool] = {}

    def run(
        self,
        program: Sequence[Instruction],
        start: int,
        registers: Registers,
        *,
        to_end: int | None = None,
        advance: bool = False,
    ) -> int | None:
        """Where the match ends, or None; the registers keep what it saved.

        With `to_end` it must end there; with `advance` it must not be empty.
        """
        waiting: list[tuple[int, int, int]] = []
        trail: list[tuple[int, int | None]] = []
        at, position = 0, start
        while True:
            found = self._step(program[at], at, position, registers, waiting, trail)
            if found is None:
                accepted = type(program[at]) is Accept
                ends = to_end is None or position == to_end
                if accepted and ends and not (advance and position == start):
                    return position
                if not waiting:
                    for register, old in reversed(trail):
                        registers[register] = old
                    return None
                at, position, size = waiting.pop()
                while len(trail) > size:
                    register, old = trail.pop()
                    registers[register] = old
            else:
                at, position = found

    def _step(
        self,
        instruction: Instruction,
        at: int,
        position: int,
        registers: Registers,
        waiting: list[tuple[int, int, int]],
        trail: list[tuple[int, int | None]],
    ) -> tuple[int, int] | None:
        """The next instruction and position, or None where the match fails or is complete."""
        match instruction:
            case Char(single=single):
                return (at + 1, position + 1) if self._takes(single, position) else None
            case Split(first=first, second=second):
                waiting.append((second, position, len(trail)))
                return first, position
            case Jump(to=to):
                return to, position
            case Save(register=register, value=value):
                trail.append((register, registers[register]))
                registers[register] = position if value is None else value
                return at + 1, position
            case Leave(register=register, to=to):
                return (to if registers[register] == position else at + 1), position
            case At():
                return (at + 1, position) if self._stands(instruction, position) else None
            case Again():
                after = self._repeated(instruction, position, registers)
                return None if after is None else (at + 1, after)
            case IfGroup(group=group, otherwise=otherwise):
                matched = registers[2 * group + 1] is not None
                return (at + 1 if matched else otherwise), position
            case Look(inside=inside, back=back, wanted=wanted):
                inner = list(registers)
                begin = position - back
                ends = position if back else None
                found = None if begin < 0 else self.run(inside, begin, inner, to_end=ends)
                if (found is not None) is not wanted:
                    return None
                self._keep(registers, inner, trail, found)
                return at + 1, position
            case Atomic(inside=inside):
                inner = list(registers)
                found = self.run(inside, position, inner)
                if found is None:
                    return None
                self._keep(registers, inner, trail, found)
                return at + 1, found
            case Accept():
                return None

    @staticmethod
    def _keep(
        registers: Registers,
        inner: Registers,
        trail: list[tuple[int, int | None]],
        found: int | None,
    ) -> None:
        if found is None:
            return
        for register, value in enumerate(inner):
            if registers[register] != value:
                trail.append((register, registers[register]))
                registers[register] = value

    # -- characters

    def _takes(self, single: Single, position: int) -> bool:
        self._charge(1)
        self._trials += 1
        if self._trials % TRIALS_A_LOOK == 0 and active():
            current().look_at_the_clock()
        return position < self._end and self._is(single, position)

    def _is(self, single: Single, position: int) -> bool:
        unit = self._units[position]
        if isinstance(unit, int):
            return single.takes(unit)
        key = (id(single), position)
        known = self._decided.get(key)
        if known is None:
            _, high = bounds(unit)
            ranges = single.ranges(LAST_CODE if high is None else high)
            known = self._decided[key] = decide(within(ranges, unit))
        return known

    def _equals(self, position: int, code: int) -> bool:
        key = (-code, position)
        known = self._decided.get(key)
        if known is None:
            known = self._decided[key] = units_equal(self._units[position], code)
        return known

    def _stands(self, instruction: At, position: int) -> bool:
        word = instruction.word
        assert word is not None
        match instruction.where:
            case "BEGINNING" | "BEGINNING_STRING":
                return position == 0
            case "END_STRING":
                return position == self._end
            case "BEGINNING_LINE":
                return position == 0 or self._equals(position - 1, NEWLINE)
            case "END_LINE":
                return position == self._end or self._equals(position, NEWLINE)
            case "END":
                last = position == self._end - 1
                return position == self._end or (last and self._equals(position, NEWLINE))
            case "BOUNDARY" | "NON_BOUNDARY":
                if self._end == 0:
                    return False
                before = position > 0 and self._is(word, position - 1)
                after = position < self._end and self._is(word, position)
                return (before is not after) is (instruction.where == "BOUNDARY")
            case where:
                raise unsupported(f"{where} in a pattern", "Write it another way.")

    def _repeated(self, again: Again, position: int, registers: Registers) -> int | None:
        first, last = registers[2 * again.group], registers[2 * again.group + 1]
        if first is None or last is None:
            return None
        for k in range(first, last):
            self._charge(1)
            if position >= self._end or not self._alike(k, position, again.fold):
                return None
            position += 1
        return position

    def _alike(self, left: int, right: int, fold: bool) -> bool:
        one, other = self._units[left], self._units[right]
        if not fold:
            return left == right or units_equal(one, other)
        if isinstance(one, int) and isinstance(other, int):
            return chr(one).lower() == chr(other).lower()
        raise unsupported(
            "a group of symbolic text that is matched again without regard to case",
            "Compare the lower-case texts instead.",
        )


def fresh(registers: int) -> Registers:
    return [None] * registers
