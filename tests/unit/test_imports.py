"""What a program imports: C forms of modules, packages, and what xsynth itself uses."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from xsynth.explore.worst import explore
from xsynth.program.locate import module_file, optional_imports
from xsynth.program.program import Options, load


@pytest.mark.parametrize(
    ("source", "optional"),
    [
        ("try:\n    import _a\nexcept ImportError:\n    _a = None", {"_a"}),
        ("try:\n    from _a import f\nexcept ImportError:\n    pass", {"_a", "_a.f"}),
        ("try:\n    import _a\nexcept ImportError as e:\n    raise SystemError from e", set()),
        ("import _a\ntry:\n    from _a import f\nexcept ImportError:\n    pass", {"_a.f"}),
        ("try:\n    import _a\nexcept ImportError:\n    pass\nelse:\n    import _a", {"_a"}),
        ("import _a", set()),
    ],
)
def test_what_a_program_can_do_without(source: str, optional: set[str]) -> None:
    assert optional_imports(ast.parse(source)) == optional


@pytest.mark.parametrize(
    ("module", "function"),
    [
        ("functools", "cmp_to_key"),
        ("typing", "_is_dunder"),
        ("codecs", "make_identity_dict"),
        ("operator", "not_"),
    ],
)
def test_modules_that_xsynth_is_written_with_are_targets(module: str, function: str) -> None:
    inputs = {"mycmp": "int", "attr": "str", "rng": "list[int]", "a": "int"}
    path = module_file(module)
    needed = load(path, function, Options(inputs={_parameter(path, function): "str"}))
    assert needed.function == function
    assert _parameter(path, function) in inputs
    assert explore(needed, 2).paths >= 1


def _parameter(path: Path, function: str) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (node,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function]
    return node.args.args[0].arg


def test_a_package_is_executed_where_an_attribute_of_it_is_used(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("LIMIT = 3\nclass Base:\n    step = 2\n")
    (package / "inner.py").write_text("import package\nclass Own(package.Base):\n    pass\n")
    target = tmp_path / "target.py"
    target.write_text(
        "import package.inner\n"
        "def f(a: list[int]) -> int:\n"
        "    k = 0\n"
        "    for x in a:\n"
        "        if x > package.LIMIT:\n"
        "            k += package.inner.Own.step\n"
        "    return k\n"
    )
    found = explore(load(target, "f"), 2)
    assert (found.paths, found.exhaustive, found.findings) == (4, True, ())


def test_docstrings_stay(tmp_path: Path) -> None:
    target = tmp_path / "target.py"
    target.write_text(
        "def helper():\n"
        '    """Help."""\n'
        "    return 1\n"
        "def gives():\n"
        '    """Gives."""\n'
        "    yield 1\n"
        "def f(a: list[int]) -> int:\n"
        "    return len(helper.__doc__) + len(gives.__doc__) + helper()\n"
    )
    program = load(target, "f")
    found = explore(program, 1)
    assert not found.findings
    assert found.cost == program.replay({"a": [1]}).cost == 2
