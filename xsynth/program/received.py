"""From plain arguments to what the function receives: the last step before a call.

Objects are made by the classes of the build that is about to run, sets and choices of a
symbolic run are decided (by the instrumented functions of `trace/building.py`).
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Mapping
from types import ModuleType
from typing import Any, assert_never

from xsynth.errors import ProgramError
from xsynth.program.constructors import find
from xsynth.program.shapes import (
    Choice,
    DictOf,
    FixedValue,
    ListOf,
    ObjectOf,
    Scalar,
    SetOf,
    Shape,
    Text,
    TupleOf,
)
from xsynth.program.spec import InputSpec
from xsynth.program.values import Made, Member, Option, Subset


def received(
    spec: InputSpec,
    arguments: Mapping[str, object],
    namespace: Mapping[str, object],
    building: ModuleType,
) -> dict[str, object]:
    """The arguments as the function takes them; `namespace` is that of its module."""
    shapes = {param.name: param.shape for param in spec.params}
    receiver = _Receiver(namespace, building)
    return {
        name: receiver.value(shapes[name], value) if name in shapes else value
        for name, value in arguments.items()
    }


def is_received(shape: Shape) -> bool:
    """Whether the function receives something else than the plain argument."""
    match shape:
        case Scalar() | Text():
            return False
        case FixedValue(value=value):
            return "{" in value.text  # a dict or a set
        case Choice() | SetOf() | DictOf() | ObjectOf():
            return True
        case ListOf(kind="iterator" | "deque" | "linked"):
            return True
        case ListOf(element=inner):
            return is_received(inner)
        case TupleOf(elements=elements):
            return any(map(is_received, elements))
        case _:
            assert_never(shape)


class _Receiver:
    def __init__(self, namespace: Mapping[str, object], building: ModuleType) -> None:
        self._namespace = namespace
        self._building: Any = building

    def value(self, shape: Shape, value: Any) -> Any:
        if not is_received(shape):
            return value
        match shape:
            case Choice():
                return self._choice(value)
            case SetOf(kind=kind):
                if isinstance(value, Subset):
                    value = self._building.argument_members(value.members, value.flags)
                return list(value) if kind == "neighbours" else self._set(kind, sorted(value))
            case ObjectOf(fields=fields):
                assert isinstance(value, Made)
                inner = {name: self.value(part, value.arguments[name]) for name, part in fields}
                return self._class(value.made_by)(**inner)
            case ListOf(element=ObjectOf() as element, kind="linked", links=links):
                return self._linked(element, list(value), links)
            case ListOf(element=element, kind=kind):
                items = self._each(element, value)
                match kind:
                    case "tuple":
                        return tuple(items)
                    case "iterator":
                        return iter(items)
                    case "deque":
                        return deque(items)
                    case _:
                        return items
            case DictOf(value=inner_shape):
                values = self._each(inner_shape, list(value.values()))
                return self._building.argument_dict(list(value), values)
            case TupleOf(elements=elements):
                parts = zip(elements, value, strict=True)
                return tuple([self.value(element, item) for element, item in parts])
            case FixedValue():
                return self._fixed(value)
            case Scalar() | Text():
                return value
            case _:
                assert_never(shape)

    def _linked(self, element: ObjectOf, items: list[Made], links: tuple[str, ...]) -> Any:
        """The first of the objects, with the others behind it; None where there are none."""
        objects: list[Any] = [None] * len(items)
        for i in reversed(range(len(items))):
            behind = [len(links) * i + 1 + k for k in range(len(links))]
            led = {
                link: objects[j] if j < len(items) else None
                for link, j in zip(links, behind, strict=True)
            }
            made = self._class(element.made_by)
            given = {n: self.value(part, items[i].arguments[n]) for n, part in element.fields}
            accepted = inspect.signature(made).parameters
            objects[i] = made(**given, **{n: v for n, v in led.items() if n in accepted})
            for link in led.keys() - accepted.keys():
                setattr(objects[i], link, led[link])
        return objects[0] if objects else None

    def _set(self, kind: str, items: list[Any]) -> Any:
        if kind == "set":
            return self._building.argument_set(items)
        return self._building.argument_frozenset(items)

    def _fixed(self, value: Any) -> Any:
        """A literal, with the dicts and sets that the build has."""
        match value:
            case dict():
                inner = [self._fixed(item) for item in value.values()]
                return self._building.argument_dict(list(value), inner)
            case set() | frozenset():
                return self._set(type(value).__name__, list(value))
            case list():
                return [self._fixed(item) for item in value]
            case tuple():
                return tuple([self._fixed(item) for item in value])
            case _:
                return value

    def _each(self, element: Shape, items: Any) -> list[Any]:
        if not is_received(element):
            return list(items)
        made: list[Any] = self._building.argument_each(
            lambda item: self.value(element, item), items
        )
        return made

    def _choice(self, value: Any) -> Any:
        if isinstance(value, Option):
            value = self._building.argument_chosen(value.values, value.number)
        return getattr(self._class(value.made_by), value) if isinstance(value, Member) else value

    def _class(self, made_by: str) -> Any:
        found = find(self._namespace, made_by)
        if found is None:
            raise ProgramError(
                f"the program has no class {made_by}, which its inputs are made of",
                "it has changed: learn it again",
            )
        return found
