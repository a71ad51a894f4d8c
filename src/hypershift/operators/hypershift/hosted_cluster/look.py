"""Look: what is there around a HostedCluster, and the ids that it must have."""

import random
import uuid

from hypershift.api import HostedCluster, NodePool, read
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
    scope.pools = [p for p in pools if read(NodePool, p).spec.cluster_name == scope.key.name]
    if name := scope.wanted.pull_secret.name:
        scope.pull_secret = await kube.find(kinds.SECRET, name, scope.key.namespace)
    return Done()


def missing_ids(cluster: Manifest, rng: random.Random) -> Manifest:
    """The ids that a cluster did not choose: the user's fields, set once and never removed."""
    known, name = read(HostedCluster, cluster).spec, cluster["metadata"]["name"]
    ids = {}
    if not known.cluster_id:
        ids["clusterID"] = str(uuid.UUID(int=rng.getrandbits(128), version=4))
    if not known.infra_id:
        ids["infraID"] = infra_id(name, rng)
    return ids
