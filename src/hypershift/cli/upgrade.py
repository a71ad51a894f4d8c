"""`upgrade`: another release for a cluster or a pool, and what that will roll."""

import sys
from dataclasses import dataclass

from hypershift.api import HostedCluster, NodePool, read
from hypershift.cli import upgrade_plan as plan
from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import existing, management
from hypershift.cli.typed import Typed
from hypershift.kit import UsageError
from hypershift.kube import Client, Resource, kinds


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What `upgrade` is given."""

    dry_run: bool
    force: bool
    kubeconfig: str
    namespace: str
    subject: str
    to: str


async def _cluster(options: Upgrade) -> int:
    async with management(options.kubeconfig) as client:
        name, namespace = options.subject, options.namespace
        found = await existing(client, kinds.HOSTED_CLUSTER, name, namespace)
        cluster = read(HostedCluster, found)
        every = [read(NodePool, each) for each in await client.list(kinds.NODE_POOL, namespace)]
        pools = [each for each in every if each.spec.cluster_name == name]
        release = plan.image(cluster.spec.release.image, options.to)
        _print_lines(plan.plan_cluster(cluster, pools, release))
        refusal = plan.cluster_refusal(cluster, release)
        await _act(client, kinds.HOSTED_CLUSTER, options, release, refusal)
    return 0


async def _pool(options: Upgrade) -> int:
    async with management(options.kubeconfig) as client:
        name, namespace = options.subject, options.namespace
        found = await existing(client, kinds.NODE_POOL, name, namespace)
        pool = read(NodePool, found)
        owner = await client.find(kinds.HOSTED_CLUSTER, pool.spec.cluster_name, namespace)
        cluster = read(HostedCluster, owner) if owner else None
        release = plan.image(pool.spec.release.image, options.to)
        _print_lines(plan.plan_pool(pool, release))
        refusal = plan.pool_refusal(pool, cluster, release)
        await _act(client, kinds.NODE_POOL, options, release, refusal)
    return 0


def _print_lines(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


async def _act(
    client: Client, resource: Resource, options: Upgrade, release: str, refusal: str
) -> None:
    """Write the release, unless the operator would refuse it."""
    if not plan.is_checked(release):
        _print_lines(["not checked: the image has no version in its tag; the operator decides"])
    if refusal and (options.force or options.dry_run):
        _print_lines([f"mind: the operator will refuse this: {refusal}"])
    if options.dry_run:
        _print_lines(["dry run: nothing was changed"])
        return
    if refusal and not options.force:
        raise UsageError(
            f"the operator will refuse this: {refusal}; nothing was changed "
            "(--force writes it nevertheless)"
        )
    patch = {"spec": {"release": {"image": release}}}
    await client.patch(resource, options.subject, patch, options.namespace)


FLAGS = (
    Flag("dry-run", "Only say what would roll, and whether the operator will refuse it", BOOL),
    Flag("force", "Write a release that the operator will refuse", BOOL),
    Flag("kubeconfig", "Kubeconfig of the management cluster"),
    Flag("namespace", "Namespace of the object", default="clusters", short="n"),
    Flag(
        "to",
        "The release to go to: an image, or a version, which becomes the tag of the image now",
        required=True,
    ),
)
COMMAND = Command(
    "upgrade",
    "Move a cluster or a node pool to another release",
    examples="""\
  # what would roll
  hypershift upgrade cluster demo --to 1.35.8 --dry-run
  # a release of another registry
  hypershift upgrade cluster demo --to IMAGE""",
    commands=(
        Command(
            "cluster",
            "A cluster's control plane",
            arguments="NAME",
            flags=FLAGS,
            run=Typed(Upgrade, _cluster),
        ),
        Command(
            "nodepool",
            "The nodes of a pool",
            arguments="NAME",
            flags=FLAGS,
            run=Typed(Upgrade, _pool),
        ),
    ),
)
