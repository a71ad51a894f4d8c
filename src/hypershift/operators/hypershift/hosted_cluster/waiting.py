"""Reports in a condition what the deletion of a hosted cluster waits for, and since when."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from hypershift.api.conditions import (
    ConditionStatus,
    HostedClusterCondition,
    HostedClusterReason,
    MachineCondition,
    false,
)
from hypershift.kit import Manifest, rfc3339
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.runtime import Stop

DESTROYED = HostedClusterCondition.DESTROYED
AGAIN = timedelta(seconds=5)
#: Machines that a message names, and characters of Cluster API's message about each: a drain
#: lists pods of the hosted cluster, whose names its tenants choose.
MACHINES = 3
CHARACTERS = 300


def wait(
    scope: ClusterScope,
    reason: HostedClusterReason,
    what: str,
    details: str = "",
    after: timedelta = AGAIN,
) -> Stop:
    """Set the condition and end the pass; the time counts from the first pass with this reason."""
    found = scope.conditions.get(DESTROYED) or {}
    since = rfc3339(scope.clock.now())
    if found.get("reason") == reason:
        said = str(found.get("message", "")).rpartition(" since ")[2].partition(";")[0]
        since = said or since
    message = f"Waiting for {what} to be gone, since {since}"
    message = f"{message}; {details}" if details else message
    scope.conditions.set(false(DESTROYED, reason, message))
    return Stop(reason, message, after)


def listed(objects: Iterable[Manifest]) -> str:
    """The names of objects, in order."""
    return ", ".join(sorted(each["metadata"]["name"] for each in objects))


def held_machines(machines: Iterable[Manifest]) -> str:
    """What Cluster API waits for before it deletes machines: drain, pods, volumes, budgets."""
    said = sorted(_held(machines))
    more = [f"and {len(said) - MACHINES} more machines"] if len(said) > MACHINES else []
    return "; ".join([*said[:MACHINES], *more])


def _held(machines: Iterable[Manifest]) -> Iterator[str]:
    for machine in machines:
        status = machine.get("status") or {}
        node = (status.get("nodeRef") or {}).get("name", "")
        for each in status.get("conditions") or ():
            deleting = each.get("type") == MachineCondition.DELETING
            if deleting and each.get("status") == ConditionStatus.TRUE:
                text = " ".join(str(each.get("message") or each.get("reason", "")).split())
                where = f" (node {node})" if node else ""
                yield f"machine {machine['metadata']['name']}{where}: {_cut(text)}"


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else f"{text[: CHARACTERS - 3]}..."
