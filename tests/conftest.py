"""Shared helpers: programs from text, loaded as a user's file would be."""

from __future__ import annotations

import signal
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from xsynth.program.program import Options, Program, load

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("xsynth", deadline=None)
settings.load_profile("xsynth")

# A shell starts what it puts into the background with Ctrl-C ignored, and children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Program]:
    """`program(source, function=None, **options)`: a program made from its text."""

    def make(source: str, function: str | None = None, **options: object) -> Program:
        path = tmp_path / "target.py"
        path.write_text(textwrap.dedent(source))
        return load(path, function, Options(**options))  # type: ignore[arg-type]

    return make
