"""xsynth examples: a newcomer with only `pip install` can start."""

from __future__ import annotations

import shlex

from .conftest import ROOT, Folder


def test_the_list(folder: Folder) -> None:
    done = folder.xsynth("examples")
    assert done.code == 0
    shown = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    programs = {path.stem for path in (ROOT / "benchmarks" / "programs").glob("*.py")}
    assert programs <= set(shown)
    assert shown["insertion_sort"] == "Insertion sort."
    assert folder.files() == {}


def test_one_is_copied_and_its_command_line_works(folder: Folder) -> None:
    done = folder.xsynth("examples", "merge_sorted")
    assert done.code == 0
    (tried,) = [line for line in done.out.splitlines() if line.startswith("try:")]
    command = shlex.split(tried.removeprefix("try:"))
    assert command[:3] == ["xsynth", "learn", "merge_sorted.py::merge_sorted"]
    learned = folder.xsynth(*command[1:], "--json")
    assert learned.json["formula"] == "8*n + 5"


def test_what_it_imports_is_copied_too(folder: Folder) -> None:
    folder.write("btree_insert.py", "mine = 1\n")
    assert "btree_insert.py is there" in folder.refused("examples", "btree_insert_last")
    assert set(folder.files()) == {"btree_insert.py"}
    assert folder.xsynth("examples", "btree_insert_last", "--force").code == 0
    assert set(folder.files()) == {"btree_insert.py", "btree_insert_last.py"}


def test_a_file_that_is_there_is_kept(folder: Folder) -> None:
    folder.write("linear_search.py", "mine = 1\n")
    assert "--force" in folder.refused("examples", "linear_search")
    assert (folder.path / "linear_search.py").read_text() == "mine = 1\n"
    assert folder.xsynth("examples", "linear_search", "--force").code == 0
    assert folder.xsynth("examples", "linear_search").code == 0  # it is the same file now


def test_another_name_is_refused_with_a_near_one(folder: Folder) -> None:
    assert "insertion_sort" in folder.refused("examples", "insertion")
    assert "lists them" in folder.refused("examples", "nothing_like_it")


def test_json(folder: Folder) -> None:
    found = folder.xsynth("examples", "--json").json
    assert found["hash_find"]["learn"][:2] == ["xsynth", "learn"]
