"""The phases for etcd's members: rebuild lost ones, defragment them, report slow ones."""

from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, false, true
from hypershift.controlplane import etcd
from hypershift.kube import kinds
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.runtime import Done, Outcome

CONDITION = ControlPlaneCondition.ETCD_DISKS_FAST


async def keep_etcd(scope: PlaneScope) -> Outcome:
    """Rebuild an etcd member that is lost for good; the others keep quorum meanwhile."""
    if rebuilt := await etcd.keep_members(scope.view(), scope.kube):
        text = f"etcd member {rebuilt.member} is rebuilt: {rebuilt.why}"
        await scope.events.warning("EtcdMemberRebuilt", text)
    return Done()


async def defragment_etcd(scope: PlaneScope) -> Outcome:
    """Give back what deleted objects left behind, one member at a time; OpenShift's does itself."""
    view = scope.view()
    if not view.openshift:
        now = scope.clock.now()
        await scope.environment.defragmenter.visit(view, scope.kube, now)
    return Done()


async def watch_disks(scope: PlaneScope) -> Outcome:
    """EtcdDisksFast: the members' disks keep etcd's bound, or the slow one is named."""
    slow = await scope.environment.disks.visit(scope.view(), scope.clock.now())
    if slow is None:
        return Done()
    if not slow:
        text = f"Writes to etcd's log take at most {_shown(etcd.BOUND)}"
        scope.conditions.set(true(CONDITION, text))
        return Done()
    named = [await _named(scope, member) for member in sorted(slow)]
    scope.conditions.set(false(CONDITION, ControlPlaneReason.SLOW_DISK, "; ".join(named)))
    return Done()


async def _named(scope: PlaneScope, member: str) -> str:
    claim = etcd.claim_of(member)
    found = await scope.kube.find(kinds.PERSISTENT_VOLUME_CLAIM, claim, scope.namespace)
    volume = ((found or {}).get("spec") or {}).get("volumeName") or "unknown"
    # No figure that changes with every look: a disk that stays slow costs no writes.
    return (
        f"the disk of {member} (claim {claim}, volume {volume}) is too slow: more than 1% of "
        f"the writes to its log take longer than {_shown(etcd.BOUND)}"
    )


def _shown(seconds: float) -> str:
    return f"{seconds * 1000:g} ms"
