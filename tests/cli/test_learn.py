from __future__ import annotations

import pytest

from .conftest import SORT, Folder

SCALE_FIELDS = {"paths", "exhaustive", "cost", "ties"}
FIELDS = {
    "status",
    "reason",
    "scales",
    "formula",
    "class",
    "generator_points",
    "model",
    "seconds",
}


def test_json_has_the_fields_of_the_contract(folder: Folder) -> None:
    folder.write("sort.py", SORT)
    done = folder.xsynth("learn", "sort.py::insertion_sort", "--scales", "2..5", "--json")
    assert done.code == 0
    found = done.json
    assert set(found) >= FIELDS
    assert found["status"] == "learned"
    assert set(found["scales"]) == {"2", "3", "4", "5"}
    assert all(set(scale) == SCALE_FIELDS for scale in found["scales"].values())
    assert found["scales"]["4"] == {"paths": 24, "exhaustive": True, "cost": 35, "ties": 1}
    assert found["formula"] == "3*n**2/2 + 7*n/2 - 3"
    assert found["class"] == "O(n^2)"
    assert found["generator_points"] >= 1
    assert found["model"] == ".xsynth/insertion_sort.isg"
    assert found["findings"] == []
    assert (folder.path / found["model"]).is_file()
    assert (folder.path / ".xsynth/latest").is_file()


def test_people_get_a_table_and_what_to_do_next(folder: Folder) -> None:
    folder.write("sort.py", SORT)
    done = folder.xsynth("learn", "sort.py", "--scales", "2,3,4,5", "--model", "own.isg")
    assert done.code == 0
    assert "O(n^2)" in done.out
    assert "xsynth generate --scale 500 --model own.isg" in done.out
    assert done.err == ""
    assert (folder.path / "own.isg").is_file()
    assert folder.xsynth("generate", "--scale", 9).json["verified"] is True


def test_workers_change_nothing_but_the_time(folder: Folder) -> None:
    folder.write("sort.py", SORT)
    alone = folder.xsynth("learn", "sort.py", "--scales", "2..5", "--json").json
    model = folder.files()[".xsynth/insertion_sort.isg"]
    together = folder.xsynth("learn", "sort.py", "--scales", "2..5", "--workers", 2, "--json").json
    assert {**alone, "seconds": 0} == {**together, "seconds": 0}
    assert folder.files()[".xsynth/insertion_sort.isg"] == model


def test_options_describe_the_inputs(folder: Folder) -> None:
    folder.write(
        "search.py",
        "def search(haystack, needle: str, start: int):\n"
        "    for i in range(start, len(haystack)):\n"
        "        if haystack[i] == needle[0]:\n"
        "            return i\n"
        "    return -1\n",
    )
    done = folder.xsynth(
        *["learn", "search.py", "--input", "haystack=str", "--size", "needle=1"],
        *["--fix", "start=0", "--range", "haystack=a..c", "--assume", "haystack[0] != 'a'"],
        *["--cost", "loop:2", "--json"],
    )
    assert done.code == 0
    assert done.json["formula"] == "n"
    made = folder.xsynth("generate", "--scale", 12).json
    assert made["cost"] == {"measure": "loop:2", "predicted": 12, "observed": 12}
    assert set(made["arguments"]["haystack"]) <= set("bc") | set("abc")
    assert made["arguments"]["haystack"][0] != "a"
    assert made["arguments"]["start"] == 0


def test_a_program_that_raises_is_a_finding_and_learning_goes_on(folder: Folder) -> None:
    folder.write(
        "count.py",
        "def count(a: list[int]) -> int:\n"
        "    if a[0] == 7:\n"
        "        raise ValueError('seven')\n"
        "    total = 0\n"
        "    for x in a:\n"
        "        if x > 0:\n"
        "            total += 1\n"
        "    return total\n",
    )
    done = folder.xsynth("learn", "count.py", "--scales", "2..5", "--json")
    assert done.code == 0, done
    finding = done.json["findings"][0]
    assert finding["exception"] == "ValueError"
    assert finding["message"] == "seven"
    assert finding["line"] == 3
    assert finding["arguments"]["a"][0] == 7
    assert finding["paths"] >= 1
    assert finding["scale"] == 2
    assert "warning: count.py:3: ValueError: seven where a = [7" in done.err


