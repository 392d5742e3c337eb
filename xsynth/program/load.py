"""Loading a program: from a path and a function's name to something that runs.

The module is executed twice, once instrumented for tracing and once for counting, each
in a namespace of its own.  Modules beside it that it imports are instrumented too; the
standard library and installed packages are imported as they are.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from xsynth.errors import ProgramError
from xsynth.program.blocks import Block, Kind
from xsynth.program.instrument import instrument
from xsynth.program.locate import is_accelerator, optional_imports
from xsynth.program.rewrite import COUNTS, TICK, TRACER, WRITE, Options
from xsynth.program.source import parse, read_source
from xsynth.program.state import keeps_state
from xsynth.trace import building
from xsynth.trace.proxies.characters import Characters


@dataclass
class Build:
    """A program and the modules beside it, instrumented in one way.

    `counts` is shared by all of them; `calls` and `tracer` are what traced code calls.
    """

    root: Path
    trace: bool
    conditions: bool
    work: bool = False
    counts: list[int] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    modules: dict[str, ModuleType] = field(default_factory=dict)
    hooks: Mapping[str, object] = field(default_factory=dict)
    builtins: Mapping[str, object] = field(default_factory=dict)
    """Names that mean something else to these modules than Python's built-ins do."""
    stateful: bool = False
    """Whether a run can leave something behind in a module: then each run starts anew."""
    compiled: dict[str, CodeType] = field(default_factory=dict)
    forms: set[str] = field(default_factory=set)
    instead: Mapping[str, Callable[[], ModuleType]] = field(default_factory=dict)
    """Modules that are imported in place of those of these names."""
    prelude: Mapping[str, object] = field(default_factory=dict)
    """What a module can refer to from the start, where only a part of it is executed."""
    optional: dict[str, frozenset[str]] = field(default_factory=dict)
    """What each module can do without: the C forms among it are not imported."""
    package: str | None = None
    """The package of an installed module: nothing else is the program's own."""
    main: str = ""
    """The name of the program's own module."""
    own: int = 0
    """How many of the blocks are in that module: they are the first."""

    def module(self, name: str, path: Path, source: str) -> ModuleType:
        options = Options(str(path), self.trace, self.conditions, self.work)
        plain = ast.parse(source)
        self.stateful |= keeps_state(plain)
        self.optional[name] = optional_imports(plain)
        tree, blocks = instrument(source, options, len(self.blocks))
        self.blocks += blocks
        self.counts += [0] * len(blocks)
        if not self.main:
            self.main, self.own = name, len(self.blocks)
        made = self._make(name, path, compile(tree, str(path), "exec"))
        self._import_ahead(ast.parse(source), path)
        return made

    def _import_ahead(self, tree: ast.Module, path: Path) -> None:
        """What functions import when they run: the table of blocks must be complete before."""
        own = {"__package__": package_of(path), "__name__": path.stem}
        wanted: list[tuple[str, tuple[str, ...], int]]
        for node in ast.walk(tree):
            match node:
                case ast.Import(names=names):
                    wanted = [(alias.name, (), 0) for alias in names]
                case ast.ImportFrom(module=module, names=names, level=level):
                    wanted = [(module or "", tuple([a.name for a in names]), level)]
                case _:
                    continue
            for name, items, level in wanted:
                if level or self._finds(name):
                    # One that fails here fails again when it runs, and is told then.
                    with suppress(Exception):
                        self._import(name, own, None, items, level)

    def work_block(self) -> int | None:
        """Where work is charged to, if it is; the first block of all."""
        if not self.work:
            return None
        if not self.blocks:
            self.blocks.append(Block(Kind.WORK, 0, (), 0))
            self.counts.append(0)
        return 0

    def form(self, name: str, path: Path, wanted: tuple[str, ...] = ()) -> ModuleType:
        """A module that is traced and costs nothing; of it, the definitions that are wanted."""
        self.forms.add(name)
        return self._make(name, path, _form(path, wanted))

    def target(self, name: str) -> Callable[..., Any]:
        """The function of the program's own module, which is the first, or `Class.method`."""
        first, *rest = name.split(".")
        found = self.namespace.get(first)
        for part in rest:
            found = getattr(found, part, None)
        if not callable(found):  # a `del`, or another meaning further down
            raise ProgramError(
                f"{self.namespace['__file__']}: {name} is no function once the module is imported",
                "is the name deleted, or bound again, after its definition?",
            )
        return found  # type: ignore[no-any-return]

    @property
    def namespace(self) -> dict[str, Any]:
        return self.modules[self.main].__dict__

    @property
    def building(self) -> ModuleType:
        """The functions that arguments are made with (see `trace/building.py`)."""
        return self.modules[BUILDING] if self.trace else building

    def _make(self, name: str, path: Path, code: CodeType) -> ModuleType:
        module = ModuleType(name)
        self.modules[name] = module
        namespace = module.__dict__
        namespace.update(self.prelude)
        namespace["__file__"] = str(path)
        namespace["__package__"] = package_of(path)
        namespace["__builtins__"] = {
            **vars(builtins),
            "__import__": self._import,
            "print": _silent,
            WRITE: _write,
            **self.builtins,
        }
        namespace[COUNTS] = self.counts
        namespace[TICK] = self._tick
        namespace.update(self.hooks)
        self.compiled[name] = code
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

    def trace_with(self, tracer: object) -> None:
        for module in self.modules.values():
            module.__dict__[TRACER] = tracer

    def renew(self) -> None:
        """Executes the modules again, where a run may have left something in them."""
        if self.stateful:
            for name in reversed(self.compiled):  # what is imported comes first
                if name not in self.forms:
                    self._execute(name, Path(str(self.modules[name].__file__)))

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
        wanted = tuple(fromlist or ())
        if (globals or {}).get("__name__") in self.forms:
            # What xsynth itself is written with, even where that is the program.
            return builtins.__import__(name, globals, locals, wanted, level)
        if level:
            package = str((globals or {}).get("__package__") or "").split(".")
            above = package[: len(package) - level + 1]
            given = name
            name = ".".join(part for part in (*above, name) if part)
        else:
            given = name
        optional = self.optional.get(str((globals or {}).get("__name__")), frozenset())
        if given in optional and is_accelerator(name):
            raise ImportError(f"xsynth uses the Python form of {name}", name=name)
        if self.trace and name in PURE:
            return self._pure(name)
        whole = name if wanted else name.partition(".")[0]
        if whole in self.instead and not self._finds(whole):
            return self.instead[whole]()
        if self.trace and whole in STANDING and not self._finds(whole):
            builtins.__import__(name)
            return self._standing(whole)
        if not self._finds(name):
            return builtins.__import__(name, globals, locals, wanted, 0)
        module = self._load(name)
        for item in wanted:
            inner = f"{name}.{item}"
            if item not in module.__dict__ and self._finds(inner):
                setattr(module, item, self._load(inner))
        if wanted and not all(item in module.__dict__ for item in wanted if item != "*"):
            self._initialise(name, module)
        return module if wanted else self.modules[name.partition(".")[0]]

    def _finds(self, name: str) -> Path | None:
        """The file of a module beside the program, or the folder of a package."""
        if self.package is not None:
            if name.partition(".")[0] != self.package:
                return None
            return _module_at(package_root(self.root), name)
        if not name or name in sys.stdlib_module_names:
            # A file that is called like a module of the standard library hides it only
            # from the programs in its own folder.
            beside = self.root / f"{name}.py"
            return beside if name and beside.is_file() else None
        return _module_at(self.root, name) or _module_at(package_root(self.root), name)

    def _load(self, name: str) -> ModuleType:
        """A module of the program's own.  A package is executed only where a name of it is used."""
        parent, _, last = name.rpartition(".")
        if parent:
            self._load(parent)
        if name in self.modules:
            if parent:
                setattr(self.modules[parent], last, self.modules[name])
            return self.modules[name]
        path = self._finds(name)
        if path is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if path.is_file():
            source = read_source(path)
            parse(source, path)
            module = self.module(name, path, source)
        else:
            module = self.modules[name] = ModuleType(name)
            module.__dict__.update(__path__=[str(path)], __file__=str(path))
            module.__dict__["__getattr__"] = partial(self._of_package, name, module)
        if parent:
            setattr(self.modules[parent], last, module)
        return module

    def _of_package(self, name: str, package: ModuleType, attribute: str) -> object:
        """What is used of a package after `import package` alone."""
        if not attribute.startswith("__"):
            self._initialise(name, package)
            if attribute in package.__dict__:
                return package.__dict__[attribute]
        raise AttributeError(f"module {name!r} has no attribute {attribute!r}", name=attribute)

    def _initialise(self, name: str, package: ModuleType) -> None:
        """Executes the `__init__.py` of a package, for names that are no modules."""
        path = Path(str(package.__file__)) / "__init__.py"
        if path.is_file() and name not in self.compiled:
            before = dict(package.__dict__)
            source = read_source(path)
            parse(source, path)
            module = self.module(name, path, source)
            module.__dict__.update({k: v for k, v in before.items() if k == "__path__"})
            package.__dict__.update(module.__dict__)
            self.modules[name] = package

    def _pure(self, name: str) -> ModuleType:
        """The pure form of a module of the standard library that C implements."""
        key = f"pure {name}"
        if key not in self.modules:
            found = importlib.util.find_spec(name)
            assert found is not None and found.origin is not None
            self.form(key, Path(found.origin))
        return self.modules[key]

    def _standing(self, name: str) -> ModuleType:
        """A module of the standard library, with Python in place of what C implements in it."""
        key = f"standing {name}"
        if key not in self.modules:
            original = sys.modules[name]
            form, file = (ARRAYS, "arrays.py") if name == "array" else (CONTAINERS, "containers.py")
            if form not in self.modules:
                self.form(form, TRACE / file)
            found = dict(vars(self.modules[form]))
            if name == "collections":
                path = Path(str(original.__file__))
                counter = self.modules.get(COUNTER)
                if counter is None:
                    self.prelude = {k: v for k, v in vars(original).items() if k[:2] != "__"}
                    counter = self.form(COUNTER, path, (*OF_PYTHON, "_count_elements"))
                    self.prelude = {}
                found.update({item: vars(counter)[item] for item in OF_PYTHON})
            module = self.modules[key] = ModuleType(name)
            module.__dict__.update(vars(original))
            module.__dict__.update({item: found[item] for item in STANDING[name]})
            self.forms.add(key)
        return self.modules[key]


