"""One ingress for many clusters: the address is shared, the name chooses the cluster."""

from hypershift.operators.hypershift.shared_ingress.controller import controller
from hypershift.operators.hypershift.shared_ingress.scope import Environment

__all__ = ["Environment", "controller"]
