"""What xsynth does not run, found in the syntax tree before anything is explored.

Threads, coroutines, input and output, random numbers without a seed, the clock, and code
made from text: a run with them is no function of its arguments.  Only the target is looked at, and
the functions and methods of its file that it can reach, so that a `main()` that reads a
file stands in nobody's way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from xsynth.errors import UnsupportedError
from xsynth.program.timing import only_printed

THREADS = "threads and processes", "write the computation as one ordinary function"
OUTSIDE = "input or output", "read first, and pass what was read as an argument"
ASYNC = "a coroutine", "xsynth runs ordinary functions: move the computation into one"
RANDOM = "random numbers that are not seeded", "call random.seed(...) first, or pass the numbers in"
CODE = "code made from text", "write the code itself"
CLOCK = (
    "the clock",
    "pass the time in as an argument, or read it in a function that calls this one",
)

BUILTINS = {"input": OUTSIDE, "open": OUTSIDE, "eval": CODE, "exec": CODE, "compile": CODE}
MODULES = {
    **dict.fromkeys(("threading", "_thread", "multiprocessing", "concurrent"), THREADS),
    **dict.fromkeys(("socket", "subprocess", "urllib", "http", "requests", "httpx"), OUTSIDE),
    **dict.fromkeys(("ssl", "ftplib", "smtplib", "sqlite3", "tkinter", "webbrowser"), OUTSIDE),
    "asyncio": ASYNC,
    "secrets": RANDOM,
}
FUNCTIONS = {
    **dict.fromkeys(("os.system", "os.popen", "os.listdir", "os.walk", "os.remove"), OUTSIDE),
    **dict.fromkeys(("sys.stdin.read", "sys.stdin.readline", "sys.stdin.readlines"), OUTSIDE),
    **dict.fromkeys(("time.sleep", "os.fork"), THREADS),
    **dict.fromkeys(("os.urandom", "uuid.uuid4", "uuid.uuid1"), RANDOM),
    **dict.fromkeys(("time.localtime", "time.gmtime", "time.ctime", "os.times"), CLOCK),
    "timeit.default_timer": CLOCK,
    **dict.fromkeys(("datetime.datetime.now", "datetime.datetime.utcnow"), CLOCK),
    **dict.fromkeys(("datetime.datetime.today", "datetime.date.today"), CLOCK),
    **{
        f"time.{clock}{unit}": CLOCK
        for clock in ("time", "perf_counter", "monotonic", "process_time", "thread_time")
        for unit in ("", "_ns")
    },
}

_COMPUTES = ("urllib.parse.", "http.HTTPStatus")
"""What of these modules only computes."""


def check(tree: ast.Module, target: ast.FunctionDef, path: Path) -> None:
    """Raises UnsupportedError, with file and line, where the target reaches such a thing."""
    nodes = list(ast.walk(tree))
    imported = dict(_imports(nodes))
    defined = _bound(nodes)
    seeded = any(_called(n, imported) == "random.seed" for n in nodes)
    for function in _reached(tree, target):
        if isinstance(function, ast.AsyncFunctionDef):
            raise _refusal(path, function, f"async def {function.name}", ASYNC)
        for node in ast.walk(function):
            if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
                raise _refusal(path, node, "await", ASYNC)
            name = _called(node, imported)
            if name is None:
                if _of_a_path(node, imported):
                    raise _refusal(path, node, ast.unparse(node)[:60], OUTSIDE)
                continue
            why = _why(name, node, defined, seeded)
            if why is CLOCK and only_printed(function, partial(_reads_clock, imported=imported)):
                continue
            if why is not None:
                raise _refusal(path, node, name, why)


def _why(name: str, node: ast.AST, defined: set[str], seeded: bool) -> tuple[str, str] | None:
    first, dot, last = name.partition(".")
    if not dot:
        return BUILTINS.get(name) if name not in defined else None
    if first == "random":
        given = isinstance(node, ast.Call) and bool(node.args)
        return None if seeded or (last == "Random" and given) else RANDOM
    if name.startswith(_COMPUTES):
        return None
    return MODULES.get(first) or FUNCTIONS.get(name)


def _reads_clock(node: ast.AST, imported: dict[str, str]) -> bool:
    return FUNCTIONS.get(_called(node, imported) or "") is CLOCK


def _refusal(path: Path, node: ast.AST, name: str, why: tuple[str, str]) -> UnsupportedError:
    what, advice = why
    return UnsupportedError(f"{path}:{getattr(node, 'lineno', 0)}: {name}: {what}", advice)


def _imports(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Names that imports bind, and what they stand for: `("randint", "random.randint")`."""
    for node in nodes:
        match node:
            case ast.Import(names=names):
                for alias in names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    yield alias.asname or whole, whole
            case ast.ImportFrom(module=str() as module, names=names, level=0):
                for alias in names:
                    yield alias.asname or alias.name, f"{module}.{alias.name}"
            case _:
                pass


def _bound(nodes: Sequence[ast.AST]) -> set[str]:
    """Names that the file itself gives a meaning."""
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case _:
                pass
    return names


def _called(node: ast.AST, imported: dict[str, str]) -> str | None:
    """The full name of what a call calls: `input`, `random.randint`."""
    if not isinstance(node, ast.Call):
        return None
    parts: list[str] = []
    function = node.func
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        return None
    if parts and function.id not in imported:
        return None  # a method of some object
    return ".".join([imported.get(function.id, function.id), *reversed(parts)])


def _of_a_path(node: ast.AST, imported: dict[str, str]) -> bool:
    """`Path(...).read_text()`, and what else opens a file through `pathlib`."""
    if not any(whole.partition(".")[0] == "pathlib" for whole in imported.values()):
        return False
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("read_text", "write_text", "read_bytes", "write_bytes", "iterdir")
        case _:
            return False


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _reached(tree: ast.Module, target: ast.FunctionDef) -> list[Function]:
    """The target, and what it can call: by name, or as a method of any class of the file."""
    functions: dict[str, list[Function]] = {}
    classes: dict[str, list[Function]] = {}
    for node in tree.body:
        if isinstance(node, Function):
            functions.setdefault(node.name, []).append(node)
        if isinstance(node, ast.ClassDef):
            methods = [m for m in node.body if isinstance(m, Function)]
            classes[node.name] = [m for m in methods if m.name.startswith("__")]
            for method in methods:
                functions.setdefault(method.name, []).append(method)
    found: list[Function] = [target]
    seen = {id(target)}
    for function in found:
        for inner in ast.walk(function):
            match inner:
                case ast.Name(id=name):
                    next_ones = [*functions.get(name, []), *classes.get(name, [])]
                case ast.Attribute(attr=name):
                    next_ones = functions.get(name, [])
                case _:
                    continue
            for one in next_ones:
                if id(one) not in seen:
                    seen.add(id(one))
                    found.append(one)
    return found
