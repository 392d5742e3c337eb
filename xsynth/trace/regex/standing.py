"""What a program gets where it imports `re`: patterns that take symbolic text.

On plain text a pattern is the standard library's own.  Where work is charged for, the machine
runs beside it, so that the counted program and the traced one agree; what it finds is compared.
"""

from __future__ import annotations

import re
from abc import ABCMeta
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import zip_longest
from types import GenericAlias, ModuleType
from typing import Any

from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.current import unsupported
from xsynth.trace.proxies.text import SymBytes, SymStr
from xsynth.trace.proxies.written import Written, read
from xsynth.trace.regex.compile import Compiled, compiled
from xsynth.trace.regex.machine import Machine, Registers, fresh

Charge = Callable[[int], None]


class Match(metaclass=ABCMeta):  # noqa: B024  (the matches of `re` are registered)
    """What `re.Match` is, of a symbolic text."""

    __class_getitem__: Any = classmethod(GenericAlias)

    def __init__(self, pattern: Pattern, text: Any, ends: Registers, pos: int, endpos: int) -> None:
        self.re, self.string, self.pos, self.endpos = pattern, text, pos, endpos
        self._ends = ends

    def _number(self, group: Any) -> int:
        if isinstance(group, str) and group in self.re.groupindex:
            return self.re.groupindex[group]
        if isinstance(group, int) and 0 <= group <= self.re.groups:
            return group
        raise IndexError("no such group")

    def span(self, group: Any = 0) -> tuple[int, int]:
        number = self._number(group)
        first, last = self._ends[2 * number], self._ends[2 * number + 1]
        return (-1, -1) if first is None or last is None else (first, last)

    def start(self, group: Any = 0) -> int:
        return self.span(group)[0]

    def end(self, group: Any = 0) -> int:
        return self.span(group)[1]

    def _text(self, group: Any, default: Any = None) -> Any:
        first, last = self.span(group)
        return default if first < 0 else self.string[first:last]

    def group(self, *groups: Any) -> Any:
        if len(groups) <= 1:
            return self._text(*(groups or (0,)))
        return tuple([self._text(group) for group in groups])

    __getitem__ = _text

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        return tuple([self._text(k, default) for k in range(1, self.re.groups + 1)])

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        return {name: self._text(k, default) for name, k in self.re.groupindex.items()}

    @property
    def lastindex(self) -> int | None:
        return self._ends[2 * self.re.groups + 2]

    @property
    def lastgroup(self) -> str | None:
        names = {number: name for name, number in self.re.groupindex.items()}
        return names.get(self.lastindex or 0)

    def expand(self, template: Any) -> Any:
        return self.re.filled(template, self)


