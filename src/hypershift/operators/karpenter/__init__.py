"""Karpenter's operator: nodes of a hosted cluster that are made as pods need them (AutoNode)."""

from typing import Any

from hypershift.operators.karpenter import machine_approver
from hypershift.operators.karpenter.controller import controller
from hypershift.operators.karpenter.machine_approver import OfCloud, of_cloud
from hypershift.operators.karpenter.scope import Environment, Publish, Resolve
from hypershift.runtime import Controller

__all__ = ["Environment", "OfCloud", "Publish", "Resolve", "controllers"]


def controllers(
    environment: Environment, namespace: str, clouds: OfCloud = of_cloud
) -> tuple[Controller[Any], ...]:
    """Everything that Karpenter's operator does for one control plane."""
    return (
        controller(environment, namespace),
        machine_approver.controller(namespace, clouds),
    )
