"""How large a call is, as far as its arguments tell.

`sort(a, lo, hi)` works on `hi - lo` elements, `merge(left, right)` on `len(left) + len(right)`.
Which of the numbers matters nobody can say beforehand, so all are noted: the differences of two
numbers among the arguments, the sums of two lengths, single lengths, single numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sized
from itertools import combinations
from types import FrameType
from typing import TypeAlias, cast

from xsynth.trace.proxies.characters import Characters
from xsynth.trace.terms import Site

CallSizes: TypeAlias = tuple[tuple[str, int], ...]
"""The sizes of a call by name, as a person would write them."""
Function: TypeAlias = tuple[Site, ...]
"""The loops and calls around the statements of a function, its own call last."""
CallKey: TypeAlias = tuple[Function, tuple[int, ...]]
"""A call: where it is, and the counters of the loops and calls up to it."""

_PLAIN = (list, tuple, str, bytes, deque)
"""Of these to the letter: the length of a class of the program's own is the program's code."""
MOST_ARGUMENTS = 6
"""Of numbers, and of sequences: more of them have too many differences and sums."""


def sizes(frame: FrameType) -> CallSizes:
    """The sizes of the call whose frame has just been made."""
    code = frame.f_code
    values = frame.f_locals
    numbers: list[tuple[str, int]] = []
    lengths: list[tuple[str, int]] = []
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        value = values.get(name)
        if type(value) is int:
            numbers.append((name, value))
        elif isinstance(value, Characters) or type(value) in _PLAIN:
            lengths.append((f"len({name})", len(cast(Sized, value))))
    numbers, lengths = numbers[:MOST_ARGUMENTS], lengths[:MOST_ARGUMENTS]
    between = [(f"{b} - {a}", y - x) for (a, x), (b, y) in combinations(numbers, 2)]
    together = [(f"{a} + {b}", x + y) for (a, x), (b, y) in combinations(lengths, 2)]
    return (*between, *together, *lengths, *numbers)
