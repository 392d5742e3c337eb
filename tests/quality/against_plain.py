"""Runs on every input of a small domain, symbolic and plain, which must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

import pytest

from xsynth.explore.worst import concrete, explore
from xsynth.program.program import Program
from xsynth.trace.proxies.base import Symbolic
from xsynth.trace.proxies.characters import Characters
from xsynth.trace.proxies.written import read
from xsynth.trace.run import Outcome, run
from xsynth.trace.source import Witness
from xsynth.trace.terms import Cell, Sort, Value, evaluate

MOST = 250
DOMAINS: dict[Sort, tuple[Value, ...]] = {
    Sort.BOOL: (False, True),
    Sort.INT: (-1, 0, 1, 2),
    Sort.REAL: (-0.5, 0.0, 1.0, 1.5),
}


def inputs(program: Program, n: int, characters: str) -> Iterator[dict[Cell, Value]]:
    bounds = {cell: (low, high) for cell, low, high in program.spec.domains(n)}
    cells = [cell for layout in program.spec.layouts(n) for cell in layout.cells()]

    def domain(cell: Cell) -> list[Value]:
        low, high = bounds.get(cell, (None, None))
        text = cell.sort is Sort.INT and high is not None and high > 100
        values = [ord(c) for c in characters] if text else DOMAINS[cell.sort]
        return [v for v in values if (low is None or v >= low) and (high is None or v <= high)]

    for chosen in islice(product(*map(domain, cells)), MOST):
        yield dict(zip(cells, chosen, strict=True))


def shown(value: Any, source: Witness | None) -> object:
    """A result with plain values in place of proxies, and without the kinds of containers."""
    value = read(value)
    match value:
        case Symbolic(term=term):
            assert source is not None
            found = evaluate(term, source._cells, source._defs)
            return float(found) if term.sort is Sort.REAL else found
        case Characters():
            return value.plain()
        case dict():
            return [(shown(k, source), shown(v, source)) for k, v in value.items()]
        case set() | frozenset():
            return sorted((shown(v, source) for v in value), key=repr)
        case list() | tuple() | range():
            return [shown(v, source) for v in value]
        case bytearray():
            return bytes(value)
        case _:
            return value


def results(program: Program, n: int, known: dict[Cell, Value]) -> tuple[object, object]:
    """(cost, exception, result) of the plain run, and of the traced one."""
    found: list[object] = []
    source = Witness(known)

    def keeping(target: Callable[..., object], its: Witness | None) -> Callable[..., object]:
        def call(**arguments: object) -> object:
            result = target(**arguments)
            found.append(shown(result, its))
            return result

        return call

    def outcome(build: Any, its: Witness | None, go: Callable[[], Any]) -> object:
        chosen = type(build).target

        def target(self: Any, name: str) -> Callable[..., object]:
            return keeping(chosen(self, name), its)

        found.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(build), "target", target)
            seen = go()
        kind = None if seen.raised is None else seen.raised.kind
        return (kind or seen.cost), list(found)

    plain = outcome(program.counting, None, lambda: program.replay(concrete(program, n, known)))

    def trace() -> Outcome:
        traced = run(program, n, source, record=False)
        assert isinstance(traced, Outcome)
        return traced

    return plain, outcome(program.tracing, source, trace)


def check(program: Program, n: int, characters: str = "ab1 ") -> None:
    costs = []
    for known in inputs(program, n, characters):
        plain, traced = results(program, n, known)
        assert traced == plain, concrete(program, n, known)
        costs.append(plain[0])  # type: ignore[index]
    assert costs
    worst = max((c for c in costs if isinstance(c, int)), default=None)
    if worst is not None:
        case = explore(program, n)
        assert case.exhaustive, case.incomplete
        assert case.cost is not None and case.cost >= worst
