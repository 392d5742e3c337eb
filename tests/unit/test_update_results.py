"""The section of docs/results.md that a benchmark writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "update_results.py"
_spec = importlib.util.spec_from_file_location("update_results", SCRIPT)
assert _spec is not None and _spec.loader is not None
update_results = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(update_results)


def test_a_new_section_goes_to_the_end_and_is_replaced_there() -> None:
    once = update_results.updated("# Results\n", "own", "first\n")
    assert once == "# Results\n\n<!-- bench own -->\nfirst\n<!-- end bench own -->\n"
    other = update_results.updated(once, "wise", "other")
    again = update_results.updated(other, "own", r"second \1")
    assert again.index(r"second \1") < again.index("other")
    assert "first" not in again


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    assert update_results.main(str(tmp_path)) == 1
