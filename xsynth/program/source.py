"""The source of a program, read and parsed, with words for what can go wrong."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

from xsynth.errors import ProgramError


def digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()


def read_source(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ProgramError(
            f"{path}: no such file", "give the path of a Python file, as in prog.py::function"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ProgramError(f"{path}: cannot be read: {error}", "is it a Python file?") from None


def parse(source: str, path: Path) -> ast.Module:
    try:
        # Some errors show only where the tree is compiled: a return outside of a function.
        compile(source, str(path), "exec", dont_inherit=True)
        return ast.parse(source, str(path))
    except SyntaxError as error:
        raise ProgramError(
            f"{path}:{error.lineno}: syntax error: {error.msg}",
            f"the line reads: {(error.text or '').strip()}",
        ) from None
    except ValueError as error:  # a null byte
        raise ProgramError(f"{path}: not Python source: {error}", "is it a Python file?") from None
