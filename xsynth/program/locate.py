"""Where a program is: a file, or a module that Python can import.

`sort.py::my_sort` names a file; `package.module::function` an installed module (or one below
the current folder), whose source is found without importing anything.  A function that a
module only hands on (`from .core import function`) is learned where it is written.

A model remembers a module by its name (`module:package.module`), so that it does not matter
in which folder an environment lies.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from pathlib import Path

from xsynth.errors import ProgramError, UsageError
from xsynth.program.source import parse, read_source

MODULE = "module:"
_HANDED_ON = 10
"""How many modules may hand a function on before it is written somewhere."""


@dataclass(frozen=True, slots=True)
class Located:
    path: Path
    function: str | None
    module: str | None = None


def locate(target: Path | str, function: str | None) -> Located:
    """The file of a target and the function in it."""
    text = str(target)
    if not is_module_name(text):
        return Located(Path(text), function)
    module, path = text, module_file(text)
    if function is not None:
        module, path, function = _written(module, path, function)
    # A module that is merely below this folder is a file to a model: it moves with the folder.
    installed = installed_package(path.resolve()) is not None
    return Located(path, function, module if installed else None)


def is_module_name(text: str) -> bool:
    """Whether a text names a module rather than a file."""
    if text.endswith(".py") or Path(text).is_file():
        return False
    return all(part.isidentifier() for part in text.split("."))


def source_path(program: str) -> Path:
    """The file that a model's program is in."""
    if program.startswith(MODULE):
        return module_file(program.removeprefix(MODULE))
    return Path(program)


def module_file(name: str) -> Path:
    """The source of a module; nothing is imported, not even the packages around it."""
    spec = _spec(name)
    if spec is None:
        raise ProgramError(
            f"{name}: there is no such file, and no such module in {sys.prefix}",
            "give the path of a Python file, as in prog.py::function, or install the module",
        )
    if _is_c(spec):
        raise ProgramError(
            f"{name} is written in C, and xsynth reads Python source",
            "write the computation in Python, or learn a function that calls it",
        )
    if spec.origin is None or not Path(spec.origin).is_file():
        raise ProgramError(
            f"{name} is a folder of modules, with no code of its own",
            f"name one of them: {name}.MODULE::FUNCTION",
        )
    if not spec.origin.endswith(".py"):
        raise ProgramError(f"{spec.origin}: there is no source of {name}", "install its source")
    return Path(spec.origin)


def _spec(name: str) -> ModuleSpec | None:
    where: Sequence[str] | None = [str(Path.cwd()), *sys.path]
    found: ModuleSpec | None = None
    whole = ""
    for part in name.split("."):
        if where is None:
            return None  # what is around it is no package
        whole = f"{whole}.{part}" if whole else part
        found = PathFinder.find_spec(whole, where)
        if found is None and whole == part:
            found = _by_any_finder(part)
        if found is None:
            return None
        where = found.submodule_search_locations
    return found


def _by_any_finder(name: str) -> ModuleSpec | None:
    """Built-in modules, and what was installed in place by a finder of its own."""
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


def _is_c(spec: ModuleSpec) -> bool:
    return spec.origin == "built-in" or isinstance(spec.loader, ExtensionFileLoader)


def is_accelerator(name: str) -> bool:
    """Whether a module is a C form of another: `_bisect`, `package._speedups`."""
    if not name.rpartition(".")[2].startswith("_"):
        return False
    spec = _spec(name)
    return spec is not None and _is_c(spec)


def optional_imports(tree: ast.Module) -> frozenset[str]:
    """The modules that a program can do without: imported in `try ... except ImportError`.

    One that it imports elsewhere too is not among them.
    """
    found: set[str] = set()
    needed: set[str] = set()
    tried: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any(map(_catches, node.handlers)):
            # What follows in `else` is imported only where the first import went well.
            tried.update(id(inner) for s in (*node.body, *node.orelse) for inner in ast.walk(s))
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                named = {alias.name for alias in names}
            case ast.ImportFrom(module=module, names=names):
                start = f"{module}." if module else ""
                named = {f"{start}{alias.name}" for alias in names} | (
                    {module} if module else set()
                )
            case _:
                continue
        (found if id(node) in tried else needed).update(named)
    return frozenset(found - needed)


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler goes on where a module is missing."""
    if any(isinstance(node, ast.Raise) for node in ast.walk(handler)):
        return False
    if handler.type is None:
        return True
    names = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(names & {"ImportError", "ModuleNotFoundError", "Exception"})


def installed_package(path: Path) -> str | None:
    """The outermost package of an installed file, or its module; None for the user's own files.

    What is beside an installed module is not the program's.
    """
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    roots = [Path(folder).resolve() for folder in folders]
    roots += [Path(entry).resolve() for entry in sys.path if entry.endswith("-packages")]
    within = [root for root in roots if path.is_relative_to(root)]
    if not within:
        return None
    nearest = max(within, key=lambda root: len(root.parts))
    return path.relative_to(nearest).with_suffix("").parts[0]


def _written(module: str, path: Path, function: str) -> tuple[str, Path, str]:
    """Where a function is written that a module may only hand on."""
    first, dot, rest = function.partition(".")
    for _ in range(_HANDED_ON):
        tree = parse(read_source(path), path)
        if first in _defined(tree):
            break
        alias = _alias(tree, first)
        if alias is not None:
            first = alias
            continue
        step = _handed_on(tree, module, path, first)
        if step is None:
            break
        module, first = step
        path = module_file(module)
    return module, path, f"{first}{dot}{rest}"


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        match node:
            case ast.If(body=then, orelse=other):
                yield from _statements([*then, *other])
            case ast.Try(body=then, handlers=handlers, orelse=other):
                caught = [inner for handler in handlers for inner in handler.body]
                yield from _statements([*then, *other, *caught])
            case _:
                pass


def _defined(tree: ast.Module) -> set[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name for node in _statements(tree.body) if isinstance(node, kinds)}


def _alias(tree: ast.Module, name: str) -> str | None:
    """`name = other` at the top of a module."""
    for node in _statements(tree.body):
        match node:
            case ast.Assign(targets=targets, value=ast.Name(id=other)):
                if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                    return other
            case _:
                pass
    return None


def _handed_on(tree: ast.Module, module: str, path: Path, name: str) -> tuple[str, str] | None:
    """The module that a name is imported from, and its name there."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in _statements(tree.body):
        if not isinstance(node, ast.ImportFrom):
            continue
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        source = ".".join(part for part in (*above, node.module or "") if part)
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                return source, alias.name
            if alias.name == "*" and _has(source, name):
                return source, name
    return None


def _has(module: str, name: str) -> bool:
    try:
        path = module_file(module)
        tree = parse(read_source(path), path)
    except UsageError:
        return False
    found = name in _defined(tree) or _alias(tree, name) is not None
    return found or _handed_on(tree, module, path, name) is not None
