"""What one pass over the requests of Karpenter's nodes knows."""

from collections.abc import Callable
from dataclasses import dataclass

from hypershift.kube import Client
from hypershift.pki.kubelet_request import OPENSHIFT, Bootstrapper
from hypershift.platforms import platform_named
from hypershift.platforms.pools import Instances
from hypershift.runtime import Scope

#: What clouds know of machines, by the name of the platform.
OfCloud = Callable[[str], Instances]


def of_cloud(platform: str) -> Instances:
    """What one cloud answers."""
    return platform_named(platform).pools.instances


@dataclass(slots=True)
class RequestScope(Scope):
    """One pass over a hosted cluster's requests."""

    clouds: OfCloud
    guest: Client | None = None
    bootstrapper: Bootstrapper = OPENSHIFT

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace
