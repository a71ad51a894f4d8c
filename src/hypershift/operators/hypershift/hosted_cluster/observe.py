"""Look: what is there around a HostedCluster, and the ids that it must have."""

import uuid

from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Done, Outcome, Stop


async def observe(scope: ClusterScope) -> Outcome:
    """Read the control plane, its namespace, the pools and the pull secret."""
    kube, namespace = scope.kube, scope.namespace
    scope.namespace_object = await kube.find(kinds.NAMESPACE, namespace)
    scope.control_plane = await kube.find(kinds.HOSTED_CONTROL_PLANE, scope.key.name, namespace)
    pools = await kube.list(kinds.NODE_POOL, scope.key.namespace)
    scope.pools = [p for p in pools if p["spec"].get("clusterName") == scope.key.name]
    if name := (scope.spec.get("pullSecret") or {}).get("name"):
        scope.pull_secret = await kube.find(kinds.SECRET, name, scope.key.namespace)
    return Done()


async def give_ids(scope: ClusterScope) -> Outcome:
    """Give the cluster the ids that it did not choose; the change brings the next pass."""
    missing: dict[str, str] = {}
    if not scope.spec.get("clusterID"):
        random_bits = scope.context.rng.getrandbits(128)
        missing["clusterID"] = str(uuid.UUID(int=random_bits, version=4))
    if not scope.spec.get("infraID"):
        missing["infraID"] = names.new_infra_id(scope.key.name, scope.context.rng)
    if not missing:
        return Done()
    # A merge patch, not an apply: both are the user's fields, set once and never removed.
    version = scope.object["metadata"].get("resourceVersion")
    patch = {"metadata": {"resourceVersion": version}, "spec": missing}
    await scope.kube.patch(kinds.HOSTED_CLUSTER, scope.key.name, patch, scope.key.namespace)
    return Stop("IdentityGiven", "clusterID and infraID were chosen")
