"""The command line: options, help texts and exit codes.  `commands.py` does the work.

Whatever goes wrong ends in a message of at most three lines on standard error.
"""

from __future__ import annotations

import enum
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from xsynth import __version__, cli_reports
from xsynth.cli_options import JsonOption, ModelOption
from xsynth.errors import UsageError, XsynthError

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""Columns of integers have no use for the threads of numpy, and a process without any others can
be forked (see `explore/workers.py`)."""

app = typer.Typer(
    name="xsynth",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


INTERRUPTED = 130  # what newer versions of typer make of a KeyboardInterrupt


class Format(enum.Enum):
    JSON = "json"
    PYTHON = "python"
    TEXT = "text"
    NPY = "npy"
    SMT2 = "smt2"


class Way(enum.Enum):
    AUTO = "auto"
    SYNTHESIZE = "synthesize"
    DIRECT = "direct"
    GUIDED = "guided"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"xsynth {__version__}")
        raise typer.Exit


@app.callback()
def xsynth(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Worst-case inputs for Python functions, at any size, with proof.

    Learns from all paths at a few small sizes how the worst case grows, writes down a
    worst-case input at any size, and runs the function on it to show its cost.

    \b
    Examples (in a folder with sort.py, def insertion_sort(a: list[int])):
      xsynth learn sort.py::insertion_sort --scales 2..6
      xsynth generate --scale 500 --output worst.json
      xsynth replay worst.json
      xsynth explain

    Exit codes: 0 done; 1 an honest no; 2 wrong usage or an unreadable program.
    """


@app.command()
def learn(
    program: Annotated[
        str,
        typer.Argument(
            metavar="PROGRAM[::FUNCTION]",
            help="A Python file, or an installed module, and a function or Class.method in it;"
            " the only public function may be left out.",
        ),
    ],
    scales: Annotated[
        str,
        typer.Option(
            metavar="RANGE",
            help="Small sizes to explore: 2..6, 2..10..2 or 2,3,5; several: 'n=2..5,m=2..4'.",
        ),
    ] = "2..6",
    size: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=EXPR", help="A length in terms of n: edges='n*(n-1)'."),
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A fixed argument: src=0, size=n, p='\"ab\"'."),
    ] = None,
    range_: Annotated[
        list[str] | None,
        typer.Option("--range", metavar="NAME=LO..HI", help="Bounds of every element: a=0..9."),
    ] = None,
    input_: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME=TYPE",
            help="The type of a parameter, in place of its annotation: a='list[int]'.",
        ),
    ] = None,
    assume: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EXPR", help="A precondition in Python: 'all(x >= 0 for x in a)'. Repeatable."
        ),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            metavar="MEASURE",
            help="What counts: steps (the default), branches, calls, work, line:N or loop:N.",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write the model: .xsynth/FUNCTION.isg."),
    ] = None,
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", help="Time for the whole, two thirds for exploring.")
    ] = 120.0,
    workers: Annotated[int, typer.Option(metavar="K", min=1, help="Explore in K processes.")] = 1,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Explore on a Dask cluster.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Learn how the worst case grows, from all paths at small sizes.

    \b
    Examples:
      xsynth learn sort.py::insertion_sort --scales 2..6
      xsynth learn heap.py::Heap.push --scales 2..6 --range self.items=0..9
      xsynth learn package.module::function --scales 2..6
      xsynth learn graph.py::dijkstra --size 'w=n,n' --range w=1..9 --fix src=0
      xsynth learn find.py --assume 'all(x <= y for x, y in zip(a, a[1:]))'
      xsynth learn merge.py --scales 'n=2..5,m=2..4' --size b=m
    """
    if dask is not None and workers > 1:
        raise UsageError("--dask and --workers exclude each other", "give one of them")
    from xsynth import commands

    request = commands.LearnRequest(
        target=program,
        scales=scales,
        sizes=tuple(size or ()),
        fixes=tuple(fix or ()),
        ranges=tuple(range_ or ()),
        inputs=tuple(input_ or ()),
        assumptions=tuple(assume or ()),
        cost=cost,
        model=model,
        budget=budget,
        workers=workers,
        dask=dask,
    )
    return commands.learn(request, as_json=json)


@app.command()
def generate(
    scale: Annotated[
        str,
        typer.Option(
            metavar="N", help="The size of the input to write: 500, or n=300,m=200 for several."
        ),
    ],
    model: ModelOption = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write there, not on standard output.")
    ] = None,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="json (the default); python: assignments; text: raw numbers and strings; "
            "npy: a numpy file; smt2: the path condition.",
        ),
    ] = None,
    strategy: Annotated[
        Way,
        typer.Option(
            help="synthesize: expand the generators and solve once; direct: one run by the "
            "policy; guided: search with the policy; auto: in this order until verified."
        ),
    ] = Way.AUTO,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="With --strategy guided: wise, history:h (the last h decisions) or adaptive, "
            "learned anew from the model's scales.",
        ),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Run the function on the input.")
    ] = True,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Give up after so long.")
    ] = 300.0,
    json: JsonOption = False,
) -> int:
    """Write a worst-case input of size N, and verify its cost.

    \b
    Examples:
      xsynth generate --scale 500
      xsynth generate --scale 500 --format python --output worst.py
      xsynth generate --scale 2000 --no-verify --timeout 60
    """
    if json and format_ not in (None, Format.JSON):
        raise UsageError(f"--json and --format {format_.value} contradict each other", "use one")
    if policy is not None and strategy is not Way.GUIDED:
        raise UsageError("--policy guides a search", "give --strategy guided with it")
    from xsynth import commands
    from xsynth.options import parse_scale

    request = commands.GenerateRequest(
        scale=parse_scale(scale),
        model=model,
        output=output,
        format=(format_ or Format.JSON).value,
        strategy=strategy.value,
        verify=verify,
        timeout=timeout,
        policy=policy,
    )
    return commands.generate(request)


@app.command()
def explain(model: ModelOption = None, json: JsonOption = False) -> int:
    """Show what was learned: generators, cost, scales, policy.

    \b
    Examples:
      xsynth explain
      xsynth explain --model .xsynth/insertion_sort.isg --json
    """
    from xsynth import commands

    return commands.explain(model, as_json=json)


@app.command()
def replay(
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT", help="JSON that generate wrote, or an object of arguments; - is stdin."
        ),
    ],
    model: ModelOption = None,
    json: JsonOption = False,
) -> int:
    """Run the function on an input; compare cost and prediction.

    \b
    Examples:
      xsynth replay worst.json
      echo '{"a": [3, 2, 1]}' | xsynth replay -
    """
    from xsynth import commands

    return commands.replay(source, model, as_json=json)


@app.command()
def complexity(
    model: ModelOption = None,
    upto: Annotated[
        str, typer.Option(metavar="N", help="The largest size to generate for; or n=80,m=60.")
    ] = "100",
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw it too: FILE.png or FILE.svg (xsynth[plot])."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Measure the worst-case cost over sizes, and tell how it grows.

    \b
    Examples:
      xsynth complexity
      xsynth complexity --upto 500 --plot growth.svg
    """
    from xsynth import commands
    from xsynth.options import parse_scale

    largest = parse_scale(upto, "--upto")
    return commands.complexity(model, largest, plot, as_json=json)


