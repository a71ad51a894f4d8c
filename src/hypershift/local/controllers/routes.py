"""Leads the host to the pods: one route for each node's pod range."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.local.cluster.plan import Plan
from hypershift.local.controllers.loop import Caches
from hypershift.local.network import bridge
from hypershift.local.network.settled import Settled

RESOURCES = (kinds.NODE,)


def address_of(node: Manifest) -> str:
    """The node's own address, empty until the kubelet has reported it."""
    addresses = node.get("status", {}).get("addresses") or ()
    return next((each["address"] for each in addresses if each["type"] == "InternalIP"), "")


def routes(nodes: Iterable[Manifest]) -> dict[str, str]:
    """Pod range by pod range, the machine that holds it."""
    found = {node["spec"].get("podCIDR", ""): address_of(node) for node in nodes}
    return {pods: via for pods, via in found.items() if pods and via}


@dataclass(slots=True)
class Routes:
    """The host's way to the pods of every node."""

    plan: Plan
    _settled: Settled = field(default_factory=Settled)

    async def sync(self, caches: Caches) -> None:
        """Make the host's routes follow the nodes."""
        wanted = routes(caches[kinds.NODE].values())
        await self._settled.become(frozenset(wanted.items()), lambda: self._bring(wanted))

    async def _bring(self, wanted: Mapping[str, str]) -> None:
        seen = await bridge.look(self.plan)
        await bridge.apply(bridge.route_steps(self.plan, seen.routes, wanted))
