"""`restore cluster`: a hosted cluster as its backup has it, with its keys and its node pools.

    room -> user's objects -> HostedCluster (paused) -> namespace -> keys -> pools -> work
         -> snapshot unpacked -> available -> nodes

Each step looks first whether it is done, so a command that was interrupted is typed again. The
operator does nothing before the keys are there: a control plane that made its own could not be
trusted by nodes, users and tokens of the old one.
"""

import asyncio
import sys
from dataclasses import dataclass
from typing import Final

from hypershift.api.conditions import ConditionStatus, ControlPlaneCondition
from hypershift.cli.cluster.wait import INTERVAL, Progress, unready_cluster, wait_until_ready
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import management
from hypershift.cli.recovery import leases, nodes, store
from hypershift.cli.recovery.look import find_cluster
from hypershift.cli.typed import Typed
from hypershift.kit import HypershiftError, Key, Manifest, UsageError, annotations_of, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import AlreadyExists, Client, Resource, kinds
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.ownership import Owner, Ownership, ownership_of
from hypershift.operators.hypershift.recovery import HOME, ClusterManifest
from hypershift.runtime import condition_of

#: What makes two objects the same, and what the server takes for a field that is left out.
_CONTENT: Final[Manifest] = {"data": {}, "binaryData": {}, "type": "Opaque"}


@dataclass(frozen=True)
class Restore:
    """One cluster to bring back: what it consists of, where its data is, and where it goes."""

    client: Client
    manifest: ClusterManifest
    snapshot: str
    address: str
    progress: Progress

    @property
    def key(self) -> Key:
        """Namespace and name of the hosted cluster."""
        return self.manifest.key

    async def find(self) -> Manifest | None:
        """The HostedCluster, if it is there."""
        return await find_cluster(self.client, self.key)


async def bring_back(restore: Restore) -> None:
    """Put everything in place and let the operator work; nothing is written over."""
    await check_room(restore)
    await give(restore)
    cluster = await create_cluster(restore)
    if cluster["spec"].get("pausedUntil"):
        await plant_keys(restore, Owner(restore.key, cluster["metadata"]["uid"]))
        await create_pools(restore)
        await resume(restore)


async def check_room(restore: Restore) -> None:
    """Refuse before anything is written: another cluster, a namespace or objects in the way."""
    found, key = await restore.find(), restore.key
    if found is not None:
        if annotations_of(found).get(recovery.RESTORED_FROM) != restore.snapshot:
            text = "destroy it first, or restore into another namespace of another cluster"
            raise UsageError(f"hosted cluster {key} is there already: {text}")
        return
    space = control_plane_namespace(key)
    if await restore.client.find(kinds.NAMESPACE, space) is not None:
        text = "an earlier cluster of that name is still being deleted, or it is another cluster's"
        raise UsageError(f"namespace {space} is there already: {text}")
    for one in restore.manifest.given:
        live = await restore.client.find(HOME[one["kind"]], one["metadata"]["name"], key.namespace)
        if live is not None and _content(live) != _content(one):
            name = f"{one['kind']} {key_of(one)}"
            raise UsageError(f"{name} is there with other content than the backup has: rename it")


def _content(found: Manifest) -> Manifest:
    return {name: found.get(name) or empty for name, empty in _CONTENT.items()}


async def give(restore: Restore) -> None:
    """Create the user's Secrets and ConfigMaps, those that are not there."""
    space = {"metadata": {"name": restore.key.namespace}, "apiVersion": "v1", "kind": "Namespace"}
    if await restore.client.find(kinds.NAMESPACE, restore.key.namespace) is None:
        await create(restore.client, space)
    for one in restore.manifest.given:
        if await find(restore.client, HOME[one["kind"]], one) is None:
            await create(restore.client, one)
    restore.progress.say(f"{len(restore.manifest.given)} Secrets and ConfigMaps are there")


async def create_cluster(restore: Restore) -> Manifest:
    """Create the HostedCluster, paused; the one that is there continues."""
    if found := await restore.find():
        return found
    wanted = recovery.cluster_to_create(restore.manifest, restore.snapshot, restore.address)
    return await restore.client.create(wanted)


async def plant_keys(restore: Restore, owner: Owner) -> None:
    """Create the control plane namespace as the cluster's own, with the keys of the old one."""
    await create(restore.client, recovery.namespace_to_create(owner))
    await _check_own(restore, owner)
    for secret in restore.manifest.keys:
        await _plant(restore, secret)
    restore.progress.say(f"{len(restore.manifest.keys)} keys of the control plane are there")


async def _check_own(restore: Restore, owner: Owner) -> None:
    """Refuse a namespace that another user made meanwhile: they could read the keys."""
    space = control_plane_namespace(restore.key)
    found = await restore.client.find(kinds.NAMESPACE, space)
    if ownership_of(found, owner) is not Ownership.OURS:
        raise UsageError(f"namespace {space} is not that of {restore.key}: no key was written")


