"""Stop the pods of a control plane that is being deleted, before its namespace goes.

The namespace controller looks again only after half of the longest grace period of a pod that it
finds, and etcd takes seven seconds to end the watches of an API server that waits for etcd. The
HostedControlPlane and its cloud resources are gone at this point, and the data goes with the
namespace: nothing is left that a long grace period would save.
"""

from datetime import timedelta

from hypershift.api import labels
from hypershift.api.conditions import HostedClusterReason
from hypershift.component.edit import pod_of
from hypershift.kit import Manifest, labels_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.operators.hypershift.hosted_cluster.waiting import listed, wait
from hypershift.runtime import Done, Outcome

#: Seconds between SIGTERM and SIGKILL; the kubelet grants at least two.
GRACE = 1
AGAIN = timedelta(seconds=1)
#: Owners before what they own: they replace pods. The garbage collector takes their ReplicaSets.
OWNERS = (kinds.DEPLOYMENT, kinds.STATEFUL_SET)
COMPONENTS = labels.CONTROL_PLANE_COMPONENT


async def stop_pods(scope: ClusterScope) -> Outcome:
    """Delete the workloads of the control plane's components and wait until their pods are gone."""
    keep = scope.annotations.get(names.SKIP_DELETE_NAMESPACE) == "true"
    if scope.namespace_object is None or keep or not await scope.reach.owns_plane():
        return Done()
    pods = await scope.live.list(kinds.POD, scope.namespace, labels=COMPONENTS)
    if not pods:
        return Done()
    await _delete_owners(scope)
    for pod in pods:
        await _stop(scope, pod)
    what = f"pods {listed(pods)}"
    return wait(scope, HostedClusterReason.DELETING_NAMESPACE, what, after=AGAIN)


async def _delete_owners(scope: ClusterScope) -> None:
    """Delete the workloads whose pods are components of the control plane."""
    for kind in OWNERS:
        for found in await scope.live.list(kind, scope.namespace):
            metadata = found["metadata"]
            if COMPONENTS in labels_of(pod_of(found)) and not metadata.get("deletionTimestamp"):
                name, namespace, uid = metadata["name"], scope.namespace, metadata["uid"]
                await scope.kube.delete(kind, name, namespace, uid=uid)


async def _stop(scope: ClusterScope, pod: Manifest) -> None:
    metadata = pod["metadata"]
    seconds = metadata.get("deletionGracePeriodSeconds")
    if seconds is None or seconds > GRACE:
        name, namespace, uid = metadata["name"], scope.namespace, metadata["uid"]
        await scope.kube.delete(kinds.POD, name, namespace, uid=uid, grace_period=GRACE)
