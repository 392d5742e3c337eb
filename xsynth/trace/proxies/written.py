"""`Written`: the text of symbolic numbers, made when it is first read.

`str(x)` and `f"{x}"` need the number itself, which is a decision with as many sides as it
has values.  Most such texts are never read: they are printed, or they say why an exception
was raised.  So the text waits; whatever reads it (a comparison, a length, a hash, a
concatenation) is where the numbers are decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from xsynth.trace.proxies.base import Symbolic
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.current import active, hashes_by_identity
from xsynth.trace.proxies.text import SymStr

_LAYOUT = re.compile(
    r"(?:(?P<fill>.)?(?P<side>[<>^]))?(?P<width>[1-9]\d*)?(?:\.(?P<most>\d+))?s?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Field:
    """A replacement field of an f-string: `{value!r:>5}`."""

    value: object
    conversion: str = ""
    spec: str = ""

    def text(self) -> Any:
        """Decides what it must; a symbolic text with no format stays symbolic."""
        value = self.value
        if isinstance(value, Written):
            value = value.text()
        if isinstance(value, SymStr) and self.conversion in ("", "s"):
            return laid_out(value, self.spec)
        if self.conversion == "r":
            value = repr(value)
        elif self.conversion == "a":
            value = ascii(value)
        elif self.conversion == "s":
            value = str(value)
        return format(value, self.spec)

    def waits(self) -> bool:
        quoted = self.conversion != "" or not isinstance(self.value, SymStr)
        return isinstance(self.value, Symbolic | Written) or (
            quoted and isinstance(self.value, Characters)
        )


def laid_out(text: SymStr, spec: str) -> Any:
    """`format(text, spec)`, which stays symbolic where the spec is one of width and side."""
    found = _LAYOUT.fullmatch(spec)
    if found is None:
        return format(text, spec)
    cut = text if found["most"] is None else text[: int(found["most"])]
    missing = max(0, int(found["width"] or 0) - len(cut))
    fill, side = found["fill"] or " ", found["side"] or "<"
    left = {"<": 0, ">": missing, "^": missing // 2}[side]
    return fill * left + cut + fill * (missing - left)


def _forward(name: str) -> Callable[..., Any]:
    def method(self: Written, *arguments: Any) -> Any:
        return getattr(self.text(), name)(*map(read, arguments))

    return method


class Written:
    __slots__ = ("_parts", "_text")

    stands_for = str

    def __init__(self, parts: tuple[str | Field, ...]) -> None:
        self._parts = parts
        self._text: Any = None

    def text(self) -> Any:
        """The text itself: a `str`, or a `SymStr` where there are symbolic characters too."""
        if self._text is None:
            self._text = joined([p.text() if isinstance(p, Field) else p for p in self._parts])
        return self._text

    def __repr__(self) -> str:
        if active():
            return repr(self.text())
        return "".join(str(p.value) if isinstance(p, Field) else p for p in self._parts)

    def __str__(self) -> str:
        return str(self.text()) if active() else repr(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __hash__(self) -> int:
        return id(self) if hashes_by_identity() else hash(self.text())

    def __len__(self) -> int:
        return len(self.text())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.text())

    def __contains__(self, item: object) -> Any:
        return read(item) in self.text()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.text(), name)

    def __copy__(self) -> Written:
        return self

    def __deepcopy__(self, memo: object) -> Written:
        return self

    def __eq__(self, other: object) -> Any:
        return self.text() == read(other)

    def __ne__(self, other: object) -> Any:
        return self.text() != read(other)

    def __lt__(self, other: Any) -> Any:
        return self.text() < read(other)

    def __le__(self, other: Any) -> Any:
        return self.text() <= read(other)

    def __gt__(self, other: Any) -> Any:
        return self.text() > read(other)

    def __ge__(self, other: Any) -> Any:
        return self.text() >= read(other)

    def __add__(self, other: Any) -> Any:
        return concatenated([self, other]) if is_text(other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return concatenated([other, self]) if is_text(other) else NotImplemented

    def parts(self) -> tuple[str | Field, ...]:
        if self._text is None:
            return self._parts
        return (self._text if isinstance(self._text, str) else Field(self._text),)

    __getitem__ = _forward("__getitem__")
    __mul__ = __rmul__ = _forward("__mul__")
    __mod__ = _forward("__mod__")


def read(value: Any) -> Any:
    """A waiting text is read; anything else stays as it is."""
    return value.text() if type(value) is Written else value


def is_text(value: object) -> bool:
    """Whether user code takes the value for a `str`."""
    return isinstance(value, str | SymStr | Written)


def concatenated(texts: Iterable[Any], between: str = "") -> Any:
    """Texts put together, some of which wait: so does the whole."""
    parts: list[str | Field] = []
    for i, text in enumerate(texts):
        if i and between:
            parts.append(between)
        if isinstance(text, Written):
            parts.extend(text.parts())
        else:
            parts.append(text if isinstance(text, str) else Field(text))
    return Written(tuple(parts))


def joined(parts: list[Any]) -> Any:
    """Texts put together: symbolic if one of them is."""
    if any(isinstance(part, Characters) for part in parts):
        return SymStr(()).join(parts)
    return "".join(parts)


def written(*parts: str | Field) -> Any:
    """What an f-string evaluates to."""
    if any(isinstance(part, Field) and part.waits() for part in parts):
        return Written(parts)
    return joined([part.text() if isinstance(part, Field) else part for part in parts])