async def _plant(restore: Restore, secret: Manifest) -> None:
    live = await find(restore.client, kinds.SECRET, secret)
    if live is None:
        await create(restore.client, secret)
    elif _content(live) != _content(secret):
        raise UsageError(f"Secret {key_of(secret)} is there with other content than the backup has")


async def create_pools(restore: Restore) -> None:
    """Create the NodePools."""
    for pool in restore.manifest.pools:
        await create(restore.client, recovery.pool_to_create(pool))


async def resume(restore: Restore) -> None:
    """Let the operator work."""
    patch = {"spec": {"pausedUntil": None}}
    await restore.client.patch(kinds.HOSTED_CLUSTER, restore.key.name, patch, restore.key.namespace)
    restore.progress.say(f"hosted cluster {restore.key} is created")


async def create(client: Client, wanted: Manifest) -> None:
    """Create an object that an interrupted run may have created."""
    try:
        await client.create(wanted)
    except AlreadyExists:
        return


async def find(client: Client, resource: Resource, wanted: Manifest) -> Manifest | None:
    """The object of that name, if it is there."""
    key = key_of(wanted)
    return await client.find(resource, key.name, key.namespace)


async def until_available(restore: Restore) -> None:
    """Wait for the control plane; a snapshot that members refuse ends the wait."""
    while True:
        cluster = await restore.find() or {}
        if problem := await refusal(restore):
            raise UsageError(f"the snapshot is not restored: {problem}")
        reasons = unready_cluster(cluster)
        if not reasons:
            return
        restore.progress.say(reasons[0])
        await asyncio.sleep(INTERVAL)


async def refusal(restore: Restore) -> str:
    """Why members cannot start from the snapshot; empty while they try or did."""
    place = control_plane_namespace(restore.key)
    plane = await restore.client.find(kinds.HOSTED_CONTROL_PLANE, restore.key.name, place)
    found = condition_of(plane or {}, ControlPlaneCondition.ETCD_SNAPSHOT_RESTORED) or {}
    return str(found.get("message")) if found.get("status") == ConditionStatus.FALSE else ""


async def finish(restore: Restore) -> None:
    """Wait until the cluster works with nodes of its own."""
    await until_available(restore)
    if gone := await leases.forget_leaders(restore.client, restore.key):
        restore.progress.say(f"leaders that are gone are forgotten: {', '.join(gone)}")
    gone = await nodes.forget_lost(restore.client, restore.key)
    if gone:
        restore.progress.say(f"{len(gone)} nodes whose machines are gone are forgotten")
    await wait_until_ready(
        restore.client, restore.key.namespace, restore.key.name, restore.manifest.pools
    )


def check_keys(manifest: ClusterManifest, found: store.Snapshot) -> None:
    """Refuse a snapshot whose values the cluster of the manifest could not decrypt."""
    named = found.contents().get("encryptedWith") or ()
    if missing := recovery.missing_keys(manifest, map(str, named)):
        raise UsageError(
            f"values of {found.url} are encrypted with {', '.join(sorted(missing))}, "
            "and the manifest does not have that key"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreOptions:
    """What `restore cluster` is given."""

    store: store.StoreOptions
    from_: str
    kubeconfig: str
    snapshot_address: str
    wait: bool


async def _restore(options: RestoreOptions) -> int:
    found = store.snapshot_of(options.from_, options.store)
    try:
        manifest = await asyncio.to_thread(found.manifest, store.seal_key(options.store))
        await asyncio.to_thread(check_keys, manifest, found)
    except HypershiftError as error:
        raise UsageError(f"nothing was restored: {error}") from None
    address = options.snapshot_address or found.address()
    async with management(options.kubeconfig) as client:
        restore = Restore(client, manifest, found.url, address, Progress())
        await bring_back(restore)
        if options.wait:
            await finish(restore)
            sys.stdout.write(f"hosted cluster {restore.key} is restored from {found.url}\n")
    return 0


CLUSTER = Command(
    "cluster",
    "Bring a hosted cluster back from a backup with a manifest",
    description=(
        "Creates the HostedCluster, its NodePools, the Secrets that they name and the keys of the\n"
        "control plane as the backup has them; etcd starts from the snapshot. The same command\n"
        "continues what was interrupted. Nothing that exists is written over."
    ),
    examples="""\
  # the address is what `hypershift get backups` shows
  hypershift restore cluster --from s3://snapshots/demo/1763478000.db --aws-region eu-west-1 \\
    --credentials-file ~/.aws/credentials --manifest-key-file manifest.key""",
    run=Typed(RestoreOptions, _restore),
    flags=(
        Flag("from", "Address of the snapshot: s3://BUCKET/KEY, or that of a blob", required=True),
        *store.FLAGS,
        Flag("snapshot-address", "https address for etcd's members; signed by us without it"),
        Flag("kubeconfig", "Kubeconfig of the management cluster"),
        Flag("wait", "Wait until the cluster and its nodes are ready", BOOL, default=True),
    ),
)
COMMAND = Command("restore", "Bring back what a backup has", commands=(CLUSTER,))
