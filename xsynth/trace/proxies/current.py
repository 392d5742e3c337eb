"""The recorder of the running trace, and the frame of the user's code that asked.

A proxy meets the recorder wherever Python needs a plain value: a branch (`test`),
an index or a hash (`value`), and wherever an augmented assignment makes a
computed value (`name`).  The recorder may be asked the same question again and must then
give the same answer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Protocol, cast

from xsynth.errors import UnsupportedError
from xsynth.trace import forms as plain_forms
from xsynth.trace.terms import Const, Term

_XSYNTH = Path(__file__).parents[2]
_PROXIES = tuple(
    str(_XSYNTH / own)
    for own in ("trace/proxies", "trace/calls.py", "trace/regex", "program/work.py")
)
"""Frames of these files are not the place of a decision; those of pure forms are."""


_ANY_FRAME = sys._getframe()
"""For a recorder that is not `placed`: it does not look at the frame, which is dear to find."""


class Recorder(Protocol):
    def test(self, term: Term, frame: FrameType) -> bool:
        """A branch on a Boolean term: the side to take."""

    def value(self, term: Term, frame: FrameType) -> int:
        """The plain integer to take for a symbolic one."""

    def name(self, term: Term, frame: FrameType) -> Term:
        """The name (a `Def`) of a computed value that an augmented assignment made."""

    def bounds(self, term: Term) -> tuple[int | None, int | None]:
        """The least and the greatest value that an integer can have; None for no bound."""

    def look_at_the_clock(self) -> None:
        """Something that may take long goes on: the time may be up."""

    def assume_order(self, what: str) -> bool:
        """This run goes through a set in an order that Python's own need not be.

        True asks for the last element first, to see whether the order matters.
        """


_recorder: Recorder | None = None
_forms: Any = None
_placed = True
_identity = False


def current() -> Recorder:
    if _recorder is None:
        raise RuntimeError(
            "a symbolic value was used outside a trace: enter recording(recorder) first"
        )
    return _recorder


def active() -> bool:
    return _recorder is not None


@contextmanager
def muted() -> Iterator[None]:
    """Within the block proxies may be shown, as terms; nothing can be decided."""
    global _recorder  # noqa: PLW0603
    outer, _recorder = _recorder, None
    try:
        yield
    finally:
        _recorder = outer


@contextmanager
def recording(recorder: Recorder, forms: object = None) -> Iterator[Recorder]:
    """Within the block, proxies report to `recorder` (one a process; not thread safe).

    `forms` is the instrumented module of pure forms, in which comparisons in a loop have
    loop coordinates.
    """
    global _recorder, _forms, _placed  # a trace is a property of the process
    outer = _recorder, _forms, _placed
    _recorder, _forms, _placed = recorder, forms, getattr(recorder, "placed", True)
    try:
        yield recorder
    finally:
        _recorder, _forms, _placed = outer


@contextmanager
def by_identity() -> Iterator[None]:
    """Within the block a symbolic value hashes by its identity, which decides nothing."""
    global _identity  # noqa: PLW0603
    outer, _identity = _identity, True
    try:
        yield
    finally:
        _identity = outer


def hashes_by_identity() -> bool:
    return _identity


def forms() -> Any:
    """The pure forms: instrumented, where a trace is running."""
    return plain_forms if _forms is None else _forms


def first_equal(items: Sequence[Any], wanted: object) -> int:
    """Where a sequence first holds a value, by decisions; -1 if it does not."""
    return cast(int, forms().position(items, wanted, 0, len(items)))


def bounds(term: Term) -> tuple[int | None, int | None]:
    """The least and the greatest value that an integer can have; None for no bound."""
    return (None, None) if _recorder is None else _recorder.bounds(term)


def _user_frame(own: str | tuple[str, ...] = _PROXIES) -> FrameType:
    """The innermost frame outside these files, seen from a function of this module."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith(own):
        outer = frame.f_back
        if outer is None:
            break
        frame = outer
    return frame


def decide(term: Term) -> bool:
    """The side of a Boolean term that this run takes."""
    if type(term) is Const:
        return bool(term.value)
    if _placed or _recorder is None:
        return current().test(term, _user_frame())
    return _recorder.test(term, _ANY_FRAME)


def concrete(term: Term) -> int:
    """The plain integer that this run takes for a term."""
    if type(term) is Const:
        return int(term.value)
    return current().value(term, _user_frame() if _placed else _ANY_FRAME)


def named(term: Term) -> Term:
    return current().name(term, _user_frame() if _placed else _ANY_FRAME)


def unsupported(what: str, advice: str) -> UnsupportedError:
    """The error to raise, with the file and line of the user's code."""
    frame = _user_frame(str(_XSYNTH))
    return UnsupportedError(f"{frame.f_code.co_filename}:{frame.f_lineno}: {what}", advice)
