"""The chain from the HostedControlPlane to Cluster API: what makes machines possible."""

from hypershift.api.annotations import MANAGEMENT_NETWORKS
from hypershift.kit import Manifest, labels_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rotation import restart_on_rotation
from hypershift.operators.hypershift.hosted_cluster.rules.hosted_control_plane import (
    emptied,
    hosted_control_plane,
    without_foreign_fields,
)
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Outcome


async def sync_chain(scope: ClusterScope) -> Outcome | None:
    """HostedControlPlane, then the infrastructure object, then the CAPI Cluster."""
    outcome = await sync_control_plane(scope)
    if scope.platform is None or not scope.manages_machines or not _wants_machines(scope):
        return outcome
    infra = scope.platform.infra_cluster(scope.facts())
    if infra is None:
        return outcome
    await _write_infra(scope, infra)
    await scope.kube.apply(scope.marked(capi_cluster(scope, infra)))
    return outcome


async def _write_infra(scope: ClusterScope, infra: Manifest) -> None:
    """Write the infrastructure object, and its status where no provider reports one."""
    wanted = infra.get("status") or {}
    spec = {name: value for name, value in infra.items() if name != "status"}
    live = await scope.kube.apply(scope.marked(spec))
    known = live.get("status") or {}
    if any(known.get(name) != value for name, value in wanted.items()):
        resource = await scope.kube.resource_of(infra)
        name, place = infra["metadata"]["name"], scope.namespace
        await scope.kube.patch(resource, name, {"status": wanted}, place, subresource="status")


def _wants_machines(scope: ClusterScope) -> bool:
    """Whether Cluster API has machines to manage; it would record each step of the start."""
    return bool(scope.pools) or scope.has_been_available


async def sync_control_plane(scope: ClusterScope) -> Outcome | None:
    """Write the control plane as it follows from the cluster, and undo what others changed."""
    live = scope.control_plane
    section = scope.spec["platform"]
    if scope.platform:
        section = scope.platform.control_plane_platform(section)
    wanted = hosted_control_plane(
        scope.object, scope.cluster, scope.namespace, section, pools=scope.pools, live=live
    )
    marks = wanted["metadata"]["annotations"]
    # By it the roles of both modes know which of them manages this control plane.
    marks[names.MODE] = str(scope.mode)
    if blocked := scope.settings.egress_block_cidrs:
        marks[MANAGEMENT_NETWORKS] = ",".join(blocked)
    outcome = await restart_on_rotation(scope, wanted)
    name, namespace = scope.key.name, scope.namespace
    known = (live or {}).get("spec") or {}
    if gone := emptied(known, wanted["spec"]):
        await scope.kube.patch(kinds.HOSTED_CONTROL_PLANE, name, {"spec": gone}, namespace)
    scope.control_plane = await scope.kube.apply(wanted)
    if extra := without_foreign_fields(known, wanted["spec"]):
        scope.control_plane = await scope.kube.patch(
            kinds.HOSTED_CONTROL_PLANE, name, {"spec": extra}, namespace
        )
    return outcome


def capi_cluster(scope: ClusterScope, infra: Manifest, *, paused: bool = False) -> Manifest:
    """The Cluster that ties machines, infrastructure and control plane together."""
    return {
        "apiVersion": kinds.CAPI_CLUSTER.api_version,
        "kind": kinds.CAPI_CLUSTER.kind,
        "metadata": {
            "name": scope.wanted.infra_id,
            "namespace": scope.namespace,
            "labels": scope.watch_labels,
        },
        "spec": {
            "paused": paused,
            "controlPlaneRef": {
                "apiGroup": kinds.HOSTED_CONTROL_PLANE.group,
                "kind": kinds.HOSTED_CONTROL_PLANE.kind,
                "name": scope.key.name,
            },
            "infrastructureRef": {
                "apiGroup": infra["apiVersion"].partition("/")[0],
                "kind": infra["kind"],
                "name": infra["metadata"]["name"],
            },
        },
    }


async def set_paused(scope: ClusterScope, *, paused: bool) -> None:
    """Pause or resume Cluster API for the cluster's machines."""
    name, namespace = scope.wanted.infra_id or "", scope.namespace
    found = await scope.kube.find(kinds.CAPI_CLUSTER, name, namespace) if name else None
    # The user chose the name: only a Cluster that we made is ours to pause.
    ours = found is not None and names.cluster_of(found) == scope.key
    if not found or not ours:
        return
    labels = scope.watch_labels  # without them its manager would not see that it is deleted
    if (
        bool(found["spec"].get("paused")) != paused
        or not labels.items() <= labels_of(found).items()
    ):
        patch = {"metadata": {"labels": labels}, "spec": {"paused": paused}}
        await scope.kube.patch(kinds.CAPI_CLUSTER, name, patch, namespace)
