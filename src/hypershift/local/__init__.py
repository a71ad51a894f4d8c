"""The embedded management cluster: a real one, on this machine.

The face is small on purpose: the supervisor's process imports this package and stays small with it.
"""

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout, Spec

__all__ = ["Layout", "Plan", "Spec"]
