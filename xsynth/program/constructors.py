"""What the constructors of a program's classes take, and how objects lead to one another."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import cast

LINKED = {1: "a chain", 2: "a binary tree with full levels"}


def links_of(
    made_by: type, signature: inspect.Signature, hints: Mapping[str, object]
) -> tuple[str, ...]:
    """The attributes by which an object leads to others of its class.

    Parameters of the constructor that are annotated with the class, and that may be None; or
    `next`, `left` and `right`, where the constructor sets them to None itself.
    """
    taken = [
        name
        for name, parameter in signature.parameters.items()
        if _is_own(hints.get(name), made_by)
        or (name in ("next", "left", "right") and parameter.default is None)
    ]
    code = getattr(made_by.__init__, "__code__", None)  # type: ignore[misc]
    stored = code.co_names if code is not None else ()
    for names in (("left", "right"), ("next",)):
        if not taken and all(n in stored and n not in signature.parameters for n in names):
            taken = list(names)
    forward = [name for name in taken if name not in ("parent", "prev", "previous")]
    return tuple(forward) if len(forward) in LINKED else ()


def _is_own(hint: object, made_by: type) -> bool:
    if isinstance(hint, str):
        return made_by.__name__ in re.findall(r"\w+", hint) and "[" not in hint
    members = typing.get_args(hint)
    return types.NoneType in members and made_by in members


def find(namespace: Mapping[str, object], dotted: str) -> object:
    """What a dotted name stands for; None where it stands for nothing."""
    first, *rest = dotted.split(".")
    found = namespace.get(first)
    for part in rest:
        found = getattr(found, part, None)
    return found


def hints_of(function: object) -> dict[str, object]:
    """Annotations by name; a text stays one where its names cannot be resolved."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # whatever the user's annotations raise
        inner = inspect.unwrap(cast(Callable[..., object], function))
        return dict(getattr(inner, "__annotations__", {}))


def hints_of_class(made_by: type) -> dict[str, object]:
    """Of the parameters of a constructor: a named tuple has them on the class alone."""
    own = hints_of(made_by) if issubclass(made_by, tuple) else {}
    return {**own, **hints_of(made_by.__init__)}  # type: ignore[misc]
