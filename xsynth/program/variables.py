"""The variables of the scale, and whether every size knows its own.

With `--scales 2..6` there is one, n.  With `--scales 'n=2..5,m=2..4'` there are two, and each
length is an expression of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xsynth.errors import InputSpecError
from xsynth.program.assumptions import names_in
from xsynth.program.expressions import SizeExpr
from xsynth.program.shapes import Choice, FixedValue, leaves, sizes, type_text
from xsynth.program.spec import Param


def check_variables(
    params: Sequence[Param], assumptions: Iterable[str], variables: tuple[str, ...]
) -> None:
    """Refuses a length without a scale, and a scale that nothing depends on."""
    used: set[str] = set()
    for param in params:
        if isinstance(param.shape, FixedValue):
            used |= param.shape.value.names()
            continue
        for size in sizes(param.shape):
            used |= size.names()
            for unknown in sorted(size.names() - set(variables)):
                raise InputSpecError(
                    f"{param.name} is {type_text(param.shape)} of length {size.text},"
                    f" and {unknown} has no scale",
                    f"Give its length, as in --size {param.name}={variables[0]},"
                    f" or a scale: --scales '{unknown}=2..5,...'.",
                )
        for _, _, leaf in leaves(param.shape, param.name):
            ends = () if isinstance(leaf, Choice) else (leaf.lo, leaf.hi)
            used |= {name for end in ends if isinstance(end, SizeExpr) for name in end.names()}
    used |= {name for text in assumptions for name in names_in(text)}
    idle = [name for name in variables if name not in used]
    if idle and len(variables) > 1:
        raise InputSpecError(
            f"{idle[0]} has a scale, but no size depends on it",
            f"Say what it is the length of, as in --size {_example(params)}={idle[0]}.",
        )


def _example(params: Sequence[Param]) -> str:
    sized = [p.name for p in params if not isinstance(p.shape, FixedValue) and any(sizes(p.shape))]
    return sized[-1] if sized else "NAME"
