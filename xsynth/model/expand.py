"""From a generator to its sequence: algorithms 1 and 2 of XSTRESSOR, as arrays.

Both generators concatenate runs `first, first + step, ...`, one for each element of
their argument sequences (a run of `const` has step 0).  With the runs as arrays, the
sequence is one fill and one `cumsum`, so no Python code runs for an element.

Algorithm 1 goes on while `start + k * step` has not passed `stop`; a stop that lies
before the start from the outset is a run with no elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from xsynth.model.isg import Const, Expr, Incre, Isg, Recur, evaluate_int

Column = npt.NDArray[np.int64]

MOST_STEPS = 1000
"""A recurrence that goes on for longer is none that a loop runs through."""
LARGEST = 2**40
"""Beyond this a step of a recurrence might leave the 64 bits."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs that a sequence is made of: first element, step, number of elements."""

    first: Column
    step: Column
    count: Column


def expand(isg: Isg, n: int | Mapping[str, int]) -> Column:
    """The sequence at scale `n` (or at several scales, by name).

    ValueError where the generator means nothing there: argument sequences of
    different lengths, a negative count, a step of 0, a value that is no integer.
    """
    scales = {"n": n} if isinstance(n, int) else n
    match isg:
        case Incre() | Const():
            return _concatenate(_runs(isg, scales))
        case Recur():
            return _follow(isg, scales)
        case _:
            return _single(isg, scales)


def length(isg: Isg, n: int | Mapping[str, int]) -> int:
    """How long the sequence is; its elements are not made."""
    scales = {"n": n} if isinstance(n, int) else n
    match isg:
        case Incre() | Const():
            return int(_runs(isg, scales).count.sum())
        case Recur():
            return len(_follow(isg, scales))
        case _:
            return 1


def runs(isg: Incre | Const, n: int | Mapping[str, int]) -> Runs:
    """The runs of the sequence at scale `n`; ValueError as `expand`."""
    return _runs(isg, {"n": n} if isinstance(n, int) else n)


def _single(expr: Expr, scales: Mapping[str, int]) -> Column:
    value = evaluate_int(expr, scales)
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"{expr} does not fit 64 bits")
    return np.array([value], dtype=np.int64)


def _runs(isg: Incre | Const, scales: Mapping[str, int]) -> Runs:
    match isg:
        case Incre(start=start, stop=stop, step=step):
            first, last, by = expand(start, scales), expand(stop, scales), expand(step, scales)
            _check_lengths(isg, len(first), len(last))
            if len(by) != 1:
                _check_lengths(isg, len(first), len(by))
            if not by.all():
                raise ValueError(f"step 0 in {isg}")
            return Runs(first, by, np.maximum((last - first) // by + 1, 0))
        case Const(value=value, count=count):
            first, times = expand(value, scales), expand(count, scales)
            _check_lengths(isg, len(first), len(times))
            if (times < 0).any():
                raise ValueError(f"negative count in {isg}")
            return Runs(first, np.zeros(1, dtype=np.int64), times)


def _follow(isg: Recur, scales: Mapping[str, int]) -> Column:
    """All runs a step at a time: there are few steps, since the values multiply."""
    value, bound = expand(isg.start, scales), expand(isg.stop, scales)
    if len(bound) != 1:
        _check_lengths(isg, len(value), len(bound))
    stop = np.broadcast_to(bound, value.shape)
    times, offset, parts = (evaluate_int(e, scales) for e in (isg.times, isg.offset, isg.parts))
    if parts < 1 or times < 1 or times == parts:
        raise ValueError(f"no recurrence multiplies by {times} and divides by {parts}: {isg}")
    if max(abs(times), abs(offset)) > LARGEST:
        raise ValueError(f"{isg} does not fit 64 bits")
    run = np.arange(len(value))
    way = np.sign((times * value + offset) // parts - value)
    values, owners = [], []
    for _ in range(MOST_STEPS):
        inside = (stop - value) * way >= 0
        value, stop, way, run = value[inside], stop[inside], way[inside], run[inside]
        values.append(value)
        owners.append(run)
        if (np.abs(value) > LARGEST).any():
            raise ValueError(f"{isg} does not fit 64 bits")
        following = (times * value + offset) // parts
        moves = (following - value) * way > 0
        if not moves.any():
            owner = np.concatenate(owners)
            order = np.argsort(owner, kind="stable")
            column: Column = np.concatenate(values)[order]
            return column
        value, stop, way, run = following[moves], stop[moves], way[moves], run[moves]
    raise ValueError(f"more than {MOST_STEPS} steps in a run of {isg}")


def _check_lengths(isg: Isg, one: int, other: int) -> None:
    if one != other:
        raise ValueError(f"argument sequences of {one} and {other} elements in {isg}")


def _concatenate(runs: Runs) -> Column:
    """The runs one after the other: differences between neighbours, then their sums."""
    used = runs.count > 0
    first, count = runs.first[used], runs.count[used]
    step = runs.step if len(runs.step) == 1 else runs.step[used]
    if not len(first) or not step.any():
        return np.repeat(first, count)
    if len(step) == 1:
        column = np.full(int(count.sum()), step[0], dtype=np.int64)
    else:
        column = np.repeat(step, count)
    last = first + (count - 1) * step
    begins = np.cumsum(count) - count
    column[0] = first[0]
    column[begins[1:]] = first[1:] - last[:-1]
    return np.cumsum(column, out=column)
