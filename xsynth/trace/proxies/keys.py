"""Keys of dictionaries and elements of sets, where they are symbolic.

Python finds a key by its hash, and a symbolic number has none.  So a key is looked up by
comparison: it is one of those present if this run takes it as equal to one, asked of each
in the order of insertion, and each question is a decision.  The keys of a container are
distinct on the path that holds them, so the first that is equal is the only one.

Inside the containers of `mappings.py` and `sets.py` a symbolic key is stored under its
identity (`by_identity`), which needs no decision; anywhere else its hash is that of the
plain value, which this run has to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Final

from xsynth.trace.proxies import build
from xsynth.trace.proxies.base import Symbolic
from xsynth.trace.proxies.boolean import SymBool
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.current import by_identity, first_equal, named
from xsynth.trace.proxies.hashed import Keyed, is_hashed, keyed, object_of
from xsynth.trace.proxies.number import Number, SymInt, SymReal
from xsynth.trace.proxies.written import Written, read
from xsynth.trace.terms import Apply

_PLAIN = frozenset({int, str, bool, float, bytes, type(None)})
_NUMBERS = (int, float, Fraction, Symbolic)
ABSENT: Final = object()


def is_symbolic(key: object) -> bool:
    """Whether looking the key up is a matter of decisions."""
    kind = type(key)
    if kind in _PLAIN:
        return False
    if isinstance(key, tuple):
        return any(map(is_symbolic, key))
    return isinstance(key, Symbolic | Characters | Written | Keyed) or bool(
        getattr(kind, "holds_symbols", False) and key.symbolic  # type: ignore[attr-defined]
    )


def settled(key: Any) -> Any:
    """The key as it is looked up: a waiting text is read, a truth value decided."""
    kind = type(key)
    if kind in _PLAIN:
        return key
    if kind is Written:
        return read(key)
    if kind is SymBool:
        return bool(key)
    if is_hashed(key):
        return keyed(key)
    if kind is tuple and not all(type(part) in _PLAIN for part in key):
        return tuple(map(settled, key))
    return key


def stored(key: Any) -> Any:
    """The key under which a new entry is made: a computed number gets a name."""
    if isinstance(key, Number) and type(key.term) is Apply:
        name = named(key.term)
        return SymInt(name) if type(key) is SymInt else SymReal(name)
    return key


def may_equal(left: Any, right: Any) -> bool:
    """Whether the two can be equal at all, as far as their kinds and plain parts tell."""
    if isinstance(left, tuple):
        return (
            isinstance(right, tuple)
            and len(left) == len(right)
            and all(map(may_equal, left, right))
        )
    if isinstance(left, _NUMBERS):
        if isinstance(left, Symbolic) or isinstance(right, Symbolic):
            return isinstance(right, _NUMBERS)
        return bool(left == right)
    text = _text(left)
    if text is not None:
        return _text(right) is text and len(left) == len(right)
    return not isinstance(right, _NUMBERS) and _text(right) is None


def _text(key: Any) -> type | None:
    """`str` or `bytes`, if the key is one of them, plain or symbolic."""
    if isinstance(key, Characters):
        return key.stands_for
    return str if isinstance(key, str) else bytes if isinstance(key, bytes) else None


def surely_equal(left: Any, right: Any) -> bool:
    """Whether the two are equal with no need to ask: one object, or one term."""
    if left is right or (isinstance(left, Keyed) and object_of(left) is object_of(right)):
        return True
    if isinstance(left, Symbolic) and isinstance(right, Symbolic):
        return build.same(left.term, right.term)
    if isinstance(left, Characters) and isinstance(right, Characters):
        return type(left) is type(right) and left.units == right.units
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(surely_equal, left, right))
    return type(left) in _PLAIN and type(left) is type(right) and left == right


def find(keys: Iterable[Any], wanted: Any) -> Any:
    """The one of these keys that this run takes as equal to the wanted one, or ABSENT."""
    candidates = [key for key in keys if may_equal(key, wanted)]
    for key in candidates:
        if surely_equal(key, wanted):
            return key
    if not candidates:
        return ABSENT
    position = first_equal(candidates, wanted)
    return ABSENT if position < 0 else candidates[position]


def natively(method: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a method of the built-in container, in which symbolic keys are known by identity."""
    with by_identity():
        return method(*arguments)
