"""Texts that name vertices of a graph."""

from __future__ import annotations

import pytest

from xsynth.explore.worst import explore
from xsynth.program.inputs import describe, parse_described

WALK = """
    from typing import Any
    def f(graph: {graph}, start: {start}) -> int:
        seen, stack = set(), [start]
        while stack:
            v = stack.pop()
            if v not in seen:
                seen.add(v)
                for w in graph[v]:
                    stack.append(w)
        return len(seen)
"""


@pytest.mark.parametrize(
    ("graph", "start"),
    [
        pytest.param("dict[str, list[str]]", "str", id="annotated"),
        pytest.param("dict", "str", id="a dict of anything"),
        pytest.param("dict[Any, list[Any]]", "str", id="of Any"),
        pytest.param("dict[str, dict[str, int]]", "str", id="with weights"),
    ],
)
def test_a_start_is_one_of_the_vertices(program, graph, start):
    made = program(WALK.format(graph=graph, start=start), "f")
    case = explore(made, 2)
    assert case.exhaustive
    assert not case.findings
    arguments = [made.spec.concrete(2, lambda name, index, v=v: v) for v in (0, 1)]
    assert [given["start"] for given in arguments] == ["a", "b"]
    assert list(arguments[0]["graph"]) == ["a", "b"]
    told = " ".join(map(str, made.notes))
    assert "start is taken as a key of graph" in told
    assert ("graph is taken as dict[str, list[str]]" in told) == ("[str" not in graph)


def test_weights_beside_the_neighbours(program):
    made = program(
        "def f(g: dict[str, list[tuple[str, int]]], v: str):\n    return [w for w, _ in g[v]]\n",
        "f",
    )
    case = explore(made, 3)
    assert case.exhaustive
    assert not case.findings
    assert case.cost == 2


def test_it_is_written_down_and_read_back(program):
    made = program(WALK.format(graph="dict[str, list[str]]", start="str"), "f")
    lines = describe(made.spec)
    assert "input start: one of n names" in lines
    assert parse_described(lines) == made.spec


def test_a_vertex_of_many_has_a_longer_name(program):
    made = program(WALK.format(graph="dict[str, list[str]]", start="str"), "f")
    given = made.spec.concrete(30, lambda name, index: 29 if name == "start" else 0)
    assert given["start"] == "ad"
    assert made.replay(given).raised is None


@pytest.mark.parametrize(
    ("graph", "use"),
    [
        pytest.param("dict[str, list[str]]", "len(start)", id="its length"),
        pytest.param("dict[str, list[str]]", "[c for c in start]", id="its characters"),
        pytest.param("dict[str, list[str]]", "start.lower()", id="a method"),
        pytest.param("dict[str, list[str]]", "start[0] == 'a'", id="an index"),
        pytest.param("dict[str, int]", "graph[start]", id="no graph"),
    ],
)
def test_other_texts_are_n_characters(program, graph, use):
    made = program(f"def f(graph: {graph}, start: str):\n    return {use}\n", "f")
    given = made.spec.concrete(3, lambda name, index: 97 if name == "start" else 0)
    assert given["start"] == "aaa"


@pytest.mark.parametrize(
    "options",
    [{"inputs": {"start": "str"}}, {"sizes": {"start": "n"}}, {"ranges": {"start": "a..c"}}],
)
def test_options_say_otherwise(program, options):
    made = program(WALK.format(graph="dict[str, list[str]]", start="str"), "f", **options)
    given = made.spec.concrete(3, lambda name, index: 97 if name == "start" else 0)
    assert given["start"] == "aaa"


def test_a_text_that_no_graph_needs_leaves_a_dict_as_it_was(program):
    made = program("def f(table: dict, text: str):\n    return table.get(0), text\n", "f")
    assert "input table: dict[int, int] size n" in describe(made.spec)
