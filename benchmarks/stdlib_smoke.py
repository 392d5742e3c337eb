"""A smoke test over the standard library, for crashes of xsynth itself.

    python benchmarks/stdlib_smoke.py [--seconds S] [--only MODULE ...] [--list]

Every function at the top of every pure-Python module is loaded, and explored for a fraction
of a second at scale 2, with each of a few shapes for its parameters.  What the function
raises is its own affair, and so is what xsynth refuses; a traceback that is no `XsynthError`
is a crash.  One process a module, killed when its time is up.  Modules that would touch the
machine (files, processes, the network, windows) are only instrumented and compiled.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import multiprocessing
import os
import sys
import sysconfig
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from xsynth.errors import InputSpecError, XsynthError
from xsynth.explore.worst import explore
from xsynth.program.instrument import instrument
from xsynth.program.program import Options, load
from xsynth.program.rewrite import Options as How

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
LEFT_OUT = {"test", "tests", "site-packages", "idlelib", "turtledemo", "lib2to3", "__pycache__"}
TOUCHES = {
    *("antigravity", "this", "turtle", "tkinter", "webbrowser", "os", "shutil", "subprocess"),
    *("pty", "tty", "tempfile", "multiprocessing", "concurrent", "asyncio", "signal", "socket"),
    *("socketserver", "threading", "ensurepip", "venv", "distutils", "http", "xmlrpc", "urllib"),
    *("wsgiref", "smtplib", "ftplib", "imaplib", "poplib", "nntplib", "telnetlib", "site", "pdb"),
    *("cgi", "cgitb", "pathlib", "glob", "fileinput", "logging", "unittest", "runpy", "compileall"),
    *("zipapp", "zipfile", "tarfile", "py_compile", "sched", "crypt", "getpass", "mailbox", "dbm"),
    *("shelve", "__phello__", "pydoc", "pydoc_data", "curses", "sqlite3", "ctypes", "posixpath"),
}
SHAPES = ("str", "list[int]", "int")


def modules() -> Iterator[Path]:
    for path in sorted(LIBRARY.rglob("*.py")):
        inside = path.relative_to(LIBRARY)
        if not LEFT_OUT & set(inside.parts) and "__main__" not in path.name:
            yield path


def touches(path: Path) -> bool:
    return path.relative_to(LIBRARY).parts[0].removesuffix(".py") in TOUCHES


def instruments(path: Path) -> str | None:
    """Rewrites the module in every way and compiles it; the traceback of a crash."""
    try:
        source = path.read_text(encoding="utf-8")
        compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None
    try:
        for how in (How(str(path), True, False), How(str(path), False, True, True)):
            compile(instrument(source, how)[0], str(path), "exec", dont_inherit=True)
    except Exception:
        return traceback.format_exc()
    return None


def functions(path: Path) -> list[tuple[str, list[str]]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args]
            needed = arguments[: len(arguments) - len(node.args.defaults)]
            found.append((node.name, [argument.arg for argument in needed]))
    return found


def one(path: Path, name: str, needed: list[str], shape: str, seconds: float) -> str:
    """How the function fared: "explored", the kind of a refusal, or a traceback."""
    try:
        program = load(path, name, Options(inputs=dict.fromkeys(needed, shape)))
        explore(program, 2, time.monotonic() + seconds)
    except InputSpecError:
        return "no shape"
    except XsynthError as error:
        return type(error).__name__
    except Exception:
        return traceback.format_exc()
    return "explored"


def child(path: Path, seconds: float, answers: Connection) -> None:
    os.chdir(tempfile.mkdtemp())
    sys.stdin = io.StringIO("")
    warnings.simplefilter("ignore")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    for name, needed in functions(path):
        for shape in SHAPES if needed else SHAPES[:1]:
            answers.send((name, shape, one(path, name, needed, shape, seconds)))


def explored(path: Path, seconds: float) -> Iterator[tuple[str, str, str]]:
    answers, sender = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=child, args=(path, seconds, sender))
    process.start()
    sender.close()
    end = time.monotonic() + min(30, 5 + 3 * seconds * len(SHAPES) * len(functions(path)))
    with contextlib.suppress(EOFError):
        while answers.poll(max(0, end - time.monotonic())):
            yield answers.recv()
    if process.is_alive() and time.monotonic() > end:
        yield "", "", "killed"
    process.kill()
    process.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.2, help="for each exploration")
    parser.add_argument("--only", nargs="*", help="modules, by their file's name")
    parser.add_argument("--list", action="store_true", help="name every refusal as well")
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    crashes = 0
    for path in modules():
        if options.only and path.stem not in options.only:
            continue
        crash = instruments(path)
        seen["modules"] += 1
        if crash is not None:
            crashes += 1
            print(f"{path}\n{crash}", flush=True)
        elif not touches(path):
            for name, shape, how in explored(path, options.seconds):
                crashed = how.startswith("Traceback")
                seen["crash" if crashed else how] += 1
                crashes += crashed
                if crashed or options.list:
                    print(f"{path}::{name} {shape}: {how}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in seen.most_common()))
    return int(crashes > 0)


if __name__ == "__main__":
    sys.exit(main())
