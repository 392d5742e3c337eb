"""Directed runs against guided search: `python benchmarks/directed.py [NAME ...] [--seconds S]`.

Each program is learned once, and then made to give its worst case at 10, 30, 100, 200 and 500
by a directed run and by a guided search, in one process after the other.  Seconds are those of
the CPU, from the model to the replayed input; the ratio is guided over directed.

With `--clauses` the last line is of a guided search along a path of about 100,000 clauses, each
of three elements, so that the difference graph alone cannot answer.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from xsynth.explore.guide import PREFER, Permits, SidesOnly
from xsynth.explore.guided import guided_test_gen
from xsynth.model.model import Model
from xsynth.pipeline import learn
from xsynth.program.program import Program, load
from xsynth.synthesize.generate import Generated, generate
from xsynth.synthesize.recipe import Recipe, Strategy
from xsynth.trace.terms import Place

PROGRAMS = Path(__file__).parent / "programs"
SCALES = (10, 30, 100, 200, 500)
ROWS = {
    "quicksort_median": range(2, 8),
    "mergesort": range(2, 8),
    "alternating_merge": range(2, 7),
    "heap_insert": range(1, 8),
    "red_black_search": range(1, 6),
}

THREES = """
def threes(a: list[int]) -> int:
    found = 0
    for i in range(len(a)):
        for j in range(i):
            if a[i] + a[j] > a[i - 1] + 1:
                found += 1
    return found
"""


@dataclass(frozen=True)
class Timed:
    seconds: float
    verified: bool
    decisions: int
    checks: int
    calls: int
    why: str


def timed(program: Program, model: Model, scale: int, strategy: Strategy, seconds: float) -> Timed:
    recipe = Recipe(program, model.points, model.policies, model.formula, decisions=model.decisions)
    start = time.process_time()
    made = generate(recipe, scale, [strategy], timeout=seconds)
    used = time.process_time() - start
    if not isinstance(made, Generated):
        return Timed(used, False, 0, 0, 0, made[0].reason)
    effort = made.effort
    assert effort is not None
    why = "" if made.verified else f"costs {made.observed}, predicted {made.predicted}"
    checks = sum(effort.checks.values())
    decisions = effort.resolved + effort.unresolved
    return Timed(used, bool(made.verified), decisions, checks, effort.solver_calls, why)


def _shown(one: Timed) -> str:
    if not one.verified:
        return f"{'-':>8} {one.why[:40]:>40}"
    counts = f"{one.decisions} decisions, {one.checks} checks, {one.calls} calls"
    return f"{one.seconds:>8.2f} {counts:>40}"


def measure(name: str, seconds: float) -> None:
    program = load(PROGRAMS / f"{name}.py", name)
    learned = learn(program, list(ROWS[name]))
    print(f"\n{name}: {learned.status.value} in {learned.seconds:.1f} s")
    model = learned.model
    if model is None:
        print(f"  {learned.reason}")
        return
    print(f"  {'n':>5} {'directed: s CPU':>49} {'guided: s CPU':>49} {'ratio':>7}")
    for scale in SCALES:
        directed = timed(program, model, scale, Strategy.DIRECT, seconds)
        guided = timed(program, model, scale, Strategy.GUIDED, seconds)
        both = directed.verified and guided.verified
        ratio = f"{guided.seconds / directed.seconds:.1f} x" if both else "-"
        print(f"  {scale:>5} {_shown(directed)} {_shown(guided)} {ratio:>7}")


class _Always(SidesOnly):
    def begin(self) -> None: ...

    def permits(self, place: Place) -> Permits:
        return PREFER[True]

    def took(self, place: Place, side: bool, free: bool) -> None: ...


def hundred_thousand_clauses() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "threes.py"
        source.write_text(THREES)
        program = load(source, "threes")
        for scale in (50, 100, 225, 450):
            start = time.process_time()
            found = guided_test_gen(program, scale, _Always(), most=1)
            used = time.process_time() - start
            clauses = scale * (scale - 1) // 2
            rate = 1e6 * used / clauses
            told = f"{used:6.2f} s CPU, {rate:.0f} us a clause"
            print(f"  {clauses:>7} clauses: {told}, {found.checks}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ROWS)}; all if left out")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each attempt")
    parser.add_argument("--clauses", action="store_true", help="the path of 100,000 clauses too")
    given = parser.parse_args()
    for name in ROWS:
        if not given.names or name in given.names:
            measure(name, given.seconds)
    if given.clauses:
        print("\nguided, three elements a clause")
        hundred_thousand_clauses()


if __name__ == "__main__":
    main()
