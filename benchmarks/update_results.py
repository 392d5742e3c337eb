"""Puts the report of a benchmark into docs/results.md, between its markers.

    xsynth bench --suite xstressor --report out
    python benchmarks/update_results.py out

The section of a suite begins with `<!-- bench NAME -->` and ends with `<!-- end bench NAME -->`;
a suite that has none yet gets one at the end.  An unfinished run is refused.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from xsynth.bench.results import read
from xsynth.report.bench_text import report_markdown

DOCUMENT = Path(__file__).parents[1] / "docs" / "results.md"


def updated(text: str, name: str, report: str) -> str:
    begin, end = f"<!-- bench {name} -->", f"<!-- end bench {name} -->"
    section = f"{begin}\n{report.rstrip()}\n{end}"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if pattern.search(text) is None:
        return f"{text.rstrip()}\n\n{section}\n"
    return pattern.sub(lambda _: section, text, count=1)


def main(folder: str) -> int:
    results = read(Path(folder))
    if results is None or not results.finished:
        print(f"{folder}: no finished run is in there", file=sys.stderr)
        return 1
    report = report_markdown(results, level=2)
    DOCUMENT.write_text(updated(DOCUMENT.read_text(), results.suite, report))
    print(f"{DOCUMENT.name}: {results.suite}, {len(results.rows)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
