"""The phases over a pod of an API server: keep its claim, copy its log after a restart.

The restart is noted last. Its snapshot is named after the moment at which the server ended, so a
pass that was interrupted finds what it made and makes no second one.
"""

from hypershift.api import annotations, labels
from hypershift.kit import rfc3339
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.hypershift.audit_logs.rules import snapshots
from hypershift.operators.hypershift.audit_logs.scope import (
    PodScope,
    configured,
    serves_snapshots,
    within,
)
from hypershift.runtime import Done, Outcome, Stop


async def look(scope: PodScope) -> Outcome:
    """End the pass over a pod without a claim of its own, or in a namespace that is not ours."""
    if not scope.claim:
        return Stop("NotKept")
    scope.own = await within(scope.context, scope.namespace)
    if scope.own is None:
        return Stop("NotOurs")
    scope.wanted = await configured(scope.kube)
    return Done()


async def keep_claim(scope: PodScope) -> Outcome:
    """Let the pod's ReplicaSet own the claim beside the pod.

    Kubernetes deletes an object when the last of its owners is gone.
    """
    metadata = scope.object["metadata"]
    owners = metadata.get("ownerReferences") or ()
    found = next((one for one in owners if one.get("kind") == kinds.REPLICA_SET.kind), None)
    claim = await scope.context.live.find(
        kinds.PERSISTENT_VOLUME_CLAIM, scope.claim, scope.namespace
    )
    if claim is None or found is None or scope.own is None:
        return Done()
    held = claim["metadata"].get("ownerReferences") or ()
    uids = {one["uid"] for one in held}
    if metadata["uid"] not in uids or found["uid"] in uids:
        return Done()
    reference = {name: found[name] for name in ("apiVersion", "kind", "name", "uid")}
    patch = [
        {"op": "test", "path": "/metadata/uid", "value": claim["metadata"]["uid"]},
        {"op": "test", "path": "/metadata/ownerReferences", "value": held},
        {"op": "add", "path": "/metadata/ownerReferences/-", "value": reference},
    ]
    await scope.own.patch(
        kinds.PERSISTENT_VOLUME_CLAIM, scope.claim, patch, scope.namespace, kind="json"
    )
    return Done()


async def take_snapshot(scope: PodScope) -> Outcome:
    """Copy the log of a server that ended and was started again, if that is asked for."""
    asked, pod = scope.wanted, scope.object
    if snapshots.restarts(pod) <= snapshots.observed(pod):
        return Stop("NoRestart")
    now = scope.clock.now()
    if asked is None or scope.own is None or not asked.snapshots:
        return Done()
    if not snapshots.is_due(pod, asked, now):
        return Done()
    if not await serves_snapshots(scope.kube):
        return Stop("NoSnapshots")  # the configuration's condition says so
    wanted = snapshots.snapshot(pod, scope.claim, asked, snapshots.ended(pod, now))
    try:
        await scope.own.create(wanted)
    except AlreadyExists:
        scope.log.debug("the snapshot is there already")
    scope.taken = rfc3339(now)
    return Done()


async def forget_old_snapshots(scope: PodScope) -> Outcome:
    """Delete the oldest snapshots beyond those that are kept."""
    if scope.wanted is None or scope.own is None or not scope.taken:
        return Done()
    chosen = f"{labels.HOSTED_CONTROL_PLANE_NAMESPACE}={scope.namespace}"
    found = await scope.context.live.list(kinds.VOLUME_SNAPSHOT, scope.namespace, chosen)
    for name in snapshots.superfluous(found, scope.claim, scope.wanted):
        await scope.own.delete(kinds.VOLUME_SNAPSHOT, name, scope.namespace)
    return Done()


async def remember(scope: PodScope) -> Outcome:
    """Note the restart, and when its snapshot was taken."""
    if scope.own is None:
        return Done()
    noted = {annotations.LAST_OBSERVED_RESTART_COUNT: str(snapshots.restarts(scope.object))}
    if scope.taken:
        noted[annotations.LAST_SNAPSHOT_TIME] = scope.taken
    patch = {"metadata": {"annotations": noted}}
    await scope.own.patch(kinds.POD, scope.name, patch, scope.namespace)
    return Done()