for _command in (cli_reports.bench, cli_reports.report, cli_reports.examples):
    app.command()(_command)


def main() -> NoReturn:
    sys.exit(_run())


def _run() -> int:
    sys.set_int_max_str_digits(0)  # exponential costs have long numbers
    try:
        code = app(prog_name="xsynth", standalone_mode=False)
        sys.stdout.flush()
    except XsynthError as error:
        return _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        return _fail("out of memory\ngive a smaller scale", 1)
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error of typer's, whatever its version
            return _fail(f"{error.format_message()}\n{_advice(error)}", 2)
        if os.environ.get("XSYNTH_DEBUG"):
            raise
        what = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        return _fail(f"internal error: {what} (run with XSYNTH_DEBUG=1 for the traceback)", 1)
    if code == INTERRUPTED:
        return _fail("interrupted", 1)
    return code if isinstance(code, int) else 0


def _advice(error: Any) -> str:
    command = str(getattr(getattr(error, "ctx", None), "command_path", "xsynth"))
    extra = re.search(r"unexpected extra argument.*\((\S+)", error.format_message())
    if extra is not None:  # most people give the function's name, or its file
        name = Path(extra.group(1).rstrip(")")).stem.rpartition("::")[2]
        model = Path(".xsynth") / f"{name}.isg"
        if model.is_file():
            return f"did you mean {command} --model {model}?"
    return f"see {command} --help"


def _fail(message: str, code: int) -> int:
    lines = [line for line in message.splitlines() if line.strip()]
    print("xsynth: " + "\n".join(lines[:3]), file=sys.stderr)
    return code
