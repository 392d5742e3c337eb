"""The grammars of `grammars/*.lark`, as LALR parsers.

A wheel carries them inside the package; a checkout (or an editable install) has
them beside it.

Making the tables of a parser takes longer than reading a model with them, so those of the
grammars that every command reads a model with lie beside the grammars, as `NAME.json`.
They are used if they were made from these very grammars by this very version of lark, and
made anew in memory otherwise: nothing but time is lost.  After a change to a grammar,

    python -m xsynth.model.grammars

writes them again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Transformer
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

KEPT: dict[str, tuple[str, ...]] = {"model": ("model",), "isg": ("isg", "expr")}
"""The grammars whose tables are kept, with their start rules."""


@cache
def folder() -> Path:
    """Where the grammars are."""
    package = Path(str(files("xsynth")))
    inside = package / "grammars"
    return inside if inside.is_dir() else package.parent / "grammars"


@cache
def parser(
    name: str,
    *starts: str,
    transformer: Transformer[Any, Any] | None = None,
    lexer: type[Lexer] | None = None,
) -> Lark:
    """The parser of `grammars/NAME.lark`; its rules build what `transformer` says.

    The transformer works during the parse, so no tree is walked afterwards and the
    length of a text is not limited by recursion.
    """
    if lexer is None and KEPT.get(name) == starts:
        tables = _kept(name)
        if tables is not None:
            own = {} if transformer is None else {"transformer": transformer}
            read: Callable[..., Lark] = Lark._load_from_dict
            return read(tables["data"], tables["memo"], **own)
    return _made(name, *starts, transformer=transformer, lexer=lexer)


def _made(
    name: str,
    *starts: str,
    transformer: Transformer[Any, Any] | None = None,
    lexer: type[Lexer] | None = None,
) -> Lark:
    path = folder() / f"{name}.lark"
    return Lark(
        path.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=lexer or "contextual",
        start=list(starts),
        transformer=transformer,
        import_paths=[str(path.parent)],
        maybe_placeholders=False,
    )


def _kept(name: str) -> dict[str, Any] | None:
    """The tables in the file beside the grammar, unless they are another grammar's."""
    try:
        text = (folder() / f"{name}.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        tables: dict[str, Any] = json.loads(text, object_hook=_with_numbers)
        return tables if tables["made from"] == _origin() else None
    except (ValueError, KeyError, TypeError):  # cut off, say: they are made anew
        return None


@cache
def _origin() -> list[str]:
    """What tables depend on: the version of lark, and all grammars (they import each other)."""
    texts = [path.read_bytes() for path in sorted(folder().glob("*.lark"))]
    return [lark.__version__, *(hashlib.sha256(text).hexdigest() for text in texts)]


def _with_numbers(entry: dict[str, Any]) -> dict[Any, Any]:
    """JSON has no numbers for keys; the tables have no other keys that are digits."""
    return {int(key) if key.isdecimal() else key: value for key, value in entry.items()}


def write_tables() -> None:
    """Writes the tables of the grammars that are kept."""
    for name, starts in KEPT.items():
        data, memo = _made(name, *starts).memo_serialize([TerminalDef, Rule])
        tables = {"made from": _origin(), "data": data, "memo": memo}
        text = json.dumps(tables, separators=(",", ":"), sort_keys=True)
        (folder() / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_tables()
