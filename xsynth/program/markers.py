"""What a program may say about its own inputs, where it imports xsynth at all.

None of these change what the function computes: `Range` sits in an annotation,
`problem` attaches a record, `assume` checks a condition, `measured` marks the
part whose cost counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

Bound: TypeAlias = "int | float | Fraction | str | None"

_Function = TypeVar("_Function", bound=Callable[..., object])


class AssumptionFailed(Exception):  # noqa: N818  (a run that is outside the problem, not a fault)
    """The run is on an input that a precondition rules out."""


@dataclass(frozen=True, slots=True)
class Range:
    """Inclusive bounds of every number (or character) in what it annotates.

    `Annotated[list[int], Range(0, 255)]`, `Annotated[str, Range("a", "z")]`;
    None leaves an end open.
    """

    lo: Bound = None
    hi: Bound = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What `problem` attaches to a function, as `__xsynth_problem__`."""

    size: Mapping[str, str | int]
    fix: Mapping[str, object]
    range: Mapping[str, str | tuple[Bound, Bound] | Range]
    assume: tuple[str, ...]
    cost: str | None


def problem(
    *,
    size: Mapping[str, str | int] | None = None,
    fix: Mapping[str, object] | None = None,
    range: Mapping[str, str | tuple[Bound, Bound] | Range] | None = None,
    assume: Sequence[str] | str = (),
    cost: str | None = None,
) -> Callable[[_Function], _Function]:
    """Describes the inputs of a function where it is written.

    In `fix` a string is an expression of n (`{"src": "n-1"}`), except for a
    parameter annotated `str`, where it is the string itself.
    """
    record = Problem(
        size=dict(size or {}),
        fix=dict(fix or {}),
        range=dict(range or {}),
        assume=(assume,) if isinstance(assume, str) else tuple(assume),
        cost=cost,
    )

    def attach(function: _Function) -> _Function:
        function.__xsynth_problem__ = record  # type: ignore[attr-defined]
        return function

    return attach


def assume(condition: object) -> None:
    """Leaves out the inputs on which the condition is false.

    Under tracing the test below is a decision like any other, and exploration
    drops the runs that raise.
    """
    if not condition:
        raise AssumptionFailed


class MeasuredHook(Protocol):
    def on_enter(self) -> None: ...

    def on_exit(self) -> None: ...


MEASURED_HOOKS: list[MeasuredHook] = []
"""Whoever counts cost adds itself here for the length of a run."""


@contextmanager
def measured() -> Iterator[None]:
    """Counts cost only inside the block; without a tracer it does nothing."""
    hooks = tuple(MEASURED_HOOKS)
    for hook in hooks:
        hook.on_enter()
    try:
        yield
    finally:
        for hook in reversed(hooks):
            hook.on_exit()
