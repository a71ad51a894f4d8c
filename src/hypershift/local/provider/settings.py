"""The settings that the provider is started with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One embedded cluster's provider."""

    #: How to reach the management cluster.
    kubeconfig: Path
    #: Holds the machines of hosted clusters.
    machines: Path
    #: Holds extracted machine-os images.
    trees: Path
    #: The scope of these machines on the host: another one than the management nodes'.
    scope: str
    bridge: str
    #: The network of the bridge, with its prefix; machines get theirs from `pool`, a part of it.
    network: IPv4Network
    pool: IPv4Network
    gateway: str
    resolvers: tuple[str, ...]
    #: The same bridge's IPv6 network and router, where it has one: a machine's address there ends
    #: as its other one does.
    network_v6: IPv6Network | None = None
    gateway_v6: str = ""
    resolvers_v6: tuple[str, ...] = ()
    mtu: int = 1500
    zones: tuple[str, ...] = ("a",)
    region: str = "local"
    #: Where registries are really asked: host -> URL.
    mirrors: Mapping[str, str] = field(default_factory=dict)
    #: Seconds in which a deleted machine may end its containers.
    grace: float = 5.0
