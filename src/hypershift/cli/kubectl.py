"""`hypershift kubectl [CLUSTER] -- ARGS`: kubectl for an embedded or a hosted cluster."""

import os
from dataclasses import dataclass
from pathlib import Path

from hypershift import parts
from hypershift.cli.command import Command
from hypershift.cli.flags import Flag
from hypershift.cli.management import kubeconfig_path
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest, UsageError, data_of, key_of
from hypershift.kube import Client, inline, kinds
from hypershift.local.cluster import state

USAGE = "hypershift kubectl %s -- ARGS"


@dataclass(frozen=True, slots=True)
class Kubectl:
    """What `kubectl` is given."""

    passed: tuple[str, ...]
    state_dir: str
    words: tuple[str, ...]


async def kubectl(options: Kubectl) -> None:
    base = state.base_directory(options.state_dir)
    embedded = {where.name: where.admin for where in state.clusters(base)}
    chosen_by_user = os.environ.get("KUBECONFIG")
    usual = None if chosen_by_user else embedded.get(state.DEFAULT_NAME)
    management = usual or kubeconfig_path("")
    name = cluster_name(options)
    if not name:
        chosen = management
    elif name in embedded:
        chosen = embedded[name]
    else:
        chosen = in_memory(await hosted_kubeconfig(management, name))
    binary = str((await parts.ensure(("kubectl",)))["kubectl"])
    environment = {**os.environ, "KUBECONFIG": str(chosen)}
    os.execve(binary, (binary, *options.passed), environment)  # noqa: S606 - become kubectl


def cluster_name(options: Kubectl) -> str:
    """The cluster in front of `--`, empty without one.

    Behind `--` nothing is a cluster: tenants choose the names of theirs, and one of them may be
    called `get`.
    """
    before = options.words[: len(options.words) - len(options.passed)]
    if len(before) > 1:
        raise UsageError(
            f"give one cluster, then kubectl's words behind `--`: {USAGE % before[0]}, "
            f"or without a cluster: hypershift kubectl -- {' '.join(before)}"
        )
    return before[0] if before else ""


async def hosted_kubeconfig(management: Path, name: str) -> bytes:
    """A kubeconfig for a hosted cluster, rebuilt from the values that its Secret holds.

    Tenants may edit that Secret, and kubectl would run programs and read files that it names.
    """
    async with Client.connect(management) as client:
        cluster = await hosted_cluster(client, name)
        key = key_of(cluster)
        reference = cluster.get("status", {}).get("kubeconfig")
        if not reference:
            raise UsageError(f"hosted cluster {key} has not published a kubeconfig yet")
        secret = await client.find(kinds.SECRET, reference["name"], key.namespace)
    content = data_of(secret, "kubeconfig")
    if not content:
        raise UsageError(f"hosted cluster {key}: Secret {reference['name']} has no kubeconfig")
    source = f"kubeconfig of hosted cluster {key} in Secret {key.namespace}/{reference['name']}"
    return inline.rebuilt(inline.inline(content, source=source), name=key.name)


async def hosted_cluster(client: Client, name: str) -> Manifest:
    """The only hosted cluster of that name, or of that NAMESPACE/NAME."""
    namespace, _, plain = name.rpartition("/")
    served = await client.find(
        kinds.CUSTOM_RESOURCE_DEFINITION, "hostedclusters.hypershift.openshift.io"
    )
    found = [
        each
        for each in (await client.list(kinds.HOSTED_CLUSTER, namespace) if served else ())
        if each["metadata"]["name"] == plain
    ]
    if not found:
        raise UsageError(
            f"there is no cluster {name}: neither `hypershift local list` nor the management "
            "cluster has one; kubectl's words follow behind `--`"
        )
    if len(found) > 1:
        several = ", ".join(str(key_of(each)) for each in found)
        raise UsageError(
            f"there are several hosted clusters {plain}: {several}; give NAMESPACE/NAME"
        )
    return found[0]


def in_memory(content: bytes) -> Path:
    """A file in memory that kubectl can read and that is on no disk."""
    descriptor = os.memfd_create("kubeconfig", 0)
    os.write(descriptor, content)
    return Path(f"/dev/fd/{descriptor}")


COMMAND = Command(
    "kubectl",
    "Run kubectl against an embedded or hosted cluster",
    description=(
        "CLUSTER is a cluster of `hypershift local list` or a hosted cluster (NAME, or\n"
        "NAMESPACE/NAME where two have the same name), by default the management cluster:\n"
        "$KUBECONFIG's, else the embedded one. Everything behind `--` goes to kubectl as it is."
    ),
    examples="hypershift kubectl -- get nodes -o wide\nhypershift kubectl demo -- get nodes",
    arguments="[CLUSTER] -- ARGS",
    flags=(Flag("state-dir", "Directory that holds the clusters of this user"),),
    run=Typed(Kubectl, kubectl),
)
