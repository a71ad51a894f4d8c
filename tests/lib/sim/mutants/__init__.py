"""Thirty ways to write the sample operator wrong; schedules have to find them."""

from tests.lib.sim.mutants import credential, deletion, keys, settings, workers
from tests.lib.sim.mutants.registry import MUTANTS

__all__ = ["MUTANTS", "credential", "deletion", "keys", "settings", "workers"]
