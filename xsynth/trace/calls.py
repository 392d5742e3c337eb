"""What traced code calls in place of a few built-ins (see `instrument.py`).

`int(x)` becomes `CALLS.int_(x)`, `text.find(x)` becomes `CALLS.method(text, "find")(x)`,
`x in y` becomes `CALLS.contains(y, x)`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, cast

from xsynth.trace.proxies.builtins import SUBSTITUTES, symbolic_contains, symbolic_method
from xsynth.trace.proxies.current import current
from xsynth.trace.tracer import Tracer


class TracingCalls:
    method = staticmethod(symbolic_method)
    contains = staticmethod(symbolic_contains)

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts
        for name, form in SUBSTITUTES.items():
            setattr(self, f"{name}_", form)

    def turns(self, items: Iterable[object], block: int, line: int, loop: int) -> Iterator[object]:
        """The turns of a comprehension: counted, and brackets of the trace."""
        function = sys._getframe(1).f_code.co_qualname
        tracer = cast(Tracer, current())
        return self._turns(tracer.turns(items, line, loop, function), block)

    def _turns(self, items: Iterable[object], block: int) -> Iterator[object]:
        for item in items:
            self._counts[block] += 1
            yield item

    @staticmethod
    def sum_(items: Iterable[Any], start: Any = 0) -> Any:
        """`sum`, with a name for every partial sum: its size must not grow with the scale."""
        tracer = cast(Tracer, current())
        frame = sys._getframe(1)
        total = start
        for item in items:
            total = tracer.renamed(total + item, frame)
        return total
