"""Built-ins that look into the C layout of their argument, for proxies too.

The instrumenter calls these in place of the built-ins of the same name; for plain
arguments they are the built-ins.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any

from xsynth.trace.proxies import build
from xsynth.trace.proxies.base import Symbolic, wrap
from xsynth.trace.proxies.boolean import SymBool
from xsynth.trace.proxies.bytearrays import byte, symbolic_bytearray
from xsynth.trace.proxies.characters import Characters, term_of
from xsynth.trace.proxies.current import decide, unsupported
from xsynth.trace.proxies.formatting import (
    formatted,
    symbolic_format,
    symbolic_repr,
    symbolic_str,
)
from xsynth.trace.proxies.mappings import STANDS_FOR
from xsynth.trace.proxies.number import SymInt, SymReal, operand
from xsynth.trace.proxies.numerals import parse_integer, parse_real
from xsynth.trace.proxies.text import SymBytes, SymStr, Text, any_of
from xsynth.trace.proxies.written import Written, concatenated, is_text, read
from xsynth.trace.terms import Term

_LAST_CODE = 0x10FFFF
Buffer = str | bytes | bytearray | memoryview


def symbolic_ord(text: Any) -> Any:
    """`ord`: the code of one character, as an integer."""
    text = read(text)
    if not isinstance(text, Text):
        return ord(text)
    if len(text) != 1:
        raise TypeError(f"ord() expected a character, but string of length {len(text)} found")
    return wrap(term_of(text.units[0]))


def symbolic_chr(number: Any) -> Any:
    """`chr`: the text of one character with that code."""
    if not isinstance(number, SymInt | SymBool):
        return chr(number)
    term = operand(number)
    assert isinstance(term, Term)
    if not decide(build.between(0, term, _LAST_CODE)):
        raise ValueError("chr() arg not in range(0x110000)")
    return SymStr((term,))


def symbolic_int(*arguments: Any, **options: Any) -> Any:
    """`int`: an integer stays symbolic, and so do the digits of a text."""
    arguments = tuple(map(read, arguments))
    match arguments:
        case (SymInt() as value,):
            return value
        case (SymBool() as value,):
            return wrap(build.number(value.term))
        case (SymReal() as value,):
            return math.trunc(value)
        case (Text() as text,):
            return parse_integer(text, operator.index(options.get("base", 10)))
        case (Text() as text, base):
            return parse_integer(text, operator.index(base))
    return int(*arguments, **options)


def symbolic_float(*arguments: Any) -> Any:
    """`float`: a symbolic number as a symbolic real, and so the digits of a text."""
    arguments = tuple(map(read, arguments))
    match arguments:
        case (Text() as text,):
            return parse_real(text)
        case (SymInt() | SymReal() | SymBool() as value,):
            term = operand(value)
            assert isinstance(term, Term)
            return wrap(build.real(term))
        case _:
            return float(*arguments)


def symbolic_bool(*arguments: Any) -> Any:
    """`bool`: the truth value, undecided."""
    match arguments:
        case (SymBool() as value,):
            return value
        case (SymInt() | SymReal() as value,):
            return value != 0
        case _:
            return bool(*arguments)


def symbolic_bytes(*arguments: Any, **options: Any) -> Any:
    """`bytes`: symbolic bytes, or a list of symbolic integers, stay symbolic."""
    match arguments:
        case (SymBytes(units=units),):
            return SymBytes._make(units)
        case (items,) if isinstance(items, Buffer):
            return bytes(items)  # type: ignore[arg-type]
        case (items,) if hasattr(type(items), "__bytes__"):
            return type(items).__bytes__(items)
        case (items,) if isinstance(items, Iterable):
            return SymBytes._make([byte(item, "bytes") for item in items])
        case _:
            return bytes(*arguments, **options)


def symbolic_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow`: a symbolic exponent is decided, also beside a modulus."""
    if isinstance(base, Symbolic) or mod is None:
        return pow(base, exp, mod)
    if isinstance(mod, Symbolic):
        return pow(base, exp) % mod
    return pow(base, operator.index(exp), mod)


def symbolic_isinstance(value: object, cls: Any, /) -> bool:
    if isinstance(value, Symbolic | Characters | Written):
        return issubclass(value.stands_for, _named_kinds(cls))
    return isinstance(value, _named_kinds(cls))


def _named_kinds(cls: Any) -> Any:
    """The class, or the tuple or union of them, with the built-in containers themselves."""
    if isinstance(cls, tuple):
        return tuple(map(_named_kinds, cls))
    if isinstance(cls, UnionType):
        return _named_kinds(cls.__args__)
    return cls.stands_for if cls in STANDS_FOR.values() else cls


