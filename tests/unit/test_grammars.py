"""Tables of parsers that are kept beside the grammars: those of these grammars, or none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from xsynth.model import grammars
from xsynth.model.isg import parse

ROOT = Path(__file__).parents[2]
SENTENCES = {
    "isg": ["incre(0, n - 2, 1)", "const(n - 1, 1)", "incre(const(2*n, 3), n**2/2, -1)"],
    "expr": ["n*(n - 1)/2", "Max(n, 2**n) + factorial(n)", "log(n, 2) - 3"],
}


def _forget() -> None:
    grammars.parser.cache_clear()
    grammars._origin.cache_clear()


@pytest.fixture
def _none_made() -> Iterator[None]:
    _forget()
    yield
    _forget()


def test_the_tables_are_those_of_the_grammars() -> None:
    """If not: python -m xsynth.model.grammars"""
    for name in grammars.KEPT:
        assert grammars._kept(name) is not None, f"{name}.json is of another grammar"


def test_kept_tables_and_new_ones_read_the_same() -> None:
    starts = grammars.KEPT["isg"]
    kept, made = grammars.parser("isg", *starts), grammars._made("isg", *starts)
    for start, texts in SENTENCES.items():
        for text in texts:
            assert kept.parse(text, start) == made.parse(text, start)
            with pytest.raises(Exception, match="Unexpected"):
                kept.parse(f"{text} )", start)


@pytest.mark.usefixtures("_none_made")
def test_tables_of_another_grammar_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "grammars"
    shutil.copytree(ROOT / "grammars", own)
    monkeypatch.setattr(grammars, "folder", lambda: own)
    assert grammars._kept("isg") is not None
    _forget()
    changed = (own / "isg.lark").read_text().replace("incre", "rising")
    (own / "isg.lark").write_text(changed)
    assert grammars._kept("isg") is None
    starts = grammars.KEPT["isg"]
    grammars.parser("isg", *starts).parse("rising(0, n - 2, 1)", "isg")
    with pytest.raises(Exception, match="Unexpected"):
        grammars.parser("isg", *starts).parse("incre(0, n - 2, 1)", "isg")
    grammars.write_tables()
    assert json.loads((own / "isg.json").read_text())["made from"] == grammars._origin()
    _forget()
    assert grammars._kept("isg") is not None
    grammars.parser("isg", *starts).parse("rising(0, n - 2, 1)", "isg")


def test_what_is_read_with_them_is_a_generator() -> None:
    assert str(parse("incre(0, n - 2, 1)")) == "incre(0, n - 2, 1)"
