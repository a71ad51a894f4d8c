"""The default storage class: `local` volumes in a directory of the chosen node's disk.

A claim waits for its first pod; the scheduler notes the node it chose, and the volume is made
there. So topology is honoured and fsGroup works, which hostPath volumes cannot offer.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from hypershift.kit import Manifest, annotations_of
from hypershift.kube import AlreadyExists, Client, kinds
from hypershift.local.controllers import tell
from hypershift.local.controllers.disk import DIRECTORY, Disks
from hypershift.local.controllers.loop import Caches
from hypershift.local.machine.tree import UnsafePath
from hypershift.runtime.logs import logger

RESOURCES = (kinds.PERSISTENT_VOLUME_CLAIM, kinds.PERSISTENT_VOLUME, kinds.STORAGE_CLASS)
PROVISIONER = "local.hypershift.io/disk"
PROVISIONED_BY = "pv.kubernetes.io/provisioned-by"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
HOST_NAME = "kubernetes.io/hostname"


def waiting(claims: Iterable[Manifest], classes: Iterable[Manifest]) -> list[Manifest]:
    """Claims of our classes whose node is chosen and whose volume is missing."""
    ours = {each["metadata"]["name"] for each in classes if each["provisioner"] == PROVISIONER}
    return [
        claim
        for claim in claims
        if claim["spec"].get("storageClassName") in ours
        and not claim["spec"].get("volumeName")
        and annotations_of(claim).get(SELECTED_NODE)
        and "deletionTimestamp" not in claim["metadata"]
    ]


def released(volumes: Iterable[Manifest]) -> list[Manifest]:
    """Volumes of ours that no claim uses any more and that may be deleted."""
    return [
        volume
        for volume in volumes
        if annotations_of(volume).get(PROVISIONED_BY) == PROVISIONER
        and volume.get("status", {}).get("phase") == "Released"
        and volume["spec"].get("persistentVolumeReclaimPolicy") == "Delete"
    ]


def volume_name(claim: Manifest) -> str:
    """As every provisioner names it, so that the volume of a claim is made once."""
    return f"pvc-{claim['metadata']['uid']}"


def volume(claim: Manifest, storage_class: Manifest, node: str) -> Manifest:
    """The PersistentVolume for a claim."""
    spec, metadata = claim["spec"], claim["metadata"]
    name = volume_name(claim)
    here = {"key": HOST_NAME, "operator": "In", "values": [node]}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "annotations": {PROVISIONED_BY: PROVISIONER}},
        "spec": {
            "capacity": {"storage": spec["resources"]["requests"]["storage"]},
            "accessModes": spec["accessModes"],
            "volumeMode": "Filesystem",
            "persistentVolumeReclaimPolicy": storage_class.get("reclaimPolicy", "Delete"),
            "storageClassName": storage_class["metadata"]["name"],
            "local": {"path": f"{DIRECTORY}/{name}"},
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "namespace": metadata["namespace"],
                "name": metadata["name"],
                "uid": metadata["uid"],
            },
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [here]}]}},
        },
    }


def why_not(claim: Manifest) -> str:
    """What we cannot give, in a sentence; empty when we can."""
    if claim["spec"].get("volumeMode") == "Block":
        return "volumes of a machine's disk are file systems, not block devices"
    if "ReadWriteMany" in claim["spec"]["accessModes"]:
        return "a machine's disk is on one node: ReadWriteMany cannot be promised"
    return ""


async def sync(client: Client, disks: Disks, caches: Caches) -> None:
    """Create volumes that claims wait for, and delete those that no claim uses."""
    await settle(
        client,
        disks,
        classes=caches[kinds.STORAGE_CLASS].values(),
        claims=caches[kinds.PERSISTENT_VOLUME_CLAIM].values(),
        volumes=caches[kinds.PERSISTENT_VOLUME].values(),
    )


async def settle(
    client: Client,
    disks: Disks,
    *,
    classes: Iterable[Manifest],
    claims: Iterable[Manifest],
    volumes: Iterable[Manifest],
) -> None:
    """The same for a caller that has read these objects already."""
    by_name = {each["metadata"]["name"]: each for each in classes}
    for claim in waiting(claims, by_name.values()):
        with _alone():
            await _provide(client, disks, claim, by_name[claim["spec"]["storageClassName"]])
    for gone in released(volumes):
        with _alone():
            await _delete(client, disks, gone)


@contextmanager
def _alone() -> Iterator[None]:
    """Keep what is wrong with one claim or volume from the others.

    A node's root may have put a link in a volume's way, and a guest that serves its own API may
    send any name: neither will be mended by another attempt.
    """
    try:
        yield
    except (UnsafePath, OSError) as error:
        logger(controller=PROVISIONER).warning("volume refused", error=str(error))


async def _provide(client: Client, disks: Disks, claim: Manifest, storage_class: Manifest) -> None:
    node, name = annotations_of(claim)[SELECTED_NODE], volume_name(claim)
    reason = why_not(claim)
    if not reason and not await asyncio.to_thread(disks.make, node, name):
        reason = f"node {node} has no disk on this host"
    if reason:
        await _tell(client, claim, "Warning", "ProvisioningFailed", reason)
        return
    try:
        await client.create(volume(claim, storage_class, node))
    except AlreadyExists:
        return
    message = f"made volume {name} on {node}"
    await _tell(client, claim, "Normal", "ProvisioningSucceeded", message)


async def _delete(client: Client, disks: Disks, gone: Manifest) -> None:
    name = gone["metadata"]["name"]
    await asyncio.to_thread(disks.remove, node_of(gone), name)
    await client.delete(kinds.PERSISTENT_VOLUME, name, uid=gone["metadata"].get("uid", ""))


def node_of(manifest: Manifest) -> str:
    """The node of a volume of ours; empty when its affinity was removed."""
    required = (manifest["spec"].get("nodeAffinity") or {}).get("required") or {}
    for term in required.get("nodeSelectorTerms") or ():
        for expression in term.get("matchExpressions") or ():
            if expression["key"] == HOST_NAME and expression.get("values"):
                return str(expression["values"][0])
    return ""


async def _tell(client: Client, claim: Manifest, kind: str, reason: str, message: str) -> None:
    about = {**claim, "apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    await tell.event(
        client, about, component=PROVISIONER, kind=kind, reason=reason, message=message
    )