def symbolic_type(*arguments: Any, **options: Any) -> Any:
    match arguments:
        case (Symbolic() | Characters() | Written() as value,):
            return value.stands_for
        case (value,):
            kind = type(value)
            return STANDS_FOR.get(kind, kind)
        case _:
            return type(*arguments, **options)


def symbolic_contains(container: Any, item: Any) -> Any:
    """`item in container`; a symbolic character in a plain text is one clause."""
    container, item = read(container), read(item)
    match container, item:
        case (str(), SymStr(units=(unit,))) | (bytes(), SymBytes(units=(unit,))):
            return wrap(
                any_of(
                    map(ord, container) if isinstance(container, str) else container, term_of(unit)
                )
            )
        case bytes(), SymInt(term=term):
            return wrap(any_of(container, term))
        case str(), SymStr():
            return item in SymStr(container)
        case bytes(), SymBytes():
            return item in SymBytes(container)
        case _:
            return item in container


def symbolic_method(owner: Any, name: str) -> Callable[..., Any]:
    """`owner.name`, where a method of a plain text takes symbolic texts too."""
    owner = read(owner)
    method: Callable[..., Any] = getattr(owner, name)
    if type(owner) is not str and type(owner) is not bytes:
        return method
    lifted = SymStr if type(owner) is str else SymBytes

    def call(*arguments: Any, **options: Any) -> Any:
        match name, arguments:
            case "format", _ if type(owner) is str:
                return formatted(owner, arguments, options)
            case "join", (parts,):
                return _joined(owner, lifted, list(parts))
            case _:
                pass
        arguments = tuple(map(read, arguments))
        symbolic = any(
            isinstance(part, Text)
            for value in arguments
            for part in (value if isinstance(value, tuple) else (value,))
        )
        if symbolic:
            return getattr(lifted(owner), name)(*arguments, **options)
        return method(*arguments, **options)

    return call


def _joined(owner: Any, lifted: type[Text], parts: list[Any]) -> Any:
    """`owner.join(parts)`, which waits where a part does."""
    if any(isinstance(part, Written) for part in parts) and all(map(is_text, parts)):
        return concatenated(parts, owner)
    parts = [read(part) for part in parts]
    if any(isinstance(part, Text) for part in parts):
        return lifted(owner).join(parts)
    return owner.join(parts)


def symbolic_same(left: Any, right: Any) -> Any:
    """`left is right`: whether a truth value is that one; of numbers and texts nobody knows."""
    if left is right:
        return True
    kinds = symbolic_type(left), symbolic_type(right)
    if kinds[0] is not kinds[1] or not (_is_proxy(left) or _is_proxy(right)):
        return False
    if kinds[0] is bool:
        return left == right
    if kinds[0] is float and not all(_is_proxy(v) or math.isfinite(v) for v in (left, right)):
        return False  # a symbolic float is a finite number
    raise unsupported(
        f"`is` between two values of type {kinds[0].__name__}",
        "Compare them with ==; whether equal ones are one object is up to the interpreter.",
    )


def _is_proxy(value: object) -> bool:
    return isinstance(value, Symbolic | Characters | Written)


class _Pattern(type):
    """What a class pattern (`case int():`) names in a traced program."""

    wanted: type = object

    def __instancecheck__(cls, value: object) -> bool:
        return symbolic_isinstance(value, cls.wanted)


class _Side(type):
    """What `case True:` names: a class pattern, since a value would be asked for its `__eq__`."""

    side: bool

    def __instancecheck__(cls, value: object) -> bool:
        return bool(symbolic_same(value, cls.side))


# A subclass of `int` keeps its meaning of `case int(x)`: x is the subject itself.
PATTERNS: dict[str, object] = {
    kind.__name__: _Pattern(kind.__name__, (kind,), {"wanted": kind})
    for kind in (int, float, str, bytes, dict, set, frozenset)
}
PATTERNS["bool"] = _Pattern("bool", (), {"wanted": bool})
PATTERNS.update({str(side): _Side(str(side), (), {"side": side}) for side in (True, False)})


SUBSTITUTES: dict[str, Callable[..., Any]] = {
    "ord": symbolic_ord,
    "chr": symbolic_chr,
    "int": symbolic_int,
    "float": symbolic_float,
    "bool": symbolic_bool,
    "str": symbolic_str,
    "repr": symbolic_repr,
    "format": symbolic_format,
    "bytes": symbolic_bytes,
    "bytearray": symbolic_bytearray,
    "pow": symbolic_pow,
    "isinstance": symbolic_isinstance,
    "type": symbolic_type,
}
"""What the instrumenter calls in place of the built-in of that name."""
