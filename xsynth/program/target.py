"""Which function is meant: `function`, `Class.method`, or the only public one of a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from xsynth.errors import ProgramError

Kind = Literal["function", "method", "static", "class"]
_PROPERTIES = {"property", "cached_property", "setter", "getter", "deleter"}


@dataclass(frozen=True, slots=True)
class Target:
    """A function by its dotted name, and how it is called."""

    name: str
    node: ast.FunctionDef
    kind: Kind = "function"
    owner: str | None = None
    """The class that a method is called on."""


def choose(tree: ast.Module, path: Path, wanted: str | None) -> Target:
    """The function of that name, or the only public one."""
    if wanted is not None:
        owner, _, name = wanted.rpartition(".")
        return _method(tree, path, owner, name) if owner else _function(tree, path, wanted)
    functions = _functions(tree.body)
    public = [name for name in functions if not name.startswith("_")]
    if not public:
        raise ProgramError(
            f"{path}: there is no public function", f"name one: {path}::{_example(tree)}"
        )
    if len(public) > 1:
        marked = [name for name in public if _is_problem(functions[name])]
        if len(marked) != 1:
            raise ProgramError(
                f"{path}: several functions: {', '.join(public)}",
                f"say which one: {path}::{public[-1]}",
            )
        public = marked
    return Target(public[0], functions[public[0]])


def defined(tree: ast.Module) -> list[str]:
    """The functions and the methods of classes, by dotted name."""
    found = list(_functions(tree.body))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}.{method}" for method in _functions(node.body)]
    return found


def _example(tree: ast.Module) -> str:
    methods = [name for name in defined(tree) if "._" not in name and "." in name]
    return methods[0] if methods else "function"


def _definitions(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Definitions in order, those under `if` and `try` too."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node
            case ast.If(body=then, orelse=other):
                yield from _definitions(then)
                yield from _definitions(other)
            case ast.Try(body=then, orelse=other, finalbody=last, handlers=handlers):
                yield from _definitions(then)
                for handler in handlers:
                    yield from _definitions(handler.body)
                yield from _definitions(other + last)
            case _:
                pass


def _functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {n.name: n for n in _definitions(body) if isinstance(n, ast.FunctionDef)}


def _function(tree: ast.Module, path: Path, wanted: str) -> Target:
    for node in _definitions(tree.body):
        if isinstance(node, ast.AsyncFunctionDef) and node.name == wanted:
            raise _coroutine(path, node)
        if isinstance(node, ast.ClassDef) and node.name == wanted:
            methods = ", ".join(m for m in _functions(node.body) if not m.startswith("_"))
            raise ProgramError(
                f"{path}:{node.lineno}: {wanted} is a class",
                f"name a method, {wanted}.METHOD: {methods or 'it has none'}",
            )
    functions = _functions(tree.body)
    if wanted not in functions:
        known = ", ".join(functions) or "none"
        raise ProgramError(
            f"{path}: there is no function {wanted}", f"functions in the file: {known}"
        )
    return Target(wanted, functions[wanted])


def _coroutine(path: Path, node: ast.AsyncFunctionDef) -> ProgramError:
    return ProgramError(
        f"{path}:{node.lineno}: {node.name} is a coroutine (async def)",
        "xsynth runs ordinary functions: move the computation into one and learn that",
    )


def _method(tree: ast.Module, path: Path, owner: str, name: str) -> Target:
    body = tree.body
    around: ast.ClassDef | None = None
    for part in owner.split("."):
        classes = {n.name: n for n in _definitions(body) if isinstance(n, ast.ClassDef)}
        if part not in classes:
            known = ", ".join(classes) or "none"
            raise ProgramError(
                f"{path}: there is no class {owner}", f"classes in the file: {known}"
            )
        around = classes[part]
        body = around.body
    assert around is not None
    node = _inherited(tree, around, name)
    if node is None:
        known = ", ".join(_functions(around.body)) or "none"
        raise ProgramError(
            f"{path}: the class {owner} has no method {name}", f"methods in the file: {known}"
        )
    if isinstance(node, ast.AsyncFunctionDef):
        raise _coroutine(path, node)
    decorators = {_decorator(d) for d in node.decorator_list}
    if decorators & _PROPERTIES:
        raise ProgramError(
            f"{path}:{node.lineno}: {owner}.{name} is a property",
            f"write a function that reads it, as in def read(x: {owner}): return x.{name}",
        )
    kind: Kind = "method"
    if "staticmethod" in decorators:
        kind = "static"
    elif "classmethod" in decorators or name == "__new__":
        kind = "class"
    if name in ("__init__", "__new__"):
        raise ProgramError(
            f"{path}:{node.lineno}: {owner}.{name} makes the object that it is called on",
            f"write a function with its parameters that returns {owner}(...), and learn that",
        )
    return Target(f"{owner}.{name}", node, kind, owner)


def _inherited(
    tree: ast.Module, around: ast.ClassDef, name: str
) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The method, of the class itself or of a base in the same file."""
    classes = {n.name: n for n in _definitions(tree.body) if isinstance(n, ast.ClassDef)}
    waiting, seen = [around], set[str]()
    while waiting:
        own = waiting.pop(0)
        for node in _definitions(own.body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
                return node
        for base in own.bases:
            plain = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(plain, ast.Name) and plain.id in classes and plain.id not in seen:
                seen.add(plain.id)
                waiting.append(classes[plain.id])
    return None


def _decorator(node: ast.expr) -> str:
    """The last name of a decorator: `functools.cached_property` is `cached_property`."""
    target = node.func if isinstance(node, ast.Call) else node
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def _is_problem(node: ast.FunctionDef) -> bool:
    """Whether the function carries the decorator `@xsynth.problem(...)`."""
    return any(_decorator(decorator) == "problem" for decorator in node.decorator_list)