ARRAYS = "pure arrays"
CONTAINERS = "pure containers"
COUNTER = "pure Counter"
TRACE = Path(__file__).parents[1] / "trace"
OF_PYTHON = ("Counter", "ChainMap", "UserDict")
"""Containers of `collections` whose own source is traced."""
STANDING = {
    "collections": ("defaultdict", "OrderedDict", *OF_PYTHON),
    "array": ("array", "ArrayType"),
    "math": ("isinf", "isnan", "isfinite", "fabs"),
    "functools": ("cache", "lru_cache", "singledispatch", "singledispatchmethod"),
}
"""What a traced program gets in another form from these modules."""
BUILDING = "building"
PURE = frozenset({"heapq", "bisect"})
"""Modules whose C implementation compares values: traced programs use their Python source."""


def package_root(folder: Path) -> Path:
    """The folder that holds the outermost package around a folder; itself if there is none."""
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        folder = folder.parent
    return folder


def package_of(path: Path) -> str:
    root = package_root(path.parent)
    return ".".join(path.parent.relative_to(root).parts)


def module_name(path: Path) -> str:
    """The name of the program's module: not one of the standard library's, which other modules
    may import, and as those of its package import it.
    """
    package = package_of(path)
    if package:
        return package if path.name == "__init__.py" else f"{package}.{path.stem}"
    return f"{path.stem}_" if path.stem in sys.stdlib_module_names else path.stem


