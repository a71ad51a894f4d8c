"""Run the per-cluster roles where the cluster wants them: beside it, or in our own process."""

from hypershift.component import pod_user
from hypershift.kit import Manifest
from hypershift.kube import Forbidden, kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.machine_manager import (
    sync_manager,
    sync_provider,
)
from hypershift.operators.hypershift.hosted_cluster.rules import dedicated, signing
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode
from hypershift.release import FIRST_CONTRACT, Capability


async def sync_deployments(scope: ClusterScope) -> None:
    """Bring what runs beside the control plane to what the cluster's mode asks for."""
    await sync_roles(scope)
    await sync_manager(scope)
    await sync_provider(scope)


async def sync_roles(scope: ClusterScope) -> None:
    """Write the roles of a Dedicated cluster; remove those of one that is Shared again."""
    if scope.mode is Mode.DEDICATED:
        for manifest in dedicated.manifests(_wanted(scope)):
            await scope.kube.apply(scope.marked(manifest))
        await _sync_signing(scope)
        return
    namespace = scope.namespace
    if any([await _deployed(scope, role) for role in dedicated.ROLES]):
        rights = signing.manifests(namespace, scope.owned_label())
        for manifest in reversed([*dedicated.manifests(_wanted(scope)), *rights]):
            resource = await scope.kube.resource_of(manifest)
            place = namespace if resource.namespaced else ""
            await scope.kube.delete(resource, manifest["metadata"]["name"], place)


async def _sync_signing(scope: ClusterScope) -> None:
    """Let a Dedicated cluster's PKI operator sign for its own signers."""
    foreign = names.DISABLE_PKI in scope.annotations
    if foreign or not scope.operator.can(Capability.SIGNS_REQUESTS):
        return
    try:
        for manifest in signing.manifests(scope.namespace, scope.owned_label()):
            if not await _is_unchanged(scope, manifest):
                await scope.kube.apply(scope.marked(manifest))
    except Forbidden as error:
        text = (
            "the PKI operator gets no rights, so this cluster has no break-glass signers: "
            f"install without --shared and --least-privilege ({error})"
        )
        await scope.events.warning("BreakGlassUnavailable", text[:1000])


async def _is_unchanged(scope: ClusterScope, wanted: Manifest) -> bool:
    """True if a role is as wanted: roles are not cached, so an apply would write every time."""
    resource = await scope.kube.resource_of(wanted)
    place = scope.namespace if resource.namespaced else ""
    found = await scope.kube.find(resource, wanted["metadata"]["name"], place)
    parts = ("rules", "roleRef", "subjects")
    return found is not None and all(found.get(part) == wanted.get(part) for part in parts)


def _wanted(scope: ClusterScope) -> dedicated.Dedicated:
    needed = scope.mode is Mode.DEDICATED
    return dedicated.Dedicated(
        namespace=scope.namespace,
        image=scope.operator.reference if needed else "",
        contract=scope.operator.contract if needed else FIRST_CONTRACT,
        spec=scope.wanted,
        uid=pod_user(scope.namespace_object) or 0,
        registry_mirrors=scope.settings.registry_mirrors,
        registry_overrides=scope.settings.registry_overrides,
        labels=scope.owned_label(),
    )


async def _deployed(scope: ClusterScope, role: str) -> bool:
    found = await scope.kube.find(kinds.DEPLOYMENT, role, scope.namespace)
    return found is not None and names.cluster_of(found) == scope.key
