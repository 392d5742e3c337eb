"""`SymStr` and `SymBytes`: the methods of texts, on symbolic characters.

Searches are naive, from the left (`rfind`: from the right), and compare a
character at a time.  The classes of characters (`isdigit`, `upper`, whitespace)
are those of ASCII where a character is symbolic: codes above 127 belong to none.
Of one character the class is a `SymBool`; of more, each character is a decision.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from xsynth.trace.proxies import build, lines
from xsynth.trace.proxies.base import wrap
from xsynth.trace.proxies.characters import Characters, Unit, Units, all_equal, compare_units
from xsynth.trace.proxies.current import decide, unsupported
from xsynth.trace.proxies.number import SymInt
from xsynth.trace.terms import Op, Term

Ranges = tuple[tuple[int, int], ...]

DIGITS: Ranges = ((48, 57),)
UPPER: Ranges = ((65, 90),)
LOWER: Ranges = ((97, 122),)
CASE_DISTANCE = 32
RANGES: dict[str, Ranges] = {
    "isdigit": DIGITS,
    "isdecimal": DIGITS,
    "isnumeric": DIGITS,
    "isupper": UPPER,
    "islower": LOWER,
    "isalpha": UPPER + LOWER,
    "isalnum": DIGITS + UPPER + LOWER,
    "isascii": ((0, 127),),
}


def within(ranges: Ranges, term: Term) -> Term:
    """Whether a code lies in one of the ranges."""
    result: Term = build.FALSE
    for low, high in ranges:
        result = build.disj(result, build.between(low, term, high))
    return result


def any_of(codes: Iterable[int], term: Term) -> Term:
    """Whether a code is one of these, with neighbours gathered into ranges."""
    ranges: list[tuple[int, int]] = []
    for value in sorted(set(codes)):
        if ranges and ranges[-1][1] == value - 1:
            ranges[-1] = (ranges[-1][0], value)
        else:
            ranges.append((value, value))
    return within(tuple(ranges), term)


def _every(name: str) -> Callable[[Text], Any]:
    """The predicate that holds of a text if it is not empty and holds of every character."""

    def method(self: Text) -> Any:
        if len(self.units) == 1:
            return wrap(self._is(name, self.units[0]))
        return bool(self.units) and all(decide(self._is(name, unit)) for unit in self.units)

    return method


def _cased(wanted: str, other: str) -> Callable[[Text], Any]:
    """Some character is of the wanted case and none of the other."""

    def method(self: Text) -> Any:
        if len(self.units) == 1:
            return wrap(self._is(wanted, self.units[0]))
        found = False
        for unit in self.units:
            if decide(self._is(other, unit)):
                return False
            found = found or decide(self._is(wanted, unit))
        return found

    return method


class Text(Characters):
    """The methods that str and bytes share."""

    __slots__ = ()

    whitespace: ClassVar[Ranges] = ()

    # Searching

    def _window(self, start: Any, end: Any) -> tuple[int, int]:
        size = len(self.units)
        low = 0 if start is None else operator.index(start)
        high = size if end is None else operator.index(end)
        low = max(0, low + size) if low < 0 else low
        high = max(0, high + size) if high < 0 else min(high, size)
        return low, high

    def _pattern(self, value: object) -> Units:
        return self._must(value)

    def _at(self, position: int, pattern: Units) -> bool:
        return all_equal(self.units[position : position + len(pattern)], pattern)

    def find(self, sub: object, start: Any = None, end: Any = None) -> int:
        pattern = self._pattern(sub)
        low, high = self._window(start, end)
        for position in range(low, high - len(pattern) + 1):
            if self._at(position, pattern):
                return position
        return -1

    def rfind(self, sub: object, start: Any = None, end: Any = None) -> int:
        pattern = self._pattern(sub)
        low, high = self._window(start, end)
        for position in reversed(range(low, high - len(pattern) + 1)):
            if self._at(position, pattern):
                return position
        return -1

    def index(self, sub: object, start: Any = None, end: Any = None) -> int:
        return self._found(self.find(sub, start, end))

    def rindex(self, sub: object, start: Any = None, end: Any = None) -> int:
        return self._found(self.rfind(sub, start, end))

    @staticmethod
    def _found(position: int) -> int:
        if position < 0:
            raise ValueError("substring not found")
        return position

    def __contains__(self, sub: object) -> bool:
        return self.find(sub) >= 0

    def _matches(self, pattern: Units, low: int, high: int, limit: int) -> list[int]:
        """Where the pattern stands, from the left, without overlaps."""
        found: list[int] = []
        position = low
        while position + len(pattern) <= high and len(found) != limit:
            if self._at(position, pattern):
                found.append(position)
                position += max(1, len(pattern))
            else:
                position += 1
        return found

    def count(self, sub: object, start: Any = None, end: Any = None) -> int:
        return len(self._matches(self._pattern(sub), *self._window(start, end), limit=-1))

    def startswith(self, prefix: object, start: Any = None, end: Any = None) -> bool:
        low, high = self._window(start, end)
        return any(
            low + len(pattern) <= high and self._at(low, pattern)
            for pattern in self._alternatives(prefix)
        )

    def endswith(self, suffix: object, start: Any = None, end: Any = None) -> bool:
        low, high = self._window(start, end)
        return any(
            low + len(pattern) <= high and self._at(high - len(pattern), pattern)
            for pattern in self._alternatives(suffix)
        )

    def _alternatives(self, value: object) -> list[Units]:
        return [self._must(each) for each in (value if isinstance(value, tuple) else (value,))]

    def removeprefix(self, prefix: object) -> Any:
        return self[len(self._must(prefix)) :] if self.startswith(prefix) else self[:]

    def removesuffix(self, suffix: object) -> Any:
        size = len(self._must(suffix))
        return self[: len(self) - size] if self.endswith(suffix) else self[:]

    # Taking apart and putting together

    def replace(self, old: object, new: object, count: Any = -1, /) -> Any:
        pattern, filling = self._must(old), self._must(new)
        result: Units = ()
        taken = 0
        for position in self._matches(pattern, 0, len(self.units), operator.index(count)):
            result += self.units[taken:position] + filling
            taken = position + len(pattern)
        return self._make(result + self.units[taken:])

    def split(self, sep: object = None, maxsplit: Any = -1) -> list[Any]:
        limit = operator.index(maxsplit)
        if sep is None:
            return self._words(limit)
        pattern = self._must(sep)
        if not pattern:
            raise ValueError("empty separator")
        parts = []
        taken = 0
        for position in self._matches(pattern, 0, len(self.units), limit):
            parts.append(self[taken:position])
            taken = position + len(pattern)
        return [*parts, self[taken:]]

    def _words(self, limit: int) -> list[Any]:
        words: list[Any] = []
        start: int | None = None
        for i, unit in enumerate(self.units):
            if start is None and len(words) == limit:
                rest = type(self)(self.units[i:]).lstrip()
                return [*words, rest] if rest else words
            if decide(self._is("isspace", unit)):
                if start is not None:
                    words.append(self[start:i])
                start = None
            elif start is None:
                start = i
        return words if start is None else [*words, self[start:]]

    def rsplit(self, sep: object = None, maxsplit: Any = -1) -> list[Any]:
        """As `split`, from the right: that of the text in reverse, put right again."""
        turned = type(self)(self.units[::-1])
        given = None if sep is None else self._make(self._must(sep)[::-1])
        parts = turned.split(given, maxsplit)
        return [part[::-1] for part in reversed(parts)]

    def partition(self, sep: object) -> Any:
        return self._parted(self.find(sep), sep, (self[:], self[:0], self[:0]))

    def rpartition(self, sep: object) -> Any:
        return self._parted(self.rfind(sep), sep, (self[:0], self[:0], self[:]))

    def _parted(self, position: int, sep: object, whole: tuple[Any, Any, Any]) -> Any:
        size = len(self._must(sep))
        if not size:
            raise ValueError("empty separator")
        if position < 0:
            return whole
        return self[:position], self[position : position + size], self[position + size :]

    def lstrip(self, chars: object = None, /) -> Any:
        strips = self._stripped(chars)
        low = 0
        while low < len(self.units) and strips(self.units[low]):
            low += 1
        return self[low:]

    def rstrip(self, chars: object = None, /) -> Any:
        strips = self._stripped(chars)
        high = len(self.units)
        while high and strips(self.units[high - 1]):
            high -= 1
        return self[:high]

    def strip(self, chars: object = None, /) -> Any:
        rest = self._must(self.lstrip(chars))
        return type(self)(rest).rstrip(chars)

    def _stripped(self, chars: object) -> Callable[[Unit], bool]:
        if chars is None:
            return lambda unit: decide(self._is("isspace", unit))
        members = self._must(chars)

        def strips(unit: Unit) -> bool:
            result: Term = build.FALSE
            for member in members:
                result = build.disj(result, compare_units(Op.EQ, unit, member))
            return decide(result)

        return strips

    def join(self, parts: Iterable[object]) -> Any:
        result: list[Unit] = []
        for i, part in enumerate(parts):
            if i:
                result.extend(self.units)
            result.extend(self._must(part))
        return self._make(result)

    def __mod__(self, values: object) -> Any:
        raise unsupported(
            "`%` of a symbolic text", "Write the template itself, or --fix NAME='\"%d\"'."
        )

    def ljust(self, width: Any, fill: object = None, /) -> Any:
        return self + self._padding(width, fill)

    def rjust(self, width: Any, fill: object = None, /) -> Any:
        return self._padding(width, fill) + self

    def _padding(self, width: Any, fill: object) -> Any:
        padding: Any = self._plain([32]) if fill is None else fill
        if len(self._must(padding)) != 1:
            raise TypeError("The fill character must be exactly one character long")
        return padding * max(0, operator.index(width) - len(self.units))

    def center(self, width: Any, fill: object = None, /) -> Any:
        return lines.centred(self, width, self._plain([32]) if fill is None else fill)

    def zfill(self, width: Any, /) -> Any:
        return lines.zero_filled(self, width)

    def splitlines(self, keepends: Any = False) -> list[Any]:
        return lines.lines(self, bool(keepends))

    # Classes of characters

    def _is(self, name: str, unit: Unit) -> Term:
        """Whether a character is of a class, by the name of the predicate."""
        if isinstance(unit, int):
            return build.TRUE if getattr(self._plain([unit]), name)() else build.FALSE
        return within(self.whitespace if name == "isspace" else RANGES[name], unit)

    isdigit = _every("isdigit")
    isalpha = _every("isalpha")
    isalnum = _every("isalnum")
    isspace = _every("isspace")
    isupper = _cased("isupper", "islower")
    islower = _cased("islower", "isupper")

    def isascii(self) -> Any:
        return all(decide(self._is("isascii", unit)) for unit in self.units)

    def _mapped(self, name: str, shifts: tuple[tuple[Ranges, int], ...]) -> Any:
        """Every character through the method of that name, which moves ASCII ranges."""
        result: list[Unit] = []
        for unit in self.units:
            if isinstance(unit, int):
                result.extend(self._must(getattr(self._plain([unit]), name)()))
                continue
            moved: Term = unit
            for ranges, distance in shifts:
                there = build.add(unit, build.integer(distance))
                moved = build.ite(within(ranges, unit), there, moved)
            result.append(moved)
        return self._make(result)

    def lower(self) -> Any:
        return self._mapped("lower", ((UPPER, CASE_DISTANCE),))

    def upper(self) -> Any:
        return self._mapped("upper", ((LOWER, -CASE_DISTANCE),))

    def swapcase(self) -> Any:
        return self._mapped("swapcase", ((UPPER, CASE_DISTANCE), (LOWER, -CASE_DISTANCE)))

    def capitalize(self) -> Any:
        head, tail = type(self)(self.units[:1]), type(self)(self.units[1:])
        return head.upper() + tail.lower()

    def title(self) -> Any:
        return lines.titled(self)

    def _check_ascii(self, what: str) -> None:
        if not self.isascii():
            raise unsupported(
                f"{what} of a symbolic text with characters beyond ASCII",
                "Bound the characters with --range NAME=0..127.",
            )


class SymStr(Text):
    """A str of known length whose characters may be symbolic."""

    __slots__ = ()
    stands_for = str
    whitespace = ((9, 13), (28, 32))

    isdecimal = _every("isdecimal")
    isnumeric = _every("isnumeric")
    casefold = Text.lower

    @staticmethod
    def _plain(units: Iterable[int]) -> str:
        return "".join(map(chr, units))

    def _item(self, unit: Unit) -> Any:
        if type(unit) is int:
            return chr(unit)
        one = SymStr.__new__(SymStr)  # in loops over texts this is most of the work
        one.units = (unit,)
        return one

    maketrans = staticmethod(str.maketrans)

    def translate(self, table: Any, /) -> Any:
        return self._make(lines.translate(self, table))

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        self._check_ascii("encode")
        return SymBytes(self.units)


class SymBytes(Text):
    """A bytes of known length whose bytes may be symbolic; an item is an integer."""

    __slots__ = ()
    stands_for = bytes
    whitespace = ((9, 13), (32, 32))

    @staticmethod
    def _plain(units: Iterable[int]) -> bytes:
        return bytes(units)

    def _item(self, unit: Unit) -> Any:
        return unit if isinstance(unit, int) else wrap(unit)

    def _pattern(self, value: object) -> Units:
        """A search in bytes takes a single byte as an integer too."""
        if isinstance(value, SymInt):
            return (value.term,)
        if isinstance(value, int):
            return (bytes([value])[0],)
        return self._must(value)

    def __bytes__(self) -> bytes:
        return bytes(self.plain())

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> Any:
        self._check_ascii("decode")
        return SymStr(self.units)
