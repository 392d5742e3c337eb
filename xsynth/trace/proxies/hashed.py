"""Objects of the program's own classes as keys, where the program says how they are hashed.

`__hash__` and `__eq__` are the user's code, and their cost counts.  Python calls the first once
for each operation on a container, and the second for each key of the same hash that is not the
object itself.  So here: `__hash__` runs with a `hash` that gives what is hashed where that is
symbolic (`Hash`); two keys have the same hash if this run takes these as equal, and only then is
`__eq__` asked.  That holds as far as Python's hashes do not collide: an integer is its own hash,
but for -1, whose hash is that of -2, which is decided where a number can be both; integers from
2**61 - 1 on, whose hashes begin anew, are not thought of.  How often Python compares two objects
with one hash that differ depends on its table, so the trace is told that once was assumed.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any, cast

from xsynth.program.rewrite import COUNTS, TRACER
from xsynth.trace.proxies.base import Symbolic
from xsynth.trace.proxies.boolean import SymBool
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.current import bounds, current, unsupported
from xsynth.trace.proxies.number import SymInt, SymReal
from xsynth.trace.proxies.written import Written, read

_hashing = False


class Known(int):
    """A plain hash, with what was hashed."""

    of: Any


class Hash:
    """The hash of a tuple or a text that holds unknowns: known by what was hashed."""

    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:
        self.of = of

    def _computed(self, *_: object) -> Any:
        raise unsupported(
            "a hash of symbolic values is computed with",
            "let __hash__ return hash(...) of a tuple of the fields",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __xor__ = __rxor__ = _computed
    __or__ = __ror__ = __and__ = __rand__ = __mod__ = __rmod__ = __floordiv__ = _computed
    __lshift__ = __rshift__ = __neg__ = __invert__ = __abs__ = __int__ = __index__ = _computed
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _computed
    __eq__ = __ne__ = _computed
    __hash__ = object.__hash__


class Keyed:
    """An object, or a tuple that holds some, as a key: with the hash that it had when put in."""

    __slots__ = ("hash", "object")

    def __init__(self, key: Any, of: Any) -> None:
        self.object = key
        self.hash = of

    @property
    def plain(self) -> bool:
        return not _is_symbolic(self.hash)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keyed) or not same_hash(self.hash, other.hash):
            return False
        if self.object is other.object or bool(self.object == other.object):
            return True
        current().assume_order("two objects with one hash differ, and Python compares them again")
        return False

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return repr(self.object)


def same_hash(left: Any, right: Any) -> bool:
    """Whether this run takes two hashes, or what is hashed, as equal."""
    left, right = (side.of if isinstance(side, Hash | Known) else side for side in (left, right))
    if isinstance(left, tuple) or isinstance(right, tuple):
        if not (isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right)):
            return False
        return all(same_hash(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, Characters) != isinstance(right, Characters):
        left, right = (right, left) if isinstance(right, Characters) else (left, right)
        return isinstance(right, left.stands_for) and bool(left == right)
    return bool(left == right)


def _is_symbolic(of: Any) -> bool:
    if isinstance(of, Hash | Known):
        of = of.of
    if isinstance(of, tuple):
        return any(map(_is_symbolic, of))
    return isinstance(of, Symbolic | Characters)


def is_hashed(key: object) -> bool:
    """Whether an object is of a class of the program's that says how it is hashed.

    So is a tuple that holds one: Python compares two of them only if their hashes are equal.
    """
    return next(_counted(key), None) is not None


def _counted(key: object) -> Iterator[list[int]]:
    """The counts of the programs whose `__hash__` hashing the key would run."""
    own = getattr(type(key), "__hash__", None)
    if own is tuple.__hash__:
        for part in cast(tuple[object, ...], key):
            yield from _counted(part)
    elif type(own) is FunctionType and TRACER in own.__globals__:
        yield own.__globals__[COUNTS]


def keyed(key: Any) -> Keyed:
    """An object as it is looked up."""
    return Keyed(key, _hash_of(key))


def _hash_of(key: Any) -> Any:
    global _hashing  # noqa: PLW0603
    outer, _hashing = _hashing, True
    try:
        of = symbolic_hash(key) if isinstance(key, tuple) else cast(Any, type(key)).__hash__(key)
    finally:
        _hashing = outer
    return _of_integer(of) if isinstance(of, SymInt) else of


def _of_integer(value: SymInt) -> Any:
    low, high = bounds(value.term)
    both = (low is None or low <= -2) and (high is None or high >= -1)
    return -2 if both and value == -1 else value


def object_of(key: Any) -> Any:
    """The key as the program knows it."""
    return key.object if type(key) is Keyed else key


def in_pythons_order(items: Iterable[Any]) -> list[Any]:
    """Plain elements in the order of a set of them; what Python calls for it does not count."""
    objects = [object_of(item) for item in items]
    counted = [counts for o in objects for counts in _counted(o)]
    before = [list(counts) for counts in counted[:1]]
    ordered = list(builtins.set(objects))
    for counts, old in zip(counted, before, strict=False):
        counts[:] = old
    return ordered


def symbolic_hash(value: Any, /) -> Any:
    """`hash` of traced code: an ordinary one, unless a container asks an object for its own."""
    if not _hashing:
        return builtins.hash(value)
    match value:
        case tuple():
            parts = tuple([symbolic_hash(part) for part in value])
            if any(isinstance(part, Hash | Symbolic) for part in (*parts, *value)):
                return Hash(parts)
            return _known(tuple(map(int, parts)), parts)
        case SymInt():
            return _of_integer(value)
        case SymBool():
            return int(bool(value))
        case SymReal():
            return value
        case Written():
            return symbolic_hash(read(value))
        case Characters():
            return Hash(value)
        case str() | bytes() | float():
            return _known(value, value)
        case _:
            return _hash_of(value) if is_hashed(value) else builtins.hash(value)


def _known(value: Any, of: Any) -> Known:
    made = Known(builtins.hash(value))
    made.of = of
    return made