class Pattern(metaclass=ABCMeta):  # noqa: B024
    __class_getitem__: Any = classmethod(GenericAlias)

    def __init__(self, plain: re.Pattern[Any], charge: Charge, always: bool) -> None:
        self._plain = plain
        self._charge = charge
        self._always = always
        self.pattern, self.flags = plain.pattern, plain.flags
        self.groups, self.groupindex = plain.groups, dict(plain.groupindex)

    def __hash__(self) -> int:
        return hash(self._plain)

    def __eq__(self, other: object) -> bool:
        return type(other) is Pattern and self._plain == other._plain

    def __repr__(self) -> str:
        return repr(self._plain)

    def __reduce__(self) -> Any:
        return Pattern, (self._plain, self._charge, self._always)

    def __copy__(self) -> Pattern:
        return self

    def __deepcopy__(self, memo: object) -> Pattern:
        return self

    def _own(self, text: Any) -> bool:
        """Whether the machine runs; a text of the wrong kind is left to `re` to refuse."""
        kind = str if isinstance(self.pattern, str) else bytes
        if isinstance(text, Characters):
            return text.stands_for is kind
        return self._always and isinstance(text, kind)

    # -- searching

    def _find(
        self, text: Any, pos: Any, endpos: Any, *, search: bool, full: bool = False
    ) -> Match | None:
        size = len(text)
        begin = min(max(pos, 0), size)
        end = size if endpos is None else min(max(endpos, 0), size)
        if begin > end:
            return None
        machine = self._machine(text, end)
        return self._from(machine, text, begin, end, search=search, full=full)

    def _machine(self, text: Any, end: int) -> Machine:
        lifted = SymStr if isinstance(self.pattern, str) else SymBytes
        units = text.units if isinstance(text, Characters) else lifted(text).units
        return Machine(units, end, self._charge)

    def _from(
        self,
        machine: Machine,
        text: Any,
        begin: int,
        end: int,
        *,
        search: bool,
        full: bool = False,
        advance: bool = False,
    ) -> Match | None:
        program: Compiled = _compiled(self.pattern, self.flags)
        for start in range(begin, end + 1 if search else begin + 1):
            registers = fresh(program.registers)
            must = advance and start == begin
            last = machine.run(
                program.instructions,
                start,
                registers,
                to_end=end if full else None,
                advance=must,
            )
            if last is not None:
                registers[:2] = start, last
                return Match(self, text, registers, begin, end)
        return None

    def match(self, string: Any, pos: int = 0, endpos: Any = None) -> Any:
        return self._one("match", string, pos, endpos, search=False)

    def fullmatch(self, string: Any, pos: int = 0, endpos: Any = None) -> Any:
        return self._one("fullmatch", string, pos, endpos, search=False, full=True)

    def search(self, string: Any, pos: int = 0, endpos: Any = None) -> Any:
        return self._one("search", string, pos, endpos, search=True)

    def _one(self, name: str, string: Any, pos: int, endpos: Any, **how: bool) -> Any:
        text = read(string)
        if not self._own(text):
            return getattr(self._plain, name)(text, pos, *_given(endpos))
        own = self._find(text, pos, endpos, **how)
        if isinstance(text, Characters):
            return own
        return self._agreed(own, getattr(self._plain, name)(text, pos, *_given(endpos)))

    def _agreed(self, own: Match | None, found: Any) -> Any:
        """What `re` found, and the machine as well: otherwise its work would be another's."""
        if _spans(own) != _spans(found):
            raise unsupported(
                f"the work of {self.pattern!r} is not known: `re` takes another way",
                "Write the pattern in another way, or use another --cost.",
            )
        return found

    def finditer(self, string: Any, pos: int = 0, endpos: Any = None) -> Iterator[Any]:
        text = read(string)
        if not self._own(text):
            return self._plain.finditer(text, pos, *_given(endpos))
        size = len(text)
        end = size if endpos is None else min(max(endpos, 0), size)
        own = self._each(text, min(max(pos, 0), size), end)
        if isinstance(text, Characters):
            return own
        return self._agreeing(own, self._plain.finditer(text, pos, *_given(endpos)))

    def _agreeing(self, own: Iterator[Match], found: Iterator[Any]) -> Iterator[Any]:
        for one, other in zip_longest(own, found):
            yield self._agreed(one, other)

    def _each(self, text: Any, begin: int, end: int) -> Iterator[Match]:
        machine = self._machine(text, end)
        advance = False
        while begin <= end:
            found = self._from(machine, text, begin, end, search=True, advance=advance)
            if found is None:
                return
            yield found
            first, begin = found.span()
            advance = first == begin

    def findall(self, string: Any, pos: int = 0, endpos: Any = None) -> list[Any]:
        return [_item(found) for found in self.finditer(string, pos, endpos)]

    # -- taking apart

    def split(self, string: Any, maxsplit: int = 0) -> list[Any]:
        text = read(string)
        if not self._own(text):
            return self._plain.split(text, maxsplit)
        if maxsplit < 0:  # `re` splits nothing then
            return [text]
        parts: list[Any] = []
        taken = 0
        for found in self.finditer(text):
            first, last = found.span()
            parts += [text[taken:first], *found.groups()]
            taken = last
            maxsplit -= 1
            if maxsplit == 0:
                break
        return [*parts, text[taken:]]

    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        return self.subn(repl, string, count)[0]

    def subn(self, repl: Any, string: Any, count: int = 0) -> tuple[Any, int]:
        text, filling = read(string), read(repl)
        if not (self._own(text) or isinstance(filling, Characters)):
            wrapped = filling if not callable(filling) else lambda m: read(filling(m))
            return self._plain.subn(wrapped, text, count)
        if count < 0:
            return text, 0
        lifted = SymStr if isinstance(self.pattern, str) else SymBytes
        parts: list[Any] = []
        taken = done = 0
        for found in self.finditer(text):
            first, last = found.span()
            new = read(filling(found)) if callable(filling) else self.filled(filling, found)
            parts += [text[taken:first], new]
            taken = last
            done += 1
            if done == count:
                break
        return lifted(()).join([*parts, text[taken:]]), done

    def filled(self, template: Any, found: Any) -> Any:
        """The template of a substitution with the groups of a match."""
        lifted = SymStr if isinstance(self.pattern, str) else SymBytes
        if isinstance(template, Characters):
            backslash = any(not isinstance(unit, int) for unit in template.units)
            if backslash and "\\" in template:
                raise unsupported("a symbolic template with a backslash", "Use a function.")
            return template
        parts = [
            part if isinstance(part, str | bytes) else found.group(part) or self.pattern[:0]
            for part in _template(template, self._plain)
        ]
        return lifted(()).join(parts)


