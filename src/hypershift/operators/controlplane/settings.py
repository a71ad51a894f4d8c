"""The settings that a control plane operator is started with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypershift.kit import Key


@dataclass(frozen=True)
class Settings:
    """The settings of the HostedControlPlane controller, in its own process or in a shared one."""

    kubeconfig: Path | None = None
    namespace: str = ""  # empty: every control plane of the management cluster
    name: str = ""  # of this replica
    image: str = ""  # of this program
    release: str = ""  # only control planes on this release; empty: all
    registry_mirrors: Mapping[str, str] = field(default_factory=dict)
    registry_overrides: Mapping[str, str] = field(default_factory=dict)
    image_overrides: Mapping[str, str] = field(default_factory=dict)
    proxy: Mapping[str, str] = field(default_factory=dict)  # HTTP_PROXY, HTTPS_PROXY, NO_PROXY
    #: The Service of an ignition server for all clusters; None: each control plane has its own.
    shared_ignition: Key | None = None
    metrics_set: str = "Telemetry"
    leader_election: bool = True
    health_address: str = "0.0.0.0:6060"  # probes and metrics
    cache: Path | None = None
    workers: int = 10
