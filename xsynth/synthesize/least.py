"""The least solution of differences, by longest paths in their graph (`graph.py`)."""

from __future__ import annotations

import numpy as np

from xsynth.synthesize.columns import INT
from xsynth.synthesize.condition import Array
from xsynth.synthesize.graph import Graph, climbed, each_once, graph_of, spread
from xsynth.synthesize.linear import LE, LT, NE, Rows

_MOST_RAISED = 5_000_000
_FAR = 2**61


def least(rows: Rows) -> tuple[Array, Array] | None:
    """Variables and small whole values that satisfy the rows, all of them differences.

    Each starts at 0, or at the bound nearest to it, and is raised as far as it must;
    where that is too far, each starts at its lower bound.  Values that must differ and do
    not are then put in the order of their variables.  None where that finds nothing.
    """
    graph, names = graph_of(rows)
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
    graph, names = graph_of(rows)
    if not len(names):
        return None
    lower, upper = limits(rows, names)
    graph = graph.take(graph.weight >= 0)
    if graph.weight.sum(dtype=float) >= _FAR / 2:
        return None
    values, _ = climbed(graph, np.where(lower > -_FAR, lower, -_FAR // 2))
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
    values, _ = climbed(graph.take(graph.weight >= 0), start)
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
        edges = order[spread(starts, wave)]
        work += len(edges)
        targets = graph.target[edges]
        wanted = values[graph.source[edges]] + graph.weight[edges]
        short = wanted > values[targets]
        if not short.any():
            return True
        if work > _MOST_RAISED + len(graph.row):
            return False
        np.maximum.at(values, targets[short], wanted[short])
        wave = each_once(targets[short], stamp)
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
