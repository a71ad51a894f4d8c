"""Nodes of a restored cluster: those of machines that are gone are forgotten.

A snapshot has the nodes of the time when it was taken. Pods on a node that nobody runs keep their
volumes and names until the node is deleted; a cloud's own controller does that, and platform Local
has none.
"""

from typing import Final

from hypershift.api.values import PlatformType
from hypershift.kit import Key, Manifest, UsageError, data_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, kinds
from hypershift.kube.limits import VISITED
from hypershift.operators.hypershift.hosted_cluster import names

#: Platforms whose machines we make, and that no other controller looks after.
MADE_BY_US: Final = frozenset({PlatformType.LOCAL})


def lost(nodes: list[Manifest], machines: list[Manifest]) -> list[str]:
    """Names of nodes that name a machine which is none of the cluster's."""
    known = {one["spec"].get("providerID") for one in machines}
    found = ((one["metadata"]["name"], one["spec"].get("providerID", "")) for one in nodes)
    return [name for name, provider in found if provider and provider not in known]


async def forget_lost(client: Client, key: Key) -> list[str]:
    """Delete the nodes whose machines are not this cluster's; give their names."""
    cluster = await client.get(kinds.HOSTED_CLUSTER, key.name, key.namespace)
    if cluster["spec"]["platform"]["type"] not in MADE_BY_US:
        return []
    machines = await client.list(kinds.MACHINE, control_plane_namespace(key))
    async with await guest(client, key) as hosted:
        gone = lost(list(await hosted.list(kinds.NODE)), list(machines))
        for name in gone:
            await hosted.delete(kinds.NODE, name)
    return gone


async def guest(client: Client, key: Key) -> Client:
    """A client of the hosted cluster, by its administrator's kubeconfig."""
    name = names.admin_kubeconfig(key.name)
    secret = await client.find(kinds.SECRET, name, key.namespace)
    if secret is None:
        raise UsageError(f"hosted cluster {key} has no Secret {name}: is its control plane up?")
    content = data_of(secret, "kubeconfig")
    return Client.from_secret(content, source=f"Secret {name}", limits=VISITED)
