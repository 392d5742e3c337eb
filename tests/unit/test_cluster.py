"""A tree explored on a real Dask cluster, also where one of its workers is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xsynth.errors import UsageError
from xsynth.explore import cluster as dask
from xsynth.explore.cluster import explore_on_cluster
from xsynth.explore.workers import explore_in_processes
from xsynth.explore.worst import WorstCase, explore
from xsynth.program.program import Options, Program, load

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"
SCALES = (5, 6)

distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install 'xsynth[dask]'"
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made


@pytest.fixture(scope="module")
def program() -> Program:
    return load(PROGRAMS / "mergesort.py", "mergesort")


def _plain(case: WorstCase) -> WorstCase:
    return replace(
        case,
        seconds=0.0,
        kept=tuple(replace(path, witness=dict(path.witness)) for path in case.kept),
        chosen={n: replace(p, witness=dict(p.witness)) for n, p in case.chosen.items()},
    )


def test_the_result_is_that_of_one_process(cluster: Any, program: Program) -> None:
    alone = [_plain(explore(program, scale)) for scale in SCALES]
    found: list[WorstCase] = []
    until = time.monotonic() + 300
    explore_on_cluster(program, Options(), SCALES, until, cluster.scheduler_address, found.append)
    assert [_plain(case) for case in found] == alone
    local: list[WorstCase] = []
    explore_in_processes(program, Options(), SCALES, until, 2, local.append)
    assert [_plain(case) for case in local] == alone


def test_a_worker_is_killed_in_the_middle(cluster: Any, program: Program) -> None:
    alone = _plain(explore(program, 7))
    victim = next(iter(cluster.workers.values()))
    killed = threading.Event()

    def kill() -> None:
        with distributed.Client(cluster, set_as_default=False) as client:
            pids = client.run(os.getpid)
            while not any(client.processing().values()):
                time.sleep(0.01)
            os.kill(pids[victim.worker_address], signal.SIGKILL)
            killed.set()

    thread = threading.Thread(target=kill)
    thread.start()
    found: list[WorstCase] = []
    until = time.monotonic() + 300
    explore_on_cluster(program, Options(), [7], until, cluster.scheduler_address, found.append)
    thread.join()
    assert killed.is_set()
    assert _plain(found[0]) == alone


def test_no_scheduler_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="no scheduler answers"):
        explore_on_cluster(
            program, Options(), [3], time.monotonic() + 9, "tcp://127.0.0.1:9", lambda case: None
        )
