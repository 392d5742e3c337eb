"""Lines that no path reaches at the explored scales are named."""

from __future__ import annotations

from xsynth.explore.coverage import unreached_lines
from xsynth.explore.probes import beaten_by
from xsynth.explore.worst import explore
from xsynth.report.caveats import sentence

STREAK = """
    def _unused(xs):
        total = 0
        return total

    def f(xs: list[int]) -> int:
        if not xs:
            return 0
        streak = total = 0
        for i in range(1, len(xs)):
            if xs[i] == xs[i - 1] + 7:
                streak += 1
                if streak >= 6:
                    for _ in xs:
                        total += 1
            else:
                streak = 0
                total += 1
        return total
"""


def _explored(target, *scales):
    return [explore(target, scale) for scale in scales]


def test_what_starts_beyond_the_scales_is_unreached(program):
    target = program(STREAK)
    missed = unreached_lines(target, _explored(target, 2, 3, 4))
    shown = [target.source.splitlines()[line - 1].strip() for line in missed]
    # neither the return for an empty input nor the function that nobody calls
    assert shown == ["for _ in xs:", "total += 1"]


def test_one_scale_that_gets_there_is_enough(program):
    target = program(STREAK)
    assert unreached_lines(target, _explored(target, 2, 7)) == ()


def test_a_relation_with_a_constant_of_the_program_is_tried(program):
    target = program(STREAK)
    falls = target.replay({"xs": [0] * 30}).cost
    beaten = beaten_by(target, 30, falls, steps=100_000, climb=False)
    assert beaten is not None
    assert beaten.cost == target.replay(beaten.arguments).cost > falls


def test_lines_in_a_sentence():
    assert sentence((9, 10, 11, 14)).startswith("lines 9 to 11, 14 never ran")
    assert sentence((9,)).startswith("line 9 never ran")


def test_what_ran_outside_the_measured_part_did_run(program):
    target = program(
        """
        import xsynth

        def f(xs: list[int]) -> int:
            total = 0
            for x in xs:
                total += 1
            with xsynth.measured():
                if xs[0] > 0:
                    total += 1
            return total
        """
    )
    assert unreached_lines(target, _explored(target, 1, 2)) == ()
