"""`move cluster`: a hosted cluster goes to another management cluster.

    check -> pause -> API stopped -> last backup -> restored there -> nodes there -> retired here
                                                                  <- --abort, until it is retired

Where a move stands is read from both sides, so the same command continues one that was interrupted.
With a dead source, `restore cluster` at the target does the rest: it needs the backup alone.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hypershift.api import HostedCluster, annotations, read
from hypershift.api.values import EtcdManagementType, PlatformType
from hypershift.cli import backup
from hypershift.cli.cluster.wait import Progress, wait_until_ready
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import management
from hypershift.cli.recovery import leases, nodes, store
from hypershift.cli.recovery import source as sources
from hypershift.cli.recovery.look import find_cluster, until
from hypershift.cli.recovery.restore import Restore, bring_back, until_available
from hypershift.cli.recovery.source import Source
from hypershift.cli.typed import Typed
from hypershift.kit import Key, Manifest, UsageError, annotations_of
from hypershift.kube import Client, NotFound, kinds
from hypershift.operators.hypershift import recovery

#: Platforms whose nodes follow: we make new machines, or the user's find the API by its name.
FOLLOWED: Final = frozenset({PlatformType.LOCAL, PlatformType.NONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveOptions:
    """What `move cluster` is given."""

    storage: backup.StorageOptions
    store: store.StoreOptions
    abort: bool
    keep_source: bool
    kubeconfig: str
    namespace: str
    subject: str
    to: str


@dataclass(frozen=True)
class Move:
    """A hosted cluster and both management clusters."""

    source: Source
    target: Client
    options: MoveOptions

    @property
    def key(self) -> Key:
        """Namespace and name of the hosted cluster, on both sides."""
        return self.source.key

    async def arrived(self) -> Manifest | None:
        """The HostedCluster at the target, if it is there."""
        return await find_cluster(self.target, self.key)


async def move(moving: Move) -> None:
    """Bring the cluster to the target; each step looks first whether it is done."""
    if await check(moving):
        await arrive(moving, await depart(moving))
    await follow(moving)
    if not moving.options.keep_source:
        await sources.retire(moving.source)


async def check(moving: Move) -> bool:
    """Refuse before anything is changed; False for a cluster that has left its source already."""
    found, there = await moving.source.find(), await moving.arrived()
    has_arrived = there is not None and recovery.RESTORED_FROM in annotations_of(there)
    if has_arrived and (found is None or found["metadata"].get("deletionTimestamp")):
        return False
    if found is None:
        raise UsageError(f"there is no hosted cluster {moving.key} to move")
    problems = [*_state_problems(found, moving.source.target), *_kind_problems(found)]
    if there is not None and not has_arrived:
        problems.append("the other management cluster has one of that name")
    if problems:
        raise UsageError(f"hosted cluster {moving.key} cannot be moved: {'; '.join(problems)}")
    _check_store(moving.options)
    await _check_backups(moving.source)
    return True


async def _check_backups(source: Source) -> None:
    """Refuse a source that takes no backups, before its API servers are stopped for one."""
    try:
        await source.client.list(kinds.HCP_ETCD_BACKUP, source.plane)
    except NotFound:
        raise UsageError(
            "the management cluster that the hosted cluster is on takes no backups: install "
            "HyperShift there with --tech-preview-no-upgrade"
        ) from None


def _state_problems(found: Manifest, target: str) -> Iterator[str]:
    """Yield what users or operators do with the cluster now, and what must end before a move."""
    goes_to = annotations_of(found).get(annotations.MOVING_TO)
    if goes_to and goes_to != target:
        yield "it is being moved to another management cluster; end that with --abort first"
    if found["metadata"].get("deletionTimestamp"):
        yield "it is being deleted"
    if not goes_to and (until := found["spec"].get("pausedUntil")):
        yield f"it is paused (spec.pausedUntil: {until})"


def _kind_problems(found: Manifest) -> Iterator[str]:
    """Yield what a move cannot carry."""
    cluster = read(HostedCluster, found)
    if cluster.spec.etcd.management_type == EtcdManagementType.UNMANAGED:
        yield "its etcd is not ours"
    if cluster.spec.platform.type not in FOLLOWED:
        yield f"nodes of platform {cluster.spec.platform.type} cannot follow it"


def _check_store(options: MoveOptions) -> None:
    """Refuse flags by which the backup could be taken and not be read."""
    if options.storage.storage_type != backup.S3:
        raise UsageError(f"a move goes by a bucket: give --storage-type {backup.S3}")
    if not options.storage.credentials_secret:
        raise UsageError("--credentials-secret is needed: the last backup is taken with it")
    backup.storage(options.storage, "x")
    store.snapshot_of(f"s3://{options.storage.aws_bucket}/", options.store)


async def depart(moving: Move) -> str:
    """Hold the cluster still and take its last backup."""
    await sources.pause(moving.source)
    await sources.stop_api(moving.source)
    return await sources.back_up(
        moving.source, backup.storage(moving.options.storage, moving.key.name)
    )


async def arrive(moving: Move, url: str) -> None:
    """Bring it back at the target, from what the source has now."""
    manifest = await recovery.gather(moving.source.client, moving.key)
    found = store.snapshot_of(url, moving.options.store)
    restoring = Restore(moving.target, manifest, url, found.address(), moving.source.progress)
    await bring_back(restoring)
    await until_available(restoring)


async def follow(moving: Move) -> None:
    """Wait for nodes at the target; those that stayed behind are forgotten after that."""
    if gone := await leases.forget_leaders(moving.target, moving.key):
        moving.source.progress.say(f"leaders that stayed behind are forgotten: {', '.join(gone)}")
    pools = await recovery.pools_of(moving.target, moving.key)
    place = (moving.key.namespace, moving.key.name)
    await wait_until_ready(moving.target, *place, pools)
    gone = await nodes.forget_lost(moving.target, moving.key)
    if gone:
        moving.source.progress.say(f"{len(gone)} nodes stayed behind and are forgotten")


async def abort(moving: Move) -> None:
    """Delete what arrived and let the cluster run where it was; nothing was lost there."""
    found = await moving.source.find()
    if found is None or found["metadata"].get("deletionTimestamp"):
        raise UsageError(f"hosted cluster {moving.key} has left its source: there is no way back")
    if annotations_of(found).get(annotations.MOVING_TO) != moving.source.target:
        raise UsageError(f"hosted cluster {moving.key} is not being moved there")
    there = await moving.arrived()
    if there is not None and recovery.RESTORED_FROM in annotations_of(there):
        await moving.target.delete(kinds.HOSTED_CLUSTER, moving.key.name, moving.key.namespace)

    async def gone() -> bool:
        return await moving.arrived() is None

    await until(moving.source.progress, "what arrived at the target is deleted", gone)
    await sources.release(moving.source)


async def identity(client: Client) -> str:
    """What identifies a management cluster."""
    found = await client.get(kinds.NAMESPACE, "kube-system")
    return str(found["metadata"]["uid"])


async def _run(options: MoveOptions) -> int:
    key = Key(options.namespace, options.subject)
    async with management(options.kubeconfig) as here, management(options.to) as there:
        target = await identity(there)
        if target == await identity(here):
            raise UsageError("--to is the management cluster that the hosted cluster is on")
        moving = Move(Source(here, key, target, Progress()), there, options)
        if options.abort:
            await abort(moving)
            sys.stdout.write(f"hosted cluster {key} runs where it was\n")
            return 0
        await move(moving)
    sys.stdout.write(f"hosted cluster {key} runs on the management cluster of {options.to}\n")
    return 0


#: Flags of the backup that a move takes, and of the store that it is read from.
_READ = frozenset(flag.name for flag in store.FLAGS)
_BACKUP = tuple(
    replace(flag, required=False)  # --abort takes no backup
    for flag in backup.STORAGE
    if flag.name not in _READ and not flag.name.startswith("azure-")
)
CLUSTER = Command(
    "cluster",
    "Move a hosted cluster to another management cluster",
    description=(
        "Stops the API, takes a last backup, brings the cluster back at the other management\n"
        "cluster with its keys, waits for nodes there and deletes it here. Pods run on meanwhile.\n"
        "The same command continues a move that was interrupted; --abort undoes it."
    ),
    examples="""\
  hypershift move cluster demo --to other.kubeconfig --storage-type S3 --aws-bucket snapshots \\
    --aws-region eu-west-1 --credentials-secret snapshots --credentials-file ~/.aws/credentials

  # with the old management cluster dead, the newest backup is enough
  hypershift restore cluster --kubeconfig other.kubeconfig --from s3://snapshots/demo/1763478000.db""",
    arguments="NAME",
    run=Typed(MoveOptions, _run),
    flags=(
        Flag("to", "Kubeconfig of the management cluster to move to", required=True),
        Flag("kubeconfig", "Kubeconfig of the management cluster that it is on"),
        Flag("namespace", "Namespace of the hosted cluster", default="clusters", short="n"),
        *_BACKUP,
        *store.FLAGS,
        Flag("keep-source", "Leave the stopped cluster where it was", BOOL),
        Flag("abort", "Undo a move that has not ended", BOOL),
    ),
)
COMMAND = Command("move", "Move clusters to another place", commands=(CLUSTER,))
