from __future__ import annotations

import json

import pytest

from .conftest import Folder

FIELDS = {"function", "scale", "cost", "verified", "raised"}


def test_what_generate_wrote_is_replayed(learned: Folder) -> None:
    learned.xsynth("generate", "--scale", 20, "--output", "worst.json")
    done = learned.xsynth("replay", "worst.json", "--json")
    assert done.code == 0
    found = done.json
    assert set(found) >= FIELDS
    assert found["function"] == "insertion_sort"
    assert found["scale"] == 20
    assert found["cost"] == {"measure": "steps", "predicted": 667, "observed": 667}
    assert found["verified"] is True
    assert found["raised"] is None
    words = learned.xsynth("replay", "worst.json")
    assert words.out == "insertion_sort at n = 20: cost 667 steps, as predicted\n"


@pytest.mark.parametrize(
    ("given", "code", "scale"),
    [
        pytest.param('{"a": [3, 2, 1]}', 0, 3, id="arguments alone"),
        pytest.param('{"arguments": {"a": [3, 2, 1]}}', 0, 3, id="without a scale"),
        pytest.param('{"arguments": {"a": [4, 3, 2, 1]}, "scale": 4}', 0, 4, id="with a scale"),
        pytest.param('{"a": [1, 2, 3]}', 1, 3, id="not the worst"),
    ],
)
def test_from_standard_input(learned: Folder, given: str, code: int, scale: int) -> None:
    done = learned.xsynth("replay", "-", "--json", stdin=given)
    assert done.code == code
    assert done.json["scale"] == scale
    assert done.json["verified"] is (code == 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param('{"b": [1]}', "the function takes a", id="another argument"),
        pytest.param('{"a": "text"}', "a list", id="another type"),
        pytest.param('{"a": [1, "x"]}', "a[1]", id="another element"),
        pytest.param('{"arguments": {"a": [1, 2]}, "scale": 3}', "2 elements", id="another length"),
        pytest.param('{"arguments": {"a": [1]}, "scale": "x"}', "scale", id="scale: a word"),
        pytest.param("[1, 2]", "not an object", id="a list"),
        pytest.param("{", "not JSON", id="not JSON"),
    ],
)
def test_refused(learned: Folder, given: str, said: str) -> None:
    assert said in learned.refused("replay", "-", stdin=given)


def test_an_exception_is_an_answer(learned: Folder) -> None:
    source = (learned.path / "sort.py").read_text()
    learned.write("sort.py", source.replace("    return a", "    return a[len(a)]"))
    done = learned.xsynth("replay", "-", "--json", stdin='{"a": [2, 1]}')
    assert done.code == 1
    assert done.json["raised"]["kind"] == "IndexError"
    assert done.json["raised"]["line"] == 9


def test_bytes_and_tuples_survive_json(folder: Folder) -> None:
    folder.write(
        "walk.py",
        "def walk(data: bytes, pairs: list[tuple[int, bool]]) -> int:\n"
        "    total = data.count(0) - data.count(0)\n"
        "    for byte in data:\n"
        "        if byte > 7:\n"
        "            total += 1\n"
        "    for number, flag in pairs:\n"
        "        if flag:\n"
        "            total += number * 0\n"
        "    return total\n".replace("data.count(0) - data.count(0)", "0"),
    )
    assert folder.xsynth("learn", "walk.py", "--scales", "1..4").code == 0
    made = folder.xsynth("generate", "--scale", 6, "--output", "w.json")
    assert made.code == 0
    arguments = json.loads((folder.path / "w.json").read_text())["arguments"]
    assert len(arguments["data"]) == 6
    assert all(code > 7 for code in arguments["data"])
    assert all(flag is True for _, flag in arguments["pairs"])
    done = folder.xsynth("replay", "w.json", "--json")
    assert done.code == 0
    bare = folder.xsynth("replay", "-", "--json", stdin=json.dumps(arguments))
    assert bare.json["scale"] == 6


def test_explain(learned: Folder) -> None:
    words = learned.xsynth("explain")
    assert words.code == 0
    for part in (
        "input a: list[int] size n",
        "while j >= 0 and a[j] > key:",
        "3*n**2/2 + 7*n/2 - 3, O(n^2)",
        "incre(",
        "a[X1] > a[X2]",
        "(strictly decreasing)",
        "path condition at n = 5",
    ):
        assert part in words.out
    found = learned.xsynth("explain", "--json").json
    assert found["formula"] == "3*n**2/2 + 7*n/2 - 3"
    assert found["points"][0]["line"] == 5
    assert found["points"][0]["taken"] is True
    assert found["model"] == ".xsynth/insertion_sort.isg"


def test_explain_without_the_program(learned: Folder) -> None:
    (learned.path / "sort.py").unlink()
    done = learned.xsynth("explain")
    assert done.code == 0
    assert "is gone" in done.err
    assert "O(n^2)" in done.out


def test_small_scales_that_the_formula_leaves_out_have_the_cost_that_was_explored(
    folder: Folder,
) -> None:
    folder.write(
        "jump.py",
        "def jump(a: list[int]) -> int:\n"
        "    total = 0\n"
        "    for x in a:\n"
        "        if x > 3 and len(a) > 3:\n"
        "            total += 1\n"
        "        elif x > 2 and len(a) < 3:\n"
        "            total += 2\n"
        "            total += 1\n"
        "            total += 1\n"
        "    return total\n",
    )
    learned = folder.xsynth("learn", "jump.py", "--scales", "2..6", "--range", "a=0..9", "--json")
    assert learned.code == 0, learned
    assert learned.json["holds_from"] > 2
    folder.write("small.json", '{"arguments": {"a": [3, 3]}, "scale": 2}')
    done = folder.xsynth("replay", "small.json")
    assert done.code == 0, done
    assert "as predicted" in done.out


def test_values_outside_of_their_range_are_told(learned: Folder) -> None:
    learned.write("bounded.py", "def f(a: list[int]) -> int:\n    return sum(x > 3 for x in a)\n")
    done = learned.xsynth("learn", "bounded.py", "--scales", "2..5", "--range", "a=0..9")
    assert done.code == 0, done
    learned.write("odd.json", '{"arguments": {"a": [1, 77, 2]}, "scale": 3}')
    assert "note: a[1] is outside of its range" in learned.xsynth("replay", "odd.json").err
    learned.write("even.json", '{"arguments": {"a": [1, 7, 2]}, "scale": 3}')
    assert "outside" not in learned.xsynth("replay", "even.json").err
