"""What the NetworkPolicies have to know of the clusters around a control plane."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from hypershift.kit import Manifest, TransientError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Networks:
    """The pod and service ranges of a cluster, where its API tells them."""

    pods: tuple[str, ...] = ()
    services: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every range in the cluster."""
        return self.pods + self.services


@dataclass(frozen=True)
class Surroundings:
    """The management cluster as the policies see it, and what its operator was told.

    `api_addresses` is None when the cluster has no endpoints object: then a policy that has to
    keep pods from the management API cannot be written.
    """

    openshift: bool = False
    api_addresses: tuple[str, ...] | None = None
    networks: Networks = Networks()
    block_cidrs: tuple[str, ...] = ()
    metrics_access: bool = False
    rhobs: bool = False
    infra_networks: Networks | None = None  # of an external infrastructure cluster
    infra_error: str = ""  # why those could not be read
    operator_namespace: str = ""  # of an operator that looks after this control plane from outside

    def kept_from(self) -> tuple[str, ...]:
        """The ranges that no control plane pod has any business in."""
        return (*self._management_api(), *self.networks.pods)

    def _management_api(self) -> tuple[str, ...]:
        if self.block_cidrs:
            return self.block_cidrs
        if self.api_addresses is None:
            raise TransientError(
                'getting management cluster kubernetes endpoints: endpoints "kubernetes" not found'
            )
        return tuple(single(address) for address in self.api_addresses)


def networks_of(network: Manifest | None) -> Networks:
    """The ranges that an OpenShift `Network` object names."""
    spec = (network or {}).get("spec") or {}
    pods = tuple(entry["cidr"] for entry in spec.get("clusterNetwork") or ())
    return Networks(pods, tuple(spec.get("serviceNetwork") or ()))


def single(address: str) -> str:
    """The range that holds one address alone, whatever its family."""
    return str(ipaddress.ip_network(address))


def of_family(cidrs: Iterable[str], version: int) -> list[str]:
    """The ranges of one IP family: an `except` may only name the family of its block."""
    return [cidr for cidr in cidrs if ipaddress.ip_network(cidr, strict=False).version == version]
