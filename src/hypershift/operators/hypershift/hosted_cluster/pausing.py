"""A paused cluster is left alone: only its control plane and Cluster API learn of the pause."""

from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster.chain import set_paused
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Done, Outcome


async def pass_on_pause(scope: ClusterScope) -> Outcome:
    """Pause the control plane and the machines as well."""
    until = scope.wanted.paused_until
    if scope.plane and scope.plane.spec.paused_until != until:
        patch = {"spec": {"pausedUntil": until}}
        name = scope.key.name
        await scope.kube.patch(kinds.HOSTED_CONTROL_PLANE, name, patch, scope.namespace)
    await set_paused(scope, paused=True)
    return Done()
