"""Decides which cluster a host name or an id belongs to: the one that was published by it first.

A name in a HostedControlPlane is published, because only a valid HostedCluster has one; it wins
over names that other HostedClusters request. So no user can take the name of a running cluster,
not even with an older HostedCluster. Of two that request a name at once, the older one gets it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hypershift.api import read
from hypershift.api.publishing import Named, Naming, chosen_name
from hypershift.kit import Key, Manifest, key_of
from hypershift.kube.cache import Index
from hypershift.operators.hypershift.ownership import cluster_of


@dataclass(frozen=True, slots=True, order=True)
class Claim:
    """One cluster's claim on a name; the smallest one holds it."""

    asks: bool  # published names win over requested ones
    since: str
    key: Key


def hosts(spec: Naming) -> Iterator[str]:
    """Yield the host names in the spec of a cluster or control plane, as DNS compares them."""
    for service in spec.services:
        if name := chosen_name(service.service_publishing_strategy):
            yield name.lower()
    if name := spec.kube_api_server_dns_name or "":
        yield name.lower()


def infra(spec: Naming) -> str:
    """The claim on a cluster's name in clouds: unlike any host name, which has no slash."""
    return f"infra/{spec.infra_id}" if spec.infra_id else ""


def claimed(spec: Naming) -> frozenset[str]:
    """What two clusters must not share: host names, and the ids that identify them."""
    found = set(hosts(spec))
    if spec.cluster_id:
        found.add(spec.cluster_id)
    if place := infra(spec):
        found.add(place)
    return frozenset(found)


class Claims:
    """The claims of all clusters of a management cluster."""

    def __init__(self, clusters: Iterable[Manifest], planes: Iterable[Manifest]) -> None:
        """Read the claims of HostedClusters and HostedControlPlanes."""
        self._claims: dict[str, list[Claim]] = {}
        for cluster in clusters:
            self._add(cluster, key_of(cluster), asks=True)
        for plane in planes:
            if key := cluster_of(plane):
                self._add(plane, key, asks=False)

    def _add(self, found: Manifest, key: Key, *, asks: bool) -> None:
        claim = Claim(asks, found["metadata"].get("creationTimestamp", ""), key)
        for name in _wanted(found):
            self._claims.setdefault(name, []).append(claim)

    def refused(self, key: Key, spec: Naming) -> frozenset[str]:
        """What a spec claims and another cluster has."""
        return frozenset(
            name
            for name in claimed(spec)
            if (claims := self._claims.get(name)) and min(claims).key != key
        )


def _wanted(found: Manifest) -> frozenset[str]:
    return claimed(read(Named, found.get("spec") or {}))


#: Which clusters want a name: they are woken when it may have become free.
BY_NAME = Index("claimed names", _wanted)


def names(found: Manifest) -> Iterator[Key]:
    """The names of a cluster or control plane, for a watch `through` the index of names."""
    for name in sorted(_wanted(found)):
        yield Key("", name)


def problems(refused: Iterable[str], spec: Naming) -> Iterator[str]:
    """Yield what is wrong; whose a name is remains unsaid, since that may be another tenant."""
    for name in sorted(refused):
        if name == infra(spec):
            yield f"spec.infraID {spec.infra_id} is another cluster's: choose another one"
            continue
        what = "spec.clusterID" if name == spec.cluster_id else "host name"
        yield f"{what} {name} is another cluster's: choose another one"


def outside(spec: Naming, domains: Iterable[str]) -> Iterator[str]:
    """Yield host names that are not below one of the domains that clusters may use, if any."""
    allowed = tuple(domain.lower().strip(".") for domain in domains)
    for name in sorted(set(hosts(spec))) if allowed else ():
        if not name.endswith(tuple(f".{domain}" for domain in allowed)):
            yield f"host name {name} is not below {' or '.join(allowed)}"
