"""What the NetworkPolicies have to know of the clusters around a control plane."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from hypershift.kit import METADATA_RANGES, Manifest, TransientError
from hypershift.operators.hypershift.hosted_cluster.rules.network_policy.ranges import (
    of_families,
    uncovered,
)


@dataclass(frozen=True)
class Networks:
    """The pod and service ranges of a cluster, where its API has them."""

    pods: tuple[str, ...] = ()
    services: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every range in the cluster."""
        return self.pods + self.services


@dataclass(frozen=True)
class Surroundings:
    """What the policies need of the management cluster and of the operator's settings.

    `api_addresses` is None when the cluster has no endpoints object: then a policy that has to
    keep pods from the management API cannot be written.
    """

    openshift: bool = False
    api_addresses: tuple[str, ...] | None = None
    networks: Networks = Networks()
    block_cidrs: tuple[str, ...] = ()
    cluster_ranges: tuple[str, ...] = ()  # pods and nodes, where no OpenShift object names them
    guards_metadata: bool = False  # keep pods from link-local and metadata addresses
    metrics_access: bool = False
    rhobs: bool = False
    infra_networks: Networks | None = None  # of an external infrastructure cluster
    infra_error: str = ""  # why those could not be read
    operator_namespace: str = ""  # of an operator that manages this control plane from outside

    def kept_from(self) -> tuple[str, ...]:
        """The ranges that no control plane pod has any business in.

        On OpenShift they are exactly the original's.
        """
        known = (*self._management_api(), *self.networks.pods)
        known += uncovered(self.cluster_ranges, known)
        return known if self.openshift else self.with_metadata(known)

    def with_metadata(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """Add metadata addresses, of the families that are open at all."""
        if not self.guards_metadata:
            return known
        return known + uncovered(of_families(METADATA_RANGES, known), known)

    def _management_api(self) -> tuple[str, ...]:
        """Blocked ranges, and the API's addresses that none of them holds."""
        if self.api_addresses is None and not self.block_cidrs:
            raise TransientError(
                'getting management cluster kubernetes endpoints: endpoints "kubernetes" not found'
            )
        return self.block_cidrs + uncovered(self._api(), self.block_cidrs)

    def machines_kept_from(self) -> tuple[str, ...]:
        """What a machine that is a pod must not reach without OpenShift: API, metadata."""
        return self.with_metadata(self._api()) if self.guards_metadata else ()

    def _api(self) -> tuple[str, ...]:
        return tuple(single(address) for address in self.api_addresses or ())


def networks_of(network: Manifest | None) -> Networks:
    """The ranges that an OpenShift `Network` object names."""
    spec = (network or {}).get("spec") or {}
    pods = tuple(entry["cidr"] for entry in spec.get("clusterNetwork") or ())
    return Networks(pods, tuple(spec.get("serviceNetwork") or ()))


def single(address: str) -> str:
    """The range that holds one address alone, IPv4 or IPv6."""
    return str(ipaddress.ip_network(address))


def of_family(cidrs: Iterable[str], version: int) -> list[str]:
    """The ranges of one IP family: an `except` may only name the family of its block."""
    return [cidr for cidr in cidrs if ipaddress.ip_network(cidr, strict=False).version == version]