Match.register(re.Match)
Pattern.register(re.Pattern)


def _given(endpos: Any) -> tuple[Any, ...]:
    return () if endpos is None else (endpos,)


def _spans(found: Any) -> list[tuple[int, int]] | None:
    if found is None:
        return None
    return [found.span(group) for group in range(found.re.groups + 1)]


def _item(found: Any) -> Any:
    """What `findall` gives for a match."""
    empty = found.re.pattern[:0]
    if found.re.groups == 0:
        return found.group()
    groups = found.groups(empty)
    return groups[0] if found.re.groups == 1 else groups


def _template(template: str | bytes, pattern: re.Pattern[Any]) -> list[str | bytes | int]:
    """The literal parts of a template, and the numbers of the groups between them."""
    parsed = re._parser.parse_template(template, pattern)
    if isinstance(parsed, tuple):  # up to Python 3.11: places of groups, and literals
        groups, literals = parsed
        parts = list(literals)
        for index, group in groups:
            parts[index] = group
        return [part for part in parts if part is not None]
    return [part for part in parsed if part != template[:0]]


@lru_cache(maxsize=256)
def _compiled(pattern: str | bytes, flags: int) -> Compiled:
    return compiled(pattern, flags & ~int(re.DEBUG))


def module(charge: Charge, *, always: bool) -> ModuleType:
    """The module `re`, with these patterns."""

    def compile(pattern: Any, flags: Any = 0) -> Pattern:
        if type(pattern) is Pattern:
            return pattern
        if isinstance(pattern, Characters | Written):
            raise unsupported("a symbolic regular expression", "Fix the pattern: --fix NAME=VALUE.")
        if isinstance(pattern, re.Pattern):
            return Pattern(pattern, charge, always)
        return Pattern(re.compile(pattern, flags), charge, always)

    def of(name: str) -> Callable[..., Any]:
        takes_replacement = name in ("sub", "subn")

        def function(pattern: Any, *arguments: Any, flags: Any = 0, **options: Any) -> Any:
            texts = 2 if takes_replacement else 1
            counted = name in ("sub", "subn", "split")
            given = len(arguments) - texts
            if given > (1 if counted else 0):  # the flags by position
                *rest, flags = arguments
                arguments = tuple(rest)
            return getattr(compile(pattern, flags), name)(*arguments, **options)

        return function

    made = ModuleType("re")
    made.__dict__.update(vars(re))
    names = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")
    made.__dict__.update({name: of(name) for name in names})
    made.__dict__.update(compile=compile, Pattern=Pattern, Match=Match)
    return made
