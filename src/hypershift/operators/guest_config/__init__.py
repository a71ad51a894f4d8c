"""Guest configuration (HCCO): what a hosted Kubernetes cluster holds of ours, and keeps."""

from typing import Any

from hypershift.operators.guest_config import in_place, reencryption
from hypershift.operators.guest_config.controller import controller
from hypershift.operators.guest_config.scope import Environment
from hypershift.release import Lookup
from hypershift.runtime import Controller

__all__ = ["Environment", "controllers"]


def controllers(
    releases: Lookup,
    namespace: str = "",
    image: str = "",
) -> tuple[Controller[Any], ...]:
    """The guest configuration of one control plane namespace, or of all.

    `image` is that of this program.
    """
    return (
        controller(Environment(releases, namespace, image)),
        in_place.controller(namespace),
        reencryption.controller(namespace),
    )
