"""xsynth: worst-case inputs for Python functions, at any size, with proof.

    model = xsynth.learn(insertion_sort, scales=range(2, 7))
    model.generate(500).arguments

`learn` and `load` bring Z3 and numpy along when they are first used; a program that only
imports the markers (`Range`, `problem`, `assume`, `measured`) does without.
"""

from typing import TYPE_CHECKING

from xsynth.errors import HonestNo, UsageError, XsynthError
from xsynth.program.markers import Range, assume, measured, problem

if TYPE_CHECKING:
    from xsynth.api import Learned, learn, load

__all__ = [
    "HonestNo",
    "Learned",
    "Range",
    "UsageError",
    "XsynthError",
    "assume",
    "learn",
    "load",
    "measured",
    "problem",
]
__version__ = "0.1.0"

_LAZY = ("Learned", "learn", "load")


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'xsynth' has no attribute {name!r}")
    from xsynth import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
