"""Where a search met an integer that has no end of values."""

from __future__ import annotations

import time
from contextlib import suppress

from xsynth.explore.paths import chain_for
from xsynth.explore.search import UNBOUNDED, Search, Spent
from xsynth.program.assumptions import assumption_term
from xsynth.program.markers import AssumptionFailed
from xsynth.program.program import Program
from xsynth.scale import Scale, named
from xsynth.trace.proxies.current import recording
from xsynth.trace.run import arguments_of, root_of, run
from xsynth.trace.terms import const
from xsynth.trace.tracer import Deadline, Tracer

WORK = 10_000
SECONDS = 2.0
UNBOUNDED_ASSUMED = (
    "needs an unbounded integer as a key, an index, a count or a text: bound it with --range"
)


def why_incomplete(search: Search, program: Program, scale: Scale) -> str | None:
    """What has no end is told, with its place, rather than what ended: the time, or the work.

    The search itself knows no places, so the path is run once more.
    """
    if not search.unbounded:
        return search.incomplete
    until = time.monotonic() + SECONDS
    text = _assumption(program, scale, search.unbounded, until)
    if text is not None:
        return f"the assumption `{text}` {UNBOUNDED_ASSUMED}"
    again = Search(chain_for(program, scale, until), prefix=search.unbounded, limit=WORK)
    again.memory = None
    with suppress(Spent, Deadline):
        again.begin()
        run(program, scale, again, record=False, deadline=until)
    place = again.place_of(len(search.unbounded) - 1)
    return UNBOUNDED if place is None else f"{program.places.words(place)}: {UNBOUNDED}"


def _assumption(
    program: Program, scale: Scale, answers: tuple[int, ...], until: float
) -> str | None:
    """The assumption that makes the last of these decisions, if one does."""
    again = Search(chain_for(program, scale, until), prefix=answers, limit=WORK)
    again.memory = None
    arguments = arguments_of(program, scale)
    with (
        suppress(Spent, Deadline, AssumptionFailed),
        recording(Tracer(root_of(program), again, record=False)),
    ):
        again.begin()
        for text in program.spec.assumptions:
            result = assumption_term(text, arguments, named(scale))
            if len(again.stack) >= len(answers):
                return text
            again.assume(const(result) if isinstance(result, bool) else result)
    return None
