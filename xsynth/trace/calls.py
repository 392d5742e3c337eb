"""What traced code calls in place of a few built-ins (see `instrument.py`).

`int(x)` becomes `CALLS.int_(x)`, `text.find(x)` becomes `CALLS.method(text, "find")(x)`,
`x in y` becomes `CALLS.within(x, y)`.  Where symbolic values are compared the pure forms of
`forms.py` are used, so that every comparison has a place of its own; `_forms` is that
module, instrumented.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any, cast

from xsynth.program.work import Charging, sorting
from xsynth.trace.proxies import (
    PATTERNS,
    SUBSTITUTES,
    Field,
    Symbolic,
    SymInt,
    Written,
    build,
    written,
)
from xsynth.trace.proxies.builtins import (
    symbolic_contains,
    symbolic_method,
    symbolic_same,
    symbolic_type,
)
from xsynth.trace.proxies.bytearrays import SymByteArray
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.current import active, bounds, concrete, current, decide
from xsynth.trace.proxies.formatting import field, percent
from xsynth.trace.proxies.hashed import symbolic_hash
from xsynth.trace.proxies.mappings import STANDS_FOR, SymDict
from xsynth.trace.proxies.sets import SymFrozenSet, SymSet
from xsynth.trace.tracer import Tracer

NAMES: dict[str, object] = {
    "hash": symbolic_hash,
    **{kind.__name__: proxy for kind, proxy in STANDS_FOR.items()},
}
"""What `dict`, `set`, `frozenset` and `hash` mean to a traced module."""

_PLAIN = (int, float, str, bytes, bool, type(None))
_MISSING = object()


def is_symbolic(value: object) -> bool:
    """Whether comparing the value is a decision: a proxy, or a tuple or list that holds one."""
    if isinstance(value, tuple | list):
        return any(map(is_symbolic, value))
    return isinstance(value, Symbolic | Characters | Written)


def _is_flat(value: object) -> bool:
    """Whether comparing the value runs no code of the user's, whose cost would be counted."""
    if type(value) in (tuple, list):
        return all(map(_is_flat, cast(Sequence[object], value)))
    return type(value) in _PLAIN or is_symbolic(value)


def _compares(keys: Sequence[object]) -> bool:
    """Whether a pure form may take the place of the built-in, and has to."""
    return len(keys) > 1 and any(map(is_symbolic, keys)) and all(map(_is_flat, keys))


