"""Texts that name vertices: `graph: dict[str, list[str]], start: str`.

A text is n characters, and the keys of a graph are `"a"`, `"b"`, ...: a start that is a text
like any other is no vertex but at n = 1.  So where a function takes a graph, a text of which it
never looks at a character is one of the keys.  And a graph whose keys nothing tells
(`graph: dict`) has texts for keys if there is such a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from xsynth.program.expressions import SizeExpr
from xsynth.program.shapes import (
    STR,
    DictOf,
    ListOf,
    SetOf,
    Shape,
    TupleOf,
    node,
    type_text,
    with_nodes,
)
from xsynth.program.spec import Param


def with_vertices(
    params: list[Param],
    said: Iterable[str],
    notes: dict[str, str],
    is_whole: Callable[[str], bool],
) -> list[Param]:
    """The parameters with such texts and keys; what is taken for something else is noted.

    `said` are the names of which options speak; `is_whole` is whether a text is never taken apart.
    """
    closed = set(said)
    texts = {p.name for p in params if p.shape == STR and p.name not in closed}
    texts = set(filter(is_whole, texts))
    graphs: dict[str, SizeExpr] = {}
    found: dict[str, Shape] = {}
    for param in params if texts else ():
        name, shape = param.name, param.shape
        unsaid = [note for note in notes if note == name or note.startswith(f"{name}: ")]
        if isinstance(shape, DictOf) and shape.key == "int" and unsaid and name not in closed:
            shape = found[name] = _named(shape)
        if isinstance(shape, DictOf) and shape.key == "str" and _is_graph(shape.value):
            graphs[name] = shape.size
    if not graphs:
        return params
    for name, shape in found.items():
        for note in [note for note in notes if note.startswith(f"{name}: ")]:
            del notes[note]
        notes[name] = type_text(shape).replace("neighbours", "list")
    graph, size = next(iter(graphs.items()))
    for name in sorted(texts):
        found[name] = node("str", size)
        notes[name] = f"a key of {graph}"
    return [replace(param, shape=found.get(param.name, param.shape)) for param in params]


def _is_graph(value: Shape) -> bool:
    match value:
        case SetOf(kind="neighbours") | DictOf(key="str") | ListOf(element=TupleOf()):
            return True
        case _:
            return False


def _named(graph: DictOf) -> DictOf:
    """The graph with texts in place of integers for its vertices."""
    match graph:
        case DictOf(key="int", value=SetOf(kind="neighbours") as value):
            return replace(graph, key="str", value=replace(value, key="str"))
        case DictOf(key="int", value=DictOf() as value):
            return replace(graph, key="str", value=replace(value, key="str"))
        case DictOf(key="int", value=ListOf(element=TupleOf(elements=(_, *rest))) as value):
            plain = replace(value, element=TupleOf((STR, *rest)))
            return replace(graph, key="str", value=with_nodes(plain, "str", graph.size))
        case _:
            return graph
