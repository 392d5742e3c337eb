"""A measured complexity as a picture: the worst case, random inputs, and the fit.

matplotlib is an extra (`xsynth[plot]`) and slow to import: it is imported on first use.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xsynth.complexity import Complexity
from xsynth.errors import UsageError
from xsynth.model.isg import evaluate_int
from xsynth.model.model import Model
from xsynth.scale import named

FORMATS = (".png", ".svg")
POINTS = 200
STEEP = ("2^n", "n!")
"""What is drawn over a logarithmic axis: all but the last size would lie on the ground."""


def check_plot(path: Path) -> None:
    """Says what is missing before anything is measured."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"--plot {path}: not a PNG or SVG file", "name it FILE.png or FILE.svg")
    if not path.parent.is_dir():
        raise UsageError(f"--plot {path}: there is no folder {path.parent}", "make it first")
    _figure()


def draw(found: Complexity, model: Model, path: Path) -> None:
    figure = _figure()
    axes = figure.add_subplot()
    several = len(model.variables) > 1
    sizes = [sum(named(one.scale).values()) for one in found.sizes]
    first, last = sizes[0], sizes[-1]
    between = sorted({first + (last - first) * k // POINTS for k in range(POINTS + 1)})
    if several:  # no line: sizes with the same sum differ
        axes.plot([], [], " ", label=f"{model.formula}")
    elif model.formula is not None:
        exact = [evaluate_int(model.formula, {"n": n}) for n in between]
        axes.plot(between, exact, label=f"{model.formula}", color="tab:gray", linewidth=1)
    elif found.best is not None:
        label = f"fit: {found.best.name}, r² = {found.best.r2:.4f}"
        axes.plot(between, [found.best.at(n) for n in between], label=label, color="tab:gray")
    axes.plot(sizes, [one.cost for one in found.sizes], "o", label="worst case", color="tab:red")
    random = [(n, one.average) for n, one in zip(sizes, found.sizes, strict=True) if one.average]
    if random:
        axes.plot(*zip(*random, strict=True), "x", label="random average", color="tab:blue")
    if found.best is not None and found.best.name in STEEP:
        axes.set_yscale("log")
    axes.set_xlabel(" + ".join(model.variables))
    axes.set_ylabel(model.measure)
    axes.set_title(model.function)
    axes.legend()
    figure.savefig(path, dpi=120)


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError(
            "--plot needs matplotlib, which is not installed", "run: pip install 'xsynth[plot]'"
        ) from None
    return Figure(figsize=(7, 4.5), layout="constrained")
