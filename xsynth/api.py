"""The Python API: the commands as two calls.

model = xsynth.learn(insertion_sort, scales=range(2, 7))
model.generate(500).arguments
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from xsynth.errors import HonestNo, UsageError
from xsynth.explore.worst import Finding
from xsynth.model import store
from xsynth.model.isg import Expr
from xsynth.model.model import Model
from xsynth.options import check_scales, grid, parse_scales, split_target
from xsynth.pipeline import Learning
from xsynth.program.locate import Located, locate
from xsynth.program.markers import Range
from xsynth.program.program import Options, Program
from xsynth.program.program import load as load_program
from xsynth.report.tables import model_text
from xsynth.scale import Scale, named, shown, sizes_of
from xsynth.session import BUDGET, Opened, generate_from, learn_session, open_model
from xsynth.synthesize.generate import Generated
from xsynth.synthesize.preconditions import excluded

Target: TypeAlias = "Callable[..., object] | str | Path"
RangeGiven: TypeAlias = "str | tuple[object, object] | Range"


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned of a function.

    `status` is "learned", "policy only" or "not learned", and `reason` says why.
    """

    status: str
    reason: str
    program: Program
    model: Model | None
    findings: tuple[Finding, ...] = ()
    """Exceptions that the function raised at the small scales, each with an input."""
    learning: Learning | None = None
    """The exploration behind it; None where the model was read from a file."""
    changed: bool = False
    """Whether the program is another than the one that the model was learned from."""

    @property
    def formula(self) -> str | None:
        """The worst-case cost as an expression of n."""
        formula = self._formula()
        return None if formula is None else str(formula)

    @property
    def growth(self) -> str | None:
        """The complexity class of the formula, as in O(n^2)."""
        return None if self.model is None else self.model.growth

    def _formula(self) -> Expr | None:
        return None if self.model is None else self.model.formula

    def generate(
        self,
        scale: int | Mapping[str, int] | None = None,
        *,
        strategy: str = "auto",
        verify: bool = True,
        timeout: float | None = None,
        **sizes: int,
    ) -> Generated:
        """A worst-case input at that scale: `.arguments`, `.verified`, `.predicted`, ...

        With several variables: `generate(n=300, m=200)`, or a mapping of them.
        HonestNo where nothing was learned or no input could be found; with `strategy="guided"` a
        dear input is sought even where nothing was learned, and is not verified then.
        """
        asked = _asked(scale, sizes)
        if strategy not in ("auto", "synthesize", "direct", "guided"):
            raise UsageError(
                f"strategy {strategy!r}: there is no such strategy",
                "choose one of auto, synthesize, direct, guided",
            )
        model = self._searched() if strategy == "guided" else self._model()
        opened = Opened(model, self.program, self.changed)
        made = generate_from(opened, asked, strategy, verify=verify, timeout=timeout)
        if isinstance(made, Generated):
            return made
        none = excluded(self.program, asked, [record.scale for record in model.scales])
        if none is not None:
            raise HonestNo(f"{self.program.function}: {none}", "ask for another size")
        raise HonestNo(
            f"{self.program.function} at {shown(asked)}: no input was found",
            "; ".join(f"{failed.strategy.value}: {failed.reason}" for failed in made),
        )

    def explain(self) -> str:
        """The generators, the cost formula, the scales and the policies, in words."""
        return "\n".join(model_text(self._model(), None if self.changed else self.program.source))

    def save(self, path: str | Path) -> None:
        """Writes the model file that `xsynth generate --model` and `load` read."""
        store.save(self._model(), Path(path))

    def _searched(self) -> Model:
        """The model, or one that knows no cost where nothing was learned."""
        from xsynth.last_resort import last_resort

        if self.model is None and self.learning is not None:
            found = last_resort(self.program, self.learning.worst)
            if found is not None:
                return found
        return self._model()

    def _model(self) -> Model:
        if self.model is None:
            raise HonestNo(f"{self.program.function} was not learned: {self.reason}")
        return self.model


def learn(
    target: Target,
    scales: Mapping[str, Iterable[int]] | Iterable[int] | str = range(2, 7),
    *,
    sizes: Mapping[str, object] | None = None,
    fix: Mapping[str, object] | None = None,
    ranges: Mapping[str, RangeGiven] | None = None,
    inputs: Mapping[str, str] | None = None,
    assume: Iterable[str] | str = (),
    cost: str | None = None,
    budget: float = BUDGET,
    workers: int = 1,
    dask: str | None = None,
) -> Learned:
    """Explores every path at the small scales and learns how the worst case grows.

    `target` is a function of a file, or a text `"path::function"`, or `"module::function"` for
    a module that is installed.  The rest are the options of `xsynth learn`: sizes and fixed
    values may be expressions of n as texts (`fix={"word": "'abc'"}` is a string), ranges
    `(lo, hi)` or `"lo..hi"`.
    """
    place = _located(target)
    given = _scales(scales)
    options = Options(
        sizes={name: _size(value) for name, value in (sizes or {}).items()},
        fixes={k: v if isinstance(v, str) else repr(v) for k, v in (fix or {}).items()},
        ranges={name: _range(value) for name, value in (ranges or {}).items()},
        inputs=dict(inputs or {}),
        assumptions=(assume,) if isinstance(assume, str) else tuple(assume),
        cost=cost,
        variables=tuple(named(given[0])),
    )
    program = load_program(place.path, place.function, options, module=place.module)
    found = learn_session(
        program, given, options=options, budget=budget, workers=workers, dask=dask
    )
    findings = tuple(finding for case in found.worst for finding in case.findings)
    return Learned(found.status.value, found.reason, program, found.model, findings, found)


def load(path: str | Path) -> Learned:
    """A model that `learn` or `save` wrote, with its program."""
    opened = open_model(Path(path))
    status = "learned" if opened.model.generates else "policy only"
    reason = f"read from {path}"
    return Learned(status, reason, opened.program, opened.model, changed=opened.changed)


def _asked(scale: int | Mapping[str, int] | None, sizes: Mapping[str, int]) -> Scale:
    if (scale is None) != bool(sizes):
        raise UsageError(
            "generate takes a scale, or one for each variable",
            "write generate(500), or generate(n=300, m=200)",
        )
    return scale if isinstance(scale, int) else sizes_of(sizes if scale is None else scale)


def _located(target: Target) -> Located:
    if isinstance(target, str | Path):
        return locate(*split_target(str(target)))
    function = inspect.unwrap(target)
    name = getattr(function, "__qualname__", "")
    try:
        file = inspect.getsourcefile(function)
    except TypeError:
        file = None
    if file is None or not Path(file).is_file():
        raise UsageError(
            f"{name or target!r} has no source file that Python can find",
            "write the function in a file, and pass it or 'path::function'",
        )
    if not all(part.isidentifier() for part in name.split(".")):
        raise UsageError(
            f"{name} is not a function at the top of its file, nor a method",
            "move it there, or write one there that calls it",
        )
    return Located(Path(file), name)


def _scales(given: Mapping[str, Iterable[int]] | Iterable[int] | str) -> tuple[Scale, ...]:
    if isinstance(given, str):
        return parse_scales(given)
    if isinstance(given, Mapping):
        return grid(given)
    return check_scales(given, "scales")


def _size(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _range(value: RangeGiven) -> str:
    if isinstance(value, str):
        return value
    lo, hi = (value.lo, value.hi) if isinstance(value, Range) else value
    return f"{'' if lo is None else lo}..{'' if hi is None else hi}"
