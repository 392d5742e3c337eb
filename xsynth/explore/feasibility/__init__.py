"""Whether a path can be taken: a chain of solvers, the cheap exact ones first."""

from xsynth.explore.feasibility.chain import ALL_LAYERS, Chain, Domain
from xsynth.explore.feasibility.outcome import Feasible, Infeasible, Outcome, Unknown

__all__ = ["ALL_LAYERS", "Chain", "Domain", "Feasible", "Infeasible", "Outcome", "Unknown"]
