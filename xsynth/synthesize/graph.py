"""Differences as a graph on local nodes.

A row `x - y <= c` is an edge from x to y: y is at least x - c.  Where c is 0 or less,
y is not below x, and strictly above where c is negative (or the row strict).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import LT, Rows
from xsynth.synthesize.rows import occurring

_NARROW, _NARROW_WAVES = 64, 50


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Edges of a graph on nodes 0 .. size - 1; `row` says which row each came from."""

    size: int
    source: Array
    target: Array
    weight: Array
    row: Array

    def take(self, chosen: Array) -> Graph:
        return Graph(
            self.size,
            self.source[chosen],
            self.target[chosen],
            self.weight[chosen],
            self.row[chosen],
        )

    def outgoing(self) -> tuple[Array, Array]:
        """The edges in order of their sources, and where those of each source start."""
        order = np.argsort(self.source, kind="stable")
        counts = np.bincount(self.source, minlength=self.size)
        return order, np.concatenate(([0], np.cumsum(counts)))


def graph_of(rows: Rows) -> tuple[Graph, Array]:
    """The pairs among the rows as edges between local nodes; and the nodes' variables."""
    chosen = np.flatnonzero((rows.width == 2) & (rows.relation <= LT))
    first = rows.start[:-1][chosen]
    forward = rows.coefficient[first] == 1
    one, two = rows.variable[first], rows.variable[first + 1]
    gap = -rows.constant[chosen]
    gap[rows.relation[chosen] == LT] += 1  # reals: a solution in integers is one as well
    names = occurring(rows.variable)
    place = places(names)
    source, target = place[np.where(forward, one, two)], place[np.where(forward, two, one)]
    return Graph(len(names), source, target, gap, chosen), names


def places(names: Array) -> Array:
    """Where each variable stands among the names, which ascend; -1 where it does not."""
    place = np.full(int(names[-1]) + 1 if len(names) else 0, -1, dtype=np.int64)
    place[names] = np.arange(len(names))
    return place


def spread(starts: Array, nodes: Array) -> Array:
    """The positions of all edges of these nodes."""
    counts = starts[nodes + 1] - starts[nodes]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    first: Array = np.repeat(starts[nodes] - ends + counts, counts)
    return np.arange(total) + first


def waves(graph: Graph) -> Iterator[tuple[Array, Array]]:
    """Nodes and the edges out of them, sources first; nodes on or after cycles never come."""
    order, starts = graph.outgoing()
    missing = np.bincount(graph.target, minlength=graph.size)
    stamp = np.zeros(graph.size, dtype=np.int64)
    wave = np.flatnonzero(missing == 0)
    while len(wave):
        edges = order[spread(starts, wave)]
        yield wave, edges
        targets = graph.target[edges]
        np.subtract.at(missing, targets, 1)
        wave = each_once(targets[missing[targets] == 0], stamp)


def each_once(nodes: Array, stamp: Array) -> Array:
    """The different nodes; `stamp` is room for a number a node (`np.unique` sorts or hashes)."""
    position = np.arange(len(nodes))
    stamp[nodes] = position
    result: Array = nodes[stamp[nodes] == position]
    return result


def climbed(graph: Graph, start: Array) -> tuple[Array, int]:
    """The start values raised along longest paths; and how many nodes no cycle leads to."""
    values = start.copy()
    order, starts = graph.outgoing()
    target, weight = graph.target[order], graph.weight[order]
    missing = np.bincount(target, minlength=graph.size)
    stamp = np.zeros(graph.size, dtype=np.int64)
    wave = np.flatnonzero(missing == 0)
    seen = narrow = 0
    while len(wave) and narrow < _NARROW_WAVES:
        edges = spread(starts, wave)
        seen += len(wave)
        narrow = narrow + 1 if len(edges) < _NARROW else 0
        reached = target[edges]
        raised = np.repeat(values[wave], starts[wave + 1] - starts[wave]) + weight[edges]
        np.maximum.at(values, reached, raised)
        np.subtract.at(missing, reached, 1)
        wave = each_once(reached[missing[reached] == 0], stamp)
    if not len(wave):
        return values, seen
    return _climbed_one_by_one(target, weight, starts, missing, values, wave, seen)


def _climbed_one_by_one(
    target: Array,
    weight: Array,
    starts: Array,
    missing: Array,
    values: Array,
    wave: Array,
    seen: int,
) -> tuple[Array, int]:
    """The rest of a long and narrow graph: a chain has as many waves as nodes, and an array
    operation for each would take 20 microseconds.
    """
    goals, gaps, first = target.tolist(), weight.tolist(), starts.tolist()
    open_edges, height, ready = missing.tolist(), values.tolist(), wave.tolist()
    while ready:
        node = ready.pop()
        seen += 1
        mine = height[node]
        for edge in range(first[node], first[node + 1]):
            goal = goals[edge]
            height[goal] = max(height[goal], mine + gaps[edge])
            open_edges[goal] -= 1
            if not open_edges[goal]:
                ready.append(goal)
    return np.array(height, dtype=np.int64), seen
