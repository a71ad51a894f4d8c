"""The phases that publish what nodes of each class boot with, and retire what they booted with."""

from collections.abc import AsyncIterator

from hypershift.api import annotations, labels
from hypershift.ignition import token
from hypershift.kit import HypershiftError, Manifest, annotations_of
from hypershift.kube import kinds
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules import kubelets, pools
from hypershift.operators.karpenter.scope import KarpenterScope, raise_together
from hypershift.runtime import Done, Outcome


async def publish_kubelets(scope: KarpenterScope) -> Outcome:
    """Keep the kubelet configuration of each class that has one, and delete what none has."""
    wanted = {
        names.kubelet_config(each.name): kubelets.class_config(
            each.name, scope.namespace, each.kubelet
        )
        for each in scope.kept
        if each.kubelet
    }
    for manifest in wanted.values():
        await scope.kube.apply(manifest)
    label = f"{labels.KARPENTER_NODE_CLASS_KUBELET_CONFIG}=true"
    for found in await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=label):
        name = found["metadata"]["name"]
        if name not in wanted:
            await scope.kube.delete(kinds.CONFIG_MAP, name, scope.namespace)
    return Done()


async def publish_configurations(scope: KarpenterScope) -> Outcome:
    """Publish token and user data of each class; one that fails keeps no other waiting."""
    endpoint = scope.environment.ignition_endpoint
    cluster = pools.hosted_cluster(scope.object, scope.plane, endpoint)
    failures: list[HypershiftError] = []
    for each in scope.kept:
        if each.resolved.problem:
            continue
        pool = pools.node_pool(
            scope.plane, each.name, each.resolved.image, kubelet=bool(each.kubelet)
        )
        current = annotations_of(each.manifest).get(names.CURRENT_CONFIG_VERSION, "")
        try:
            each.hash = await scope.environment.publish(scope.context, cluster, pool, current)
        except HypershiftError as error:
            each.problem = str(error)
            failures.append(error)
    raise_together(failures)
    return Done()


async def drop_old_user_data(scope: KarpenterScope) -> Outcome:
    """Delete user data that no new machine boots with: Karpenter's templates have their own."""
    for each in scope.kept:
        if not each.hash or each.problem or each.ec2_class is None:
            continue
        kept = token.user_data_name(names.pool_name(each.name), each.hash)
        async for secret in _of_class(scope, each.name):
            name = secret["metadata"]["name"]
            if name.startswith("user-data-") and name != kept:
                await scope.kube.delete(kinds.SECRET, name, scope.namespace)
    return Done()


async def drop_secrets(scope: KarpenterScope, node_class: str) -> None:
    """Delete token and user data of a class that has no nodes any more."""
    async for secret in _of_class(scope, node_class):
        await scope.kube.delete(kinds.SECRET, secret["metadata"]["name"], scope.namespace)


async def _of_class(scope: KarpenterScope, node_class: str) -> AsyncIterator[Manifest]:
    """The Secrets that were made for nodes of a class."""
    mark = f"{scope.namespace}/{names.pool_name(node_class)}"
    chosen = f"{labels.MANAGED_BY_KARPENTER}=true"
    for secret in await scope.kube.list(kinds.SECRET, scope.namespace, labels=chosen):
        if annotations_of(secret).get(annotations.NODE_POOL) == mark:
            yield secret
