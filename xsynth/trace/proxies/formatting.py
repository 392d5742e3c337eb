"""`str`, `repr`, `%` and `format` of values that hold symbolic ones.

None of them decides anything: the text is made of fields that wait until it is read (see
`written.py`).  What can change later (a list, an object) is looked at now, and a `__repr__` or
`__str__` of the program's runs now, once, as in Python.
"""

from __future__ import annotations

import dataclasses
import math
import re
import string
from collections import deque
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from xsynth.program.rewrite import TRACER
from xsynth.trace.proxies.base import Symbolic
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.mappings import SymDict
from xsynth.trace.proxies.number import SymInt, SymReal
from xsynth.trace.proxies.text import SymStr
from xsynth.trace.proxies.written import Field, Written, written

Part = str | Field

_PLAIN = frozenset({int, str, bool, float, bytes, type(None), complex, range})
_DIRECTIVE = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[#0 +-]*)"
    r"(?P<width>\d*)(?:\.(?P<digits>\d*))?[hlL]?(?P<kind>.)",
    re.DOTALL,
)


def symbolic_repr(value: Any, /) -> Any:
    """`repr`, which waits where symbolic values are in it."""
    return written(*_parts(value, ()))


def symbolic_str(*arguments: Any, **options: Any) -> Any:
    """`str`: a symbolic text stays symbolic; anything else symbolic waits until it is read."""
    if len(arguments) != 1 or options:
        return str(*arguments, **options)
    (value,) = arguments
    if type(value) in _PLAIN:
        return str(value)
    if isinstance(value, SymStr | Written):
        return value
    if isinstance(value, Symbolic):
        return written(Field(value))
    if isinstance(value, Characters):
        return symbolic_repr(value)  # of bytes
    own: Any = type(value).__str__
    if _is_own(own):
        return own(value)
    if own is object.__str__:
        return symbolic_repr(value)
    if own is BaseException.__str__ and len(value.args) == 1:
        return symbolic_str(value.args[0])
    return str(value)


def symbolic_format(value: Any, spec: Any = "", /) -> Any:
    return written(field(value, "", spec))


def field(value: Any, conversion: str, spec: Any) -> Field:
    """A replacement field: the value as it is now, to be read later."""
    spec = str(spec)
    if conversion == "r":
        return Field(symbolic_repr(value), "", spec)
    plain = not isinstance(value, Symbolic | Characters | Written)
    kind: Any = type(value)
    if conversion == "s" or (plain and kind.__format__ is object.__format__):
        return Field(symbolic_str(value), "", spec)
    return Field(value, conversion, spec)


def _is_own(method: Any) -> bool:
    """Whether a method is code of the program's, which may return a text that waits."""
    return type(method) is FunctionType and TRACER in method.__globals__


def _parts(value: Any, around: tuple[int, ...]) -> Iterator[Part]:
    """The pieces of `repr(value)`; `around` are the containers that it is in."""
    kind: Any = type(value)
    if kind in _PLAIN:
        yield repr(value)
    elif isinstance(value, Symbolic | Characters | Written):
        yield Field(value, "r")
    elif id(value) in around and kind in (list, SymDict):
        yield "[...]" if kind is list else "{...}"
    elif kind is list:
        yield from _row("[", value, "]", (*around, id(value)))
    elif kind is tuple:
        yield from _row("(", value, ",)" if len(value) == 1 else ")", around)
    elif kind is deque and value.maxlen is None:
        yield from _row("deque([", value, "])", (*around, id(value)))
    elif kind is SymDict:
        yield "{"
        for i, (key, item) in enumerate(value.items()):
            yield ", " if i else ""
            yield from _parts(key, around)
            yield ": "
            yield from _parts(item, (*around, id(value)))
        yield "}"
    elif isinstance(value, tuple) and hasattr(kind, "_fields") and not _is_own(kind.__repr__):
        yield from _named(kind.__name__, zip(kind._fields, value, strict=True), around)
    elif _is_own(kind.__repr__):
        yield Field(kind.__repr__(value))
    elif dataclasses.is_dataclass(kind) and hasattr(kind.__repr__, "__wrapped__"):
        shown = [f.name for f in dataclasses.fields(kind) if f.repr]
        yield from _named(type(value).__qualname__, ((n, getattr(value, n)) for n in shown), around)
    else:
        yield repr(value)


