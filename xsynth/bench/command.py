"""`xsynth bench`, once its options are read."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from xsynth.bench import results as stored
from xsynth.bench import runner
from xsynth.bench.progress import Progress
from xsynth.bench.results import Results
from xsynth.bench.suites import DEFAULT_AT, Suite, check_methods, own_suite, parse_at, read_suite
from xsynth.errors import UsageError
from xsynth.program.source import parse, read_source
from xsynth.program.target import choose
from xsynth.report.bench_text import report_markdown, summary_text
from xsynth.report.formats import write_aside
from xsynth.shipped import Described


@dataclass(frozen=True, slots=True)
class BenchRequest:
    programs: tuple[str, ...] = ()
    suite: str | None = None
    report: Path | None = None
    resume: bool = False
    at: str | None = None
    methods: str | None = None
    time_limit: float | None = None
    memory_limit: float = 4096.0
    jobs: int | None = None
    scales: str = "2..6"
    described: Described = field(default_factory=Described)


def bench(request: BenchRequest, *, as_json: bool) -> int:
    """Exit code 1 where it was interrupted, or where a program of the user's was refused."""
    suite = _suite(request)
    limits = runner.Limits(suite.time_limit, request.memory_limit, _jobs(request, suite))
    with _folder(request) as folder:
        models = folder / "models"
        start = _start(request, suite, limits, folder)
        models.mkdir(exist_ok=True)

        def keep(results: Results) -> None:
            if request.report is not None:
                write_aside(folder / stored.FILE, stored.to_json(results).encode())

        keep(start)
        with Progress(start.cells, len(start.rows)) as progress:
            found, whole = runner.run(suite, limits, start, models, keep, progress)
        if request.report is not None:
            write_report(found, folder)
    print(stored.to_json(found) if as_json else summary_text(found), end="")
    if request.report is not None:
        _say(f"report: {request.report / 'report.html'}")
    if not whole:
        again = f"; to go on: the same with --resume ({request.report})" if request.report else ""
        _say(f"interrupted: {len(found.rows)} of {found.cells} measured{again}")
        return 1
    return int(bool(request.programs) and not any(row.cost is not None for row in found.rows))


def write_report(results: Results, folder: Path) -> None:
    from xsynth.report.bench_html import report_html

    for name, text in (
        (stored.FILE, stored.to_json(results)),
        ("results.csv", stored.to_csv(results)),
        ("report.md", report_markdown(results)),
        ("report.html", report_html(results)),
    ):
        write_aside(folder / name, text.encode())


def _suite(request: BenchRequest) -> Suite:
    if request.programs and request.suite:
        raise UsageError("a suite and programs of your own are given", "give one of the two")
    if request.programs:
        at = request.at or DEFAULT_AT
        suite = own_suite(request.programs, request.scales, at, request.described)
        for task in suite.tasks:  # what is wrong with a file is told before anything runs
            choose(parse(read_source(task.path), task.path), task.path, task.function)
    else:
        if request.described != Described():
            raise UsageError(
                "--size, --fix, --range, --input, --assume and --cost are for files of your own",
                "the programs of a suite have theirs",
            )
        suite = read_suite(request.suite or "smoke")
        if request.at is not None:
            at_all = parse_at(request.at)
            suite = replace(suite, tasks=tuple(replace(t, at=at_all) for t in suite.tasks))
    if request.methods is not None:
        names = [name.strip() for name in request.methods.split(",")]
        suite = replace(suite, methods=check_methods(names))
    if request.time_limit is not None:
        if not request.time_limit > 0:
            raise UsageError(f"--time-limit {request.time_limit:g}: no time", "give more than 0")
        suite = replace(suite, time_limit=request.time_limit)
    return suite


def _jobs(request: BenchRequest, suite: Suite) -> int:
    return min(request.jobs or os.cpu_count() or 1, len(suite.tasks))


@contextmanager
def _folder(request: BenchRequest) -> Iterator[Path]:
    """Where results are kept; a folder that is soon gone where no report is wanted."""
    if request.report is None:
        if request.resume:
            raise UsageError("--resume goes on with a report", "say which: --report DIR")
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    try:
        request.report.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"--report {request.report}: cannot be made: {error.strerror}", "give another folder"
        ) from None
    yield request.report


def _start(request: BenchRequest, suite: Suite, limits: runner.Limits, folder: Path) -> Results:
    old = None if request.report is None else stored.read(folder)
    if request.resume:
        if old is None:
            raise UsageError(
                f"--resume: there are no results in {folder}", "leave it out for the first run"
            )
        return runner.resumed(old, suite, limits, folder / "models")
    if old is not None and old.rows and not old.finished:
        raise UsageError(
            f"{folder} holds an unfinished run: {len(old.rows)} of {old.cells} measured",
            "go on with --resume, or give another --report folder, or delete that one",
        )
    return runner.fresh(suite, limits)


def _say(text: str) -> None:
    print(f"xsynth: {text}", file=sys.stderr)
