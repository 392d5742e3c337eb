"""What generation needs of a model, and what one way of it hands on."""

from __future__ import annotations

import enum
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xsynth.memory import peak_megabytes
from xsynth.model.isg import Expr, evaluate_int
from xsynth.model.model import BranchPolicy, Decision, GeneratorPoint
from xsynth.program.program import Program
from xsynth.scale import Scale, named
from xsynth.synthesize.condition import Stats

if TYPE_CHECKING:
    from xsynth.explore.effort import Effort
    from xsynth.explore.guide import Guide


class Strategy(enum.Enum):
    SYNTHESIZE = "synthesize"
    """Expand the generators, solve once.  The program is not run symbolically at N."""
    DIRECT = "direct"
    """Run once with every branch decided beforehand, then solve once (`direct.py`)."""
    GUIDED = "guided"
    """Search at N, with the policies and feasibility checks at every branch."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What generation needs of a model."""

    program: Program
    points: Sequence[GeneratorPoint]
    policies: Sequence[BranchPolicy]
    formula: Expr | None
    guide: Guide | None = None
    """Guides the search in place of the policies."""
    most: int | None = None
    """How many paths a search looks at."""
    work: int | None = None
    """How much it decides and asks (`Search.limit`)."""
    resources: int | None = None
    """What Z3 may spend on a path condition, in its own units."""
    decisions: Sequence[Decision] = ()
    free: bool = False
    """Whether the path has no constraints: then no generators are needed."""
    every_path: bool = False
    """Whether all paths are looked at: then the worst of them needs no formula."""
    last_resort: bool = False
    """Whether nothing is known of the worst case: then any dear input is welcome."""

    def predicted(self, scale: Scale) -> int | None:
        return None if self.formula is None else evaluate_int(self.formula, named(scale))


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a strategy gave no input."""

    strategy: Strategy
    reason: str
    final: bool = False
    """Whether the learned path has no input at this size, since values run out: a search that
    follows it would go on for long, and is left to those who ask for it by name."""


@dataclass
class Clock:
    """Seconds by phase, the most memory up to its end, and the time that is left."""

    deadline: float | None
    seconds: dict[str, float] = field(default_factory=dict)
    megabytes: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def phase(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self.megabytes[name] = peak_megabytes()
        self._since = now

    def left(self) -> float | None:
        return None if self.deadline is None else max(0.1, self.deadline - time.monotonic())


@dataclass(frozen=True, slots=True)
class Found:
    arguments: Mapping[str, object]
    stats: Stats | None
    notes: tuple[str, ...] = ()
    effort: Effort | None = None
    proved: int | None = None
    """The greatest cost of all paths, where every one was looked at."""
