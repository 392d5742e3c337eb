"""What is shipped: the wheel, the editable install, the command lines of the README."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GRAMMARS = {"isg.lark", "model.lark", "sequence.lark"}
TABLES = {"isg.json", "model.json"}
ASK = (
    "from xsynth.model import grammars, isg; import xsynth;"
    "isg.parse('incre(0, n - 2, 1)');"
    "print(xsynth.__file__);"
    "print(*sorted(f.name for f in grammars.folder().iterdir() if f.name.endswith('.lark')))"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


def _ask(where: Path, folder: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(where)}
    answer = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=folder,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return answer.stdout.splitlines()


def test_the_wheel_has_grammars_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"xsynth/grammars/{name}" for name in GRAMMARS | TABLES} <= names
    assert "xsynth/py.typed" in names
    assert {"xsynth/report/assets/page.css", "xsynth/report/assets/sort.js"} <= names
    assert {name.split("/")[0] for name in names} == {"xsynth", "xsynth-0.1.0.dist-info"}


def test_the_wheel_has_the_examples_and_suites(wheel: Path, tmp_path: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if "/benchmarks/" in name}
    folders = ("programs", "wise", "published", "suites")
    files = [p for folder in folders for p in (ROOT / "benchmarks" / folder).iterdir()]
    wanted = {f"benchmarks/{p.parent.name}/{p.name}" for p in files if p.is_file()}
    assert names == {f"xsynth/{name}" for name in {*wanted, "benchmarks/catalogue.toml"}}
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "xsynth", "examples", "linear_search"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "xsynth learn linear_search.py::linear_search" in done.stdout
    assert (tmp_path / "linear_search.py").is_file()


def test_grammars_are_read_from_an_unpacked_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    module, grammars = _ask(tmp_path / "site", tmp_path)
    assert Path(module).is_relative_to(tmp_path)
    assert set(grammars.split()) == GRAMMARS


def test_grammars_are_read_from_an_editable_install(tmp_path: Path) -> None:
    # An editable install puts the top folder on the path, no more.
    module, grammars = _ask(ROOT, tmp_path)
    assert Path(module).parent == ROOT / "xsynth"
    assert set(grammars.split()) == GRAMMARS


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = (ROOT / ".ci" / "run").read_text().splitlines()[-1]
    assert "pytest" in command
    assert command in (ROOT / "README.md").read_text().splitlines()


def test_importing_xsynth_is_quick_because_it_imports_little() -> None:
    heavy = "z3 sympy numpy lark typer rich matplotlib"
    code = f"import sys, xsynth; print(*[m for m in {heavy.split()!r} if m in sys.modules])"
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip() == ""


def test_help_imports_neither_solver_nor_algebra() -> None:
    code = (
        "import sys\nsys.argv = ['xsynth', '--help']\nfrom xsynth.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = ['z3', 'sympy', 'numpy', 'lark', 'matplotlib']\n"
        "print('HEAVY', *[m for m in heavy if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "HEAVY"
