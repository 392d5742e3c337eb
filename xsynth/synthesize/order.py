"""Differences as a graph: what others imply, and the least solution.

A row `x - y <= c` is an edge from x to y: y is at least x - c.  Where c is 0 or less,
y is not below x, and strictly above where c is negative (or the row strict).

`without_implied` drops an edge of weight 0 or 1 where a path through other variables
says as much: from x to y, and with a strict edge on it if the edge is strict.  In an
acyclic graph all such edges may go at once, since the variables on the path lie
strictly between x and y in every topological order: the n(n-1)/2 comparisons of a
sorted sequence become n - 1.  What is reachable is kept as rows of bits; in graphs too
large for that, only paths of two edges are looked at.

`least` gives every variable its smallest value, by longest paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from xsynth.synthesize.columns import INT, REAL
from xsynth.synthesize.condition import Array
from xsynth.synthesize.linear import LE, LT, NE, Rows
from xsynth.synthesize.rows import occurring

_MOST_NODES = 20_000
_MOST_WORK = 50_000_000
_MOST_RAISED = 5_000_000
_NARROW, _NARROW_WAVES = 64, 50
_FAR = 2**61


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


def _graph(rows: Rows) -> tuple[Graph, Array]:
    """The pairs among the rows as edges between local nodes; and the nodes' variables."""
    chosen = np.flatnonzero((rows.width == 2) & (rows.relation <= LT))
    first = rows.start[:-1][chosen]
    forward = rows.coefficient[first] == 1
    one, two = rows.variable[first], rows.variable[first + 1]
    gap = -rows.constant[chosen]
    gap[rows.relation[chosen] == LT] += 1  # reals: a solution in integers is one as well
    names = occurring(rows.variable)
    place = _places(names)
    source, target = place[np.where(forward, one, two)], place[np.where(forward, two, one)]
    return Graph(len(names), source, target, gap, chosen), names


def _places(names: Array) -> Array:
    """Where each variable stands among the names, which ascend; -1 where it does not."""
    place = np.full(int(names[-1]) + 1 if len(names) else 0, -1, dtype=np.int64)
    place[names] = np.arange(len(names))
    return place


def _spread(starts: Array, nodes: Array) -> Array:
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
        edges = order[_spread(starts, wave)]
        yield wave, edges
        targets = graph.target[edges]
        np.subtract.at(missing, targets, 1)
        wave = _each_once(targets[missing[targets] == 0], stamp)


def _each_once(nodes: Array, stamp: Array) -> Array:
    """The different nodes; `stamp` is room for a number a node (`np.unique` sorts or hashes)."""
    position = np.arange(len(nodes))
    stamp[nodes] = position
    result: Array = nodes[stamp[nodes] == position]
    return result


def without_implied(rows: Rows, sorts: Array) -> Rows:
    """The rows without comparisons that others imply; all rows must be differences."""
    graph, names = _graph(rows)
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
    level, seen = _climbed(graph, np.zeros(graph.size, dtype=np.int64))
    return level if seen == graph.size else None


def _climbed(graph: Graph, start: Array) -> tuple[Array, int]:
    """The start values raised along longest paths; and how many nodes no cycle leads to."""
    values = start.copy()
    order, starts = graph.outgoing()
    target, weight = graph.target[order], graph.weight[order]
    missing = np.bincount(target, minlength=graph.size)
    stamp = np.zeros(graph.size, dtype=np.int64)
    wave = np.flatnonzero(missing == 0)
    seen = narrow = 0
    while len(wave) and narrow < _NARROW_WAVES:
        edges = _spread(starts, wave)
        seen += len(wave)
        narrow = narrow + 1 if len(edges) < _NARROW else 0
        reached = target[edges]
        raised = np.repeat(values[wave], starts[wave + 1] - starts[wave]) + weight[edges]
        np.maximum.at(values, reached, raised)
        np.subtract.at(missing, reached, 1)
        wave = _each_once(reached[missing[reached] == 0], stamp)
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


def unimplied(source: Array, target: Array, weight: Array) -> Array:
    """Which of these edges, of weight 0 or 1, are left once those implied are dropped."""
    names = occurring(np.concatenate((source, target)))
    place = _places(names)
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
    graph, names = _graph(rows)
    graph = graph.take(graph.weight >= 0)
    if not len(graph.row) or graph.size > _MOST_NODES:
        return None
    level = _levels(graph)
    if level is None:
        return None
    _, reach, above = _implied(graph, level)
    return Known(_places(names), reach, above)


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
    second = order[_spread(starts, graph.target)]
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


def least(rows: Rows) -> tuple[Array, Array] | None:
    """Variables and small whole values that satisfy the rows, all of them differences.

    Each starts at 0, or at the bound nearest to it, and is raised as far as it must;
    where that is too far, each starts at its lower bound.  Values that must differ and do
    not are then put in the order of their variables.  None where that finds nothing.
    """
    graph, names = _graph(rows)
    lower, upper = limits(rows, names)
    near = np.clip(0, lower, upper)
    for start in (near, np.where(lower > -_FAR, lower, near)):
        values = _raised(graph, start, upper)
        if values is None:
            continue
        if satisfied(rows, names, values):
            return names, values
        apart = _apart(rows, names, values)
        values = None if apart is None else _raised(_joined(graph, apart), start, upper)
        if values is not None and satisfied(rows, names, values):
            return names, values
    return None


