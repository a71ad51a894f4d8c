"""The control plane operator: from a HostedControlPlane to a running API server."""

from hypershift.operators.controlplane.controller import controller
from hypershift.operators.controlplane.scope import Environment
from hypershift.operators.controlplane.settings import Settings

__all__ = ["Environment", "Settings", "controller"]
