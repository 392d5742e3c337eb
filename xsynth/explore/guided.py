"""Guided search: the paths that a guide permits, at a scale that cannot be exhausted.

`GuidedTestGen` of WISE (algorithm 3) and `guidedSymExe` of SPF-WCA (procedure 3) are the same
search with different guides.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from xsynth.errors import HonestNo, UsageError
from xsynth.explore.effort import Effort
from xsynth.explore.guide import Guide
from xsynth.explore.history import FollowHistory, learn_history
from xsynth.explore.paths import Path, chain_for, paths
from xsynth.explore.search import Search, Spent
from xsynth.explore.wise import Follow, learn_wise
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.tracer import Deadline

LEARN_SECONDS = 60.0
"""How long the scales of a model may be explored again for a policy."""


@dataclass(frozen=True, slots=True)
class Guided:
    """What a guided search found at one scale."""

    scale: Scale
    best: Path | None
    paths: int
    resolved: int
    unresolved: int
    checks: dict[str, int]
    """Feasibility questions, by the layer that answered."""
    finished: bool
    late: bool
    """Whether the time was up."""
    spent: bool
    """Whether the limit of work was reached."""
    seconds: float
    exhaustive: bool = False
    """Whether no feasible path was left out, if the guide permits all, nor any cost assumed."""

    @property
    def effort(self) -> Effort:
        calls = self.checks["z3"] + self.checks["unknown"]
        by = {"guide": self.resolved}
        return Effort(
            self.paths, self.resolved, self.unresolved, by, self.checks, calls, self.finished
        )

    @property
    def cost(self) -> int | None:
        return None if self.best is None else self.best.cost


def guided_test_gen(
    program: Program,
    scale: Scale,
    guide: Guide,
    *,
    deadline: float | None = None,
    goal: int | None = None,
    most: int | None = None,
    work: int | None = None,
) -> Guided:
    """Every path that the guide permits, until one costs as much as the goal."""
    start = time.monotonic()
    search = Search(chain_for(program, scale, deadline), guide=guide, limit=work)
    best: Path | None = None
    count = 0
    finished = late = spent = assumed = False
    try:
        for path in paths(search, program, scale, deadline):
            count += 1
            assumed |= path.outcome.assumed is not None
            if path.outcome.raised is None and (best is None or path.cost > best.cost):
                best = path
            if best is not None and goal is not None and best.cost >= goal:
                break
            if most is not None and count >= most:
                break
        else:
            finished = search.incomplete is None
    except Deadline:
        late = True
    except Spent:
        spent = True
    return Guided(
        scale=scale,
        best=best,
        paths=count,
        resolved=search.resolved,
        unresolved=search.unresolved,
        checks=dict(search.chain.stats),
        finished=finished,
        late=late,
        spent=spent,
        seconds=time.monotonic() - start,
        exhaustive=finished and not assumed,
    )


def guide_named(program: Program, scales: Sequence[Scale], name: str) -> Guide:
    """The guide that `--policy` asks for, learned from these scales.

    `wise`, `history:h` with the size of the histories, or `adaptive`.
    """
    sized = re.fullmatch(r"history:(\d{1,2})", name)
    if sized is None and name not in ("wise", "adaptive"):
        raise UsageError(
            f"--policy {name}: no such policy", "write wise, adaptive, or history:h as in history:1"
        )
    until = time.monotonic() + LEARN_SECONDS
    if name == "wise":
        wise = learn_wise(program, scales, until)
        if wise is not None:
            return Follow(wise)
    else:
        size = None if sized is None else int(sized[1])
        remembered = learn_history(program, scales, size, until)
        if remembered is not None:
            return FollowHistory(remembered)
    raise HonestNo(
        f"--policy {name}: no scale could be explored in {LEARN_SECONDS:.0f} s",
        "learn from smaller --scales",
    )
