"""A measured complexity as a table and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from xsynth.complexity import Complexity, Fit
from xsynth.model.model import Model
from xsynth.report.tables import cost_lines, sureness
from xsynth.scale import plain


def complexity_text(found: Complexity, model: Model) -> str:
    width = max([8, *(len(str(one.scale)) + 1 for one in found.sizes)])
    lines = [f"{model.function}: worst-case cost in {model.measure}"]
    lines += [f"{'size':>{width}} {'worst cost':>16} {'random average':>16}  found by"]
    for one in found.sizes:
        average = "-" if one.average is None else f"{one.average:.1f}"
        doubt = "" if one.verified else " (not verified)"
        lines.append(f"{one.scale!s:>{width}} {one.cost:>16} {average:>16}  {one.source}{doubt}")
    if model.formula is not None:
        lines += [*cost_lines(model), sureness(model)]
    if found.best is not None:
        lines.append(f"best fit: {_fit(found.best)}")
        lines.extend(f"fits about as well: {_fit(other)}" for other in found.alternatives)
    return "\n".join(lines)


def _fit(fit: Fit) -> str:
    constant = f"{'-' if fit.constant < 0 else '+'} {abs(fit.constant):.4g}"
    function = fit.name.replace("log", "ln")  # the fitted logarithm is the natural one
    function = f"({function})" if "+" in function else function
    return f"O({fit.name}), {fit.factor:.4g} * {function} {constant}, r^2 = {fit.r2:.6f}"


def complexity_json(found: Complexity, model: Model) -> dict[str, Any]:
    return {
        "function": model.function,
        "measure": model.measure,
        "formula": None if model.formula is None else str(model.formula),
        "class": model.growth,
        "sizes": [{**asdict(one), "scale": plain(one.scale)} for one in found.sizes],
        "fit": None if found.best is None else asdict(found.best),
        "alternatives": [asdict(other) for other in found.alternatives],
        "notes": list(found.notes),
    }
