"""Methods of texts that lay them out or map their characters: a part of `text.py`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from xsynth.trace.proxies import build
from xsynth.trace.proxies.characters import Unit, compare_units, term_of, units_equal
from xsynth.trace.proxies.current import decide
from xsynth.trace.terms import Op, Term

if TYPE_CHECKING:
    from xsynth.trace.proxies.text import Text

BREAKS = (10, 11, 12, 13, 28, 29, 30)
"""The characters that end a line, of those in ASCII; `bytes` know only two of them."""


def translate(text: Text, table: Any) -> list[Unit]:
    """Every character through a table; one choice, where each entry is one character."""
    entries = [(k, _codes(v)) for k, v in table.items() if isinstance(k, int)]
    result: list[Unit] = []
    for unit in text.units:
        if isinstance(unit, int):
            result.extend(next((codes for k, codes in entries if k == unit), [unit]))
        elif all(len(codes) == 1 for _, codes in entries):
            mapped: Term = unit
            for k, codes in reversed(entries):
                mapped = build.ite(compare_units(Op.EQ, unit, k), term_of(codes[0]), mapped)
            result.append(mapped)
        else:
            chosen = (codes for k, codes in entries if units_equal(unit, k))
            result.extend(next(chosen, [unit]))
    return result


def _codes(value: Any) -> list[int]:
    if value is None:
        return []
    return [value] if isinstance(value, int) else [ord(c) for c in value]


def centred(text: Text, width: Any, fill: Any) -> Any:
    """As CPython does it: the odd one goes to the left where the width is odd."""
    missing = max(0, operator.index(width) - len(text))
    left = missing // 2 + (missing & operator.index(width) & 1)
    return fill * left + text + fill * (missing - left)


def zero_filled(text: Text, width: Any) -> Any:
    zeros = text._plain([48]) * max(0, operator.index(width) - len(text))
    signed = len(text) > 0 and (units_equal(text.units[0], 43) or units_equal(text.units[0], 45))
    return text[:1] + zeros + text[1:] if signed else zeros + text


def titled(text: Text) -> Any:
    """Upper case after what is no letter, lower case after a letter."""
    result = text[:0]
    inside = False
    for i in range(len(text)):
        one = type(text)(text.units[i : i + 1])
        result = result + (one.lower() if inside else one.upper())
        inside = decide(text._is("isalpha", text.units[i]))
    return result


def lines(text: Text, keepends: bool) -> list[Any]:
    breaks = BREAKS if text.stands_for is str else (10, 13)
    found, start, i = [], 0, 0
    while i < len(text):
        unit = text.units[i]
        at = i
        i += 1
        if not any(units_equal(unit, code) for code in breaks):
            continue
        if units_equal(unit, 13) and i < len(text) and units_equal(text.units[i], 10):
            i += 1
        found.append(text[start : i if keepends else at])
        start = i
    return [*found, text[start:]] if start < len(text) else found