def test_a_program_that_never_ends_is_stopped_by_the_budget(folder: Folder) -> None:
    folder.write(
        "forever.py",
        "def forever(a: list[int]) -> int:\n"
        "    i = 0\n"
        "    while a[0] == a[0] or True:\n"
        "        i += 1\n"
        "    return i\n",
    )
    done = folder.xsynth("learn", "forever.py", "--budget", 2, "--json")
    assert done.code == 1
    assert done.json["status"] == "not learned"
    assert "budget" in done.json["reason"]
    assert len(done.err.splitlines()) <= 3
    assert not (folder.path / ".xsynth").exists()


def test_the_budget_holds_for_many_short_runs(folder: Folder) -> None:
    folder.write("keys.py", "def keys(a: list[int]):\n    return [x for x in a if x > 0]\n")
    done = folder.xsynth("learn", "keys.py", "--scales", "20..23", "--budget", 2, "--json")
    assert done.code == 1
    assert done.json["seconds"] < 10


def test_not_learned_leaves_the_old_model(learned: Folder) -> None:
    before = learned.files()
    learned.write("sort.py", SORT.replace("    for i", "    while True:\n        pass\n    for i"))
    done = learned.xsynth("learn", "sort.py", "--budget", 1)
    assert done.code == 1
    after = learned.files()
    assert {k: v for k, v in before.items() if k != "sort.py"} == {
        k: v for k, v in after.items() if k != "sort.py"
    }


