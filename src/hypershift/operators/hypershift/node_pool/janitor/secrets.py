"""The phases that leave foreign Secrets alone, and retire or delete those of the past."""

from hypershift.api import HostedCluster, NodePool, read
from hypershift.ignition import token
from hypershift.kit import Key, Manifest, annotations_of, key_of, labels_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.janitor.scope import SecretScope
from hypershift.operators.hypershift.node_pool.token import expire
from hypershift.platforms import platform_of
from hypershift.release import Version
from hypershift.runtime import Done, Outcome, Stop

_TOKEN, _USER_DATA = "token", "user-data"


async def is_ours(scope: SecretScope) -> Outcome:
    """Leave every Secret alone that is no pool's token or user data."""
    name: str = scope.object["metadata"]["name"]
    pool = names.pool_key(annotations_of(scope.object))
    if pool and name.startswith((_TOKEN, _USER_DATA)) and await _is_beside_plane(scope, pool):
        return Done()
    return Stop("NotOurs")


async def clean_up(scope: SecretScope) -> Outcome:
    """Delete or retire a Secret that no machine shall have any more."""
    key = names.pool_key(annotations_of(scope.object))
    pool = await scope.kube.find(kinds.NODE_POOL, key.name, key.namespace) if key else None
    if pool is None or key is None:
        if labels_of(scope.object).get(names.KARPENTER) != "true":
            await _delete(scope)
        return Done()
    if pool["metadata"].get("deletionTimestamp"):
        return Done()  # its own pass deletes them in their order
    name = read(NodePool, pool).spec.cluster_name
    cluster = await scope.kube.find(kinds.HOSTED_CLUSTER, name, key.namespace)
    if (
        cluster is None
        or cluster["metadata"].get("deletionTimestamp")
        or (not _keeps_old(cluster) and not await _is_needed(scope, key))
    ):
        await _retire(scope)
    return Done()


async def _is_beside_plane(scope: SecretScope, pool: Key) -> bool:
    """Whether the Secret is in a control plane namespace of the pool's tenant: only we write there.

    Elsewhere a user may have copied a token, or annotated a Secret of their own.
    """
    name = scope.object["metadata"]["namespace"]
    namespace = await scope.kube.find(kinds.NAMESPACE, name)
    cluster = ownership.cluster_of(namespace or {})
    return (
        cluster is not None
        and cluster.namespace == pool.namespace
        and control_plane_namespace(cluster) == name
    )


async def _is_needed(scope: SecretScope, pool: Key) -> bool:
    """Whether machines need it or may need it; unknown until a pass over the pool decided."""
    target = scope.environment.targets.get(pool)
    if target is None or _is_expected(scope.object, pool, target):
        return True
    return await _is_in_use(scope, pool)


def _is_expected(secret: Manifest, pool: Key, target: str) -> bool:
    expected = (token.token_name(pool.name, target), token.user_data_name(pool.name, target))
    return secret["metadata"]["name"] in expected


def _keeps_old(cluster: Manifest) -> bool:
    """Whether running machines may still read what is old."""
    pools = platform_of(read(HostedCluster, cluster).spec).pools
    if not pools.keeps_user_data or pools.deletes_user_data_since is None:
        return pools.keeps_user_data
    history = ((cluster.get("status") or {}).get("version") or {}).get("history") or [{}]
    version = history[0].get("version", "")
    return not version or Version.parse(version) < pools.deletes_user_data_since


async def _is_in_use(scope: SecretScope, pool: Key) -> bool:
    """Whether new machines would still boot with this user data."""
    metadata = scope.object["metadata"]
    for resource in (kinds.MACHINE_DEPLOYMENT, kinds.MACHINE_SET):
        found = await scope.kube.find(resource, pool.name, metadata["namespace"])
        spec = (((found or {}).get("spec") or {}).get("template") or {}).get("spec") or {}
        if (spec.get("bootstrap") or {}).get("dataSecretName") == metadata["name"]:
            return True
    return False


async def _retire(scope: SecretScope) -> None:
    if scope.object["metadata"]["name"].startswith(_TOKEN):
        await expire(scope.kube, scope.object, scope.clock.now())
    else:
        await _delete(scope)


async def _delete(scope: SecretScope) -> None:
    key = key_of(scope.object)
    await scope.kube.delete(kinds.SECRET, key.name, key.namespace)
