"""Runs a suite: every program, scale and method in a process of its own, several at a time.

The programs run beside each other; what belongs to one program runs in order, since a
search for as long as synthesis took must know how long that was, and a method that is out
of time at one scale is not run at a larger one.  Every finished row is kept at once.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from xsynth.bench import published
from xsynth.bench.limited import Ended, run_limited
from xsynth.bench.machine import machine
from xsynth.bench.methods import AS_LONG, FROM_MODEL, Job
from xsynth.bench.results import Learned, Results, Row
from xsynth.bench.suites import Suite, Task
from xsynth.errors import ProgramError, UsageError

BLIND_SECONDS = 5.0
"""For searches that should take as long as synthesis, where that gave nothing."""
GRACE = 10.0
"""How much longer than told a search may take that watches the time itself."""
LEARN_FACTOR = 4
"""Learning may take so many times the limit: half of that exploring, the rest for generators."""
OUT = ("OOT", "OOM")
PACKAGE = str(Path(__file__).parents[2])
CELL = (
    "import sys; where = sys.argv.pop(1)\n"
    "if where not in sys.path: sys.path.insert(0, where)\n"
    "from xsynth.bench.cell import main; main(*sys.argv[1:])"
)
"""Run with -P: a file `random.py` in the current folder is the user's, not Python's."""


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float
    megabytes: float
    jobs: int


class Listener(Protocol):
    """Is told what begins and what is finished; from several threads, one call at a time."""

    def begin(self, what: str, limit: float) -> None: ...

    def finish(self, what: str, row: Row | Learned) -> None: ...


@dataclass
class _State:
    """What all threads share."""

    results: Results
    keep: Callable[[Results], None]
    listener: Listener
    models: Path
    limits: Limits
    interrupt: threading.Event = field(default_factory=threading.Event)
    lock: threading.RLock = field(default_factory=threading.RLock)
    began: float = field(default_factory=time.monotonic)
    before: float = 0.0
    """Seconds of the runs that this one goes on from."""

    def add(self, what: str, found: Row | Learned) -> None:
        with self.lock:
            if isinstance(found, Row):
                self.results = replace(self.results, rows=(*self.results.rows, found))
            else:
                learned = {**self.results.learned, found.program: found}
                self.results = replace(self.results, learned=learned)
            seconds = self.before + time.monotonic() - self.began
            self.results = replace(self.results, seconds=seconds)
            self.keep(self.results)
            self.listener.finish(what, found)

    def begin(self, what: str, limit: float) -> None:
        with self.lock:
            self.listener.begin(what, limit)


class Interrupted(Exception):  # noqa: N818  (a way for a thread to end)
    pass


def settings(suite: Suite, limits: Limits) -> dict[str, Any]:
    """What a run must have in common with the one that it goes on from."""
    return {
        "methods": list(suite.methods),
        "at": {task.name: list(task.at) for task in suite.tasks},
        "learned from": {task.name: list(task.scales) for task in suite.tasks},
        "options": {task.name: task.described.arguments() for task in suite.tasks},
        "time limit": limits.seconds,
        "memory limit": limits.megabytes,
    }


def fresh(suite: Suite, limits: Limits) -> Results:
    names = {task.published: task.name for task in suite.tasks if task.published is not None}
    return Results(
        suite=suite.name,
        title=suite.title,
        settings={**settings(suite, limits), "jobs": limits.jobs},
        machine=machine(),
        cells=sum(len(task.at) for task in suite.tasks) * len(suite.methods),
        published=published.figures(suite.published, names),
        sources=published.sources(suite.published),
    )


def resumed(old: Results, suite: Suite, limits: Limits, models: Path) -> Results:
    """The rows of an earlier run that still hold."""
    for name, value in settings(suite, limits).items():
        if old.settings.get(name) != value:
            raise UsageError(
                f"--resume: the run had another setting: {name}",
                "give the same programs, scales, options and limits, or another --report folder",
            )
    digests = {task.name: file_digest(task.path) for task in suite.tasks}
    keys = {task.name: task.key for task in suite.tasks}
    learned = {
        name: one
        for name, one in old.learned.items()
        if one.digest == digests[name]
        and (not one.points or (models / f"{keys[name]}.isg").is_file())
    }
    rows = tuple(row for row in old.rows if row.program in learned)
    return replace(old, learned=learned, rows=rows)


def file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ProgramError(f"{path}: cannot be read: {error.strerror}", "is it there?") from None


def run(
    suite: Suite,
    limits: Limits,
    start: Results,
    models: Path,
    keep: Callable[[Results], None],
    listener: Listener,
) -> tuple[Results, bool]:
    """The results, and whether they are whole; an interrupt ends all processes at once."""
    state = _State(start, keep, listener, models, limits, before=start.seconds)
    with ThreadPoolExecutor(limits.jobs) as pool:
        running = [pool.submit(_run_task, task, suite, state) for task in suite.tasks]
        try:
            while wait(running, timeout=0.2).not_done:
                pass
        except KeyboardInterrupt:
            state.interrupt.set()
            for future in running:
                future.cancel()
    failures = [f.exception() for f in running if not f.cancelled() and f.exception() is not None]
    for failure in failures:
        if failure is not None and not isinstance(failure, Interrupted):
            raise failure
    return state.results.in_order(), not state.interrupt.is_set()


def _run_task(task: Task, suite: Suite, state: _State) -> None:
    learned = state.results.learned.get(task.name)
    if learned is None:
        learned = _learn(task, state)
    out: dict[str, Row] = {}
    for scale in task.at:
        for method in suite.methods:
            row = state.results.row(task.name, scale, method)
            if row is None:
                row = _measured(task, scale, method, learned, out.get(method), state)
                state.add(_named(task, scale, method), row)
            if row.status in OUT:
                out.setdefault(method, row)


def _named(task: Task, scale: int, method: str) -> str:
    return f"{task.name} n = {scale} {method}"


def _learn(task: Task, state: _State) -> Learned:
    limit = LEARN_FACTOR * state.limits.seconds
    job = _job(task, "learn", 0, state, limit)
    what = f"{task.name} learn"
    state.begin(what, limit)
    ended, found = _in_process(replace(job, at=task.at), limit, state)
    learned = Learned(
        program=task.name,
        status=ended.stopped or found.get("status", "failed"),
        reason=found.get("reason") or _why(ended, limit),
        seconds=ended.seconds,
        megabytes=found.get("megabytes", ended.megabytes),
        file=task.path.name,
        digest=file_digest(task.path),
        function=found.get("function", task.function or ""),
        measure=found.get("measure", ""),
        formula=found.get("formula"),
        growth=found.get("class"),
        points=found.get("points", 0),
        paths=found.get("paths", 0),
        scales=tuple(found.get("scales", ())),
        phases=_phases(found, ended),
        predicted=found.get("predicted", {}),
        note=task.note,
    )
    state.add(what, learned)
    return learned


def _job(task: Task, method: str, scale: int, state: _State, seconds: float) -> Job:
    return Job(
        method=method,
        path=str(task.path),
        function=task.function,
        module=task.module,
        described=asdict(task.described),
        scales=task.scales,
        scale=scale,
        model=str(state.models / f"{task.key}.isg"),
        seconds=seconds,
        began=time.time(),
    )


def _measured(
    task: Task, scale: int, method: str, learned: Learned, out: Row | None, state: _State
) -> Row:
    predicted = learned.predicted.get(str(scale))
    start = Row(task.name, scale, method, "failed", predicted=predicted, ran=False)
    if out is not None:
        return replace(start, status=out.status, reason=f"not run: {out.status} at {out.scale}")
    if method in FROM_MODEL and learned.status not in ("learned", "policy only"):
        status = learned.status if learned.status in OUT else "failed"
        reason = f"not learned: {learned.reason}".removeprefix("not learned: not learned: ")
        spent = learned.seconds
        return replace(start, status=status, reason=reason, seconds=spent, learn_seconds=spent)
    seconds = state.limits.seconds
    limit = seconds
    if method in AS_LONG:
        seconds = _as_long(task, scale, state)
        limit = seconds + GRACE
    state.begin(_named(task, scale, method), seconds)
    ended, found = _in_process(_job(task, method, scale, state, seconds), limit, state)
    before = learned.seconds if method in FROM_MODEL else 0.0
    cost = found.get("cost")
    verified = found.get("verified")
    reason = found.get("reason") or _why(ended, limit)
    if verified is None and cost is not None and predicted is not None:
        verified = cost == predicted
        if cost > predicted:
            reason = f"more than the formula says, {predicted}: the model is wrong; {reason}"
    return replace(
        start,
        status=ended.stopped or found.get("status", "failed"),
        reason=reason,
        seconds=before + ended.seconds,
        learn_seconds=before or found.get("learn_seconds"),
        megabytes=max(
            found.get("megabytes", ended.megabytes), learned.megabytes if before else 0.0
        ),
        solver_calls=found.get("solver_calls"),
        checks=found.get("checks"),
        paths=found.get("paths"),
        cost=cost,
        verified=verified,
        average=found.get("average"),
        phases=_phases(found, ended),
        ran=True,
    )


def _as_long(task: Task, scale: int, state: _State) -> float:
    own = state.results.row(task.name, scale, "synthesis")
    if own is not None and own.status == "done" and own.seconds is not None:
        return own.seconds
    return min(BLIND_SECONDS, state.limits.seconds)


def _in_process(job: Job, limit: float, state: _State) -> tuple[Ended, Mapping[str, Any]]:
    """What the process said, if it came to that."""
    if state.interrupt.is_set():
        raise Interrupted
    with tempfile.TemporaryDirectory() as folder:
        job_file, found_file = Path(folder) / "job.json", Path(folder) / "found.json"
        job_file.write_text(json.dumps(asdict(job)))
        ended = run_limited(
            [sys.executable, "-P", "-c", CELL, PACKAGE, str(job_file), str(found_file)],
            seconds=limit,
            megabytes=state.limits.megabytes,
            interrupt=state.interrupt,
        )
        if ended.stopped == "interrupted":
            raise Interrupted
        written = not ended.stopped and found_file.is_file()
        found = json.loads(found_file.read_text()) if written else {}
    return ended, found


def _why(ended: Ended, limit: float) -> str:
    match ended.stopped:
        case "OOT":
            return f"stopped after {limit:g} s"
        case "OOM":
            return f"stopped at {ended.megabytes:.0f} MB"
        case _:
            return "" if ended.code == 0 else f"the process ended with code {ended.code}"


def _phases(found: Mapping[str, Any], ended: Ended) -> dict[str, float]:
    """Seconds by phase; what they leave of the process is its start and end."""
    if not found:
        return {}
    phases = {name: round(seconds, 4) for name, seconds in found.get("phases", {}).items()}
    rest = max(0.0, ended.seconds - sum(phases.values()))
    return {**phases, "start-up": round(rest, 4)}
