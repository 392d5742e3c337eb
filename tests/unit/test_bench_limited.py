"""Processes that are really stopped: one that sleeps, one that eats memory, what they start."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from xsynth.bench.limited import run_limited

PLENTY = 10_000.0


def _python(code: str, *args: object) -> list[str]:
    return [sys.executable, "-c", code, *map(str, args)]


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":  # ended; nobody has asked for its exit code yet
            return True
        time.sleep(0.02)
    return False


def test_one_that_ends_is_left_alone() -> None:
    ended = run_limited(_python("import sys; sys.exit(3)"), seconds=60, megabytes=PLENTY)
    assert (ended.code, ended.stopped) == (3, "")


def test_one_that_sleeps_is_stopped_in_time(tmp_path: Path) -> None:
    own = tmp_path / "pid"
    code = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
    ended = run_limited(_python(code, own), seconds=1.0, megabytes=PLENTY)
    assert ended.stopped == "OOT"
    assert 1.0 <= ended.seconds < 20
    assert _is_gone(int(own.read_text()))


def test_one_that_eats_memory_is_stopped_before_it_has_much_more() -> None:
    code = "hoard = []\nwhile True: hoard.append(bytearray(10**6))"
    ended = run_limited(_python(code), seconds=60, megabytes=150)
    assert ended.stopped == "OOM"
    assert 150 < ended.megabytes < 1000


def test_memory_of_what_it_started_counts(tmp_path: Path) -> None:
    child = "import time; hoard = bytearray(200 * 10**6); time.sleep(600)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    ended = run_limited(_python(code), seconds=60, megabytes=150)
    assert ended.stopped == "OOM"


def test_what_it_started_is_stopped_with_it(tmp_path: Path) -> None:
    own = tmp_path / "pid"
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open(sys.argv[1], 'w').write(str(child.pid)); time.sleep(600)"
    )
    ended = run_limited(_python(code, own), seconds=3.0, megabytes=PLENTY)
    assert ended.stopped == "OOT"
    assert _is_gone(int(own.read_text()))


def test_an_interrupt_stops_it_at_once() -> None:
    interrupt = threading.Event()
    threading.Timer(0.3, interrupt.set).start()
    ended = run_limited(
        _python("import time; time.sleep(600)"), seconds=60, megabytes=PLENTY, interrupt=interrupt
    )
    assert ended.stopped == "interrupted"
    assert ended.seconds < 20


def test_a_process_outlives_its_parent_by_no_more_than_seconds(tmp_path: Path) -> None:
    from xsynth.bench.runner import CELL, PACKAGE

    job, own = tmp_path / "job.json", tmp_path / "pid"
    os.mkfifo(job)  # the cell waits here for its job, and nobody writes it
    code = (
        "import subprocess, sys, time\n"
        f"cell = [sys.executable, '-P', '-c', {CELL!r}, {PACKAGE!r}, {str(job)!r}, 'x']\n"
        "child = subprocess.Popen(cell, start_new_session=True)\n"
        f"open({str(own)!r}, 'w').write(str(child.pid)); time.sleep(2)"
    )
    ended = run_limited(_python(code), seconds=60, megabytes=PLENTY)
    assert ended.code == 0
    for _ in range(10):
        if _is_gone(int(own.read_text())):
            return
    raise AssertionError("it is still there")
