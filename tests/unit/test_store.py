"""Where models are kept: nothing is lost when a write fails, and folders can be moved."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from xsynth.errors import ModelFileError, UsageError
from xsynth.model.file import read_model
from xsynth.model.isg import parse_expr
from xsynth.model.model import Model, ScaleRecord
from xsynth.model.store import latest, load, model_path, remember_latest, save
from xsynth.program.inputs import InputSpec

MODEL = Model(
    program="",
    function="f",
    digest="00",
    spec=InputSpec(()),
    measure="steps",
    formula=parse_expr("n"),
    scales=(ScaleRecord(2, 1, True, 2, 0),),
    guided=(),
    family="first",
    points=(),
    policies=(),
)


def model_of(program: Path) -> Model:
    return replace(MODEL, program=str(program))


def test_saved_and_loaded(tmp_path: Path) -> None:
    program = tmp_path / "my prog.py"
    path = model_path(tmp_path, "f")
    assert path == tmp_path / ".xsynth" / "f.isg"
    save(model_of(program), path)
    assert load(path) == model_of(program)
    assert read_model(path.read_text(encoding="utf-8")).program == "../my prog.py"
    assert [p.name for p in path.parent.iterdir()] == ["f.isg"]


def test_a_project_can_be_moved(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    save(model_of(before / "src" / "p.py"), model_path(before, "f"))
    remember_latest(before, model_path(before, "f"))
    before.rename(after)
    assert load(latest(after)).program == str(after / "src" / "p.py")


def test_a_relative_program_is_seen_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save(model_of(Path("p.py")), Path("out/deep/f.isg"))
    assert load(Path("out/deep/f.isg")).program == str(tmp_path / "p.py")
    save(model_of(Path("p.py")), Path("f.isg"))
    assert load(Path("f.isg")).program == str(tmp_path / "p.py")


def test_a_folder_with_two_names(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a" / "b", target_is_directory=True)
    save(model_of(tmp_path / "link" / "p.py"), model_path(tmp_path / "a" / "b", "f"))
    expected = str(tmp_path / "a" / "b" / "p.py")
    assert load(model_path(tmp_path / "link", "f")).program == expected


def test_saving_replaces(tmp_path: Path) -> None:
    path = model_path(tmp_path, "f")
    save(model_of(tmp_path / "p.py"), path)
    save(model_of(tmp_path / "q.py"), path)
    assert load(path).program == str(tmp_path / "q.py")


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = model_path(tmp_path, "f")
    save(model_of(tmp_path / "p.py"), path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left on device") as caught:
        save(model_of(tmp_path / "q.py"), path)
    assert caught.value.advice
    assert load(path).program == str(tmp_path / "p.py")
    assert [p.name for p in path.parent.iterdir()] == ["f.isg"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.isg").mkdir()
    closed = tmp_path / "closed"
    closed.mkdir()
    places = [tmp_path / "file" / "f.isg", tmp_path / "folder.isg", Path("/"), Path("f\0.isg")]
    if os.geteuid() != 0:
        closed.chmod(0o500)
        places.append(closed / "f.isg")
    for path in places:
        with pytest.raises(UsageError, match="cannot be written") as caught:
            save(model_of(tmp_path / "p.py"), path)
        assert "--model" in caught.value.advice
        assert len(str(caught.value).splitlines()) <= 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["closed", "file", "folder.isg"]


def test_the_latest(tmp_path: Path) -> None:
    for name in ("f", "g h"):
        path = model_path(tmp_path, name)
        save(model_of(tmp_path / "p.py"), path)
        remember_latest(tmp_path, path)
        assert latest(tmp_path) == path
        assert (tmp_path / ".xsynth" / "latest").read_text() == f"{name}.isg\n"


def test_the_latest_may_be_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "models" / "f.isg"
    save(model_of(tmp_path / "p.py"), path)
    remember_latest(tmp_path, path)
    assert latest(tmp_path) == path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "nothing was learned here yet", id="nothing yet"),
        pytest.param(b"gone.isg\n", "'gone.isg', does not exist", id="gone"),
        pytest.param(b"", "does not exist", id="empty"),
        pytest.param(b"a\nb\nc\n", "does not exist", id="lines"),
        pytest.param(b"\xff\x00\n", "does not exist", id="binary"),
    ],
)
def test_no_latest(tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / ".xsynth").mkdir()
        (tmp_path / ".xsynth" / "latest").write_bytes(content)
    with pytest.raises(UsageError, match=words) as caught:
        latest(tmp_path)
    assert caught.value.advice == "run: xsynth learn prog.py --scales 2..6"
    assert len(str(caught.value).splitlines()) == 2


def test_a_latest_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / ".xsynth" / "latest").mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be read"):
        latest(tmp_path)
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / ".xsynth").write_text("")
    with pytest.raises(UsageError, match="nothing was learned"):
        latest(tmp_path / "x")


def test_files_that_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "latin.isg").write_bytes(b"xsynth model 1\nprogram \xe9\n")
    (tmp_path / "empty.isg").write_bytes(b"")
    cases = [
        (tmp_path / "missing.isg", "there is no such model"),
        (tmp_path, "a folder, not a model"),
        (tmp_path / "latin.isg", "not UTF-8"),
        (tmp_path / "empty.isg", "the file is empty"),
        (tmp_path / "empty.isg" / "f.isg", "cannot be read"),
        (Path("f\0.isg"), "cannot be read"),
    ]
    if os.geteuid() != 0:
        closed = tmp_path / "closed.isg"
        closed.write_bytes(b"")
        closed.chmod(0)
        cases.append((closed, "cannot be read"))
    for path, words in cases:
        with pytest.raises(ModelFileError, match=words) as caught:
            load(path)
        assert caught.value.advice
        assert len(str(caught.value).splitlines()) <= 3