def test_policies_do_not_replace_generators(learned: Folder) -> None:
    """What the policies alone were learned of goes beside the model with generators."""
    from dataclasses import replace
    from pathlib import Path

    from xsynth.commands import _keep
    from xsynth.model import store
    from xsynth.pipeline import Learning, Status
    from xsynth.program.program import load

    before = learned.files()
    path = learned.path / ".xsynth/insertion_sort.isg"
    bare = replace(store.load(path), points=())
    learning = Learning(Status.POLICY_ONLY, "for a test", bare, (), 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(learned.path)
        kept = _keep(learning, load(learned.path / "sort.py"), None)
    assert kept == Path(".xsynth/insertion_sort.policy.isg")
    assert learned.files()[".xsynth/insertion_sort.isg"] == before[".xsynth/insertion_sort.isg"]


# -- refusals: program text, arguments, what the message says

REFUSED = [
    pytest.param("", ["gone.py"], ["gone.py: no such file"], id="no such file"),
    pytest.param("def f(:\n", ["p.py"], ["p.py:1: syntax error", "def f(:"], id="syntax error"),
    pytest.param("def f(a: list[int]): ...", ["p.py::g"], ["no function g", "f"], id="no function"),
    pytest.param(
        "def f(a: int): ...\ndef g(a: int): ...",
        ["p.py"],
        ["several functions: f, g", "p.py::g"],
        id="several functions",
    ),
    pytest.param("x = 1", ["p.py"], ["no public function"], id="no functions"),
    pytest.param("def f(a): ...", ["p.py"], ["a has no annotation", "--fix a"], id="no annotation"),
    pytest.param("def f(a: complex): ...", ["p.py"], ["complex"], id="unknown shape"),
    pytest.param(
        "def f(a: int): ...\n1 / 0", ["p.py"], ["ZeroDivisionError"], id="fails on import"
    ),
    pytest.param("import sys\nsys.exit()", ["p.py"], ["public function"], id="nothing but an exit"),
    pytest.param(
        "import sys\ndef f(a: int): ...\nsys.exit(0)",
        ["p.py"],
        ["SystemExit"],
        id="exits on import",
    ),
    pytest.param(
        "async def f(a: list[int]):\n    return a",
        ["p.py::f"],
        ["p.py:1", "coroutine"],
        id="coroutine",
    ),
    pytest.param(SORT, ["p.py", "--scales", "many"], ["not a range", "2..6"], id="scales: a word"),
    pytest.param(SORT, ["p.py", "--scales", "6..2"], ["empty"], id="scales: empty"),
    pytest.param(SORT, ["p.py", "--scales", "4"], ["too few to fit", "at least 3"], id="one scale"),
    pytest.param(SORT, ["p.py", "--scales", "4..5"], ["too few to fit"], id="two scales"),
    pytest.param(SORT, ["p.py", "--scales", "0..4"], ["from 1 on"], id="scale 0"),
    pytest.param(SORT, ["p.py", "--scales=-2..4"], ["from 1 on"], id="negative scales"),
    pytest.param(
        SORT,
        ["p.py", "--assume", "a[0] > a[1] and a[0] < a[1]"],
        ["--assume", "no input"],
        id="assumption without inputs",
    ),
    pytest.param(SORT, ["p.py", "--assume", "b[0] > 1"], ["b"], id="assumption on a stranger"),
    pytest.param(SORT, ["p.py", "--assume", "a[0] >"], ["a[0] >"], id="assumption: syntax"),
    pytest.param(SORT, ["p.py", "--size", "a"], ["NAME=VALUE"], id="size without a value"),
    pytest.param(SORT, ["p.py", "--size", "b=3"], ["--size", "b"], id="size of a stranger"),
    pytest.param(SORT, ["p.py", "--size", "a=n-5"], ["n-5"], id="negative size"),
    pytest.param(SORT, ["p.py", "--range", "a=9..0"], ["empty"], id="empty range"),
    pytest.param(SORT, ["p.py", "--fix", "a=1", "--fix", "a=2"], ["twice"], id="fixed twice"),
    pytest.param(SORT, ["p.py", "--input", "a=wat"], ["wat"], id="input of unknown type"),
    pytest.param(SORT, ["p.py", "--cost", "gold"], ["no such measure"], id="unknown cost"),
    pytest.param(SORT, ["p.py", "--cost", "line:999"], ["line:999"], id="cost of no line"),
    pytest.param(SORT, ["p.py", "--budget", "-1"], ["--budget"], id="negative budget"),
    pytest.param(SORT, ["p.py", "--budget", "long"], ["--budget"], id="budget: a word"),
    pytest.param(SORT, ["p.py", "--workers", "0"], ["--workers"], id="no workers"),
    pytest.param(SORT, ["p.py", "--dask", "tcp://x"], ["--dask", "--workers"], id="dask"),
    pytest.param(SORT, ["p.py", "--model", "no/such/m.isg"], ["no folder"], id="model nowhere"),
    pytest.param(SORT, ["p.py", "--model", "."], ["folder"], id="model is a folder"),
    pytest.param(SORT, ["p.py", "--wat"], ["--wat"], id="unknown option"),
    pytest.param(SORT, [], ["PROGRAM"], id="no program"),
    pytest.param(SORT, ["p.py::"], ["name of a function"], id="no name after the colons"),
]


@pytest.mark.parametrize(("program", "arguments", "said"), REFUSED)
def test_refused(folder: Folder, program: str, arguments: list[str], said: list[str]) -> None:
    folder.write("p.py", program)
    before = folder.files()
    message = folder.refused("learn", *arguments)
    assert all(words in message for words in said), message
    assert folder.files() == before


UNSUPPORTED = [
    pytest.param("def f(a: list[int]):\n    return a[0] ^ a[1]\n", "p.py:2", id="xor"),
    pytest.param(
        "def f(a: list[float]):\n    return [x.hex() for x in a]\n", "p.py:2", id="float.hex"
    ),
]


@pytest.mark.parametrize(("program", "place"), UNSUPPORTED)
def test_what_is_not_supported_says_where(folder: Folder, program: str, place: str) -> None:
    folder.write("p.py", program)
    assert place in folder.refused("learn", "p.py")


def test_the_cap_on_ties_is_told(folder: Folder) -> None:
    folder.write(
        "many.py",
        "def many(a: list[int]) -> int:\n"
        "    total = 0\n"
        "    for x in a:\n"
        "        if x > 0:\n"
        "            total += 1\n"
        "        else:\n"
        "            total -= 1\n"
        "    return total\n",
    )
    shown = folder.xsynth("learn", "many.py", "--scales", "8..10")
    assert "of the 1024 ties at scale 10, 1000 are kept" in shown.out
    found = folder.xsynth("learn", "many.py", "--scales", "8..10", "--json").json
    assert found["scales"]["10"]["ties"] == 1024
    assert found["ties_kept"] == {"8": 256, "9": 512, "10": 1000}
