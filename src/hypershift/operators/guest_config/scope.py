"""What one pass over a hosted cluster's inside knows, and what every pass may use."""

from dataclasses import dataclass, field

from hypershift.api import HostedControlPlane, read
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.kit import Manifest
from hypershift.kube import Client
from hypershift.operators.guest_config.rules.catalog import Values
from hypershift.release import Lookup, Release
from hypershift.runtime import Scope


@dataclass(frozen=True, slots=True)
class Environment:
    """What the controller was given when its process started."""

    releases: Lookup
    namespace: str = ""  # the only control plane namespace looked at; empty means all
    image: str = ""  # of this program, for what it runs on nodes


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
    _hosted: HostedControlPlane | None = field(default=None, init=False, repr=False)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def hosted(self) -> HostedControlPlane:
        """The HostedControlPlane of this pass, decoded once."""
        if self._hosted is None:
            self._hosted = read(HostedControlPlane, self.object)
        return self._hosted

    @property
    def wanted(self) -> HostedControlPlaneSpec:
        """What the control plane should be."""
        return self.hosted.spec

    @property
    def inside(self) -> Client:
        """The hosted cluster; phases after `connect` rely on it."""
        if self.guest is None:
            raise RuntimeError("the hosted cluster is connected before it is used")
        return self.guest
