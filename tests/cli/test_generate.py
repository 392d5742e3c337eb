from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from .conftest import Folder, environment

FIELDS = {
    "program",
    "function",
    "scale",
    "arguments",
    "cost",
    "verified",
    "strategy",
    "seconds",
}


def test_json_has_the_fields_of_the_contract(learned: Folder) -> None:
    done = learned.xsynth("generate", "--scale", 40)
    assert done.code == 0
    found = done.json
    assert set(found) >= FIELDS
    assert found["function"] == "insertion_sort"
    assert found["program"] == str(learned.path / "sort.py")
    assert found["scale"] == 40
    assert found["cost"] == {"measure": "steps", "predicted": 2537, "observed": 2537}
    assert found["verified"] is True
    assert found["strategy"] == "synthesize"
    assert all(isinstance(s, float) for s in found["seconds"].values())
    assert found["arguments"]["a"] == list(range(39, -1, -1))
    assert found["program_changed"] is False
    assert found["failed"] == []
    assert done.err.startswith(
        "xsynth: insertion_sort at n = 40: cost 2537, as predicted: verified"
    )


def test_one_solver_call_whatever_the_scale(learned: Folder) -> None:
    for scale in (10, 100):
        solver = learned.xsynth("generate", "--scale", scale, "--json").json["solver"]
        assert solver["calls"] == 1
        assert solver["theory"] == "order"


def test_output_goes_to_the_file(learned: Folder) -> None:
    done = learned.xsynth("generate", "--scale", 9, "--output", "worst.json")
    assert done.code == 0
    assert done.out == ""
    assert json.loads((learned.path / "worst.json").read_text())["verified"] is True
    assert [f for f in learned.files() if "worst" in f] == ["worst.json"]


def test_formats(learned: Folder) -> None:
    falling = [4, 3, 2, 1, 0]
    python = learned.xsynth("generate", "--scale", 5, "--format", "python")
    assert python.out == f"a = {falling}\n"
    text = learned.xsynth("generate", "--scale", 5, "--format", "text")
    assert text.out == "4 3 2 1 0\n"
    learned.xsynth("generate", "--scale", 5, "--format", "npy", "--output", "a.npy")
    assert np.load(learned.path / "a.npy").tolist() == falling


def test_smt2_is_read_by_a_solver(learned: Folder) -> None:
    z3 = pytest.importorskip("z3")
    text = learned.xsynth("generate", "--scale", 5, "--format", "smt2").out
    solver = z3.Solver()
    solver.from_string(text)
    assert len(solver.assertions()) == 10
    assert solver.check() == z3.sat


def test_without_verification_nothing_is_run(learned: Folder) -> None:
    done = learned.xsynth("generate", "--scale", 9, "--no-verify")
    assert done.code == 0
    assert done.json["verified"] is None
    assert done.json["cost"]["observed"] is None


@pytest.mark.parametrize("strategy", ["synthesize", "direct", "guided"])
def test_every_strategy_serves(learned: Folder, strategy: str) -> None:
    done = learned.xsynth("generate", "--scale", 7, "--strategy", strategy)
    assert done.code == 0, done
    assert done.json["strategy"] == strategy
    assert done.json["verified"] is True


def test_a_program_edited_since_is_told_and_replay_decides(learned: Folder) -> None:
    source = (learned.path / "sort.py").read_text()
    learned.write("sort.py", source + "\n# a remark\n")
    same = learned.xsynth("generate", "--scale", 9)
    assert same.code == 0
    assert same.json["program_changed"] is True
    assert "sort.py has changed since" in same.err
    learned.write("sort.py", source.replace("    return a", "    a = a\n    return a"))
    other = learned.xsynth("generate", "--scale", 9)
    assert other.code == 1
    assert other.json["verified"] is False
    assert other.json["cost"]["observed"] == other.json["cost"]["predicted"] + 1
    assert "unverified" in other.err


def test_the_function_may_be_gone(learned: Folder) -> None:
    learned.write("sort.py", "def other(a: list[int]): ...\n")
    assert "no function insertion_sort" in learned.refused("generate", "--scale", 9)
    (learned.path / "sort.py").unlink()
    assert "is gone" in learned.refused("generate", "--scale", 9)


def test_a_closed_pipe_is_quiet(learned: Folder) -> None:
    command = f"{sys.executable} -m xsynth explain | true"
    done = subprocess.run(
        command,
        shell=True,
        cwd=learned.path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


REFUSED = [
    pytest.param(["generate"], ["--scale"], id="no scale"),
    pytest.param(["generate", "--scale", "big"], ["--scale"], id="scale: a word"),
    pytest.param(["generate", "--scale", "0"], ["from 1 on"], id="scale 0"),
    pytest.param(["generate", "--scale", "-3"], ["from 1 on"], id="negative scale"),
    pytest.param(["generate", "--scale", "1"], ["smaller than 2"], id="smaller than learned"),
    pytest.param(
        ["generate", "--scale", "9", "--strategy", "luck"], ["luck", "guided"], id="strategy"
    ),
    pytest.param(["generate", "--scale", "9", "--format", "xml"], ["xml", "smt2"], id="format"),
    pytest.param(["generate", "--scale", "9", "--format", "npy"], ["--output"], id="npy to stdout"),
    pytest.param(
        ["generate", "--scale", "9", "--format", "text", "--json"], ["--json"], id="json and text"
    ),
    pytest.param(["generate", "--scale", "9", "--timeout", "0"], ["--timeout"], id="timeout 0"),
    pytest.param(["generate", "--scale", "9", "--model", "no.isg"], ["no.isg"], id="no such model"),
    pytest.param(["generate", "--scale", "9", "--output", "no/w"], ["no folder"], id="no folder"),
    pytest.param(["generate", "--scale", "9", "--output", "."], ["folder"], id="a folder"),
    pytest.param(
        ["generate", "--scale", "9", "--output", "/proc/version"], ["cannot"], id="unwritable"
    ),
    pytest.param(["explain", "--model", "no.isg"], ["no.isg"], id="explain: no such model"),
    pytest.param(["replay", "no.json"], ["no such file"], id="replay: no such file"),
    pytest.param(["replay", "sort.py"], ["not JSON"], id="replay: not JSON"),
    pytest.param(["replay"], ["INPUT"], id="replay: nothing"),
    pytest.param(["dance"], ["dance"], id="unknown command"),
    pytest.param([], ["command"], id="no command"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_refused(learned: Folder, arguments: list[str], said: list[str]) -> None:
    before = learned.files()
    message = learned.refused(*arguments)
    assert all(words in message for words in said), message
    assert learned.files() == before


def test_nothing_learned_yet(folder: Folder) -> None:
    for command in (["generate", "--scale", "9"], ["explain"]):
        assert "nothing was learned here" in folder.refused(*command)


MODEL = ".xsynth/insertion_sort.isg"
BROKEN = [
    pytest.param(lambda b: b[: len(b) // 2], id="cut off"),
    pytest.param(lambda b: b.replace(b"incre", b"const", 1), id="altered"),
    pytest.param(lambda b: b.replace(b"xsynth model 1", b"xsynth model 99"), id="another version"),
    pytest.param(lambda _: b"", id="empty"),
    pytest.param(lambda _: b"\xff\x00\xfe", id="not text"),
]


@pytest.mark.parametrize("damage", BROKEN)
def test_a_broken_model_is_refused(learned: Folder, damage) -> None:  # type: ignore[no-untyped-def]
    file = learned.path / MODEL
    broken = damage(file.read_bytes())
    assert broken != file.read_bytes()
    file.write_bytes(broken)
    for command in (["generate", "--scale", "9"], ["explain"], ["replay", "-"]):
        message = learned.refused(*command, stdin='{"a": [2, 1]}')
        assert "insertion_sort.isg" in message
    assert file.read_bytes() == broken


def test_help_and_version(folder: Folder) -> None:
    for command in ([], ["learn"], ["generate"], ["explain"], ["replay"]):
        done = folder.xsynth(*command, "--help")
        assert done.code == 0
        assert "Examples" in done.out
    assert folder.xsynth("--version").out.startswith("xsynth 0.")


def test_help_imports_nothing_heavy(folder: Folder) -> None:
    code = (
        "import sys, xsynth.cli; "
        "print([m for m in ('z3', 'sympy', 'numpy', 'lark', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