class TracingCalls(Charging):
    def __init__(self, counts: list[int], forms: ModuleType, work: int | None = None) -> None:
        super().__init__(counts, work)
        self._forms: Any = forms
        for name, form in SUBSTITUTES.items():
            setattr(self, f"{name}_", form)
        for name, pattern in PATTERNS.items():
            setattr(self, f"case_{name}", pattern)

    # -- loops

    def turns(self, items: Iterable[object], block: int, line: int, loop: int) -> Iterator[object]:
        """The turns of a comprehension: counted, and brackets of the trace."""
        if not active():  # while the module is imported
            return self._turns(items, block)
        function = sys._getframe(1).f_code.co_qualname
        tracer = cast(Tracer, current())
        return self._turns(tracer.turns(items, line, loop, function), block)

    def _turns(self, items: Iterable[object], block: int) -> Iterator[object]:
        for item in items:
            self._counts[block] += 1
            yield item

    # -- indices

    def index(self, owner: Any, index: Any) -> Any:
        """The index of a sequence; of one with no bounds it is first asked whether it fits."""
        if type(index) is not SymInt or not isinstance(owner, list | tuple | str | Characters):
            return index
        size = len(owner)
        low, high = bounds(index.term)
        fits = low is not None and high is not None and -size <= low <= high < size
        if not fits and not decide(build.between(-size, index.term, size - 1)):
            raise IndexError(f"{symbolic_type(owner).__name__} index out of range")
        return concrete(index.term)

    # -- texts

    def written(self, *parts: str | Field) -> Any:
        return written(*parts)

    def field(self, value: object, conversion: str, spec: Any) -> Field:
        return field(value, conversion, spec)

    def percent(self, template: Any, values: Any) -> Any:
        return percent(template, values)

    def unbound(self, kind: type, name: str) -> Callable[..., Any]:
        """`str.lower`, to be called with a text."""

        def method(owner: Any, *arguments: Any, **options: Any) -> Any:
            if not issubclass(symbolic_type(owner), kind):
                return getattr(kind, name)(owner, *arguments, **options)  # which says what is wrong
            return symbolic_method(owner, name)(*arguments, **options)

        return method

    # -- what compares

    def same(self, left: Any, right: Any) -> Any:
        return symbolic_same(left, right)

    def is_text(self, value: object) -> bool:
        if isinstance(value, SymByteArray):
            return False
        return isinstance(value, str | bytes | Characters)

    def is_sequence(self, value: object) -> bool:
        return isinstance(value, Characters) or super().is_sequence(value)

    def position(self, items: Sequence[Any], wanted: object, start: int, stop: int) -> int:
        if is_symbolic(wanted) or is_symbolic(list(items[start:stop])):
            return cast(int, self._forms.position(items, wanted, start, stop))
        return super().position(items, wanted, start, stop)

    def holds(self, item: Any, container: Any) -> Any:
        if type(container) in (list, tuple):
            return self.position(container, item, 0, len(container)) >= 0
        if isinstance(container, SymSet | SymFrozenSet):
            return container.holds(item)
        return symbolic_contains(container, item)

    def bound(self, owner: Any, name: str) -> Callable[..., Any]:
        if type(owner) is list:
            match name:
                case "sort":
                    return partial(self._sort, owner)
                case "index":
                    return partial(self._index, owner)
                case "count":
                    return partial(self._count, owner)
                case "remove":
                    return partial(self._remove, owner)
                case _:
                    pass
        return symbolic_method(owner, name)

    def _sorted(self, items: Iterable[Any], key: Any, reverse: Any) -> list[Any]:
        values = list(items)
        keys = values if key is None else [key(value) for value in values]
        if _compares(keys):
            return cast(list[Any], self._forms.sorted_(values, keys, bool(reverse)))
        order = sorted(range(len(values)), key=keys.__getitem__, reverse=bool(reverse))
        return [values[i] for i in order]

    def sorted_(self, items: Iterable[Any], /, *, key: Any = None, reverse: Any = False) -> Any:
        result = self._sorted(items, key, reverse)
        self.charge(sorting(len(result)))
        return result

    def _sort(self, owner: list[Any], *, key: Any = None, reverse: Any = False) -> None:
        owner[:] = self._sorted(owner, key, reverse)

    def _index(self, owner: list[Any], wanted: Any, start: Any = 0, stop: Any = None) -> int:
        first, last, _ = slice(start, stop).indices(len(owner))
        found = self.position(owner, wanted, first, last)
        if found < 0:
            raise ValueError("value is not in list")
        return found

    def _count(self, owner: list[Any], wanted: Any) -> int:
        if is_symbolic(wanted) or is_symbolic(owner):
            return cast(int, self._forms.occurrences(owner, wanted))
        return owner.count(wanted)

    def _remove(self, owner: list[Any], wanted: Any) -> None:
        found = self.position(owner, wanted, 0, len(owner))
        if found < 0:
            raise ValueError("list.remove(x): x not in list")
        del owner[found]

    def min_(self, *arguments: Any, key: Any = None, default: Any = _MISSING) -> Any:
        return self._extreme(self._forms.least, min, arguments, key, default)

    def max_(self, *arguments: Any, key: Any = None, default: Any = _MISSING) -> Any:
        return self._extreme(self._forms.greatest, max, arguments, key, default)

    def _extreme(
        self, form: Any, builtin: Any, arguments: tuple[Any, ...], key: Any, default: Any
    ) -> Any:
        if len(arguments) == 1:
            self.consumed(arguments)
            arguments = tuple(arguments[0])
            if not arguments and default is not _MISSING:
                return default
        if not arguments:
            return builtin(arguments)
        keys = arguments if key is None else [key(value) for value in arguments]
        if len(keys) == 2:  # one comparison, of the line that calls
            later = keys[1] < keys[0] if builtin is min else keys[1] > keys[0]
            return arguments[1] if later else arguments[0]
        if _compares(keys):
            return form(arguments, keys)
        return arguments[builtin(range(len(arguments)), key=keys.__getitem__)]

    # -- what consumes and builds

    def sum_(self, items: Iterable[Any], /, start: Any = 0) -> Any:
        """`sum`, with a name for every partial sum: its size must not grow with the scale."""
        self.consumed((items,))
        if not active():
            return sum(items, start)
        tracer = cast(Tracer, current())
        frame = sys._getframe(1)
        total = start
        for item in items:
            total = tracer.renamed(total + item, frame)
        return total

    def any_(self, items: Iterable[Any]) -> bool:
        self.consumed((items,))
        return any(items)

    def all_(self, items: Iterable[Any]) -> bool:
        self.consumed((items,))
        return all(items)

    def list_(self, *arguments: Any) -> Any:
        return self.made(list(*arguments))

    def tuple_(self, *arguments: Any) -> Any:
        return self.made(tuple(*arguments))

    def set_(self, *arguments: Any) -> Any:
        return self._built(SymSet(*arguments))

    def frozenset_(self, *arguments: Any) -> Any:
        return self._built(SymFrozenSet(*arguments))

    def set_display(self, items: list[Any]) -> Any:
        """`{a, b}`, and `{x for x in y}`: the elements in their order."""
        return SymSet(items)

    def dict_display(self, *entries: Any) -> Any:
        """`{a: b, **c}`: pairs, and mappings alone."""
        result = SymDict()
        for entry in entries:
            if len(entry) == 1:
                result.update(*entry)
            else:
                result[entry[0]] = entry[1]
        return result

    def dict_from(self, pairs: Iterable[tuple[Any, Any]]) -> Any:
        """`{a: b for c in d}`."""
        return SymDict(pairs)

    def _built(self, value: Any) -> Any:
        self.charge(len(value))
        return value
