"""Guest configuration (HCCO): what a hosted Kubernetes cluster holds of ours, and keeps."""

import ipaddress
from collections.abc import Sequence
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
    management_networks: Sequence[str] = (),
    image: str = "",
) -> tuple[Controller[Any], ...]:
    """The guest configuration of one control plane namespace, or of all.

    Webhooks of guests must not lead into `management_networks`. `image` is that of this program.
    """
    networks = tuple(ipaddress.ip_network(one, strict=False) for one in management_networks)
    return (
        controller(Environment(releases, namespace, networks, image)),
        in_place.controller(namespace),
        reencryption.controller(namespace),
    )
