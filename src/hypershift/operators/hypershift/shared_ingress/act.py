"""Applies the router, its configuration, and the objects that report its address to clusters."""

from hypershift.api.conditions import DeploymentCondition
from hypershift.api.well_known import SHARED_INGRESS
from hypershift.kit import Manifest, key_of, side_by_side
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.kube.services import load_balancer_address
from hypershift.operators.hypershift.ownership import cluster_of
from hypershift.operators.hypershift.shared_ingress.rules.config import configuration
from hypershift.operators.hypershift.shared_ingress.rules.members import names
from hypershift.operators.hypershift.shared_ingress.rules.router import (
    COMPONENT,
    configuration_map,
    publication,
    router,
)
from hypershift.operators.hypershift.shared_ingress.scope import IngressScope, Served
from hypershift.runtime import Done, Outcome, Stop, is_true


async def stop_without_clusters(scope: IngressScope) -> Outcome:
    """Nothing is made before the first cluster wants it; what is there keeps its address."""
    if not scope.served and scope.service is None:
        return Stop("NoClusters")
    return Done()


async def keep_router(scope: IngressScope) -> Outcome:
    """Write the router's objects, the configuration before the pods that wait for it."""
    text = configuration(each.member for each in scope.served)
    first, *rest = router(scope.settings.shared_ingress_image, scope.settings.image)
    for manifest in (first, configuration_map(text), *rest):
        live = await scope.kube.apply(_scaled(manifest, wanted=bool(scope.served)))
        if live["kind"] == kinds.SERVICE.kind:
            scope.service = live
        if live["kind"] == kinds.DEPLOYMENT.kind:
            scope.deployment = live
    return Done()


def _scaled(manifest: Manifest, *, wanted: bool) -> Manifest:
    """Without clusters no pod runs; the Service stays, and with it the address."""
    if manifest["kind"] != kinds.DEPLOYMENT.kind or wanted:
        return manifest
    return manifest | {"spec": manifest["spec"] | {"replicas": 0}}


async def publish(scope: IngressScope) -> Outcome:
    """Report its address to each cluster, but not before a router runs that can serve it."""
    address = load_balancer_address(scope.service)
    runs = is_true(scope.deployment or {}, DeploymentCondition.AVAILABLE)

    async def tell(served: Served) -> None:
        known = await scope.kube.find(kinds.SERVICE, SHARED_INGRESS, served.namespace)
        if address and (runs or known):
            wanted = publication(served.namespace, served.owner, names(served.member), address)
            await scope.kube.apply(wanted)

    await side_by_side(tell, scope.served)
    return Done()


async def withdraw(scope: IngressScope) -> Outcome:
    """Remove the address from clusters that are served no longer."""
    wanted = {each.namespace for each in scope.served}
    selector = ",".join(f"{key}={value}" for key, value in COMPONENT.items())
    for found in await scope.kube.list(kinds.SERVICE, labels=selector):
        key, cluster = key_of(found), cluster_of(found)
        # Whoever may write Services may give one our name and labels.
        is_ours = cluster is not None and control_plane_namespace(cluster) == key.namespace
        if is_ours and key.name == SHARED_INGRESS and key.namespace not in wanted:
            await scope.kube.delete(kinds.SERVICE, key.name, key.namespace)
    return Done()
