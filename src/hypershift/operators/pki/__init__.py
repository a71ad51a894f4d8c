"""PKI operator: break-glass signers of control planes, their certificates and their revocation."""

from typing import Any

from hypershift.operators.pki import revocation
from hypershift.operators.pki.controller import controller
from hypershift.operators.pki.rules.signer import (
    CLASSES,
    CUSTOMER,
    DAY,
    SRE,
    Lifetimes,
    SignerClass,
)
from hypershift.operators.pki.scope import Environment
from hypershift.runtime import Controller

__all__ = [
    "CLASSES",
    "CUSTOMER",
    "DAY",
    "SRE",
    "Environment",
    "Lifetimes",
    "SignerClass",
    "controllers",
]


def controllers(
    environment: Environment | None = None, namespace: str = ""
) -> tuple[Controller[Any], ...]:
    """The controllers of one control plane namespace, or of all."""
    chosen = environment or Environment()
    return (controller(chosen, namespace), revocation.controller(chosen.check, namespace))
