"""xsynth: worst-case inputs for Python functions, at any size, with proof."""

from xsynth.program.markers import Range, assume, measured, problem

__all__ = ["Range", "assume", "measured", "problem"]
__version__ = "0.1.0"
