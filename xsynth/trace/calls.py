"""What traced code calls in place of a few built-ins (see `instrument.SUBSTITUTED`)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import cast

from xsynth.trace.proxies import builtins as forms
from xsynth.trace.proxies.current import current
from xsynth.trace.tracer import Tracer


class TracingCalls:
    int = staticmethod(forms.symbolic_int)
    str = staticmethod(forms.symbolic_str)
    ord = staticmethod(forms.symbolic_ord)
    chr = staticmethod(forms.symbolic_chr)
    isinstance = staticmethod(forms.symbolic_isinstance)
    type = staticmethod(forms.symbolic_type)
    join = staticmethod(forms.symbolic_join) if hasattr(forms,"symbolic_join") else None

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts

    def turns(self, items: Iterable[object], block: int, line: int, loop: int) -> Iterator[object]:
        function = sys._getframe(1).f_code.co_qualname
        tracer = cast(Tracer, current())
        return self._turns(tracer.turns(items, line, loop, function), block)

    def _turns(self, items: Iterable[object], block: int) -> Iterator[object]:
        for item in items:
            self._counts[block] += 1
            yield item

    @staticmethod
    def sum(items: Iterable[object], start: object = 0) -> object:
        """`sum`, with a name for every partial sum: its size must not grow with the scale."""
        tracer = cast(Tracer, current())
        frame = sys._getframe(1)
        total = start
        for item in items:
            total = tracer.renamed(total + item, frame)  # type: ignore[operator]
        return total
