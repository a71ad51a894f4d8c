"""Taints the node of a stopped machine at once, so that its pods and volumes move.

Kubernetes waits for leases to end and then for minutes, since it cannot know whether a silent node
still writes to its volumes. We do know: the machine's processes have ended. A node that is not
ready and has the out-of-service taint loses its pods at once.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from hypershift.api.conditions import ConditionStatus, NodeCondition, NodeReason
from hypershift.kit import Manifest, rfc3339
from hypershift.kube import Client, kinds
from hypershift.local.controllers.loop import Caches

RESOURCES = (kinds.NODE,)
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"
TAINT = {"key": OUT_OF_SERVICE, "value": "machine-is-dead", "effect": "NoExecute"}


def taints(node: Manifest, *, dead: bool) -> list[dict[str, Any]] | None:
    """The taints that the node should have; None when it has them."""
    present = node["spec"].get("taints") or []
    rest = [taint for taint in present if taint["key"] != OUT_OF_SERVICE]
    wanted = [*rest, TAINT] if dead else rest
    had = any(taint["key"] == OUT_OF_SERVICE for taint in present)
    return None if had == dead else wanted


def unready(node: Manifest, now: datetime) -> list[dict[str, Any]] | None:
    """The node's conditions with Ready unknown; None when it is not ready already."""
    conditions = node.get("status", {}).get("conditions") or []
    ready = next((each for each in conditions if each["type"] == NodeCondition.READY), None)
    if ready is None or ready["status"] != ConditionStatus.TRUE:
        return None
    changed = {
        **ready,
        "status": ConditionStatus.UNKNOWN.value,
        "reason": NodeReason.MACHINE_DEAD.value,
        "message": "the machine is powered off",
        "lastTransitionTime": rfc3339(now),
    }
    return [changed if each["type"] == NodeCondition.READY else each for each in conditions]


async def sync(client: Client, dead: Collection[str], now: datetime, caches: Caches) -> None:
    """Taint the dead, free the living."""
    for node in tuple(caches[kinds.NODE].values()):
        name = node["metadata"]["name"]
        if name in dead and (conditions := unready(node, now)) is not None:
            patch = {"status": {"conditions": conditions}}
            await client.patch(kinds.NODE, name, patch, kind="strategic", subresource="status")
        wanted = taints(node, dead=name in dead)
        if wanted is not None:
            await client.patch(kinds.NODE, name, {"spec": {"taints": wanted}})
