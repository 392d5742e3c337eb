"""Loading a program: from a path and a function's name to something that runs.

The module is executed twice, once instrumented for tracing and once for counting, each
in a namespace of its own.  Modules beside it that it imports are instrumented too; the
standard library and installed packages are imported as they are.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, ModuleType

from xsynth.errors import ProgramError
from xsynth.program.blocks import Block
from xsynth.program.instrument import COUNTS, TICK, Options, instrument


def digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def read_source(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ProgramError(
            f"{path}: no such file", "give the path of a Python file, as in prog.py::function"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProgramError(f"{path}: cannot be read: {error}", "is it a Python file?") from None


def parse(source: str, path: Path) -> ast.Module:
    try:
        return ast.parse(source, str(path))
    except SyntaxError as error:
        raise ProgramError(
            f"{path}:{error.lineno}: syntax error: {error.msg}",
            f"the line reads: {(error.text or '').strip()}",
        ) from None
    except ValueError as error:  # a null byte
        raise ProgramError(f"{path}: not Python source: {error}", "is it a Python file?") from None


def choose_function(tree: ast.Module, path: Path, wanted: str | None) -> ast.FunctionDef:
    """The function of that name, or the only public one."""
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef) and node.name == wanted:
            raise ProgramError(
                f"{path}:{node.lineno}: {wanted} is a coroutine (async def)",
                "xsynth runs ordinary functions: move the computation into one and learn that",
            )
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    public = [name for name in functions if not name.startswith("_")]
    if wanted is not None:
        if wanted not in functions:
            known = ", ".join(functions) or "none"
            raise ProgramError(
                f"{path}: there is no function {wanted}", f"functions in the file: {known}"
            )
        return functions[wanted]
    if not public:
        raise ProgramError(f"{path}: there is no public function", "name one: prog.py::function")
    if len(public) > 1:
        marked = [name for name in public if _is_problem(functions[name])]
        if len(marked) != 1:
            raise ProgramError(
                f"{path}: several functions: {', '.join(public)}",
                f"say which one: {path}::{public[-1]}",
            )
        public = marked
    return functions[public[0]]


def _is_problem(node: ast.FunctionDef) -> bool:
    """Whether the function carries the decorator `@xsynth.problem(...)`."""
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (isinstance(target, ast.Attribute) and target.attr == "problem") or (
            isinstance(target, ast.Name) and target.id == "problem"
        ):
            return True
    return False


@dataclass
class Build:
    """A program and the modules beside it, instrumented in one way.

    `counts` is shared by all of them; `calls` and `tracer` are what traced code calls.
    """

    root: Path
    trace: bool
    conditions: bool
    counts: list[int] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    modules: dict[str, ModuleType] = field(default_factory=dict)
    hooks: Mapping[str, object] = field(default_factory=dict)
    stateful: bool = False
    """Whether a run can leave something behind in a module: then each run starts anew."""
    compiled: dict[str, CodeType] = field(default_factory=dict)

    def module(self, name: str, path: Path, source: str) -> ModuleType:
        options = Options(str(path), self.trace, self.conditions)
        self.stateful |= keeps_state(ast.parse(source))
        tree, blocks = instrument(source, options, len(self.blocks))
        self.blocks += blocks
        self.counts += [0] * len(blocks)
        module = ModuleType(name)
        self.modules[name] = module
        namespace = module.__dict__
        namespace["__file__"] = str(path)
        namespace["__builtins__"] = {
            **vars(builtins),
            "__import__": self._import,
            "print": _silent,
        }
        namespace[COUNTS] = self.counts
        namespace[TICK] = self._tick
        namespace.update(self.hooks)
        self.compiled[name] = compile(tree, str(path), "exec")
        self._execute(name, path)
        return module

    def _execute(self, name: str, path: Path) -> None:
        module = self.modules[name]
        try:
            # Classes look their module up by name (dataclasses do, for one).
            with _registered(name, module), _beside(self.root):
                exec(self.compiled[name], module.__dict__)
        except (Exception, SystemExit) as error:
            raise ProgramError(
                f"{path}: fails when it is imported: {type(error).__name__}: {error}",
                "make the file importable; code for the command line belongs under "
                'if __name__ == "__main__"',
            ) from error

    def renew(self) -> None:
        """Executes the modules again, where a run may have left something in them."""
        if self.stateful:
            for name, module in self.modules.items():
                self._execute(name, Path(str(module.__file__)))

    def _tick(self, block: int) -> None:
        self.counts[block] += 1

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Iterable[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        path = self.root / f"{name}.py"
        if level <= 1 and "." not in name and name and path.is_file():
            if name not in self.modules:
                source = read_source(path)
                parse(source, path)
                self.module(name, path, source)
            return self.modules[name]
        return builtins.__import__(name, globals, locals, tuple(fromlist or ()), level)


def keeps_state(tree: ast.Module) -> bool:
    """Whether functions may leave something behind between two calls.

    Caches, default arguments that are mutable, `global` names, containers and objects at
    module level: a look at the syntax says yes rather too often than too seldom.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Global():
                return True
            case ast.FunctionDef(decorator_list=decorators, args=arguments):
                defaults = [*arguments.defaults, *(d for d in arguments.kw_defaults if d)]
                if decorators or not all(isinstance(d, ast.Constant | ast.Name) for d in defaults):
                    return True
            case _:
                pass
    return any(_assigns_object(s) for node in _bodies(tree) for s in node)


def _bodies(tree: ast.Module) -> list[list[ast.stmt]]:
    return [tree.body, *(n.body for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]


def _assigns_object(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    mutable = ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp | ast.DictComp | ast.SetComp
    return isinstance(statement.value, mutable)


@contextmanager
def _registered(name: str, module: ModuleType) -> Iterator[None]:
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        yield
    finally:
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def _silent(*_values: object, **_options: object) -> None:
    """`print` inside a measured function: output is out of scope, and costs one step."""
