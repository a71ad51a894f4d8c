"""Thirty ways to write the sample operator wrong; schedules have to find them."""

from hypershift.testing.sim.mutants import credential, deletion, keys, settings, workers
from hypershift.testing.sim.mutants.registry import MUTANTS

__all__ = ["MUTANTS", "credential", "deletion", "keys", "settings", "workers"]
