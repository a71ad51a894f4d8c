"""What one pass over the requests of a hosted cluster knows."""

from dataclasses import dataclass

from hypershift.kube import Client
from hypershift.pki.kubelet_request import OPENSHIFT, Bootstrapper
from hypershift.runtime import (
    Scope,
)


@dataclass(slots=True)
class ApproverScope(Scope):
    """One pass over a hosted cluster's requests."""

    guest: Client | None = None
    bootstrapper: Bootstrapper = OPENSHIFT

    @property
    def namespace(self) -> str:
        return self.key.namespace
