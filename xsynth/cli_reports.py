"""The command line of `bench`, `report` and `examples`: options and help texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xsynth.cli_options import JsonOption, ModelOption


def bench(
    programs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROGRAM[::FUNCTION]...]", help="Files of your own, in place of a suite."
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="xstressor, wise, spf-wca, scale or smoke (the default)."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write report.html, report.md, results.csv and results.json there.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the unfinished run in --report DIR.")
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="SCALES", help="Measure at these: 10,50,100..500..100. A suite has its own."
        ),
    ] = None,
    methods: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Some of synthesis,direct,wise,adaptive,random,climb."),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="For each run, 60 or as the suite says; learning has four times that.",
        ),
    ] = None,
    memory_limit: Annotated[float, typer.Option(metavar="MB", help="For each run.", min=1)] = 4096,
    jobs: Annotated[
        int | None, typer.Option(metavar="K", min=1, help="Programs at a time; one a core.")
    ] = None,
    scales: Annotated[
        str, typer.Option(metavar="RANGE", help="Own files: small sizes to learn from.")
    ] = "2..6",
    size: Annotated[
        list[str] | None, typer.Option(metavar="NAME=EXPR", help="Own files, as for learn.")
    ] = None,
    fix: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Own files, as for learn.")
    ] = None,
    range_: Annotated[
        list[str] | None,
        typer.Option("--range", metavar="NAME=LO..HI", help="Own files, as for learn."),
    ] = None,
    input_: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="NAME=TYPE", help="Own files, as for learn."),
    ] = None,
    assume: Annotated[
        list[str] | None, typer.Option(metavar="EXPR", help="Own files, as for learn.")
    ] = None,
    cost: Annotated[
        str | None, typer.Option(metavar="MEASURE", help="Own files, as for learn.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Compare synthesis with guided, random and hill-climbing search.

    Each run is a process of its own that is stopped at the limits.

    \b
    Examples:
      xsynth bench --suite smoke
      xsynth bench --suite xstressor --report out
      xsynth bench sort.py::insertion_sort --scales 2..6 --at 10,50,100,500
    """
    from xsynth.bench import command
    from xsynth.shipped import Described

    request = command.BenchRequest(
        programs=tuple(programs or ()),
        suite=suite,
        report=report,
        resume=resume,
        at=at,
        methods=methods,
        time_limit=time_limit,
        memory_limit=memory_limit,
        jobs=jobs,
        scales=scales,
        described=Described(
            size=tuple(size or ()),
            fix=tuple(fix or ()),
            range=tuple(range_ or ()),
            input=tuple(input_ or ()),
            assume=tuple(assume or ()),
            cost=cost,
        ),
    )
    return command.bench(request, as_json=json)


def report(
    model: ModelOption = None,
    scale: Annotated[
        str,
        typer.Option(metavar="N", help="The size at which lines are counted: 100, or n=30,m=20."),
    ] = "100",
    output: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write there: FUNCTION.html.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="For generating at size N.")
    ] = 60.0,
) -> int:
    """Write a page on one function: hot lines, generators, worst input.

    \b
    Examples:
      xsynth report
      xsynth report --scale 500 --output sort.html
    """
    from xsynth import reporting
    from xsynth.options import parse_scale

    return reporting.report(model, parse_scale(scale), output, timeout)


def examples(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Copy this one to the current folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file of that name.")] = False,
    json: JsonOption = False,
) -> int:
    """List the shipped example programs, or copy one here.

    \b
    Examples:
      xsynth examples
      xsynth examples insertion_sort
    """
    from xsynth import reporting

    return reporting.examples(name, force=force, as_json=json)
