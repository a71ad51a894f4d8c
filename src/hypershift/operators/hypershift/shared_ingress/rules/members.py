"""The clusters behind the shared ingress, from what the management cluster holds."""

from collections.abc import Iterable, Iterator, Mapping

from hypershift.api import HostedCluster, labels, read
from hypershift.api.publishing import (
    Exposure,
    Named,
    hostname,
    published_by,
    uses_shared_ingress,
)
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import (
    IGNITION_SERVER,
    KONNECTIVITY_SERVER,
    KUBE_APISERVER,
    OAUTH_SERVER,
)
from hypershift.kit import Manifest, annotations_of, key_of
from hypershift.operators.hypershift.claims import Claims
from hypershift.operators.hypershift.shared_ingress.rules import claims
from hypershift.operators.hypershift.shared_ingress.rules.config import Member

#: What is published by a name, the name of its Route, and the Service behind it.
ROUTES: tuple[tuple[ServiceType, str, str], ...] = (
    (ServiceType.API_SERVER, KUBE_APISERVER, KUBE_APISERVER),
    (ServiceType.KONNECTIVITY, KONNECTIVITY_SERVER, KONNECTIVITY_SERVER),
    (ServiceType.IGNITION, IGNITION_SERVER, IGNITION_SERVER),
    (ServiceType.OAUTH_SERVER, "oauth", OAUTH_SERVER),
)
#: Services that any of them may lead to.
SERVICES = tuple(service for _, _, service in ROUTES)
#: What a control plane has in its spec only once it was found valid.
PUBLISHED = ("services", "kubeAPIServerDNSName", "networking", "clusterID", "platform")


def chooses(plane: Manifest) -> bool:
    """Whether a control plane is behind the shared ingress: a cheap question, asked of every one.

    The HostedControlPlane answers, not the HostedCluster: a wish that is refused changes nothing,
    and a cluster that is deleted needs its API until its machines are drained and gone.
    """
    if plane["metadata"].get("deletionTimestamp"):
        return False
    return uses_shared_ingress(read(Exposure, plane["spec"]), annotations_of(plane))


def member(
    cluster: Manifest,
    plane: Manifest,
    services: Mapping[str, Manifest],
    held: Claims,
    routes: Iterable[Manifest] | None = None,
) -> Member:
    """A cluster as it was last found valid, which is what its HostedControlPlane says.

    `routes` are those of its namespace where the management cluster has the kind.
    """
    made = {name: plane["spec"][name] for name in PUBLISHED if name in plane["spec"]}
    kept = {name: value for name, value in cluster["spec"].items() if name not in PUBLISHED}
    metadata = cluster["metadata"] | {"annotations": annotations_of(plane)}
    metadata["deletionTimestamp"] = plane["metadata"].get("deletionTimestamp")
    wanted = read(HostedCluster, cluster | {"metadata": metadata, "spec": kept | made})
    found = named_routes(wanted, services) if routes is None else routes
    return Member(
        cluster=wanted,
        routes=tuple(found),
        services=services,
        refused=held.refused(key_of(cluster), read(Named, plane["spec"])),
    )


def named_routes(cluster: HostedCluster, services: Mapping[str, Manifest]) -> Iterator[Manifest]:
    """Yield what Routes would say on a management cluster that has none.

    A service is served as soon as it is there: that of ignition comes after the API server's.
    """
    for service, name, target in ROUTES:
        by_route = published_by(cluster.spec, service, PublishingStrategyType.ROUTE)
        if by_route and target in services:
            yield {
                "metadata": {"name": name, "labels": {labels.HOSTED_CONTROL_PLANE: "true"}},
                "spec": {"host": hostname(cluster.spec, service), "to": {"name": target}},
            }


def names(found: Member) -> list[str]:
    """The host names that lead to a cluster, sorted."""
    return sorted({one.host.lower() for one in found.by_name() if claims.is_sound(one)})
