"""A smoke test over the standard library, for crashes of xsynth itself.

    python benchmarks/stdlib_smoke.py [--seconds S] [--only MODULE ...] [--results FILE] [--list]

Every pure-Python module is instrumented and compiled in both ways, and every function at its
top and every method of a class there is loaded, and explored for a fraction of a second at
scale 2: with what xsynth itself takes its parameters for, and with each of a few shapes.  What the
function raises is its own affair, and so is what xsynth refuses; a traceback that is no
`XsynthError`, or a process that dies, is a crash.

One process a module.  It is killed when one function takes longer than its limit, and the next
process goes on behind that function.  `--results` keeps what was seen as lines of JSON, and a
run that is started again with the same file goes on where the last one ended.

A function that would touch the machine is only compiled: see `touching`.  The processes may
besides write no file, and work in an empty folder.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import io
import json
import multiprocessing
import os
import resource
import sys
import sysconfig
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from xsynth.errors import InputSpecError, XsynthError
from xsynth.explore.worst import explore
from xsynth.program import program
from xsynth.program.instrument import instrument
from xsynth.program.rewrite import Options as How

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
LEFT_OUT = {"test", "tests", "site-packages", "idlelib", "turtledemo", "lib2to3", "__pycache__"}
"""Tests, other people's packages, and applications and demonstrations that open windows."""
MACHINE = {
    *("socket", "_socket", "ssl", "_ssl", "socketserver", "select", "selectors", "http", "urllib"),
    *("ftplib", "smtplib", "imaplib", "poplib", "nntplib", "telnetlib", "xmlrpc", "asyncio"),
    *("subprocess", "_posixsubprocess", "multiprocessing", "_multiprocessing", "concurrent"),
    *("threading", "_thread", "signal", "pty", "termios", "fcntl", "tty", "sched", "runpy"),
    *("tkinter", "_tkinter", "turtle", "curses", "_curses", "webbrowser", "readline", "msvcrt"),
    *("ctypes", "_ctypes", "sqlite3", "_sqlite3", "dbm", "_dbm", "_gdbm", "winreg", "_winapi"),
    *("posix", "nt", "shutil", "tempfile", "ensurepip", "venv", "zipimport", "syslog"),
}
"""Modules through which a function reaches processes, threads, the network, windows, files."""
OF_OS = {
    *("remove", "unlink", "rmdir", "removedirs", "rename", "renames", "replace", "mkdir"),
    *("makedirs", "chmod", "chown", "link", "symlink", "truncate", "utime", "open", "close"),
    *("kill", "killpg", "abort", "_exit", "fork", "forkpty", "wait", "waitpid", "system", "popen"),
    *("write", "read", "pipe", "dup", "dup2", "chdir", "chroot", "setuid", "setgid", "putenv"),
    *("unsetenv", "environ", "umask", "nice", "execv", "execve", "execvp", "execvpe", "spawnv"),
    *("posix_spawn", "startfile", "get_terminal_size", "mkfifo", "mknod", "lchown", "fchmod"),
}
"""What does so of `os`."""
SHAPES = ("", "str", "list[int]", "int")
"""The first is what xsynth takes the parameters for."""
LIMIT = 10.0
"""Seconds for one function; for a module to be compiled or loaded, three times that."""


def modules() -> Iterator[Path]:
    for path in sorted(LIBRARY.rglob("*.py")):
        inside = path.relative_to(LIBRARY)
        if not LEFT_OUT & set(inside.parts) and "__main__" not in path.name:
            yield path


def name_of(path: Path) -> str:
    parts = path.relative_to(LIBRARY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def compiled(path: Path) -> str:
    """Rewrites the module in every way and compiles it; "compiled", or what came of it."""
    try:
        source = path.read_text(encoding="utf-8")
        compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return "no Python"
    try:
        for how in (How(str(path), True, False), How(str(path), False, True, True)):
            compile(instrument(source, how)[0], str(path), "exec", dont_inherit=True)
    except Exception:
        return traceback.format_exc()
    return "compiled"


def touching(tree: ast.Module, name: str) -> set[str]:
    """The definitions of a module that reach a module of MACHINE, directly or through others.

    All of them, if code that runs on import calls one, or if the module is one itself.
    """
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    bodies = {node.name: node for node in tree.body if isinstance(node, definitions)}
    if name.partition(".")[0] in MACHINE:
        return set(bodies)
    bad = set(_imported(tree)) - set(bodies)
    for node in tree.body:
        match node:
            case ast.Expr(value=ast.Call(func=called)) if _uses(called, bad):
                return set(bodies)
            case _:
                pass
    while True:
        more = {name for name, node in bodies.items() if name not in bad and _uses(node, bad)}
        if not more:
            return bad & set(bodies)
        bad |= more


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names that imports of such modules bind, anywhere."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    if alias.name.partition(".")[0] in MACHINE:
                        yield (alias.asname or alias.name).partition(".")[0]
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                for alias in names:
                    first = module.partition(".")[0]
                    if first in MACHINE or (first == "os" and alias.name in OF_OS):
                        yield alias.asname or alias.name
            case _:
                pass


def _uses(node: ast.AST, names: set[str]) -> bool:
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name) if name in names:
                return True
            case ast.Attribute(value=ast.Name(id="os" | "_os"), attr=name) if name in OF_OS:
                return True
            case _:
                pass
    return False


