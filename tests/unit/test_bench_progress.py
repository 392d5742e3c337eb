"""What is running and what is left, on a terminal and elsewhere."""

from __future__ import annotations

import io
import time

from xsynth.bench.progress import Progress
from xsynth.bench.results import Learned, Row


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


DONE = Row("sorts", 10, "wise", "done", seconds=1.0, cost=5, predicted=5, verified=True)


def test_elsewhere_a_line_for_each_that_ran() -> None:
    stream = io.StringIO()
    with Progress(3, 1, stream) as progress:
        progress.begin("sorts n = 10 wise", 60)
        progress.finish("sorts n = 10 wise", DONE)
        skipped = Row("sorts", 20, "wise", "OOT", reason="not run: OOT at 10", ran=False)
        progress.finish("sorts n = 20 wise", skipped)
    assert stream.getvalue() == "xsynth: [2/3] sorts n = 10 wise: cost 5 (worst case), 1.0 s\n"


def test_a_terminal_shows_what_runs_and_what_is_left() -> None:
    stream = _Terminal()
    with Progress(7, 0, stream) as progress:
        progress.finish("sorts learn", Learned("sorts", "learned", "", 2.0, 80.0, formula="n"))
        progress.finish("sorts n = 10 wise", DONE)
        progress.begin("sorts n = 20 wise", 60)
        time.sleep(0.6)
    shown = stream.getvalue()
    assert "1 of 7 measured, 6 left" in shown
    assert "sorts n = 20 wise" in shown
    assert "limit 60 s" in shown
    assert "sorts n = 10 wise: cost 5 (worst case)" in shown
