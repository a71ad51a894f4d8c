"""What one pass over the ground of a hosted cluster knows of the cluster itself."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from hypershift.kit import Manifest
from hypershift.kube import Client
from hypershift.local.provider import health
from hypershift.local.provider.fleet import Fleet
from hypershift.runtime import Scope

LOOK: Final = timedelta(seconds=10)


@dataclass(slots=True)
class GuestScope(Scope):
    """One pass over a LocalCluster, and the guest that it is the ground of."""

    fleet: Fleet
    connected: Client | None = None
    services: list[Manifest] = field(default_factory=list)
    probe: health.Probe = health.takes_traffic
    #: Ready nodes that do not answer for their Services.
    unwell: int = 0

    @property
    def guest(self) -> Client:
        """The hosted cluster; phases after `connect` rely on it."""
        if self.connected is None:
            raise RuntimeError("the guest is connected before the phases that use it")
        return self.connected
