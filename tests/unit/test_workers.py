"""A tree explored in parts is the tree explored at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from xsynth.explore import workers
from xsynth.explore.exchange import Exchange
from xsynth.explore.paths import from_scratch, prefixes
from xsynth.explore.scales import explore_alone
from xsynth.explore.search import Search
from xsynth.explore.workers import explore_in_processes
from xsynth.explore.worst import WorstCase, concrete, explore, explore_part, merged
from xsynth.program.program import Options, load

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"

RAISES = """
def pick(a: list[int]) -> int:
    total = 0
    for x in a:
        if x > 5:
            raise ValueError
        if x > 2:
            total += 1
    return total
"""


def _plain(case: WorstCase) -> WorstCase:
    return replace(
        case,
        seconds=0.0,
        kept=tuple(replace(path, witness=dict(path.witness)) for path in case.kept),
        chosen={n: replace(p, witness=dict(p.witness)) for n, p in case.chosen.items()},
    )


@pytest.mark.parametrize("cut", [1, 3, 6])
@pytest.mark.parametrize(
    ("name", "scale"), [("insertion_sort", 5), ("mergesort", 5), ("tree_search", 3)]
)
def test_parts_give_the_same_result(name: str, scale: int, cut: int) -> None:
    program = load(PROGRAMS / f"{name}.py", name)
    parts = [
        explore_part(program, scale, prefix=prefix) for prefix in prefixes(program, scale, cut)
    ]
    assert len(parts) > 1
    assert _plain(merged(parts)) == _plain(explore(program, scale))


def test_exceptions_are_counted_over_the_parts(tmp_path: Path) -> None:
    source = tmp_path / "pick.py"
    source.write_text(RAISES)
    program = load(source, "pick")
    parts = [explore_part(program, 4, prefix=prefix) for prefix in prefixes(program, 4, 3)]
    assert _plain(merged(parts)) == _plain(explore(program, 4))


def test_an_input_from_scratch_does_not_depend_on_how_the_search_was_shared_out(program):
    target = program(
        """
        def f(a: list[int]):
            seen = set()
            for i in range(1, len(a)):
                seen.add(a[i] if a[i] > a[i - 1] + 2 else -a[i])
            return [0, 1, 2][a[0] % 3]
        """
    )
    parts = [explore_part(target, 3, prefix=prefix) for prefix in prefixes(target, 3, 6)]
    whole, shared = explore(target, 3), merged(parts)
    assert len(parts) > 4 and len(whole.kept) > 1
    others = {path.answers: path for path in shared.kept}
    assert [path.answers for path in whole.kept] == [path.answers for path in shared.kept]
    for one in whole.kept:
        other = others[one.answers]
        again = from_scratch(target, 3, one, None)
        assert again is not one and again.cost == one.cost
        assert again.witness == from_scratch(target, 3, other, None).witness
        arguments = concrete(target, 3, again.witness)
        assert target.replay(arguments).cost == one.cost


SKEWED = """
def f(a: list[int]) -> int:
    found = 0
    for i in range(1, len(a)):
        if a[i] == a[0]:
            return found
        for j in range(i):
            if a[j] > a[i]:
                found += 1
    return found
"""
PICKS = """
def f(a: list[int]) -> int:
    count = [0, 0, 0]
    for x in a:
        if x > a[0]:
            count[x % 3] += 1
    if count[1] > 3:
        raise ValueError
    return max(count)
"""


@pytest.mark.parametrize("text", [SKEWED, PICKS, RAISES], ids=["skewed", "picks", "raises"])
def test_what_is_given_away_is_all_that_is_missing(program, text: str) -> None:
    target = program(text)
    waiting: list[tuple[int, ...]] = [()]
    found: dict[tuple[int, ...], WorstCase] = {}

    def give(search: Search) -> None:
        part = search.give()
        if part is not None:
            waiting.append(part)

    while waiting:
        part = waiting.pop()
        found[part] = explore_part(target, 4, prefix=part, between=give)
    whole = explore(target, 4)
    assert len(found) > 3
    assert sum(case.paths for case in found.values()) == whole.paths
    assert _plain(merged([found[part] for part in sorted(found)])) == _plain(whole)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("count", [2, 3])
def test_processes_find_what_one_does(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, method: str, count: int
) -> None:
    if method == "fork" and not sys.platform.startswith("linux"):
        pytest.skip("processes are forked on Linux only")
    source = tmp_path / "skewed.py"
    source.write_text(SKEWED)
    program = load(source, "f")
    scales = [2, 4, 6, 7]
    alone = [_plain(explore(program, scale)) for scale in scales]
    monkeypatch.setattr(workers, "_method", lambda: method)
    monkeypatch.setattr(workers, "ALONE_SECONDS", {method: 0.0})
    found: list[WorstCase] = []
    until = time.monotonic() + 300
    explore_in_processes(program, Options(), scales, until, count, found.append)
    assert [_plain(case) for case in found] == alone


def test_little_work_starts_no_process(program, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object) -> None:
        raise AssertionError

    target = program(SKEWED)
    monkeypatch.setattr(workers, "ALONE_SECONDS", {"fork": 60.0, "spawn": 60.0})
    monkeypatch.setattr(workers, "ProcessPoolExecutor", start)
    found: list[WorstCase] = []
    explore_in_processes(target, Options(), [2, 3, 4], time.monotonic() + 99, 8, found.append)
    assert [_plain(case) for case in found] == [_plain(explore(target, n)) for n in (2, 3, 4)]


def test_a_process_that_is_killed_costs_time_only(program, monkeypatch) -> None:
    target = program(SKEWED)
    monkeypatch.setattr(workers, "ALONE_SECONDS", {"fork": 0.0, "spawn": 0.0})
    killed = []
    give = Exchange.offer

    def kill(self: Exchange, search: Search) -> None:
        give(self, search)
        children = multiprocessing.active_children()
        if children and not killed and self.joined > 1:
            os.kill(children[0].pid or 0, signal.SIGKILL)
            killed.append(children[0])

    monkeypatch.setattr(Exchange, "offer", kill)
    found: list[WorstCase] = []
    explore_in_processes(target, Options(), [7, 5], time.monotonic() + 99, 2, found.append)
    assert killed
    assert [_plain(case) for case in found] == [_plain(explore(target, n)) for n in (7, 5)]


def test_what_is_beyond_an_unbounded_scale_is_left_out_by_several_too(program) -> None:
    target = program(
        """
        def f(a: list[int]) -> int:
            return sum(1 for i in range(a[0]))
        """
    )
    until = time.monotonic() + 99
    alone = explore_alone(target, [2, 3, 4], until)
    together = explore_in_processes(target, Options(), [2, 3, 4], until, 2, lambda case: None)
    assert [case.scale for case in alone] == [2] and not alone[0].exhaustive
    assert [_plain(case) for case in together] == [_plain(case) for case in alone]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing is forked")
def test_the_command_can_fork_and_a_process_with_threads_does_not() -> None:
    def method(code: str) -> str:
        told = "from xsynth.explore.workers import _method; print(_method())"
        ran = subprocess.run([sys.executable, "-c", code + told], capture_output=True, check=True)
        return ran.stdout.decode().strip()

    assert method("import xsynth.cli, xsynth.commands, xsynth.pipeline, numpy;") == "fork"
    waiting = "threading.Thread(target=threading.Event().wait, daemon=True).start();"
    assert method(f"import threading; {waiting}") == "spawn"
