"""The numbers that symbolic texts write: `int(text)` and `float(text)`; those of an array.

Whether a character is a digit, a space, a sign or a point is a decision; which digit it is
stays open.  Digits and spaces are those of ASCII.
"""

from __future__ import annotations

import array
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from xsynth.trace.proxies import build
from xsynth.trace.proxies.base import Symbolic, wrap
from xsynth.trace.proxies.characters import Unit, term_of, units_equal
from xsynth.trace.proxies.current import concrete, decide, unsupported
from xsynth.trace.proxies.number import SymInt
from xsynth.trace.proxies.text import DIGITS, Ranges, SymBytes, Text, within
from xsynth.trace.terms import Const, Sort, Term

_PREFIXES = {2: "b", 8: "o", 16: "x"}
_LARGEST_POWER = 300
"""Of ten, that any number of a few digits has as a float that is neither 0 nor infinite."""


def _space(unit: Unit) -> bool:
    return decide(within(SymBytes.whitespace, term_of(unit)))


def _digit(unit: Unit, digits: Ranges = DIGITS) -> bool:
    return decide(within(digits, term_of(unit)))


def _stripped(text: Text, digits: Ranges) -> list[Unit]:
    """The characters without the spaces around them."""
    units = list(text.units)
    while units and not _digit(units[0], digits) and _space(units[0]):
        del units[0]
    while units and not _digit(units[-1], digits) and _space(units[-1]):
        del units[-1]
    return units


def _sign(units: list[Unit], digits: Ranges) -> bool:
    """Takes the sign away; whether it is a minus."""
    if not units or _digit(units[0], digits):
        return False
    negative = units_equal(units[0], ord("-"))
    if negative or units_equal(units[0], ord("+")):
        del units[0]
    return negative


def parse_integer(text: Text, base: int = 10) -> Any:
    """The integer that a text writes, a decision or two a character."""
    if base < 2 or base > 36:
        if base != 0:
            raise ValueError("int() base must be >= 2 and <= 36, or 0")
        raise unsupported(
            "int() of a symbolic text in base 0", "Say the base: int(text, 2), int(text, 16)."
        )
    # the codes of digits, each range with the value of its first
    ranges = [(48, 48 + min(base, 10) - 1, 0)]
    if base > 10:
        ranges += [(97, 97 + base - 11, 10), (65, 65 + base - 11, 10)]
    digits = tuple((low, high) for low, high, _ in ranges)

    def value_of(unit: Unit) -> Term:
        for low, high, first in ranges[:-1]:
            if decide(build.between(low, term_of(unit), high)):
                return build.sub(term_of(unit), build.integer(low - first))
        low, _, first = ranges[-1]
        return build.sub(term_of(unit), build.integer(low - first))

    units = _stripped(text, digits)
    negative = _sign(units, digits)
    letter = _PREFIXES.get(base, "")
    prefixed = letter and len(units) > 2 and units_equal(units[0], ord("0"))
    if prefixed and any(units_equal(units[1], ord(c)) for c in (letter, letter.upper())):
        del units[:2]
        if units_equal(units[0], ord("_")):
            del units[0]
    result: Term = build.ZERO
    after_digit = False
    for unit in units:
        if _digit(unit, digits):
            result = build.add(build.mul(result, build.integer(base)), value_of(unit))
            after_digit = True
        elif after_digit and units_equal(unit, ord("_")):
            after_digit = False
        else:
            raise ValueError(f"invalid literal for int() with base {base}")
    if not after_digit:
        raise ValueError(f"invalid literal for int() with base {base}")
    return wrap(build.neg(result) if negative else result)


def parse_real(text: Text) -> Any:
    """The real that a text writes: digits, a point, an exponent, whose value is decided."""
    units = _stripped(text, DIGITS)
    negative = _sign(units, DIGITS)
    special = _special(units)
    if special is not None:
        return -special if negative else special
    before, result = _digits(units, build.ZERO)
    after = 0
    if units and units_equal(units[0], ord(".")):
        del units[0]
        after, result = _digits(units, result)
    exponent = 0
    if before + after and units and any(units_equal(units[0], ord(c)) for c in "eE"):
        del units[0]
        below = _sign(units, DIGITS)
        written, power = _digits(units, build.ZERO)
        if not written:
            raise ValueError("could not convert string to float")
        exponent = -concrete(power) if below else concrete(power)
    if units or not before + after:
        raise ValueError("could not convert string to float")
    if negative:
        result = build.neg(result)
    if isinstance(result, Const) or abs(exponent) > _LARGEST_POWER:
        return float(f"{concrete(result)}e{exponent - after}")
    scale = Const(Fraction(10) ** (exponent - after), Sort.REAL)
    return wrap(build.mul(build.real(result), scale))


def _digits(units: list[Unit], result: Term) -> tuple[int, Term]:
    """Takes digits away, with underscores between them: how many, and the number with them."""
    count = 0
    while units:
        at = 1 if count and len(units) > 1 and units_equal(units[0], ord("_")) else 0
        if not _digit(units[at]):
            break
        code = build.sub(term_of(units[at]), build.integer(ord("0")))
        result = build.add(build.mul(result, build.integer(10)), code)
        count += 1
        del units[: at + 1]
    return count, result


def _special(units: list[Unit]) -> float | None:
    for word in ("inf", "nan", "infinity"):
        if len(word) == len(units) and all(
            decide(within(((ord(c), ord(c)), (ord(c.upper()), ord(c.upper()))), term_of(unit)))
            for unit, c in zip(units, word, strict=True)
        ):
            return float(word)
    return None


def single(value: Any) -> float:
    """The float of 32 bits that an array keeps of a number."""
    if isinstance(value, Symbolic):
        raise unsupported(
            "a symbolic number in an array of type 'f', which rounds it", "Use the type 'd'."
        )
    return float(array.array("f", [value])[0])


def numbers_of(typecode: str, data: Any) -> list[Any]:
    """The items that bytes are of an array of that type."""
    if not isinstance(data, SymBytes):
        return array.array(typecode, bytes(data)).tolist()
    match typecode:
        case "B":
            return list(data)
        case "b":
            return [wrap(_signed(term_of(unit))) for unit in data.units]
        case _:
            raise unsupported(
                f"symbolic bytes as numbers of type {typecode!r}", "Make the array of a list."
            )


def _signed(unit: Term) -> Term:
    below = build.sub(unit, build.integer(256))
    return build.ite(build.between(128, unit, 255), below, unit)


def bytes_of(typecode: str, items: Sequence[Any]) -> Any:
    """The bytes of an array's items."""
    if not any(isinstance(item, Symbolic | Text) for item in items):
        return array.array(typecode, items).tobytes()
    if typecode != "B":
        raise unsupported(
            f"the bytes of symbolic numbers of type {typecode!r}", "Use the numbers themselves."
        )
    return SymBytes._make([item.term if isinstance(item, SymInt) else item for item in items])
