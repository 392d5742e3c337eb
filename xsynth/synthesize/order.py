"""What differences imply among each other (see `graph.py`).

`without_implied` drops an edge of weight 0 or 1 where a path through other variables
says as much: from x to y, and with a strict edge on it if the edge is strict.  In an
acyclic graph all such edges may go at once, since the variables on the path lie
strictly between x and y in every topological order: the n(n-1)/2 comparisons of a
sorted sequence become n - 1.  What is reachable is kept as rows of bits; in graphs too
large for that, only paths of two edges are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from xsynth.synthesize.columns import REAL
from xsynth.synthesize.condition import Array
from xsynth.synthesize.graph import Graph, climbed, graph_of, places, spread
from xsynth.synthesize.linear import NE, Rows
from xsynth.synthesize.rows import occurring

_MOST_NODES = 20_000
_MOST_WORK = 50_000_000


def without_implied(rows: Rows, sorts: Array) -> Rows:
    """The rows without comparisons that others imply; all rows must be differences."""
    graph, names = graph_of(rows)
    real = sorts[names[graph.source]] == REAL
    if graph.size <= 2 or (real & (rows.constant[graph.row] != 0)).any():
        return rows  # with reals, a strict edge and a distance of 1 are not the same
    dense = graph.size <= _MOST_NODES and len(graph.row) >= graph.size
    # Bounds from above run against the order: with them the graph has cycles.
    graph = graph.take(graph.weight >= 0)
    if not dense:
        return rows.take(_kept(rows, graph, _by_two_steps(graph)))
    level = _levels(graph)
    if level is None:
        return rows
    implied, _, above = _implied(graph, level)
    keep = _kept(rows, graph, implied)
    unequal = np.flatnonzero((rows.relation == NE) & (rows.width == 2) & (rows.constant == 0))
    if len(unequal):
        one = np.searchsorted(names, rows.variable[rows.start[unequal]])
        two = np.searchsorted(names, rows.variable[rows.start[unequal] + 1])
        keep[unequal[_bit(above, one, two) | _bit(above, two, one)]] = False
    return rows.take(keep)


def _levels(graph: Graph) -> Array | None:
    """How many nodes come before each at most; None in a graph with cycles."""
    step = np.ones(len(graph.row), dtype=np.int64)
    graph = Graph(graph.size, graph.source, graph.target, step, graph.row)
    level, seen = climbed(graph, np.zeros(graph.size, dtype=np.int64))
    return level if seen == graph.size else None


def unimplied(source: Array, target: Array, weight: Array) -> Array:
    """Which of these edges, of weight 0 or 1, are left once those implied are dropped."""
    names = occurring(np.concatenate((source, target)))
    place = places(names)
    rows = np.arange(len(source))
    graph = Graph(len(names), place[source], place[target], weight, rows)
    level = _levels(graph) if len(names) <= _MOST_NODES else None
    return rows if level is None else rows[~_implied(graph, level)[0]]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What rows imply about pairs of variables: bits of what lies at or above, and above."""

    place: Array
    reach: Array
    above: Array

    def implies(self, source: Array, target: Array, weight: Array) -> Array:
        last = len(self.place) - 1
        one = np.where(source <= last, self.place[np.minimum(source, last)], -1)
        two = np.where(target <= last, self.place[np.minimum(target, last)], -1)
        at_or_above, strictly = _bit(self.reach, one, two), _bit(self.above, one, two)
        result: Array = np.where(weight > 0, strictly, at_or_above) & (one >= 0) & (two >= 0)
        return result


def known(rows: Rows) -> Known | None:
    """What the differences of integers among the rows imply; None where that is much work."""
    graph, names = graph_of(rows)
    graph = graph.take(graph.weight >= 0)
    if not len(graph.row) or graph.size > _MOST_NODES:
        return None
    level = _levels(graph)
    if level is None:
        return None
    _, reach, above = _implied(graph, level)
    return Known(places(names), reach, above)


def _kept(rows: Rows, graph: Graph, implied: Array) -> Array:
    keep = np.ones(len(rows), dtype=bool)
    keep[graph.row[implied]] = False
    return keep


def _by_two_steps(graph: Graph) -> Array:
    """Which edges of an acyclic graph two others in a row imply, whatever the weights."""
    implied = np.zeros(len(graph.row), dtype=bool)
    order, starts = graph.outgoing()
    steps = np.diff(starts)[graph.target]
    if steps.sum() > _MOST_WORK or _levels(graph) is None:
        return implied
    first = np.repeat(np.arange(len(steps)), steps)
    second = order[spread(starts, graph.target)]
    key = graph.source * graph.size + graph.target
    by_key = np.argsort(key)
    wanted = graph.source[first] * graph.size + graph.target[second]
    found = by_key[np.minimum(np.searchsorted(key[by_key], wanted), len(key) - 1)]
    length = graph.weight[first] + graph.weight[second]
    implied[found[(key[found] == wanted) & (length >= graph.weight[found])]] = True
    return implied


def _bit(bits: Array, row: Array, column: Array) -> Array:
    result: Array = (bits[row, column >> 3] >> (column & 7)) & 1 != 0
    return result


def _implied(graph: Graph, level: Array) -> tuple[Array, Array, Array]:
    """Which edges are implied; and, for each node, the bits of all that it reaches, and of all
    strictly above it.
    """
    size = graph.size
    order = np.argsort(graph.source * size + level[graph.target])
    counts = np.bincount(graph.source, minlength=size)
    starts = np.concatenate(([0], np.cumsum(counts)))
    target, weight = graph.target[order], graph.weight[order]
    height = level[target]
    nodes = np.arange(size)
    reach = np.zeros((size, (size + 7) // 8), dtype=np.uint8)  # a node reaches itself
    reach[nodes, nodes >> 3] = 1 << (nodes & 7)
    above = np.zeros_like(reach)
    implied = np.zeros(len(target), dtype=bool)
    for node in np.argsort(-level, kind="stable").tolist():
        mine, strictly = reach[node], above[node]
        waiting = np.arange(starts[node], starts[node + 1])
        while len(waiting):
            # Targets of one level cannot reach each other, so they are judged together.
            same = height[waiting] == height[waiting[0]]
            edges = waiting[same]
            goals, strict = target[edges], weight[edges] > 0
            reached = np.bitwise_or.reduce(reach[goals], axis=0)
            mine |= reached
            if strict.all():
                strictly |= reached
            else:
                if strict.any():
                    strictly |= np.bitwise_or.reduce(reach[goals[strict]], axis=0)
                strictly |= np.bitwise_or.reduce(above[goals[~strict]], axis=0)
            waiting = waiting[~same]
            goals, heavy = target[waiting], weight[waiting]
            byte, bit = goals >> 3, goals & 7
            done = ((np.where(heavy > 0, strictly[byte], mine[byte]) >> bit) & 1 != 0) & (heavy < 2)
            implied[waiting[done]] = True
            waiting = waiting[~done]
    result = np.zeros(len(target), dtype=bool)
    result[order] = implied
    return result, reach, above
