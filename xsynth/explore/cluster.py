"""Exploring on a Dask cluster: each part of a tree is a task of its own.

A cluster that loses a worker runs its tasks again elsewhere.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from xsynth.errors import HonestNo, UsageError
from xsynth.explore.parts import Source, cut, loaded, plain, source_of, until
from xsynth.explore.scales import explore_scales
from xsynth.explore.worst import WorstCase, explore_part, merged, with_plain_findings
from xsynth.program.program import Options, Program
from xsynth.scale import Scale

TASKS_A_WORKER = 64
"""Many, since at the end all wait for whoever has the last ones."""
CONNECT_SECONDS = 10


def explore_on_cluster(
    program: Program,
    options: Options,
    scales: Sequence[Scale],
    deadline: float,
    address: str,
    explored: Callable[[WorstCase], None],
) -> tuple[WorstCase, ...]:
    """As `explore_scales`, on the Dask cluster whose scheduler has this address."""
    with _cluster(address) as (pool, workers):
        source = source_of(program, options, deadline)
        shared: dict[Scale, list[Future[WorstCase]]] = {}
        for scale in scales:
            parts = cut(program, scale, TASKS_A_WORKER * workers, deadline)
            shared[scale] = [pool.submit(_explore, source, scale, part) for part in parts]

        def gathered(scale: Scale) -> WorstCase:
            parts = [future.result() for future in shared[scale]]
            return with_plain_findings(program, merged(parts))

        return explore_scales(gathered, scales, deadline, explored)


def _explore(source: Source, scale: Scale, part: tuple[int, ...]) -> WorstCase:
    return plain(explore_part(loaded(source), scale, until(source), part))


def _knock(address: str) -> None:
    """Raises OSError or ValueError where nobody listens.

    A client that cannot connect prints a traceback when it is thrown away.
    """
    protocol, _, rest = address.rpartition("://")
    host, colon, port = rest.rpartition(":")
    if not colon or not port.isdigit():
        raise ValueError(f"{address} has no port")
    if protocol in ("", "tcp"):
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--dask: Dask is not installed", "pip install 'xsynth[dask]', or use --workers K"
        ) from None
    try:
        _knock(address)
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--dask {address}: no scheduler answers there ({type(error).__name__})",
            "start one with dask scheduler and dask worker ADDRESS, or use --workers K",
        ) from None
    try:
        cores = sum(client.ncores().values())
        if not cores:
            raise HonestNo(f"--dask {address}: the cluster has no workers", "start some")
        # Tasks have no effects, so one whose worker is lost may run again.
        yield client.get_executor(pure=False, retries=2), cores
    finally:
        client.close()
