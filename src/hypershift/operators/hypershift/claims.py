"""Decides which cluster a host name or an id belongs to: the one that was published by it first.

A name in a HostedControlPlane is published, because only a valid HostedCluster has one; it wins
over names that other HostedClusters request. So no user can take the name of a running cluster,
not even with an older HostedCluster. Of two that request a name at once, the older one gets it.
Operators of a Dedicated cluster may write its HostedControlPlane: what stands there and not in its
HostedCluster holds a name only as long as no other cluster requests it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hypershift.api import read
from hypershift.api.publishing import Named, Naming, chosen_name
from hypershift.kit import Key, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube.cache import Index
from hypershift.operators.hypershift.ownership import cluster_of

#: Names that a cluster has and requests, that it requests, and that only its control plane has.
PUBLISHED, REQUESTED, LEFT = range(3)


@dataclass(frozen=True, slots=True, order=True)
class Claim:
    """One cluster's claim on a name; the smallest one holds it."""

    rank: int
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
        """Read the claims of HostedClusters and HostedControlPlanes.

        Without HostedClusters everything in a control plane counts as published.
        """
        self._claims: dict[str, list[Claim]] = {}
        requested: dict[Key, frozenset[str]] = {}
        for cluster in clusters:
            key, names = key_of(cluster), _wanted(cluster)
            requested[key] = names
            self._add(cluster, key, REQUESTED, names)
        for plane in planes:
            if (home := _cluster_of_plane(plane)) is not None:
                names = _wanted(plane)
                both = names & requested.get(home, names)
                self._add(plane, home, PUBLISHED, both)
                self._add(plane, home, LEFT, names - both)

    def _add(self, found: Manifest, key: Key, rank: int, names: Iterable[str]) -> None:
        claim = Claim(rank, found["metadata"].get("creationTimestamp", ""), key)
        for name in names:
            self._claims.setdefault(name, []).append(claim)

    def refused(self, key: Key, spec: Naming) -> frozenset[str]:
        """What a spec claims and another cluster has."""
        return frozenset(
            name
            for name in claimed(spec)
            if (claims := self._claims.get(name)) and min(claims).key != key
        )


def _cluster_of_plane(plane: Manifest) -> Key | None:
    """The cluster that a control plane says it is of, if it lies in that one's namespace."""
    key = cluster_of(plane)
    return key if key and control_plane_namespace(key) == plane["metadata"]["namespace"] else None


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
