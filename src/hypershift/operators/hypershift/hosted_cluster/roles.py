"""Run the per-cluster roles where the cluster wants them: beside it, or in our own process."""

from hypershift.kit import TerminalError, annotations_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import dedicated, names
from hypershift.operators.hypershift.hosted_cluster.namespace import uid_of
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode

OPERATOR_IMAGE = f"{names.PREFIX}/control-plane-operator-image"


async def sync_roles(scope: ClusterScope) -> None:
    """Write the roles of a Dedicated cluster; remove those of one that is Shared again."""
    if scope.mode is Mode.DEDICATED:
        for manifest in dedicated.manifests(_wanted(scope)):
            await scope.kube.apply(scope.mine(manifest))
        return
    namespace = scope.namespace
    if any([await _deployed(scope, role) for role in dedicated.ROLES]):
        for manifest in reversed(dedicated.manifests(_wanted(scope))):
            resource = await scope.kube.resource_of(manifest)
            place = namespace if resource.namespaced else ""
            await scope.kube.delete(resource, manifest["metadata"]["name"], place)


def image(scope: ClusterScope) -> str:
    """The image of a cluster's own operators: as annotated, else the release's, else ours."""
    chosen = (
        annotations_of(scope.object).get(OPERATOR_IMAGE)
        or (scope.release.find("hypershift") if scope.release else "")
        or scope.settings.image
    )
    if not chosen:
        raise TerminalError("no image for the control plane operator: none is in the release")
    return chosen


def _wanted(scope: ClusterScope) -> dedicated.Dedicated:
    needed = scope.mode is Mode.DEDICATED
    return dedicated.Dedicated(
        namespace=scope.namespace,
        image=image(scope) if needed else "",
        spec=scope.spec,
        uid=uid_of(scope.namespace_object),
        registry_mirrors=scope.settings.registry_mirrors,
        registry_overrides=scope.settings.registry_overrides,
        labels=scope.owned_label(),
    )


async def _deployed(scope: ClusterScope, role: str) -> bool:
    found = await scope.kube.find(kinds.DEPLOYMENT, role, scope.namespace)
    return found is not None and names.cluster_of(found) == scope.key
