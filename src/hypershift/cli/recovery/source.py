"""The side that a cluster moves away from: hold it still, take its last backup, retire it.

Nothing may be written after the snapshot, or it would be lost without a word: the API servers are
stopped before it. Nodes and their pods run on meanwhile. `release` undoes all of it.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

from hypershift.api import annotations
from hypershift.api.conditions import EtcdBackupCondition, EtcdBackupReason
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.cli.cluster.wait import INTERVAL, Progress
from hypershift.cli.recovery.look import find_cluster, until
from hypershift.kit import Key, Manifest, UsageError, annotations_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import AlreadyExists, Client, kinds
from hypershift.operators.hypershift.recovery import pools_of
from hypershift.runtime import condition_of

FOREVER: Final = "true"
#: On the API server's Deployment: how many replicas it had before it was stopped.
REPLICAS: Final = f"{annotations.PREFIX}replicas-before-move"
#: On a Machine: Cluster API drains no node and waits for no volume before it deletes it.
UNASKED: Final = (
    "machine.cluster.x-k8s.io/exclude-node-draining",
    "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach",
)
#: On a Machine: Cluster API asks so long for its Node to be deleted; without it, for ever.
NODE_DELETION: Final = {"deletion": {"nodeDeletionTimeoutSeconds": 1}}
_FAILURES: Final = (EtcdBackupReason.FAILED, EtcdBackupReason.REJECTED)


@dataclass(frozen=True)
class Source:
    """A hosted cluster on the management cluster that it leaves for another, named by its id."""

    client: Client
    key: Key
    target: str
    progress: Progress

    @property
    def plane(self) -> str:
        """The control plane namespace."""
        return control_plane_namespace(self.key)

    @property
    def backup_name(self) -> str:
        """The last backup: the same in every run, so that an interrupted one takes no second."""
        return f"move-{self.target[:8]}"

    async def find(self) -> Manifest | None:
        """The HostedCluster, if it is there."""
        return await find_cluster(self.client, self.key)


async def pause(source: Source) -> None:
    """Mark the cluster as moving, and let nobody change it or its machines."""
    patch = {
        "metadata": {"annotations": {annotations.MOVING_TO: source.target}},
        "spec": {"pausedUntil": FOREVER},
    }
    await _patch_cluster(source, patch)
    for pool in await pools_of(source.client, source.key):
        await _pause_pool(source, pool, FOREVER)
    await until(
        source.progress, "the operator pauses the control plane", lambda: _is_paused(source)
    )


async def stop_api(source: Source) -> None:
    """Stop the API servers; from here on nothing changes in etcd."""
    found = await source.client.get(kinds.DEPLOYMENT, KUBE_APISERVER, source.plane)
    if replicas := found["spec"].get("replicas"):
        patch = {
            "metadata": {"annotations": {REPLICAS: str(replicas)}},
            "spec": {"replicas": 0},
        }
        await source.client.patch(kinds.DEPLOYMENT, KUBE_APISERVER, patch, source.plane)
    await until(source.progress, "API servers end", lambda: _is_silent(source))


async def back_up(source: Source, storage: Manifest) -> str:
    """Take the last backup; give the address of its snapshot."""
    wanted = {
        "apiVersion": kinds.HCP_ETCD_BACKUP.api_version,
        "kind": kinds.HCP_ETCD_BACKUP.kind,
        "metadata": {"name": source.backup_name, "namespace": source.plane},
        "spec": {"storage": storage},
    }
    try:
        await source.client.create(wanted)
    except AlreadyExists:
        source.progress.say("the last backup was begun")
    while True:
        found = await source.client.get(kinds.HCP_ETCD_BACKUP, source.backup_name, source.plane)
        told = condition_of(found, EtcdBackupCondition.COMPLETED) or {}
        if told.get("reason") == EtcdBackupReason.SUCCEEDED:
            return str(found["status"]["snapshotURL"])
        if told.get("reason") in _FAILURES:
            await source.client.delete(kinds.HCP_ETCD_BACKUP, source.backup_name, source.plane)
            raise UsageError(
                f"the last backup of {source.key} failed: {told.get('message')}; type the command "
                "again to try again, or with --abort to let the cluster run where it was"
            )
        source.progress.say(f"last backup: {told.get('message') or 'waiting for the operator'}")
        await asyncio.sleep(INTERVAL)


async def release(source: Source) -> None:
    """Let the cluster run where it was."""
    await source.client.delete(kinds.HCP_ETCD_BACKUP, source.backup_name, source.plane)
    found = await source.client.find(kinds.DEPLOYMENT, KUBE_APISERVER, source.plane)
    if before := annotations_of(found or {}).get(REPLICAS):
        patch = {
            "metadata": {"annotations": {REPLICAS: None}},
            "spec": {"replicas": int(before)},
        }
        await source.client.patch(kinds.DEPLOYMENT, KUBE_APISERVER, patch, source.plane)
    for pool in await pools_of(source.client, source.key):
        await _pause_pool(source, pool, None)
    marks = {annotations.MOVING_TO: None}
    await _patch_cluster(
        source, {"metadata": {"annotations": marks}, "spec": {"pausedUntil": None}}
    )


async def retire(source: Source) -> None:
    """Delete the cluster here: its control plane, and the machines that we made for it."""
    if await source.find() is None:
        return
    await _leave_pods(source)
    await source.client.delete(kinds.HOSTED_CLUSTER, source.key.name, source.key.namespace)

    async def gone() -> bool:
        return await source.find() is None

    await until(source.progress, "the old control plane and its machines are deleted", gone)


async def _leave_pods(source: Source) -> None:
    """Let machines go without asking their pods: the API server that would be asked is stopped."""
    patch = {"metadata": {"annotations": dict.fromkeys(UNASKED, "")}, "spec": NODE_DELETION}
    for machine in await source.client.list(kinds.MACHINE, source.plane):
        if annotations_of(machine).keys().isdisjoint(UNASKED):
            name = machine["metadata"]["name"]
            await source.client.patch(kinds.MACHINE, name, patch, source.plane)


async def _patch_cluster(source: Source, patch: Manifest) -> None:
    key = source.key
    await source.client.patch(kinds.HOSTED_CLUSTER, key.name, patch, key.namespace)


async def _pause_pool(source: Source, pool: Manifest, until: str | None) -> None:
    if pool["spec"].get("pausedUntil") != until:
        name, patch = pool["metadata"]["name"], {"spec": {"pausedUntil": until}}
        await source.client.patch(kinds.NODE_POOL, name, patch, source.key.namespace)


async def _is_paused(source: Source) -> bool:
    name = source.key.name
    found = await source.client.find(kinds.HOSTED_CONTROL_PLANE, name, source.plane)
    return found is not None and found["spec"].get("pausedUntil") == FOREVER


async def _is_silent(source: Source) -> bool:
    pods = await source.client.list(kinds.POD, source.plane, f"app={KUBE_APISERVER}")
    return not pods