def _row(first: str, items: Any, last: str, around: tuple[int, ...]) -> Iterator[Part]:
    yield first
    for i, item in enumerate(items):
        yield ", " if i else ""
        yield from _parts(item, around)
    yield last


def _named(name: str, items: Any, around: tuple[int, ...]) -> Iterator[Part]:
    yield f"{name}("
    for i, (key, item) in enumerate(items):
        yield f"{', ' if i else ''}{key}="
        yield from _parts(item, around)
    yield ")"


# `template % values`


def percent(template: Any, values: Any) -> Any:
    """`template % values`, in which symbolic values wait."""
    if type(template) is not str or _all_plain(values):
        return template % values
    named = values if isinstance(values, Mapping) else None
    given = list(values) if isinstance(values, tuple) else [values]
    parts: list[Part] = []
    end = 0
    for found in _DIRECTIVE.finditer(template):
        parts.append(template[end : found.start()])
        end = found.end()
        if found[0] == "%%":
            parts.append("%")
            continue
        if found["key"] is not None and named is not None:
            value = named[found["key"]]
        elif found["key"] is None and given:
            value = given.pop(0)
        else:
            return template % values  # which says what is wrong
        part = _directed(value, found)
        if part is None:
            return template % values
        parts.append(part)
    if "%" in template[end:] or (given and named is None):
        return template % values
    return written(*parts, template[end:])


def _all_plain(values: Any) -> bool:
    if isinstance(values, tuple):
        return all(type(value) in _PLAIN for value in values)
    return type(values) in _PLAIN


def _directed(value: Any, found: re.Match[str]) -> Part | None:
    """The field of one directive, written as `format` has it; None where that differs."""
    flags, width, digits, kind = found["flags"], found["width"], found["digits"], found["kind"]
    if kind in "sr":
        text = symbolic_str(value) if kind == "s" else symbolic_repr(value)
        side = ("<" if "-" in flags else ">") if width else ""
        return Field(text, "", side + width + ("" if digits is None else f".{digits or 0}"))
    if not isinstance(value, Symbolic | int | float):
        return None
    if kind in "diu" and digits is None:
        whole = math.trunc(value) if isinstance(value, SymReal | float) else value
        return Field(whole, "", _numeric(flags, width) + "d")
    if kind in "xXo" and digits is None and isinstance(value, SymInt | int):
        return Field(value, "", _numeric(flags, width) + kind)
    if kind in "eEfFgG":
        places = "" if digits is None else f".{digits or 0}"
        return Field(value, "", _numeric(flags, width) + places + kind)
    return None


def _numeric(flags: str, width: str) -> str:
    sign = "+" if "+" in flags else " " if " " in flags else ""
    base = "#" if "#" in flags else ""
    if "-" in flags:
        return f"<{sign}{base}{width}" if width else sign + base
    return sign + base + ("0" if "0" in flags and width else "") + width


# `template.format(...)`


def formatted(template: str, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """`template.format(*arguments, **named)`, in which symbolic values wait."""
    return _formatted(template, arguments, named, iter(range(len(template))))


def _formatted(
    template: str, arguments: tuple[Any, ...], named: Mapping[str, Any], numbers: Iterator[int]
) -> Any:
    parts: list[Part] = []
    formatter = string.Formatter()
    for literal, name, spec, conversion in formatter.parse(template):
        parts.append(literal)
        if name is None:
            continue
        if not name or name[0] in ".[":
            name = f"{next(numbers)}{name}"  # noqa: PLW2901  (as it would be written in full)
        value, _ = formatter.get_field(name, arguments, named)
        inner = _formatted(spec, arguments, named, numbers) if spec else ""
        parts.append(field(value, conversion or "", inner))
    return written(*parts)
