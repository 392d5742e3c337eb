"""Texts and numbers in a model file.

A text stands as it is where the grammar reads it back, otherwise in double quotes, with
escapes for what cannot be printed: a line of the file is a line.
"""

from __future__ import annotations

import re
from collections.abc import Container

DECIMAL_BITS = 4096
"""Larger integers are written in hexadecimal: Python limits the length of decimal ones."""
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\[^\n])*)"')
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|([\"\\])|)")


def quoted(text: str) -> str:
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def word(text: str, bare: re.Pattern[str], reserved: Container[str] = ()) -> str:
    """The text itself where the grammar reads it back, otherwise in quotes."""
    plain = text.isprintable() and bare.fullmatch(text) and text not in reserved
    return text if plain else quoted(text)


def unquoted(text: str) -> str:
    """What `word` wrote, as a plain `str` (a token of the parser is a subclass)."""
    if not text.startswith('"'):
        return str(text)
    inside = _QUOTED.fullmatch(text)
    if inside is None:
        raise ValueError("a text in quotes does not end with one")
    return _ESCAPE.sub(_unescaped, inside[1])


def _unescaped(escape: re.Match[str]) -> str:
    code, character = escape.groups()
    if code is None and character is None:
        raise ValueError("a backslash that is no escape")
    return chr(int(code, 16)) if code is not None else str(character)


def number(value: int) -> str:
    return str(int(value)) if value.bit_length() <= DECIMAL_BITS else hex(value)


def integer(text: str) -> int:
    return int(text, 16 if "x" in text else 10)
