"""Containers and caches of the standard library that C implements, written out in Python.

A traced program has these in place of those of `collections` and `functools`, since C code
would choose a value for every symbolic key.  The module is instrumented like the pure forms
and costs nothing; in it, `dict` is the dictionary of traced code.  (`Counter` needs no form
of its own: the library's is Python.)
"""

# ruff: noqa: N801

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any


class defaultdict(dict[Any, Any]):
    def __init__(self, default_factory: Any = None, /, *arguments: Any, **options: Any) -> None:
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*arguments, **options)
        self.default_factory = default_factory

    def __missing__(self, key: Any) -> Any:
        if self.default_factory is None:
            raise KeyError(key)
        value = self.default_factory()
        self[key] = value
        return value

    def __repr__(self) -> str:
        return f"defaultdict({self.default_factory}, {dict.__repr__(self)})"

    def copy(self) -> defaultdict:
        return defaultdict(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        result = self.copy()
        result.update(other)
        return result


class OrderedDict(dict[Any, Any]):
    def popitem(self, last: bool = True) -> tuple[Any, Any]:
        if not self:
            raise KeyError("dictionary is empty")
        key = next(reversed(self) if last else iter(self))
        return key, self.pop(key)

    def move_to_end(self, key: Any, last: bool = True) -> None:
        if key not in self:
            raise KeyError(key)
        value = self.pop(key)
        if last:
            self[key] = value
            return
        others = list(self.items())
        self.clear()
        self[key] = value
        for other, its in others:
            self[other] = its

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, OrderedDict):
            return dict.__eq__(self, other)
        return len(self) == len(other) and list(self.items()) == list(other.items())

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = None

    def __repr__(self) -> str:
        return f"OrderedDict({list(self.items())})" if self else "OrderedDict()"

    def copy(self) -> OrderedDict:
        return OrderedDict(self)

    __copy__ = copy


def cache(function: Callable[..., Any]) -> Any:
    return lru_cache(maxsize=None)(function)


def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    if callable(maxsize):
        return _cached(maxsize, 128, typed)
    size = None if maxsize is None else max(0, maxsize)

    def decorate(function: Callable[..., Any]) -> Any:
        return _cached(function, size, typed)

    return decorate


def _cached(function: Callable[..., Any], maxsize: int | None, typed: bool) -> Any:
    known = OrderedDict()
    hits = misses = 0

    def wrapper(*arguments: Any, **options: Any) -> Any:
        nonlocal hits, misses
        key: tuple[Any, ...] = arguments
        if options:
            key = (*arguments, "the options", *options.items())
        if typed:
            key = (*key, *map(type, arguments))
        if key in known:
            hits += 1
            if maxsize is not None:
                known.move_to_end(key)
            return known[key]
        misses += 1
        result = function(*arguments, **options)
        if maxsize is None or maxsize > 0:
            known[key] = result
            if maxsize is not None and len(known) > maxsize:
                known.popitem(last=False)
        return result

    wrapped: Any = functools.update_wrapper(wrapper, function)
    wrapped.cache_clear = known.clear
    wrapped.cache_info = lambda: functools._CacheInfo(hits, misses, maxsize, len(known))
    wrapped.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return wrapped


def singledispatch(function: Callable[..., Any]) -> Any:
    """The library's own, which is asked with the type that a value stands for."""
    known = functools.singledispatch(function)

    def wrapper(*arguments: Any, **options: Any) -> Any:
        if not arguments:
            raise TypeError(f"{function.__name__} requires at least 1 positional argument")
        return known.dispatch(type(arguments[0]))(*arguments, **options)

    wrapped: Any = functools.update_wrapper(wrapper, function)
    wrapped.register, wrapped.dispatch = known.register, known.dispatch
    wrapped.registry, wrapped._clear_cache = known.registry, known._clear_cache
    return wrapped


class singledispatchmethod(functools.singledispatchmethod):  # type: ignore[type-arg]
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self.dispatcher = singledispatch(function)

    def __get__(self, owner: Any, cls: Any = None) -> Any:
        def method(*arguments: Any, **options: Any) -> Any:
            found = self.dispatcher.dispatch(type(arguments[0]))
            return found.__get__(owner, cls)(*arguments, **options)

        method.register = self.register  # type: ignore[attr-defined]
        return functools.update_wrapper(method, self.func)


# Of `math`, what asks a float for no digits: a symbolic one is a finite number.


def isinf(x: Any) -> Any:
    return x in (math.inf, -math.inf) if isinstance(x, int | float) else math.isinf(x)


def isnan(x: Any) -> Any:
    return x != x if isinstance(x, int | float) else math.isnan(x)


def isfinite(x: Any) -> Any:
    return not isinf(x) and not isnan(x)


def fabs(x: Any) -> Any:
    return abs(float(x)) if isinstance(x, int | float) else math.fabs(x)
