"""What certificates need to know about a cluster."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hypershift.pki.rotation import Policy


@dataclass(frozen=True, slots=True)
class Site:
    """Namespace, addresses and host names of a control plane."""

    namespace: str
    name: str
    openshift: bool = True
    platform: str = ""
    #: Published hosts, DNS names or addresses; empty while they are not known.
    api_host: str = ""
    konnectivity_host: str = ""
    oauth_host: str = ""
    ingress_domain: str = ""
    #: The DNS domain inside the cluster.
    cluster_domain: str = "cluster.local"
    advertise_address: str = ""
    service_cidrs: tuple[str, ...] = ()
    oauth: bool = True
    ignition: bool = True
    multus: bool = True
    #: Names of etcd clusters beside the first one.
    etcd_shards: tuple[str, ...] = ()
    #: Whether programs outside of the cluster may check the tokens of its service accounts.
    federated: bool = True
    #: Whether the key that signs those tokens is the user's, who alone changes it.
    has_own_token_key: bool = False
    disabled_capabilities: frozenset[str] = frozenset()
    policy: Policy = field(default_factory=Policy)
    #: Owner reference that every Secret and ConfigMap gets; None leaves them without one.
    owner: dict[str, Any] | None = None

    def first_service_addresses(self) -> Iterable[str]:
        """The first address of each service range, which is the guest's `kubernetes` Service."""
        for cidr in self.service_cidrs:
            network = ipaddress.ip_network(cidr, strict=False)
            yield str(network.network_address + 1)

    @staticmethod
    def ip_of(host: str) -> Iterable[str]:
        """The host, when it is an address."""
        if host and _is_address(host):
            yield host

    @staticmethod
    def dns_of(host: str) -> Iterable[str]:
        """The host, when it is a name."""
        if host and not _is_address(host):
            yield host


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
