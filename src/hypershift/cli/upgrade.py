"""`upgrade`: another release for a cluster or a pool, and what that will roll."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag, Values
from hypershift.cli.management import management
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Client, Resource, kinds

if TYPE_CHECKING:
    from hypershift.release import Version


def plan_cluster(cluster: Manifest, pools: list[Manifest], release: str) -> list[str]:
    """What a new release of a cluster rolls, and what it leaves alone."""
    name, current = cluster["metadata"]["name"], cluster["spec"]["release"]["image"]
    if current == release:
        return [f"cluster {name} asks for {release} already: nothing rolls"]
    lines = [
        f"cluster {name}: {current} -> {release}",
        *_doubts(cluster, pools, release),
        "rolls: the pods of its control plane, component by component",
    ]
    for pool in pools:
        own = pool["spec"]["release"]["image"]
        lines.append(
            f"stays: node pool {pool['metadata']['name']} on {own} until it is upgraded itself"
        )
    return lines


def _doubts(cluster: Manifest, pools: list[Manifest], release: str) -> Iterator[str]:
    """What the operator will not do, as far as versions can be read out of names and status."""
    from hypershift.release import Product, why_no_skew, why_no_upgrade  # noqa: PLC0415 - large

    wanted, current = _version(release.rpartition(":")[2]), _version(_running(cluster))
    if wanted is None:
        return
    product = Product.KUBERNETES if wanted.major == 1 else Product.OPENSHIFT
    if current and (why := why_no_upgrade(product, current, wanted)):
        yield f"mind: the operator will refuse this: {why}"
    for pool in pools:
        nodes = _version(str(pool.get("status", {}).get("version", "")))
        if nodes and (why := why_no_skew(wanted, nodes)):
            yield f"mind: node pool {pool['metadata']['name']}: {why}; upgrade it first"


def _version(text: str) -> "Version | None":
    from hypershift.release import Version  # noqa: PLC0415 - large

    try:
        return Version.parse(text)
    except InvalidSpec:
        return None


def _running(cluster: Manifest) -> str:
    version: Manifest = cluster.get("status", {}).get("version") or {}
    history: list[Manifest] = version.get("history") or [{}]
    return str(history[0].get("version", ""))


def plan_pool(pool: Manifest, release: str) -> list[str]:
    """What a new release of a pool does to its nodes."""
    name, current = pool["metadata"]["name"], pool["spec"]["release"]["image"]
    if current == release:
        return [f"node pool {name} asks for {release} already: nothing rolls"]
    in_place = pool["spec"].get("management", {}).get("upgradeType") == "InPlace"
    count = pool.get("status", {}).get("replicas", pool["spec"].get("replicas", 0))
    how = "upgraded in place, one after the other" if in_place else "replaced by new machines"
    return [
        f"node pool {name}: {current} -> {release}",
        f"rolls: {count} nodes are drained and {how}",
        "stays: the control plane and every other pool",
    ]


async def _cluster(values: Values) -> int:
    async with management(values["kubeconfig"]) as client:
        name, namespace = values.name(), values["namespace"]
        cluster = await client.get(kinds.HOSTED_CLUSTER, name, namespace)
        pools = [
            each
            for each in await client.list(kinds.NODE_POOL, namespace)
            if each["spec"]["clusterName"] == name
        ]
        lines = plan_cluster(cluster, pools, values["to"])
        await _act(client, kinds.HOSTED_CLUSTER, values, lines)
    return 0


async def _pool(values: Values) -> int:
    async with management(values["kubeconfig"]) as client:
        pool = await client.get(kinds.NODE_POOL, values.name(), values["namespace"])
        await _act(client, kinds.NODE_POOL, values, plan_pool(pool, values["to"]))
    return 0


async def _act(client: Client, resource: Resource, values: Values, lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    if values["dry-run"]:
        sys.stdout.write("dry run: nothing was changed\n")
        return
    patch = {"spec": {"release": {"image": values["to"]}}}
    await client.patch(resource, values.name(), patch, values["namespace"])


FLAGS = (
    Flag("dry-run", "Only say what would roll", BOOL),
    Flag("kubeconfig", "Kubeconfig of the management cluster"),
    Flag("namespace", "Namespace of the object", default="clusters", short="n"),
    Flag("to", "The release image to go to", required=True),
)
COMMAND = Command(
    "upgrade",
    "Move a cluster or a node pool to another release",
    examples="""\
  # what would roll
  hypershift upgrade cluster demo --to IMAGE --dry-run""",
    commands=(
        Command(
            "cluster", "A cluster's control plane", arguments="NAME", flags=FLAGS, run=_cluster
        ),
        Command("nodepool", "The nodes of a pool", arguments="NAME", flags=FLAGS, run=_pool),
    ),
)
