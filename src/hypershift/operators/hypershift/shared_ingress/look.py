"""Read which clusters are behind the shared ingress and how its router is."""

from collections.abc import Mapping

from hypershift.api import labels
from hypershift.api.well_known import IGNITION_SERVER, ROUTER, SHARED_INGRESS_NAMESPACE
from hypershift.kit import Key, Manifest, key_of, labels_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.operators.hypershift.claims import Claims
from hypershift.operators.hypershift.operator_image import mode_of
from hypershift.operators.hypershift.ownership import Owner, Ownership, ownership_of
from hypershift.operators.hypershift.settings import Mode
from hypershift.operators.hypershift.shared_ingress.rules.members import (
    SERVICES,
    chooses,
    member,
)
from hypershift.operators.hypershift.shared_ingress.scope import IngressScope, Served
from hypershift.runtime import Done, Outcome, Stop


async def look_at_own_namespace(scope: IngressScope) -> Outcome:
    """The operator's own namespace stands for the one ingress; others are none of its business."""
    if scope.key.name != scope.settings.namespace:
        return Stop("AnotherNamespace")
    place = SHARED_INGRESS_NAMESPACE
    scope.service = await scope.kube.find(kinds.SERVICE, ROUTER, place)
    scope.deployment = await scope.kube.find(kinds.DEPLOYMENT, ROUTER, place)
    return Done()


async def look_at_clusters(scope: IngressScope) -> Outcome:
    """Find the clusters that chose the ingress; one that cannot be read costs only itself."""
    clusters = await scope.kube.each(kinds.HOSTED_CLUSTER)
    planes = await scope.kube.each(kinds.HOSTED_CONTROL_PLANE)
    claims = Claims(clusters, planes)
    by_namespace = {plane["metadata"]["namespace"]: plane for plane in planes}
    found: list[Served] = []
    for cluster in clusters:
        key = key_of(cluster)
        plane = by_namespace.get(control_plane_namespace(key))
        if plane is None:
            continue
        try:
            if served := await _served(scope, cluster, plane, claims):
                found.append(served)
        except (KeyError, TypeError, ValueError) as error:
            scope.log.warning("cluster is not served", cluster=str(key), error=str(error))
    scope.served = tuple(found)
    return Done()


async def _served(
    scope: IngressScope, cluster: Manifest, plane: Manifest, claims: Claims
) -> Served | None:
    """A cluster that chose the ingress, in its own namespace, whose API server has a Service."""
    if not chooses(plane):
        return None
    place: str = plane["metadata"]["namespace"]
    owner = Owner(key_of(cluster), cluster["metadata"].get("uid", ""))
    namespace = await scope.kube.find(kinds.NAMESPACE, place)
    if ownership_of(namespace, owner) is not Ownership.OURS or _ends(namespace):
        return None
    services = await _services(scope, cluster, place)
    routes = await _routes(scope, place) if scope.environment.openshift else None
    made = member(cluster, plane, services, claims, routes)
    return Served(made, place, owner) if made.takes_part else None


def _ends(found: Manifest | None) -> bool:
    return bool(found and found["metadata"].get("deletionTimestamp"))


async def _services(scope: IngressScope, cluster: Manifest, place: str) -> Mapping[str, Manifest]:
    found = {}
    shared = mode_of(cluster, scope.settings) is Mode.SHARED
    for name in SERVICES:
        where = Key(place, name)
        if name == IGNITION_SERVER and shared:
            where = Key(scope.settings.namespace, scope.settings.ignition_service)
        if service := await scope.kube.find(kinds.SERVICE, where.name, where.namespace):
            found[name] = service
    return found


async def _routes(scope: IngressScope, place: str) -> list[Manifest]:
    found = await scope.kube.each(kinds.ROUTE, place)
    return [each for each in found if labels.HOSTED_CONTROL_PLANE in labels_of(each)]
