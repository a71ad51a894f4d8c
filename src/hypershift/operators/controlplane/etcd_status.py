"""Fill a HostedControlPlane's status from what is there of etcd and its shards."""

from contextlib import suppress

from hypershift.api.conditions import ControlPlaneCondition, holds
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.component import etcd_shards
from hypershift.kube import ApiError, kinds
from hypershift.operators.controlplane.rules import conditions as rules
from hypershift.operators.controlplane.rules.infrastructure import is_unusual
from hypershift.operators.controlplane.scope import PlaneScope


async def report_etcd(scope: PlaneScope) -> None:
    """Report whether etcd has a quorum, what its disks lack, and whether a snapshot is restored."""
    members = scope.stateful_sets.get("etcd")
    trouble = ""
    if (
        members is not None
        and not rules.has_quorum(members)
        and is_unusual(members, scope.clock.now())
    ):
        trouble = await _claim_trouble(scope)
    available = rules.etcd_available(scope.wanted.etcd, members, trouble)
    used, late = shards(scope)
    if available.is_true and used:
        found = {name: scope.stateful_sets.get(name) for name in used}
        available = rules.shards_available(found)
    scope.conditions.set(available)
    if used or late:
        scope.conditions.set(rules.shards_in_use(late))
    managed = scope.wanted.etcd.managed
    asked = bool(managed and managed.storage.restore_snapshot_url)
    is_restored = holds(scope.conditions.get(ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED))
    if members and asked and not is_restored:
        pods = await scope.context.live.list(kinds.POD, scope.namespace, labels="app=etcd")
        if restored := rules.snapshot_restored(members, pods):
            scope.conditions.set(restored)


def shards(scope: PlaneScope) -> tuple[list[str], list[str]]:
    """The StatefulSets of the shards that this operator looks after, and shards that came late."""
    used: list[str] = []
    late: list[str] = []
    if scope.release is None or scope.release.openshift:
        return used, late
    server = scope.deployments.get(KUBE_APISERVER)
    for shard in etcd_shards.managed_shards(scope.wanted):
        name = etcd_shards.workload_of(shard)
        if etcd_shards.is_late(shard, scope.stateful_sets.get(name), server):
            late.append(shard.name)
        else:
            used.append(name)
    return used, late


async def _claim_trouble(scope: PlaneScope) -> str:
    """Return why etcd's volumes are missing, as far as events say so."""
    live, place = scope.context.live, scope.namespace
    with suppress(ApiError):  # a better sentence is not worth a pass
        claims = await live.list(kinds.PERSISTENT_VOLUME_CLAIM, place, labels="app=etcd")
        events = await live.list(kinds.EVENT, place) if claims else []
        return rules.claim_trouble(claims, events)
    return ""
