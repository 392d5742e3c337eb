"""`xsynth report` and `xsynth examples`, once their options are read."""

from __future__ import annotations

import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path

from xsynth import shipped
from xsynth.errors import UsageError
from xsynth.scale import Scale, shown


def _say(text: str) -> None:
    print(f"xsynth: {text}", file=sys.stderr)


# -- examples


def examples(name: str | None, *, force: bool, as_json: bool) -> int:
    from xsynth.report.jsonable import dump

    if name is None:
        listed = shipped.examples().values()
        if as_json:
            print(dump({one.name: _described(one) for one in listed}))
            return 0
        width = max(len(one.name) for one in listed)
        for one in listed:
            print(f"{one.name:{width}}  {one.about}")
        _say("to copy one to this folder: xsynth examples NAME")
        return 0
    example = shipped.example(name)
    files = (example.path, *example.beside)
    taken = [p.name for p in files if not force and _is_another(Path(p.name), p)]
    if taken:
        raise UsageError(
            f"{taken[0]} is there already, and is another file", "to replace it: --force"
        )
    for file in files:
        try:
            Path(file.name).write_bytes(file.read_bytes())
        except OSError as error:
            raise UsageError(
                f"{file.name}: cannot be written: {error.strerror}", "try another folder"
            ) from None
    copy = Path(example.path.name)
    if as_json:
        print(dump({"file": str(copy), **_described(example)}))
        return 0
    print(f"{copy}: {example.about}")
    if example.beside:
        print(f"with {', '.join(path.name for path in example.beside)}, which it imports")
    print(f"try:  {example.command(copy)}")
    return 0


def _is_another(copy: Path, source: Path) -> bool:
    return copy.exists() and (copy.is_dir() or copy.read_bytes() != source.read_bytes())


def _described(example: shipped.Example) -> dict[str, object]:
    learn = shlex.split(example.command(Path(example.path.name)))
    return {"about": example.about, "function": example.function, "learn": learn}


# -- report


def report(model_file: Path | None, scale: Scale, output: Path | None, timeout: float) -> int:
    """A page on one model; exit code 1 where the input at that scale is not verified."""
    from xsynth.model import store
    from xsynth.report.formats import check_writable, write_aside
    from xsynth.report.program_html import inspect, program_html
    from xsynth.report.tables import changed_line
    from xsynth.session import open_model

    path = model_file or store.latest(Path())
    if output is not None:
        check_writable(output)
    with redirect_stdout(sys.stderr):
        opened = open_model(path)
        if opened.changed:
            _say(changed_line(opened.program, path))
        seen = inspect(opened, scale, timeout)
    output = output or Path(f"{opened.program.function}.html")
    write_aside(output, program_html(opened, seen).encode())
    _say(f"{opened.program.function} at {shown(scale)}: {seen.verdict}")
    _say(f"report: {output}")
    return 0 if seen.made is not None and seen.made.verified else 1
