"""The methods that a benchmark compares, each as one run at one scale.

    synthesis  expand the learned generators, solve once
    direct     one run at the scale decided by the learned policy, solve once
    wise       guided search with a policy of WISE's, every path that it permits
    adaptive   guided search with the history policies of SPF-WCA, adapted
    random     random inputs, for as long as synthesis took with its learning
    climb      Hypothesis, with the cost as its target, for as long

`perform` runs in a process of its own (`cell.py`).  Whatever way an input was found, its
cost is that of the function itself, run on it with counters only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from xsynth.explore.guided import Guided
    from xsynth.program.program import Options, Program

METHODS = {
    "synthesis": "synthesis",
    "direct": "directed run",
    "wise": "guided, WISE",
    "adaptive": "guided, adaptive history",
    "random": "random search",
    "climb": "hill climbing",
}
"""Names, and how they are called in reports."""
FROM_MODEL = frozenset({"synthesis", "direct"})
AS_LONG = frozenset({"random", "climb"})
"""Those that run for as long as synthesis did."""
MARGIN = 0.1
"""The part of the time that a guided search leaves, to tell what it found; 3 s at most."""

Found: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """What a process is to do; all of it goes through JSON."""

    method: str
    path: str
    function: str | None
    module: str | None
    described: Mapping[str, Any]
    scales: tuple[int, ...]
    scale: int
    """0 for learning."""
    model: str
    seconds: float
    """The time it has, start-up included."""
    began: float
    """By the clock of the wall: time.time()."""
    at: tuple[int, ...] = ()
    """For learning: where the cost is to be predicted."""

    def deadline(self, margin: float = 0.0) -> float:
        """By `time.monotonic`."""
        return time.monotonic() - (time.time() - self.began) + self.seconds - margin


def perform(job: Job) -> Found:
    match job.method:
        case "learn":
            return _learn(job)
        case "synthesis" | "direct":
            return _generate(job)
        case "wise" | "adaptive":
            return _guided(job)
        case _:
            return _plain_inputs(job)


def _program(job: Job) -> tuple[Program, Options]:
    from xsynth.options import parse_pairs
    from xsynth.program.program import Options, load

    given = job.described
    options = Options(
        sizes=parse_pairs("--size", given["size"]),
        fixes=parse_pairs("--fix", given["fix"]),
        ranges=parse_pairs("--range", given["range"]),
        inputs=parse_pairs("--input", given["input"]),
        assumptions=tuple(given["assume"]),
        cost=given["cost"],
    )
    return load(Path(job.path), job.function, options, module=job.module), options


# -- learning


def _learn(job: Job) -> Found:
    from xsynth.model import store
    from xsynth.model.growth import growth
    from xsynth.session import learn_session

    program, options = _program(job)
    budget = (1 - MARGIN) * job.seconds
    learning = learn_session(program, job.scales, options=options, budget=budget)
    model = learning.model
    late = model is None and learning.seconds >= budget
    exploring = sum(case.seconds for case in learning.worst)
    formula = None if model is None else model.formula
    if model is not None:
        store.save(model, Path(job.model))
    return {
        "status": "OOT" if late else learning.status.value,
        "reason": learning.reason,
        "function": program.function,
        "measure": program.measure.name,
        "digest": program.digest,
        "formula": None if formula is None else str(formula),
        "class": None if formula is None else growth(formula),
        "points": 0 if model is None else len(model.points),
        "paths": sum(case.paths for case in learning.worst),
        "scales": [case.scale for case in learning.worst if case.exhaustive],
        "phases": {"explore": exploring, "fit": max(0.0, learning.seconds - exploring)},
        "predicted": _predictions(formula, job.at),
    }


def _predictions(formula: Any, at: tuple[int, ...]) -> dict[str, int]:
    from xsynth.model.isg import evaluate_int

    if formula is None:
        return {}
    return {str(scale): evaluate_int(formula, {"n": scale}) for scale in at}


# -- from the model


def _generate(job: Job) -> Found:
    from xsynth.session import generate_from, open_model
    from xsynth.synthesize.generate import Generated

    way = "synthesize" if job.method == "synthesis" else "direct"
    made = generate_from(open_model(Path(job.model)), job.scale, way)
    if not isinstance(made, Generated):
        return {"status": "failed", "reason": "; ".join(failed.reason for failed in made)}
    return {
        "status": "done",
        "reason": "; ".join(made.notes),
        "cost": made.observed,
        "verified": made.verified,
        "solver_calls": 0 if made.stats is None else made.stats.solver_calls,
        "paths": 1,
        "phases": dict(made.seconds),
    }


# -- guided search


def _guided(job: Job) -> Found:
    from xsynth.explore.guided import guide_named, guided_test_gen

    start = time.monotonic()
    program, _ = _program(job)
    guide = guide_named(program, job.scales, job.method)
    learned = time.monotonic() - start
    deadline = job.deadline(min(3.0, MARGIN * job.seconds))
    search = guided_test_gen(program, job.scale, guide, deadline=deadline)
    found: Found = {
        "status": "OOT" if search.late else "done",
        "learn_seconds": learned,
        "solver_calls": search.checks.get("z3", 0),
        "checks": sum(search.checks.values()),
        "paths": search.paths,
        "phases": {"policy": learned, "search": search.seconds},
    }
    if search.best is None:
        reason = "no path was finished in time" if search.late else "no path follows the policy"
        return {**found, "status": "OOT" if search.late else "failed", "reason": reason}
    return {**found, **_replayed(program, search)}


def _replayed(program: Program, search: Guided) -> Found:
    from xsynth.explore.worst import concrete

    assert search.best is not None
    replay = program.replay(concrete(program, search.scale, search.best.witness))
    if replay.cost != search.best.cost:
        reason = f"the replay costs {replay.cost}, the path {search.best.cost}"
        return {"status": "failed", "reason": reason}
    return {"cost": replay.cost}


# -- plain inputs


def _plain_inputs(job: Job) -> Found:
    from xsynth.bench import blind

    start = time.monotonic()
    program, _ = _program(job)
    search: Callable[[Program, int, float], blind.Tried] = (
        blind.random_search if job.method == "random" else blind.hill_climb
    )
    tried = search(program, job.scale, job.deadline())
    if tried.missing:
        return {"status": "skipped", "reason": tried.missing}
    if tried.best is None:
        return {"status": "failed", "reason": tried.hindrance}
    return {
        "status": "done",
        "cost": tried.best,
        "average": tried.average,
        "paths": tried.runs,
        "solver_calls": 0,
        "phases": {"search": time.monotonic() - start},
    }
