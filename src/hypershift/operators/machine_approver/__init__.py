"""Machine approver: lets the kubelets of machines that we made have their certificates."""

from typing import Any

from hypershift.operators.machine_approver.controller import controller
from hypershift.runtime import Controller

__all__ = ["controllers"]


def controllers(namespace: str = "") -> tuple[Controller[Any], ...]:
    """The approver of one control plane namespace, or of all."""
    return (controller(namespace),)
