"""The grammars of `grammars/*.lark`, as LALR parsers.

A wheel carries them inside the package; a checkout (or an editable install) has
them beside it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lark import Lark, Transformer
from lark.lexer import Lexer


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
