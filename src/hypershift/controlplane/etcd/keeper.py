"""Rebuilds a lost member of etcd: remove it, add it again, and start it from an empty disk.

    claim marked -> old entry removed -> new entry added -> claim deleted -> pod deleted

Each step checks first whether it is done, so the next pass resumes one that was interrupted. The
commands run inside a healthy member's pod: no program outside the namespace talks to etcd.
"""

import json
from dataclasses import dataclass

from hypershift.component import View
from hypershift.controlplane.etcd.members import Group, claim_of
from hypershift.controlplane.etcd.replacement import (
    REPLACING,
    Member,
    nodes_of_volume,
    replacement,
)
from hypershift.controlplane.etcd.shards import groups
from hypershift.kit import Manifest, TransientError
from hypershift.kube import Client, kinds

CONTAINER = "etcd"
SERVER_TLS = "/etc/etcd/tls/server/server"
ITSELF = "https://localhost:2379"
ETCDCTL = (
    "etcdctl",
    # Members that just lost one of theirs, or share a busy node, need more than its five seconds.
    "--command-timeout=30s",
    "--cacert=/etc/etcd/tls/etcd-ca/ca.crt",
    f"--cert={SERVER_TLS}.crt",
    f"--key={SERVER_TLS}.key",
)


class EtcdctlFailed(TransientError):
    """A command in a member's pod that did not succeed."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A member that a pass rebuilt, and why."""

    member: str
    why: str


async def keep_members(view: View, kube: Client) -> Rebuilt | None:
    """Rebuild at most one member that is lost for good; costs nothing while all are ready."""
    for group in groups(view):
        if rebuilt := await _keep(view, kube, group):
            return rebuilt
    return None


async def _keep(view: View, kube: Client, group: Group) -> Rebuilt | None:
    live = await kube.find(kinds.STATEFUL_SET, group.name, view.namespace)
    if group.replicas == 1 or live is None or is_complete(live):
        return None
    members = [await member_of(kube, view.namespace, name) for name in group.members]
    nodes = {node["metadata"]["name"]: node for node in await kube.list(kinds.NODE)}
    chosen = replacement(members, nodes)
    if chosen is None:
        return None
    lost, why = chosen
    helper = next(member.name for member in members if member.ready and member is not lost)
    await _rebuild(view, kube, group, lost, helper)
    return Rebuilt(lost.name, why)


async def _rebuild(view: View, kube: Client, group: Group, lost: Member, helper: str) -> None:
    claim = claim_of(lost.name)
    if not lost.being_replaced:
        mark = {"metadata": {"annotations": {REPLACING: "true"}}}
        await kube.patch(kinds.PERSISTENT_VOLUME_CLAIM, claim, mark, view.namespace)
    await _rejoin(view, kube, group, lost.name, helper)
    await kube.delete(kinds.PERSISTENT_VOLUME_CLAIM, claim, view.namespace)
    # The claim is held by the pod until it is gone; a dead node never lets go by itself.
    await kube.delete(kinds.POD, lost.name, view.namespace, grace_period=0)


async def _rejoin(view: View, kube: Client, group: Group, name: str, helper: str) -> None:
    """Replace the member's entry: it must not vote with a memory that it lost."""
    peer = f"https://{group.host(name, view.namespace)}:2380"
    entries = [e for e in await _entries(view, kube, helper) if peer in e.get("peerURLs", ())]
    for entry in entries:
        if entry.get("name"):
            await etcdctl(view, kube, helper, "member", "remove", f"{entry['ID']:x}")
    if not entries or any(entry.get("name") for entry in entries):
        await etcdctl(view, kube, helper, "member", "add", name, f"--peer-urls={peer}")


async def _entries(view: View, kube: Client, helper: str) -> list[Manifest]:
    answer = await etcdctl(view, kube, helper, "member", "list", "--write-out=json")
    found: list[Manifest] = json.loads(answer).get("members") or []
    return found


async def etcdctl(view: View, kube: Client, pod: str, *words: str, endpoint: str = ITSELF) -> str:
    """Run etcdctl inside a member's pod, as that member."""
    command = [*ETCDCTL, f"--endpoints={endpoint}", *words]
    result = await kube.exec(pod, view.namespace, command, container=CONTAINER)
    if result.exit_code:
        said = result.stderr.decode(errors="replace").strip()
        raise EtcdctlFailed(f"etcdctl {' '.join(words)} in {view.namespace}/{pod}: {said}")
    return result.stdout.decode()


async def member_of(kube: Client, namespace: str, name: str) -> Member:
    """What is seen of a member."""
    pod = await kube.find(kinds.POD, name, namespace)
    claim = await kube.find(kinds.PERSISTENT_VOLUME_CLAIM, claim_of(name), namespace)
    volume = ((claim or {}).get("spec") or {}).get("volumeName")
    found = await kube.find(kinds.PERSISTENT_VOLUME, volume) if volume else None
    return Member(name, pod, claim, nodes_of_volume(found))


def is_complete(live: Manifest) -> bool:
    """Whether every member of the StatefulSet is ready."""
    wanted = live["spec"].get("replicas", 1)
    return bool((live.get("status") or {}).get("readyReplicas", 0) >= wanted)
