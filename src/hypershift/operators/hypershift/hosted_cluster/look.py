"""Look: what is there around a HostedCluster, and the ids that it must have."""

import random
import uuid

from hypershift.kit import Manifest
from hypershift.kit.names import infra_id
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Done, Outcome


async def observe(scope: ClusterScope) -> Outcome:
    """Read the control plane, its namespace, the pools and the pull secret."""
    kube, namespace = scope.kube, scope.namespace
    await scope.reach.look()
    scope.control_plane = await kube.find(kinds.HOSTED_CONTROL_PLANE, scope.key.name, namespace)
    pools = await kube.list(kinds.NODE_POOL, scope.key.namespace)
    scope.pools = [p for p in pools if p["spec"].get("clusterName") == scope.key.name]
    if name := (scope.spec.get("pullSecret") or {}).get("name"):
        scope.pull_secret = await kube.find(kinds.SECRET, name, scope.key.namespace)
    return Done()


def missing_ids(cluster: Manifest, rng: random.Random) -> Manifest:
    """The ids that a cluster did not choose: the user's fields, set once and never removed."""
    spec, name = cluster["spec"], cluster["metadata"]["name"]
    ids = {}
    if not spec.get("clusterID"):
        ids["clusterID"] = str(uuid.UUID(int=rng.getrandbits(128), version=4))
    if not spec.get("infraID"):
        ids["infraID"] = infra_id(name, rng)
    return ids
