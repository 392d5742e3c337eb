"""Ctrl-C in the middle of a long learning."""

from __future__ import annotations

import json
import signal
import subprocess
import time

import pytest

from .conftest import SORT, Finished, Folder

STARTED = "from pathlib import Path\nPath(__file__).with_name('started').touch()\n"


def interrupted(folder: Folder, *args: object) -> Finished:
    """Starts a command and interrupts it once it explores."""
    process = folder.start(*args)
    try:
        give_up = time.monotonic() + 60
        while not (folder.path / "started").exists() and time.monotonic() < give_up:
            time.sleep(0.05)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert "Traceback" not in out + err
    return Finished(process.returncode, out, err)


@pytest.mark.parametrize("workers", [1, 2])
def test_too_early_leaves_everything_as_it_was(learned: Folder, workers: int) -> None:
    learned.write("sort.py", STARTED + SORT)
    before = learned.files()
    done = interrupted(learned, "learn", "sort.py", "--scales", "10..14", "--workers", workers)
    assert done.code == 1
    assert "interrupted at scale 10" in done.err
    assert len(done.err.splitlines()) <= 3
    after = learned.files()
    after.pop("started")
    assert after == before


def test_what_is_finished_is_kept(folder: Folder) -> None:
    folder.write("sort.py", STARTED + SORT)
    done = interrupted(folder, "learn", "sort.py", "--scales", "2,3,4,5,12", "--json")
    assert done.code == 0, done
    found = json.loads(done.out)
    assert found["status"] == "learned"
    assert found["reason"].startswith("interrupted at scale 12")
    assert set(found["scales"]) == {"2", "3", "4", "5"}
    assert folder.xsynth("generate", "--scale", 9).json["verified"] is True
