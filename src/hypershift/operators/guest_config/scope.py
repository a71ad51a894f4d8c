"""What one pass over a hosted cluster's inside knows, and what every pass may use."""

from dataclasses import dataclass, field
from typing import Any

from hypershift.kit import Manifest
from hypershift.kube import Client
from hypershift.operators.guest_config.callback import Network
from hypershift.operators.guest_config.catalog import Values
from hypershift.release import Lookup, Release
from hypershift.runtime import Scope


@dataclass(frozen=True, slots=True)
class Environment:
    """What the controller was given when its process started."""

    releases: Lookup
    namespace: str = ""  # the only control plane namespace looked at; empty means all
    #: Ranges of the management cluster, as far as the operator was told.
    management_networks: tuple[Network, ...] = ()


@dataclass(slots=True)
class GuestScope(Scope):
    """One pass over a HostedControlPlane, seen from inside its cluster."""

    environment: Environment
    guest: Client | None = None
    release: Release | None = None  # the wanted one
    plane: Release | None = None  # the one that the management side shall run
    software: Release | None = None  # the one that the cluster's own software is made of now
    values: Values | None = None
    nodes: list[Manifest] = field(default_factory=list)
    applied: list[Manifest] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def networking(self) -> dict[str, Any]:
        """The cluster's networks."""
        return self.spec.get("networking") or {}

    @property
    def inside(self) -> Client:
        """The hosted cluster; phases after `connect` rely on it."""
        if self.guest is None:
            raise RuntimeError("the hosted cluster is connected before it is used")
        return self.guest
