"""A cluster that came from a backup: mend what is wrong in it, and say when it works again.

Nodes of the time of the backup are not ready until they come back or are forgotten. OpenShift's
monitoring waits for volumes on such nodes: it gets new ones, once.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, false, true
from hypershift.api.conditions.foreign import NodeCondition
from hypershift.kit import Manifest, annotations_of
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config.rules.complete import software_complete
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait, is_true

KIND: Final = ControlPlaneCondition.RESTORED_FROM_BACKUP
MONITORING, PROMETHEUS = "openshift-monitoring", "prometheus-k8s"
#: What a pass does not have of nodes: heartbeats would fill its cache and wake it all the time.
READINESS: Final = (("status", "conditions"),)
#: How many names a message holds.
MOST = 5
AGAIN, SELDOM = timedelta(seconds=5), timedelta(seconds=120)


async def follow_recovery(scope: GuestScope) -> Outcome:
    """Report how far a restored cluster is; the mark goes when the report says that it works."""
    is_restored = annotations.RESTORED_FROM_BACKUP in annotations_of(scope.object)
    if not is_restored or scope.release is None:
        return Done()
    if scope.release.openshift:
        problem, after = await _mend_monitoring(scope), SELDOM
    else:
        nodes = await scope.inside.list(kinds.NODE, only=READINESS)
        problem, after = "; ".join(_problems(scope, nodes)), AGAIN
    if not problem:
        scope.conditions.set(true(KIND, "", ControlPlaneReason.RECOVERY_FINISHED))
        return Done()
    scope.conditions.set(false(KIND, ControlPlaneReason.RECOVERY_FINISHED, problem))
    return Wait("Recovers", after=after)


def _problems(scope: GuestScope, nodes: Sequence[Manifest]) -> Iterator[str]:
    """Yield what does not work yet."""
    away = [one for one in nodes if not is_true(one, NodeCondition.READY)]
    if away:
        names = sorted(one["metadata"]["name"] for one in away)
        more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
        yield f"nodes that are not ready: {', '.join(names[:MOST])}{more}"
    if not software_complete(scope.applied, len(nodes)):
        yield "the cluster's own software is not complete"


async def _mend_monitoring(scope: GuestScope) -> str:
    """Give monitoring new volumes, once; say what it waits for."""
    guest = scope.inside
    found = await guest.find(kinds.STATEFUL_SET, PROMETHEUS, MONITORING)
    if found is None or _is_ready(found):
        return ""
    if scope.conditions.get(KIND) is None:
        await _renew_volumes(guest)
    return f"StatefulSet {MONITORING}/{PROMETHEUS} is not ready"


def _is_ready(found: Manifest) -> bool:
    ready = (found.get("status") or {}).get("readyReplicas") or 0
    return bool(ready >= found["spec"].get("replicas", 1))


async def _renew_volumes(guest: Client) -> None:
    """Delete claims before the pods that use them: the new pods make new claims."""
    for resource in (kinds.PERSISTENT_VOLUME_CLAIM, kinds.POD):
        for one in await guest.list(resource, MONITORING):
            await guest.delete(resource, one["metadata"]["name"], MONITORING)
