"""Small programs in pods of control planes and nodes: `control-plane-operator NAME`.

They run in many pods at once, so each imports only what it needs.
"""

from hypershift.helpers.program import PROGRAMS, main, parse

__all__ = ["PROGRAMS", "main", "parse"]