def limits(rows: Rows, names: Array) -> tuple[Array, Array]:
    """The bounds of these variables (they ascend) that rows of their own give."""
    lower = np.full(len(names), -_FAR, dtype=np.int64)
    upper = np.full(len(names), _FAR, dtype=np.int64)
    single = np.flatnonzero((rows.width == 1) & (rows.relation <= LT))
    variable = rows.variable[rows.start[single]]
    known = np.isin(variable, names)
    single, node = single[known], np.searchsorted(names, variable[known])
    factor = rows.coefficient[rows.start[single]]
    limit = rows.constant[single] - (rows.relation[single] == LT)
    np.minimum.at(upper, node[factor == 1], limit[factor == 1])
    np.maximum.at(lower, node[factor == -1], -limit[factor == -1])
    return lower, upper


def exhausted(rows: Rows) -> tuple[int, int] | None:
    """A range that a chain of larger and larger integers would leave at its upper end.

    From its lower bound each value is raised as far as the differences demand; that it must be
    above its upper bound is a proof.  All rows must be differences of integers.
    """
    graph, names = _graph(rows)
    if not len(names):
        return None
    lower, upper = limits(rows, names)
    graph = graph.take(graph.weight >= 0)
    if graph.weight.sum(dtype=float) >= _FAR / 2:
        return None
    values, _ = _climbed(graph, np.where(lower > -_FAR, lower, -_FAR // 2))
    over = np.flatnonzero((values > upper) & (values > -_FAR // 4))
    if not len(over):
        return None
    return int(lower[lower > -_FAR].min()), int(upper[over[0]])


def _apart(rows: Rows, names: Array, values: Array) -> Graph | None:
    """Edges that keep what must be different apart, in the order of values, then of names."""
    chosen = np.flatnonzero((rows.width == 2) & (rows.relation == NE) & (rows.constant == 0))
    if not len(chosen):
        return None
    one = np.searchsorted(names, rows.variable[rows.start[chosen]])
    two = np.searchsorted(names, rows.variable[rows.start[chosen] + 1])
    up = values[one] <= values[two]
    source, target = np.where(up, one, two), np.where(up, two, one)
    return Graph(len(names), source, target, np.ones_like(source), chosen)


def _joined(graph: Graph, more: Graph) -> Graph:
    return Graph(
        graph.size,
        np.concatenate((graph.source, more.source)),
        np.concatenate((graph.target, more.target)),
        np.concatenate((graph.weight, more.weight)),
        np.concatenate((graph.row, more.row)),
    )


def raising(rows: Rows) -> Array:
    """Which rows can raise a value; the others bound it from above.

    Where the least solution of the raising rows satisfies the others, these say nothing
    about whether there is a solution.
    """
    pair = (rows.width == 2) & (rows.relation <= LT) & (rows.constant > 0)
    above = (rows.width == 1) & (rows.relation <= LT) & (rows.coefficient[rows.start[:-1]] > 0)
    result: Array = ~(pair | above)
    return result


def _raised(graph: Graph, start: Array, upper: Array) -> Array | None:
    """Along edges that raise first: mostly those have no cycles and the others then hold."""
    if len(start) == 0 or np.abs(graph.weight).sum(dtype=float) + np.abs(start).max() >= _FAR:
        return None
    values, _ = _climbed(graph.take(graph.weight >= 0), start)
    if (values > upper).any() or not _settled(graph, values):
        return None
    return None if (values > upper).any() else values


def _settled(graph: Graph, values: Array) -> bool:
    """Raises values round cycles until nothing changes; False where that takes too long."""
    order, starts = graph.outgoing()
    stamp = np.zeros(graph.size, dtype=np.int64)
    wave = np.arange(graph.size)
    work = 0
    for _ in range(graph.size + 1):
        edges = order[_spread(starts, wave)]
        work += len(edges)
        targets = graph.target[edges]
        wanted = values[graph.source[edges]] + graph.weight[edges]
        short = wanted > values[targets]
        if not short.any():
            return True
        if work > _MOST_RAISED + len(graph.row):
            return False
        np.maximum.at(values, targets[short], wanted[short])
        wave = _each_once(targets[short], stamp)
    return False


def ranked(rows: Rows, names: Array, values: Array) -> Array | None:
    """Values replaced by their ranks, from the least allowed on, if that satisfies the rows."""
    _, rank = np.unique(values, return_inverse=True)
    single = np.flatnonzero((rows.width == 1) & (rows.coefficient[rows.start[:-1]] == -1))
    lowest = max([0, *(-rows.constant[single]).tolist()])
    smaller = rank.astype(np.int64) + lowest
    return smaller if satisfied(rows, names, smaller) else None


def satisfied(rows: Rows, names: Array, values: Array) -> bool:
    """Whether differences hold for int64 values of the variables `names`."""
    if not len(rows):
        return True
    products = rows.coefficient * values[np.searchsorted(names, rows.variable)]
    total = np.add.reduceat(products, rows.start[:-1])
    holds = np.choose(
        rows.relation,
        (
            total <= rows.constant,
            total < rows.constant,
            total == rows.constant,
            total != rows.constant,
        ),
    )
    return bool(holds.all())


def is_order(rows: Rows, sorts: Array) -> bool:
    """Whether differences only say what is below what, besides bounds of single variables."""
    pairs = rows.take(rows.width == 2)
    integral = sorts[pairs.variable[pairs.start[:-1]]] == INT
    strict = integral & (pairs.relation == LE) & (pairs.constant == -1)
    return bool((strict | (pairs.constant == 0)).all())
