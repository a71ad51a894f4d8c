"""The phases that delete the nodes of a cluster that is being deleted, and then release it.

    NodePools -> NodeClaims (and by them nodes and instances) -> the finalizer

A pod that may not be evicted keeps no node: an annotation lets Karpenter delete the node anyway.
"""

from datetime import timedelta
from typing import Final

from hypershift.kit import Manifest
from hypershift.kube import NotFound, Resource, kinds
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.look import observe_machines
from hypershift.operators.karpenter.rules.claims import is_forced
from hypershift.operators.karpenter.scope import KarpenterScope
from hypershift.runtime import Done, Outcome, Stop

AGAIN: Final = timedelta(seconds=15)


async def leave_with_cluster(scope: KarpenterScope) -> Outcome:
    """Delete the nodes as soon as Cluster API's Cluster is being deleted, with those of NodePools.

    The HyperShift operator deletes it long before the control plane.
    """
    name = scope.plane.spec.infra_id
    try:
        found = await scope.kube.find(kinds.CAPI_CLUSTER, name, scope.namespace) if name else None
    except NotFound:
        found = None  # Cluster API is not installed
    if found is None or not found["metadata"].get("deletionTimestamp"):
        return Done()
    for step in (observe_machines, delete_pools, delete_claims):
        outcome = await step(scope)
        if isinstance(outcome, Stop):
            return outcome
    return Stop("ClusterDeleted", "the nodes are gone and the cluster is about to go")


async def delete_pools(scope: KarpenterScope) -> Outcome:
    """Delete the NodePools, which takes their claims along."""
    for pool in scope.pools:
        await _delete(scope, names.POOL, pool)
    if scope.pools:
        return Stop("PoolsAreDeleted", f"{len(scope.pools)} NodePools of Karpenter", AGAIN)
    return Done()


async def delete_claims(scope: KarpenterScope) -> Outcome:
    """Delete the claims and wait until Karpenter has terminated their instances."""
    for claim in scope.claims:
        since = claim["metadata"].get("deletionTimestamp")
        if not since:
            await _delete(scope, names.CLAIM, claim)
        elif not is_forced(claim):
            patch = {"metadata": {"annotations": {names.TERMINATE_AT: since}}}
            await _patch(scope, claim, patch)
    if scope.claims:
        return Stop("ClaimsAreDeleted", f"{len(scope.claims)} NodeClaims of Karpenter", AGAIN)
    return Done()


async def _delete(scope: KarpenterScope, resource: Resource, found: Manifest) -> None:
    metadata = found["metadata"]
    if not metadata.get("deletionTimestamp"):
        await scope.inside.delete(resource, metadata["name"], uid=metadata["uid"], grace_period=0)


async def _patch(scope: KarpenterScope, claim: Manifest, patch: Manifest) -> None:
    try:
        await scope.inside.patch(names.CLAIM, claim["metadata"]["name"], patch)
    except NotFound:
        return  # it went meanwhile
