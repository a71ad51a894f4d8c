"""Nodes that the cloud announced to take back: their machines are replaced before it does.

A handler of the cloud's notices taints such a node. Which Machine it is, the management cluster
says: what a node tells of itself is the guest's word.
"""

from hypershift.api import annotations, labels
from hypershift.kit import Manifest, labels_of
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.platforms import platform_of
from hypershift.runtime import Done, Outcome

#: The beginning of the taints that the handler puts on nodes.
TAINT = "aws-node-termination-handler/"


async def replace_reclaimed(scope: GuestScope) -> Outcome:
    """Delete the Machine of each spot instance with a notice: another one takes its place."""
    signals = {node["metadata"]["name"]: signal(node) for node in scope.nodes}
    told = {name: found for name, found in signals.items() if found}
    if not told or not platform_of(scope.wanted).rules.drains_reclaimed_nodes:
        return Done()
    for machine in await scope.kube.list(kinds.MACHINE, scope.namespace):
        name = ((machine.get("status") or {}).get("nodeRef") or {}).get("name", "")
        if name in told and _is_spot(machine) and not machine["metadata"].get("deletionTimestamp"):
            await _replace(scope.kube, machine, told[name])
            scope.log.info("spot instance is taken back", node=name, signal=told[name])
    return Done()


def signal(node: Manifest) -> str:
    """The first taint by which the handler marked a node; empty without one."""
    taints = (node.get("spec") or {}).get("taints") or ()
    keys = (str(taint.get("key", "")) for taint in taints)
    return next((key for key in keys if key.startswith(TAINT)), "")


def _is_spot(machine: Manifest) -> bool:
    return labels.INTERRUPTIBLE_INSTANCE in labels_of(machine)


async def _replace(kube: Client, machine: Manifest, why: str) -> None:
    metadata = machine["metadata"]
    name, namespace, uid = metadata["name"], metadata["namespace"], metadata["uid"]
    mark = {"metadata": {"annotations": {annotations.SPOT_INTERRUPTION_SIGNAL: why}}}
    await kube.patch(kinds.MACHINE, name, mark, namespace)
    await kube.delete(kinds.MACHINE, name, namespace, uid=uid)
