"""The phases that find whose a private link is, and the subnets of the cluster's nodes."""

import json
from datetime import timedelta

from hypershift.api import NodePool, read
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.private_link.scope import KARPENTER_SUBNETS, LinkScope
from hypershift.operators.hypershift.reach import Reach
from hypershift.runtime import Done, Outcome, Stop
from hypershift.runtime.pause import FOREVER, pause_left

#: Subnets that the API takes, and that a list of Karpenter's operator may have.
MOST_SUBNETS = 10
AGAIN = timedelta(seconds=30)


async def look(scope: LinkScope) -> Outcome:
    """Find whose link it is, and the subnets of the cluster's nodes.

    The operator's own keys make what links stand for, so a link counts in a namespace alone whose
    own mark proves that a HostedCluster has it.
    """
    space = await scope.kube.find(kinds.NAMESPACE, scope.namespace)
    key = ownership.cluster_of(space or {})
    found = await scope.kube.find(kinds.HOSTED_CLUSTER, *reversed(key)) if key else None
    if key is None or found is None:
        return Stop("NoCluster", f"namespace {scope.namespace} belongs to no HostedCluster", AGAIN)
    scope.reach = Reach(scope.kube, scope.context.live, key, found)
    if scope.reach.plane != scope.namespace or not await scope.reach.owns_plane():
        return Stop("NotOurs", await scope.reach.problem(), AGAIN)
    scope.cluster_object, scope.owner = found, scope.reach.owner.uid
    if (left := pause_left(found, scope.clock.now())) is not None:
        return Stop("OnHold", "the hosted cluster is paused", None if left == FOREVER else left)
    scope.subnets = await _subnets(scope)
    return Done()


async def _subnets(scope: LinkScope) -> tuple[str, ...]:
    home = scope.cluster.metadata.namespace
    pools = [read(NodePool, each) for each in await scope.kube.each(kinds.NODE_POOL, home)]
    name = scope.cluster.metadata.name
    found = {scope.halves.subnet(each) for each in pools if each.spec.cluster_name == name}
    listed = await scope.kube.find(kinds.CONFIG_MAP, KARPENTER_SUBNETS, scope.namespace)
    found |= _of_karpenter(listed or {})
    return tuple(sorted(filter(None, found)))[:MOST_SUBNETS]


def _of_karpenter(found: Manifest) -> set[str]:
    """The subnets in a list of Karpenter's operator; none where it cannot be read."""
    try:
        listed = json.loads((found.get("data") or {}).get("subnetIDs") or "[]")
    except (ValueError, RecursionError):
        return set()
    return {each for each in listed if isinstance(each, str)} if isinstance(listed, list) else set()


async def look_at_deleted(scope: LinkScope) -> Outcome:
    """Find whose link it was; what is in another namespace was not made by us."""
    space = await scope.context.live.find(kinds.NAMESPACE, scope.namespace)
    key = ownership.cluster_of(space or {})
    found = await scope.kube.find(kinds.HOSTED_CLUSTER, *reversed(key)) if key else None
    if key is not None:
        scope.reach = Reach(scope.kube, scope.context.live, key, found)
        scope.owner = ownership.uid_mark(space or {})
    return Done()


async def compare_with_service(scope: LinkScope) -> Outcome:
    """End the pass over a link that says anything but what its Service does.

    Who runs in a control plane namespace may write links there (Dedicated mode), and the operator's
    keys reach every load balancer of the account. The status of a Service is the cloud's word.
    """
    found = await scope.kube.find(kinds.SERVICE, scope.key.name, scope.namespace)
    wanted = scope.halves.spec(found, scope.cluster.spec.platform) if found else None
    if wanted is None or not scope.halves.says(scope.object, wanted):
        name = scope.key.name
        return Stop("NotOfItsService", f"Service {name} has another load balancer, or none", AGAIN)
    return Done()
