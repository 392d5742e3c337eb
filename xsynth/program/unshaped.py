"""Annotations that have no shape, and what to do about them."""

from __future__ import annotations

import collections.abc
import typing
from typing import cast

from xsynth.errors import InputSpecError
from xsynth.program.known import ACCEPTED, bare

_MADE_BY_PYTHON = 1 << 9
"""The flag of types that a class statement made (Py_TPFLAGS_HEAPTYPE)."""


def is_written_in_python(annotation: type) -> bool:
    return bool(annotation.__flags__ & _MADE_BY_PYTHON)


def written_in_c(annotation: type, name: str) -> InputSpecError:
    shown = f"{annotation.__module__}.{annotation.__name__}"
    advice = f"Build it in a function of your own from plain arguments, or --fix {name}=VALUE."
    if hasattr(annotation, "__getitem__") and hasattr(annotation, "__len__"):
        advice = (
            f"Where the function only indexes it and goes through it, a list will do: "
            f"--input {name}='list[int]' (or list[float], list[list[int]])."
        )
    return InputSpecError(
        f"parameter {name} is a {shown}, which is written in C and cannot hold unknowns", advice
    )


def unknown(annotation: object, name: str) -> InputSpecError:
    if collections.abc.Callable in (annotation, typing.get_origin(annotation)):
        return InputSpecError(
            f"parameter {name} is a function, and xsynth makes no functions",
            "Write a function in the same file that passes one, and learn that, as in\n"
            f"def with_one(a: list[int]): return ORIGINAL(a, {name}=lambda x: x % 2 == 0)",
        )
    shown = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    collection = bare(annotation)
    if collection is not None:
        kind = cast(type, collection).__name__
        return InputSpecError(
            f"parameter {name} is annotated {shown}, which does not say what is in it",
            f"Write {kind}[int], or pass --input {name}='{kind}[int]'.",
        )
    return InputSpecError(
        f"parameter {name} is annotated {shown}, a shape that xsynth does not make",
        f"{ACCEPTED}\nOr pass --fix {name}=VALUE or --input {name}=TYPE.",
    )
