"""The control plane operator: from a HostedControlPlane to a running API server."""

from collections.abc import Iterator
from typing import Any

from hypershift.operators.controlplane import private_link
from hypershift.operators.controlplane.controller import controller
from hypershift.operators.controlplane.scope import Environment
from hypershift.operators.controlplane.settings import Settings
from hypershift.runtime import Controller


def controllers(environment: Environment) -> Iterator[Controller[Any]]:
    """Yield the controllers of control planes and of their private links."""
    yield controller(environment)
    yield from private_link.controllers(environment)


__all__ = ["Environment", "Settings", "controller", "controllers"]
