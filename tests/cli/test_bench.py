"""xsynth bench: reports, limits that are kept, runs that are interrupted and go on."""

from __future__ import annotations

import csv
import io
import json
import signal
import time
from typing import Any

import pytest

from .conftest import Folder

LARGEST = """\
def largest(a: list[int]) -> int:
    best = 0
    for x in a:
        if x > best:
            best = x
    return best
"""
ENDLESS = LARGEST.replace("    return", "    while len(a) >= 400:\n        pass\n    return")
GREEDY = LARGEST.replace(
    "    return",
    "    hoard = []\n    while len(a) >= 400:\n        hoard.append([0] * 1_000_000)\n    return",
)
QUICK = ("--scales", "2..4", "--methods", "synthesis,wise", "--time-limit", "30")


def _rows(found: Any) -> dict[tuple[int, str], Any]:
    return {(row["scale"], row["method"]): row for row in found["rows"]}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """All methods on a program of the user's own, with a report."""
    folder = Folder(tmp_path_factory.mktemp("bench"))
    folder.write("largest.py", LARGEST)
    done = folder.xsynth(
        *("bench", "largest.py::largest", "--scales", "2..4", "--at", "6,12"),
        *("--time-limit", "30", "--report", "out"),
    )
    assert done.code == 0, done
    folder.write("shown.txt", done.out)
    folder.write("said.txt", done.err)
    return folder


def test_the_files_of_a_report(measured: Folder) -> None:
    names = {path.name for path in (measured.path / "out").iterdir()}
    assert names == {"report.html", "report.md", "results.csv", "results.json", "models"}


def test_every_method_is_measured_and_judged(measured: Folder) -> None:
    found = json.loads((measured.path / "out" / "results.json").read_text())
    rows = _rows(found)
    methods = ["synthesis", "direct", "wise", "adaptive", "random", "climb"]
    assert set(rows) == {(scale, method) for scale in (6, 12) for method in methods}
    assert found["finished"] is True
    learned = found["learned"]["largest"]
    assert (learned["status"], learned["formula"]) == ("learned", "3*n + 3")
    for (scale, method), row in rows.items():
        if method == "direct" and row["status"] == "failed":
            continue  # whether the policy decides every branch is not asked here
        assert row["status"] == "done", row
        assert row["predicted"] == 3 * scale + 3
        assert row["cost"] <= row["predicted"]
        assert row["verified"] is (row["cost"] == row["predicted"])
        assert row["megabytes"] > 10
    made = rows[12, "synthesis"]
    assert made["verified"] is True
    assert made["solver_calls"] <= 1
    assert made["learn_seconds"] == learned["seconds"] < made["seconds"]
    assert {"explore", "fit"} <= set(learned["phases"])
    assert {"expand", "solve", "replay"} <= set(made["phases"])
    assert rows[12, "wise"]["verified"] is True
    assert rows[12, "wise"]["paths"] == 1


def test_searches_without_a_model_run_for_as_long_as_synthesis(measured: Folder) -> None:
    rows = _rows(json.loads((measured.path / "out" / "results.json").read_text()))
    for method in ("random", "climb"):
        for scale in (6, 12):
            same = rows[scale, "synthesis"]["seconds"]
            assert 0.8 * same < rows[scale, method]["seconds"] < same + 10
    assert rows[12, "random"]["average"] < rows[12, "random"]["cost"] <= 39
    assert rows[12, "random"]["paths"] > 10


def test_the_table_and_the_lines_about_progress(measured: Folder) -> None:
    shown = (measured.path / "shown.txt").read_text().splitlines()
    assert shown[0].split()[:3] == ["program", "n", "synthesis"]
    assert shown[1].split()[:2] == ["largest", "6"]
    said = (measured.path / "said.txt").read_text()
    assert "[12/12] largest n = 12 climb" in said
    assert "report: out/report.html" in said


def test_the_comma_separated_values(measured: Folder) -> None:
    text = (measured.path / "out" / "results.csv").read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 12
    first = rows[0]
    assert (first["program"], first["scale"], first["method"]) == ("largest", "6", "synthesis")
    assert (first["cost"], first["verified"]) == ("21", "True")


def test_the_markdown(measured: Folder) -> None:
    text = (measured.path / "out" / "report.md").read_text()
    assert "3\\*n + 3, O(n)" in text
    assert "| 12 | synthesis |" in text
    assert "Machine: processor:" in text


