"""The settings that an ignition server is started with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

#: Where roles show their figures.
METRICS_PORT = 8080


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server for all clusters, or for one when `control_plane` names its namespace."""

    namespace: str = "hypershift"  # where the server, its Service and its certificates live
    control_plane: str = ""  # the only control plane namespace served; empty serves all
    service: str = "ignition-server"
    address: str = "0.0.0.0"  # noqa: S104 - machines come from other networks
    port: int = 9090
    metrics_port: int = 0  # figures have a door of their own; 0 shows none
    registry_mirrors: Mapping[str, str] = field(default_factory=dict)  # for nodes: host to URL
    token_lifetime: timedelta = timedelta(hours=11)
    memory: timedelta = timedelta(seconds=5)  # how long an answer may be reused

    @property
    def shared(self) -> bool:
        """Whether tokens of every control plane namespace are served."""
        return not self.control_plane
