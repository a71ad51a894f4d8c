"""`destroy cluster PLATFORM`: delete the cluster, wait until it is gone, remove its secrets."""

import asyncio
import sys
import time
from dataclasses import dataclass
from datetime import timedelta

from hypershift.api import annotations
from hypershift.api.conditions import ConditionStatus, HostedClusterCondition
from hypershift.cli.cluster.build import INFRA_LABEL
from hypershift.cli.cluster.force import strip
from hypershift.cli.cluster.wait import Progress
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, DURATION, Flag
from hypershift.cli.management import management
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest, UsageError
from hypershift.kube import Client, kinds

CLEANUP = annotations.CLEANUP_CLOUD_RESOURCES
GRACE_PERIOD = annotations.DESTROY_GRACE_PERIOD

FLAGS = (
    Flag(
        "cluster-grace-period",
        "How long the cluster may take to go",
        DURATION,
        timedelta(minutes=10),
        persistent=True,
    ),
    Flag(
        "destroy-cloud-resources",
        "Remove what the cluster made in the cloud too",
        BOOL,
        default=True,
        persistent=True,
    ),
    Flag(
        "force",
        "After the grace period, strip the finalizers that hold the cluster",
        BOOL,
        persistent=True,
    ),
    Flag("infra-id", "Infrastructure of a cluster whose object is gone", persistent=True),
    Flag("kubeconfig", "Kubeconfig of the management cluster", persistent=True),
    Flag("name", "Name of the cluster", required=True, persistent=True),
    Flag("namespace", "Namespace of the cluster", default="clusters", persistent=True),
)


def group(platforms: tuple[str, ...], *others: Command, product: bool = False) -> Command:
    """`destroy cluster` for the platforms that need nothing but Kubernetes, and for others."""
    run = Typed(Destroy, destroy) if product else Typed(DestroyByForce, destroy_by_force)
    return Command(
        "cluster",
        "Destroy a HostedCluster and everything that belongs to it",
        flags=tuple(flag for flag in FLAGS if not (product and flag.name == "force")),
        commands=(
            *(
                Command(name, f"Destroy a cluster of platform {name}", run=run)
                for name in platforms
            ),
            *others,
        ),
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """Which cluster is awaited to be gone, and for how long."""

    name: str
    namespace: str
    cluster_grace_period: timedelta


@dataclass(frozen=True, slots=True)
class Destroy(Ending):
    """What `destroy cluster` is given."""

    destroy_cloud_resources: bool
    infra_id: str
    kubeconfig: str


@dataclass(frozen=True, slots=True)
class DestroyByForce(Destroy):
    """The same where finalizers may be stripped."""

    force: bool


async def destroy(options: Destroy, *, force: bool = False) -> int:
    """Delete, wait, clean up; a cluster that is gone already is no error."""
    namespace, name = options.namespace, options.name
    async with management(options.kubeconfig) as client:
        cluster = await client.find(kinds.HOSTED_CLUSTER, name, namespace)
        infra = options.infra_id or (cluster or {}).get("spec", {}).get("infraID", "")
        if cluster is not None:
            if options.destroy_cloud_resources:
                patch = {"metadata": {"annotations": {CLEANUP: "true"}}}
                await client.patch(kinds.HOSTED_CLUSTER, name, patch, namespace)
            await client.delete(kinds.HOSTED_CLUSTER, name, namespace)
            await until_gone(client, options, force=force)
        else:
            sys.stderr.write(f"hosted cluster {namespace}/{name} is not there\n")
        if infra:
            await client.delete_collection(kinds.SECRET, namespace, labels=f"{INFRA_LABEL}={infra}")
    return 0


async def destroy_by_force(options: DestroyByForce) -> int:
    """Destroy; with --force, finalizers are stripped after the grace period."""
    return await destroy(options, force=options.force)


async def until_gone(
    client: Client, ending: Ending, ours: str = "", *, force: bool = False
) -> None:
    """Wait for the end of the cluster; with `force`, bring it about after the grace period.

    With `ours`, a cluster that only this finalizer holds has come to its end.
    """
    namespace, name = ending.namespace, ending.name
    progress = Progress()
    deadline = time.monotonic() + ending.cluster_grace_period.total_seconds()
    while (cluster := await client.find(kinds.HOSTED_CLUSTER, name, namespace)) is not None:
        if _destroyed(cluster):
            break
        if ours and cluster["metadata"].get("finalizers") == [ours]:
            progress.say(f"cluster {namespace}/{name} is gone but for what it stands on")
            return
        if time.monotonic() > deadline:
            if not force:
                raise UsageError(
                    f"hostedcluster {namespace}/{name} is still there after the grace period: "
                    f"{_held_by(cluster)}; --force strips the finalizers that hold it"
                )
            await strip(client, namespace, name, progress)
        else:
            progress.say(f"destroying {namespace}/{name}: {_held_by(cluster)}")
        await asyncio.sleep(1)
    progress.say(f"cluster {namespace}/{name} is gone")


def _destroyed(cluster: Manifest) -> bool:
    annotations = cluster["metadata"].get("annotations") or {}
    conditions = cluster.get("status", {}).get("conditions", [])
    return GRACE_PERIOD in annotations and any(
        each["type"] == HostedClusterCondition.DESTROYED and each["status"] == ConditionStatus.TRUE
        for each in conditions
    )


def _held_by(cluster: Manifest) -> str:
    for condition in cluster.get("status", {}).get("conditions", []):
        if condition["type"] == HostedClusterCondition.DESTROYED and condition.get("message"):
            return str(condition["message"])
    finalizers = cluster["metadata"].get("finalizers") or []
    return f"held by {', '.join(finalizers)}" if finalizers else "being deleted"
