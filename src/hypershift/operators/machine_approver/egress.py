"""Addresses that a node of an OpenShiftSDN network may serve besides its own."""

from hypershift.kube import Client, kinds

NETWORK = "cluster"
NETWORK_TYPE = "OpenShiftSDN"


async def of_node(guest: Client, node: str) -> frozenset[str] | None:
    """The addresses and ranges that leave the cluster by a node; None on every other network."""
    network = await guest.find(kinds.CONFIG_NETWORK, NETWORK) or {}
    if (network.get("status") or {}).get("networkType") != NETWORK_TYPE:
        return None
    subnet = await guest.find(kinds.HOST_SUBNET, node) or {}
    return frozenset([*(subnet.get("egressIPs") or ()), *(subnet.get("egressCIDRs") or ())])
