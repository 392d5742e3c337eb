"""Limits of time on foreign code: they end what takes too long, and nothing else."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

import pytest

from xsynth.program.deadline import TimeUp, time_limit


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_what_takes_too_long_is_ended() -> None:
    start = time.monotonic()
    with pytest.raises(TimeUp), time_limit(0.05):
        spin(20)
    assert time.monotonic() - start < 10


def test_a_limit_that_was_lifted_does_not_fire_later() -> None:
    for _ in range(20):
        with time_limit(0.02):
            pass
    spin(0.06)


def test_a_short_limit_is_seen_behind_a_long_one() -> None:
    with time_limit(600):
        pass
    with pytest.raises(TimeUp), time_limit(0.05):
        spin(20)


def test_runs_that_end_just_in_time_or_just_too_late_leave_nothing_behind() -> None:
    for _ in range(100):
        with suppress(TimeUp), time_limit(0.002):
            spin(0.002)
    spin(0.02)
    with pytest.raises(TimeUp), time_limit(0.02):
        spin(20)


def test_one_thread_watches_all_limits() -> None:
    with time_limit(600):
        before = threading.active_count()
    for _ in range(50):
        with time_limit(600):
            assert threading.active_count() == before


def test_no_limit_is_no_limit() -> None:
    with time_limit(None):
        spin(0.01)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_has_a_watch_of_its_own() -> None:
    with time_limit(600):
        pass
    child = os.fork()
    if child == 0:
        try:
            with time_limit(0.05):
                spin(20)
        except TimeUp:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_limit_that_is_far_off_does_not_end_the_watch() -> None:
    with pytest.raises(TimeUp), time_limit(1e15), time_limit(0.05):
        spin(20)
    with pytest.raises(TimeUp), time_limit(0.05):
        spin(20)