def test_one_that_never_ends_is_out_of_time_and_not_run_beyond(folder: Folder) -> None:
    folder.write("endless.py", ENDLESS)
    done = folder.xsynth(
        *("bench", "endless.py", "--scales", "2..4", "--at", "10,400,500", "--json"),
        *("--methods", "synthesis", "--time-limit", "5"),
    )
    rows = _rows(done.json)
    assert rows[10, "synthesis"]["status"] in ("done", "OOT")  # the machine may be slow
    assert rows[400, "synthesis"]["status"] == "OOT"
    assert rows[500, "synthesis"]["status"] == "OOT"
    assert rows[500, "synthesis"]["reason"].startswith("not run: OOT at ")
    assert rows[500, "synthesis"]["ran"] is False


def test_one_that_eats_memory_is_out_of_memory(folder: Folder) -> None:
    folder.write("greedy.py", GREEDY)
    done = folder.xsynth(
        *("bench", "greedy.py", "--scales", "2..4", "--at", "10,400", "--json"),
        *("--methods", "synthesis", "--time-limit", "60", "--memory-limit", "300"),
    )
    rows = _rows(done.json)
    assert rows[10, "synthesis"]["status"] == "done"
    assert rows[400, "synthesis"]["status"] == "OOM"
    assert 300 < rows[400, "synthesis"]["megabytes"] < 1500


def test_an_interrupted_run_keeps_its_rows_and_goes_on(folder: Folder) -> None:
    folder.write("largest.py", LARGEST)
    command = ("bench", "largest.py", "--at", "6,7,8,9", *QUICK, "--report", "out")
    results = folder.path / "out" / "results.json"
    process = folder.start(*command)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if results.is_file() and len(json.loads(results.read_text())["rows"]) >= 2:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "interrupted: " in err
    assert "--resume" in err
    before = json.loads(results.read_text())
    assert before["finished"] is False
    assert 2 <= len(before["rows"]) < 8
    assert (folder.path / "out" / "report.html").is_file()

    assert "unfinished run" in folder.refused(*command)
    other = folder.refused(*command[:2], "--at", "6", *QUICK, "--report", "out", "--resume")
    assert "another setting: at" in other

    done = folder.xsynth(*command, "--resume")
    assert done.code == 0, done
    after = json.loads(results.read_text())
    assert after["finished"] is True
    assert len(after["rows"]) == 8
    old, new = _rows(before), _rows(after)
    assert {key: new[key] for key in old} == old
    assert after["learned"] == before["learned"]
    assert after["seconds"] > before["seconds"]


def test_rows_of_a_changed_program_are_measured_again(folder: Folder) -> None:
    folder.write("largest.py", LARGEST)
    command = ("bench", "largest.py", "--scales", "2..4", "--at", "6", "--methods", "synthesis")
    command = (*command, "--report", "out")
    assert folder.xsynth(*command).code == 0
    folder.write("largest.py", LARGEST.replace("    return", "    best += 1\n    return"))
    assert folder.xsynth(*command, "--resume").code == 0
    found = json.loads((folder.path / "out" / "results.json").read_text())
    assert found["learned"]["largest"]["formula"] == "3*n + 4"
    assert _rows(found)[6, "synthesis"]["cost"] == 22


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--suite", "everything"], "no such suite"),
        (["--suite", "smoke", "x.py"], "one of the two"),
        (["gone.py"], "gone.py: "),
        (["--suite", "smoke", "--range", "a=0..9"], "files of your own"),
        (["--methods", "luck"], "'luck'"),
        (["--resume"], "--report DIR"),
        (["--resume", "--report", "new"], "no results in new"),
        (["--at", "0"], "--at 0"),
        (["--time-limit", "0"], "no time"),
    ],
)
def test_refusals(folder: Folder, arguments: list[str], words: str) -> None:
    assert words in folder.refused("bench", *arguments)


def test_a_program_that_is_refused_is_told_and_is_an_honest_no(folder: Folder) -> None:
    folder.write("sleeps.py", "import time\n\n\ndef f(a: list[int]) -> None:\n    time.sleep(1)\n")
    done = folder.xsynth("bench", "sleeps.py", "--at", "5", "--methods", "synthesis")
    assert done.code == 1
    assert "time.sleep" in done.out
