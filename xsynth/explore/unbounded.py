"""Where a search met an integer that has no end of values."""

from __future__ import annotations

import time
from contextlib import suppress

from xsynth.explore.paths import chain_for
from xsynth.explore.search import UNBOUNDED, Search, Spent
from xsynth.program.program import Program
from xsynth.scale import Scale
from xsynth.trace.run import run
from xsynth.trace.tracer import Deadline

WORK = 10_000
SECONDS = 2.0


def why_incomplete(search: Search, program: Program, scale: Scale) -> str | None:
    """What has no end is told, with its place, rather than what ended: the time, or the work.

    The search itself knows no places, so the path is run once more.
    """
    if not search.unbounded:
        return search.incomplete
    until = time.monotonic() + SECONDS
    again = Search(chain_for(program, scale, until), prefix=search.unbounded, limit=WORK)
    again.memory = None
    with suppress(Spent, Deadline):
        again.begin()
        run(program, scale, again, record=False, deadline=until)
    place = again.place_of(len(search.unbounded) - 1)
    return UNBOUNDED if place is None else f"{program.places.words(place)}: {UNBOUNDED}"
