"""Programs with few paths at any scale: there the worst case needs no model.

A search in a sorted list has 2n + 1 paths.  Its worst case may follow no formula that anyone
knows, and yet at n = 1000 it is found by looking at all of them, which also proves it.  Whether
there are few is not guessed from the explored scales alone: a scale twice as large is explored.
"""

from __future__ import annotations

from collections.abc import Sequence

from xsynth.explore.worst import WorstCase, explore
from xsynth.program.program import Program

FEWEST_SCALES = 4
MOST_PATHS = 600
"""How many paths the largest explored scale may have, and the one twice as large fourfold."""
WORK = 400_000


def enumerated(
    program: Program, worst: Sequence[WorstCase], deadline: float | None
) -> WorstCase | None:
    """A scale twice as large as those explored, if all show that there are few paths."""
    paths = {case.scale: case.paths for case in worst if isinstance(case.scale, int)}
    if len(paths) < max(len(worst), FEWEST_SCALES) or not all(case.exhaustive for case in worst):
        return None
    last = max(paths)
    half = min(n for n in paths if 2 * n >= last)
    if paths[last] > MOST_PATHS or not _slow(half, paths[half], last, paths[last]):
        return None
    case = explore(program, 2 * last, deadline, work=WORK)
    if not case.exhaustive or case.cost is None:
        return None
    return case if _slow(last, paths[last], 2 * last, case.paths) else None


def _slow(scale: int, paths: int, larger: int, more: int) -> bool:
    """Whether paths grow as the square of the scale does, or slower."""
    return more * scale * scale <= paths * larger * larger
