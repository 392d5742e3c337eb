"""How the worst-case cost grows, measured on generated inputs.

With several variables the sizes lie along the diagonal and, one variable at a time, beside it.

The costs are those that replay observed; the class is the best of a few functions of n by
ordinary least squares, as in SPF-WCA's regression analysis, with r^2 = 1 - S/T.  A model's
own formula is exact and needs no fit; the fit then names its class.  Functions that fit
about as well are told too: a few sizes cannot tell n log n from n.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from xsynth.errors import UsageError
from xsynth.program.assumptions import assumption_holds
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program, TimeUp
from xsynth.program.shapes import Limit
from xsynth.scale import Scale, Sizes, at_least, corner, extent, named, sizes_of
from xsynth.session import Opened, generate_from, in_order
from xsynth.synthesize.generate import Generated
from xsynth.synthesize.preconditions import has_input
from xsynth.trace.terms import Sort, Value

CLASSES: dict[str, Callable[[int], float]] = {
    "1": lambda n: 0.0,
    "log n": math.log,
    "n": float,
    "n log n": lambda n: n * math.log(n),
    "n^2": lambda n: float(n) ** 2,
    "n^3": lambda n: float(n) ** 3,
    "2^n": lambda n: 2.0**n,
    "n!": lambda n: math.exp(math.lgamma(n + 1)),
}
ABOUT_AS_WELL = 0.005
"""Within so much of the best r^2 a function is an alternative."""
FEWEST_SIZES = 4
STEPS = 4
"""How many sizes each way, with several variables."""
RANDOM_INPUTS = 20
SECONDS_A_SIZE = 10.0


@dataclass(frozen=True, slots=True)
class Fit:
    """cost = factor * f(n) + constant."""

    name: str
    factor: float
    constant: float
    r2: float

    def at(self, n: Scale) -> float:
        return self.factor * _classes(n)[self.name](n) + self.constant


@dataclass(frozen=True, slots=True)
class Measured:
    """One size: the worst cost found, how, and the average over random inputs."""

    scale: Scale
    cost: int
    source: str
    verified: bool | None
    average: float | None


@dataclass(frozen=True, slots=True)
class Complexity:
    sizes: tuple[Measured, ...]
    best: Fit | None
    alternatives: tuple[Fit, ...]
    notes: tuple[str, ...]


def measure(opened: Opened, upto: Scale, *, timeout: float = SECONDS_A_SIZE) -> Complexity:
    """The explored sizes as they were found, and generated ones up to a largest size."""
    program, model = opened.program, opened.model
    if isinstance(upto, int):
        values = dict.fromkeys(model.variables, upto)
        if model.region is not None:
            values[model.region.right] = upto // 2
        upto = sizes_of(values)
    upto = in_order(model, upto)
    if min(named(upto).values()) < 2:
        raise UsageError(f"--upto {upto}: too small to measure anything", "give a larger size")
    sizes = [
        Measured(r.scale, r.cost, "exhaustive", True, average_cost(program, r.scale))
        for r in model.scales
        if r.exhaustive and at_least(upto, r.scale) and _is_inside(opened, r.scale)
    ]
    notes: list[str] = []
    start = corner([m.scale for m in sizes] or [model.scales[0].scale])
    for scale in scales_between(start, upto):
        if not _is_inside(opened, scale):
            continue
        made = generate_from(opened, scale, timeout=timeout)
        if not isinstance(made, Generated) or made.observed is None:
            notes.append(f"size {scale}: no input was found in {timeout:g} s; larger ones left out")
            break
        average = average_cost(program, scale)
        sizes.append(Measured(scale, made.observed, made.strategy.value, made.verified, average))
        if made.verified is False:
            notes.append(f"size {scale}: not verified; the worst case may cost more")
    fits = fitted({m.scale: m.cost for m in sizes})
    alternatives = tuple(f for f in fits[1:] if fits[0].r2 - f.r2 <= ABOUT_AS_WELL)
    if not fits:
        notes.append(f"fewer than {FEWEST_SIZES} sizes: too few to fit")
    return Complexity(tuple(sizes), fits[0] if fits else None, alternatives, tuple(notes))


def _is_inside(opened: Opened, scale: Scale) -> bool:
    """With several variables: whether the model holds there, and there are inputs at all."""
    if isinstance(scale, int):
        return True
    region = opened.model.region
    inside = at_least(scale, opened.smallest) and (region is None or region.has(scale))
    return inside and has_input(opened.program, scale)


def scales_between(largest: Scale, upto: Scale) -> list[Scale]:
    """All variables together, as `sizes_between`; then each alone, with the others small."""
    last = named(upto)
    if isinstance(largest, int):
        return list(sizes_between(largest, last["n"]))
    found: set[Scale] = set()
    for k in range(1, STEPS + 1):
        values = {v: _between(first, last[v], k) for v, first in largest.items()}
        found.add(sizes_of(values))
        found |= {sizes_of({**largest, v: value}) for v, value in values.items()}
    return sorted(found - {largest})


def _between(first: int, last: int, k: int) -> int:
    """The k-th of the steps from the first to the last number."""
    return last if last <= first else min(last, math.ceil(first * (last / first) ** (k / STEPS)))


def sizes_between(largest: int, upto: int, count: int = 8) -> list[int]:
    """Sizes beyond the explored ones, each larger by about the same factor."""
    if upto <= largest:
        return []
    factor = (upto / largest) ** (1 / count)
    found = {min(upto, math.ceil(largest * factor**k)) for k in range(1, count + 1)}
    return sorted((found | {upto}) - {largest})


def _classes(scale: Scale) -> dict[str, Callable[[Scale], float]]:
    """The functions that are tried: of n, or products and sums of several variables."""
    if isinstance(scale, int):
        return {
            name: lambda n, f=f: f(n["n"] if isinstance(n, Sizes) else n)  # type: ignore[misc]
            for name, f in CLASSES.items()
        }
    found: dict[str, Callable[[Scale], float]] = {"1": lambda _: 0.0}
    names = list(scale)
    for powers in sorted(product(range(4), repeat=len(names)), key=lambda one: (sum(one), one)):
        if 0 < sum(powers) <= 3:
            own = dict(zip(names, powers, strict=True))
            text = "*".join(n if p == 1 else f"{n}^{p}" for n, p in own.items() if p)
            found[text] = lambda at, own=own: float(  # type: ignore[misc]
                math.prod(named(at)[n] ** p for n, p in own.items())
            )
    found[" + ".join(names)] = lambda at: float(sum(named(at).values()))
    found[f"min({', '.join(names)})"] = lambda at: float(min(named(at).values()))
    return found


def fitted(costs: Mapping[Scale, int] | Mapping[int, int]) -> list[Fit]:
    """All functions that rise with the costs, the best first; simpler ones win ties."""
    if len(costs) < FEWEST_SIZES:
        return []
    if len(set(costs.values())) == 1:
        return [Fit("1", 0.0, float(next(iter(costs.values()))), 1.0)]
    classes = _classes(next(iter(costs)))
    known: dict[Scale, int] = dict(costs.items())
    found = [fit for n, f in classes.items() if (fit := _least_squares(n, f, known)) is not None]
    return sorted(found, key=lambda fit: -round(fit.r2, 9))


def _least_squares(
    name: str, function: Callable[[Scale], float], costs: Mapping[Scale, int]
) -> Fit | None:
    if name == "1":
        return None
    try:
        xs = np.array([function(n) for n in costs])
        ys = np.array([float(cost) for cost in costs.values()])
    except OverflowError:
        return None
    spread, total = xs - xs.mean(), ys - ys.mean()
    # Scaled first: squares of 2^n leave the range of floating point.
    scale, height = np.abs(spread).max(), np.abs(total).max()
    if not (np.isfinite(scale) and np.isfinite(height)) or scale == 0:
        return None
    u, v = spread / scale, total / height
    slope = float(u @ v) / float(u @ u)
    if slope <= 0:
        return None
    rest = v - slope * u
    factor = slope * float(height / scale)
    constant = float(ys.mean()) - factor * float(xs.mean())
    return Fit(name, factor, constant, 1 - float(rest @ rest) / float(v @ v))


def average_cost(program: Program, scale: Scale, seconds: float = 2.0) -> float | None:
    """Over random inputs with a fixed seed; None where the preconditions leave too few."""
    source = random.Random(extent(scale))
    deadline = time.monotonic() + seconds
    costs: list[int] = []
    for _ in range(RANDOM_INPUTS):
        arguments = random_arguments(program, scale, source)
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            if not all(
                assumption_holds(text, arguments, named(scale)) for text in program.spec.assumptions
            ):
                continue
            cost = program.replay(arguments, left).cost
        except (AssumptionFailed, TimeUp):
            continue
        if cost is not None:
            costs.append(cost)
    return sum(costs) / len(costs) if len(costs) >= RANDOM_INPUTS // 4 else None


def bounds(low: Limit, high: Limit) -> tuple[int, int]:
    """Between which integers an element is drawn at random."""
    first = math.ceil(low) if low is not None else -1000
    last = math.floor(high) if high is not None else max(first, 0) + 1000
    return min(first, last), last


def random_arguments(program: Program, scale: Scale, source: random.Random) -> dict[str, object]:
    values: dict[tuple[str, tuple[int, ...]], Value] = {}
    for cell, low, high in program.spec.domains(scale):
        value: Value = source.randint(*bounds(low, high))
        if cell.sort is Sort.BOOL:
            value = bool(source.getrandbits(1))
        elif cell.sort is Sort.REAL:
            value = Fraction(value)
        values[cell.name, cell.index] = value
    return program.spec.concrete(scale, lambda name, index: values[name, index])


__all__ = [
    "Complexity",
    "Fit",
    "Measured",
    "average_cost",
    "bounds",
    "fitted",
    "measure",
    "random_arguments",
    "sizes_between",
]