def _module_at(root: Path, name: str) -> Path | None:
    path = root.joinpath(*name.split("."))
    if path.with_suffix(".py").is_file():
        return path.with_suffix(".py")
    return path if (path / "__init__.py").is_file() or ("." in name and path.is_dir()) else None


@cache
def _form(path: Path, wanted: tuple[str, ...]) -> CodeType:
    options = Options(str(path), trace=True, conditions=False, counted=False)
    whole = _without_accelerator(ast.parse(path.read_text(encoding="utf-8")))
    if wanted:
        whole.body = [s for s in whole.body if getattr(s, "name", "") in wanted]
    tree, _ = instrument(ast.unparse(whole), options)
    return compile(tree, str(path), "exec")


def _without_accelerator(tree: ast.Module) -> ast.Module:
    """The module without `try: from _heapq import *`, which puts C in place of the above."""

    def accelerates(statement: ast.stmt) -> bool:
        match statement:
            case ast.Try(body=[ast.ImportFrom(module=str() as module), *_]):
                return module.startswith("_")
            case _:
                return False

    tree.body = [statement for statement in tree.body if not accelerates(statement)]
    return tree


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
    before = list(sys.path)
    sys.path[:0] = [str(folder), str(package_root(folder))]
    try:
        yield
    finally:
        sys.path[:] = before


def _write(text: object) -> int | None:
    """`sys.stdout.write` there: silent too, and as long as its text is known to be."""
    return len(text) if isinstance(text, str | Characters) else None


def _silent(*_values: object, **_options: object) -> None:
    """`print` inside a measured function: output is out of scope, and costs one step."""
