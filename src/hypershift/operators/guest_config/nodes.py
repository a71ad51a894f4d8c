"""Give the nodes of a hosted cluster the labels and taints of their NodePools."""

import json
from datetime import timedelta
from typing import Any

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of, labels_of
from hypershift.kube import Client, NotFound, kinds
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait

MANAGED_LABEL = "managed.hypershift.openshift.io."
NODE_POOL = annotations.NODE_POOL
TAINTS = annotations.NODE_POOL_TAINTS
SYNCED = annotations.LABELS_SYNCED
RETRY = timedelta(seconds=5)


async def sync_nodes(scope: GuestScope) -> Outcome:
    """Give each new node the labels and taints of its pool, once."""
    fresh = [node for node in scope.nodes if annotations_of(node).get(SYNCED) != "true"]
    if not fresh:
        return Done()
    machines = await scope.kube.list(kinds.MACHINE, scope.namespace)
    by_node = {
        ((one.get("status") or {}).get("nodeRef") or {}).get("name"): one for one in machines
    }
    unknown = False
    for node in fresh:
        machine = by_node.get(node["metadata"]["name"])
        if machine is None:
            unknown = True
            continue
        try:
            await _sync(scope.inside, node, machine)
        except NotFound:
            continue
    return Wait("NodeWithoutMachine", after=RETRY) if unknown and machines else Done()


async def _sync(guest: Client, node: Manifest, machine: Manifest) -> None:
    patch: dict[str, Any] = {
        "metadata": {
            "labels": node_labels(machine),
            "annotations": {SYNCED: "true"},
            "resourceVersion": node["metadata"]["resourceVersion"],
        }
    }
    if taints := json.loads(annotations_of(machine).get(TAINTS, "[]")):
        patch["spec"] = {"taints": merged_taints(node, taints)}
    await guest.patch(kinds.NODE, node["metadata"]["name"], patch)


def node_labels(machine: Manifest) -> dict[str, str]:
    """The labels that a Machine carries for its node, and the name of its pool."""
    labels = {
        name.removeprefix(MANAGED_LABEL): value
        for name, value in labels_of(machine).items()
        if name.startswith(MANAGED_LABEL)
    }
    pool = annotations_of(machine).get(NODE_POOL, "").partition("/")[2]
    return labels | ({NODE_POOL: pool} if pool else {})


def merged_taints(node: Manifest, taints: list[Manifest]) -> list[Manifest]:
    """The node's own taints, and those of its pool that it lacks."""
    known = (node.get("spec") or {}).get("taints") or []
    have = {(one["key"], one["effect"]) for one in known}
    return [*known, *(one for one in taints if (one["key"], one["effect"]) not in have)]