def functions(path: Path) -> list[tuple[str, list[str], bool]]:
    """The functions at the top and the methods of classes there, as targets: what each must be
    given, receivers included, and whether it touches the machine.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bad = touching(tree, name_of(path))
    found: dict[str, tuple[str, list[str], bool]] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                found[name] = (name, _needed(node), name in bad)
            case ast.ClassDef(name=owner, body=body):
                inner = [n for n in body if isinstance(n, ast.FunctionDef)]
                made = [n for n in inner if n.name == "__init__"]
                wanted = [f"self.{a}" for n in made[-1:] for a in _needed(n)[1:]]
                for method in inner:
                    # `self` is told by its parts; what makes no receiver is refused as ever
                    own = _needed(method)
                    receiver = own[:1] == ["self"]
                    needed = [*wanted, *own[1:]] if receiver else own
                    name = f"{owner}.{method.name}"
                    found[name] = (name, needed, owner in bad)
            case _:
                pass
    return list(found.values())


def _needed(function: ast.FunctionDef) -> list[str]:
    """The parameters without a default."""
    own = function.args
    arguments = [*own.posonlyargs, *own.args]
    needed = arguments[: len(arguments) - len(own.defaults)]
    needed += [a for a, d in zip(own.kwonlyargs, own.kw_defaults, strict=True) if d is None]
    return [a.arg for a in needed]


def one(path: Path, name: str, needed: Sequence[str], shape: str, seconds: float) -> str:
    """How the function fared: "explored", the kind of a refusal, or a traceback."""
    inputs = dict.fromkeys(needed, shape) if shape else {}
    try:
        loaded = program.load(path, name, program.Options(inputs=inputs))
        explore(loaded, 2, time.monotonic() + seconds)
    except InputSpecError:
        return "no shape"
    except XsynthError as error:
        return type(error).__name__
    except Exception:
        return traceback.format_exc()
    return "explored"


def child(path: Path, seconds: float, skip: int, answers: Connection) -> None:
    """Sends the name, the shape and the outcome of each function from one on."""
    os.chdir(tempfile.mkdtemp())
    sys.stdin = io.StringIO("")
    warnings.simplefilter("ignore")
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    # One load of a module serves all of its functions.
    program._build = functools.cache(program._build)
    program.parse = functools.cache(program.parse)  # type: ignore[attr-defined]
    if skip == 0:
        answers.send(("", "", compiled(path)))
    try:
        found = functions(path)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        found = []
    for name, needed, touches in found[max(skip - 1, 0) :]:
        if touches:
            answers.send((name, None, "touches the machine"))
            continue
        for shape in SHAPES if needed else SHAPES[:1]:
            answers.send((name, shape, one(path, name, needed, shape, seconds)))
        answers.send((name, None, "done"))
    answers.send(None)


Seen = tuple[str, str | None, str]


def watched(path: Path, seconds: float) -> Iterator[Seen]:
    """All functions of a module, over as many processes as it takes."""
    skip = 0
    while True:
        answers, sender = multiprocessing.Pipe(False)
        process = multiprocessing.Process(target=child, args=(path, seconds, skip, sender))
        process.start()
        sender.close()
        ended = False
        end = time.monotonic() + 3 * LIMIT  # the module is loaded first
        how = "killed"
        try:
            while answers.poll(max(0, end - time.monotonic())):
                seen = answers.recv()
                if seen is None:
                    ended = True
                    break
                if seen[1] is None or seen[0] == "":
                    skip += 1
                    end = time.monotonic() + LIMIT
                if seen[2] != "done":
                    yield seen
        except EOFError:
            process.join()
            how = f"died: {process.exitcode}"
        process.kill()
        process.join()
        if ended:
            return
        yield f"#{skip}", None, how
        skip += 1
        if skip > 2000:
            return


def known(results: Path | None) -> Iterator[dict[str, str]]:
    if results is not None and results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                yield json.loads(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.1, help="for each exploration")
    parser.add_argument("--only", nargs="*", help="modules, by their names")
    parser.add_argument("--results", type=Path, help="a file to keep what was seen, to go on from")
    parser.add_argument("--list", action="store_true", help="name every refusal as well")
    options = parser.parse_args()
    lines = list(known(options.results))
    done = {line["module"] for line in lines if line.get("how") == "end"}
    seen = Counter(_kind(line["how"]) for line in lines if line["module"] in done)
    wanted = [path for path in modules() if not options.only or name_of(path) in options.only]
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        kept = None
        if options.results is not None:
            kept = stack.enter_context(options.results.open("a", encoding="utf-8"))
        for number, path in enumerate(wanted, 1):
            module = name_of(path)
            if module in done:
                continue
            for name, shape, how in [*watched(path, options.seconds), ("", None, "end")]:
                seen[_kind(how)] += 1
                if kept is not None:
                    row = {"module": module, "function": name, "shape": shape, "how": how}
                    print(json.dumps(row), file=kept, flush=True)
                if _kind(how) == "crash" or options.list:
                    print(f"{module}::{name} {shape}: {how}", flush=True)
            took = time.monotonic() - start
            progress = f"{number}/{len(wanted)} {module}, {seen['crash']} crashes, {took:.0f} s"
            print(progress, file=sys.stderr, flush=True)
    print(", ".join(f"{count} {what}" for what, count in seen.most_common()))
    return int(seen["crash"] > 0)


def _kind(how: str) -> str:
    if how.startswith(("Traceback", "died")):
        return "crash"
    return "modules" if how == "end" else how


if __name__ == "__main__":
    sys.exit(main())
