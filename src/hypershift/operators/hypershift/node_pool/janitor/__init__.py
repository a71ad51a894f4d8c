"""Cleans up after pools: tokens and user data that belong to no pool, or to its past."""

from hypershift.operators.hypershift.node_pool.janitor.controller import controller

__all__ = ["controller"]
