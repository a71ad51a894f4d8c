"""Run Cluster API's manager beside a Dedicated control plane, and its cloud's provider."""

from collections.abc import Iterable
from contextlib import suppress

from hypershift.api import annotations
from hypershift.component import pod_user
from hypershift.kit import Manifest, TerminalError, key_of
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api
from hypershift.operators.hypershift.hosted_cluster.rules.cluster_api import provider
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.settings import Mode
from hypershift.platforms import Provider


async def sync_manager(scope: ClusterScope) -> None:
    """Write the manager of a Dedicated cluster; delete it where another one does its work."""
    if _wants_manager(scope) and not await _is_served_already(scope):
        await _write(scope)
    else:
        await _remove(scope)


def _wants_manager(scope: ClusterScope) -> bool:
    dedicated = scope.mode is Mode.DEDICATED
    return dedicated and scope.manages_machines and cluster_api.is_needed(scope.wanted)


async def _is_served_already(scope: ClusterScope) -> bool:
    found = await scope.kube.list(kinds.DEPLOYMENT, labels=cluster_api.SELECTOR)
    others = sorted(str(key_of(each)) for each in cluster_api.watches_everything(found))
    if not others:
        return False
    text = (
        f"machines of this Dedicated cluster are managed from outside its namespace: Cluster API's"
        f" manager {', '.join(others)} reconciles every namespace. Start it with --watch-filter"
        " or --namespace, and this cluster gets a manager of its own"
    )
    await scope.events.warning("ClusterAPINotDedicated", text)
    return True


async def _write(scope: ClusterScope) -> None:
    await _ensure_certificates(scope)
    for manifest in cluster_api.manifests(_manager(scope, _image(scope))):
        await scope.kube.apply(scope.marked(manifest))


async def _ensure_certificates(scope: ClusterScope) -> None:
    """Make the pair once: manager and provider start no webhook server without it."""
    if await scope.kube.find(kinds.SECRET, cluster_api.CERTIFICATES, scope.namespace) is None:
        made = cluster_api.certificates(scope.namespace, scope.clock.now())
        with suppress(AlreadyExists):  # the cache may be behind
            await scope.kube.create(scope.marked(made))


async def sync_provider(scope: ClusterScope) -> None:
    """Write the provider that the platform brings; delete it where there is none any more."""
    wanted = scope.platform.provider(scope.facts()) if scope.platform else None
    manager = _manager(scope, "")
    if wanted is not None and scope.manages_machines:
        await _ensure_certificates(scope)
        for manifest in provider.manifests(manager, wanted):
            await scope.kube.apply(scope.marked(manifest))
    elif await _is_ours(scope, provider.NAME):
        await _delete(scope, provider.manifests(manager, Provider(pod={})))


async def _remove(scope: ClusterScope) -> None:
    """Delete the manager; its Deployment goes last, so that a crash on the way is made good."""
    namespace = scope.namespace
    if not await _is_ours(scope, cluster_api.NAME):
        return
    await scope.kube.delete(kinds.SECRET, cluster_api.CERTIFICATES, namespace)
    # The manager does not give its lease back: one that comes later would wait for minutes.
    await scope.kube.delete(kinds.LEASE, cluster_api.LEASE, namespace)
    await _delete(scope, cluster_api.manifests(_manager(scope, "")))


async def _is_ours(scope: ClusterScope, name: str) -> bool:
    found = await scope.kube.find(kinds.DEPLOYMENT, name, scope.namespace)
    return found is not None and names.cluster_of(found) == scope.key


async def _delete(scope: ClusterScope, manifests: Iterable[Manifest]) -> None:
    for manifest in manifests:
        resource = await scope.kube.resource_of(manifest)
        place = scope.namespace if resource.namespaced else ""
        await scope.kube.delete(resource, manifest["metadata"]["name"], place)


def _manager(scope: ClusterScope, image: str) -> cluster_api.Manager:
    return cluster_api.Manager(
        namespace=scope.namespace,
        image=image,
        spec=scope.wanted,
        flags=cluster_api.flags(scope.release),
        uid=pod_user(scope.namespace_object) or 0,
        labels=scope.owned_label(),
    )


def _image(scope: ClusterScope) -> str:
    """The manager's image: as annotated, else the installation's, else the release's."""
    chosen = scope.annotations.get(annotations.CAPI_MANAGER_IMAGE)
    chosen = chosen or scope.settings.cluster_api_image
    if not chosen and scope.release:
        overrides = scope.settings.registry_overrides
        chosen = scope.release.with_registry_overrides(overrides).find(cluster_api.NAME)
    if not chosen:
        raise TerminalError("no image for Cluster API's manager: none is in the release")
    return chosen
