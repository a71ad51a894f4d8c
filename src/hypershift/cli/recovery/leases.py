"""Leases of a restored cluster: those of control plane programs that run no more are forgotten.

A snapshot has the leaders of the time when it was taken. Their successors wait until a lease that
nobody renews has ended, which the scheduler's does after more than two minutes: so long no pod
would be placed, and no node become ready.
"""

from typing import Final

from hypershift.cli.recovery.nodes import guest
from hypershift.kit import Key, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, Conflict, kinds
from hypershift.operators.hypershift.hosted_cluster import names

NAMESPACE: Final = "kube-system"
#: Programs whose Pods lie in the control plane namespace and lead by a lease of their name.
LEADERS: Final = frozenset({"kube-controller-manager", "kube-scheduler"})


def orphaned(leases: list[Manifest], pods: list[Manifest]) -> list[Manifest]:
    """Leases of the control plane whose holder is none of its Pods: `POD_random`."""
    known = {key_of(one).name for one in pods}
    return [
        one
        for one in leases
        if key_of(one).name in LEADERS
        and (holder := str(one["spec"].get("holderIdentity") or ""))
        and holder.partition("_")[0] not in known
    ]


async def forget_leaders(client: Client, key: Key) -> list[str]:
    """Delete the leases of leaders that are gone; give their names.

    They end by themselves too: a cluster without an administrator's kubeconfig waits for that.
    """
    name = names.admin_kubeconfig(key.name)
    if await client.find(kinds.SECRET, name, key.namespace) is None:
        return []
    pods = await client.list(kinds.POD, control_plane_namespace(key))
    gone: list[str] = []
    async with await guest(client, key) as hosted:
        for one in orphaned(list(await hosted.list(kinds.LEASE, NAMESPACE)), list(pods)):
            lease, version = key_of(one).name, one["metadata"]["resourceVersion"]
            try:
                # Whoever took it meanwhile keeps it.
                await hosted.delete(kinds.LEASE, lease, NAMESPACE, resource_version=version)
            except Conflict:
                continue
            gone.append(lease)
    return gone
