"""In-place upgrades: the nodes of a pool get new software without getting new machines."""

from hypershift.operators.guest_config.in_place.controller import controller

__all__ = ["controller"]
