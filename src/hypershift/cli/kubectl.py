"""`hypershift kubectl [CLUSTER] -- ARGS`: kubectl for an embedded or a hosted cluster."""

import base64
import os
from pathlib import Path

from hypershift import parts
from hypershift.cli.command import Command
from hypershift.cli.flags import Flag, Values
from hypershift.cli.management import kubeconfig_path
from hypershift.kit import UsageError, key_of
from hypershift.kube import Client, kinds
from hypershift.local import state


async def kubectl(values: Values) -> None:
    words = list(values.arguments)
    base = state.base_directory(values["state-dir"])
    embedded = {where.name: where.admin for where in state.clusters(base)}
    chosen_by_user = os.environ.get("KUBECONFIG")
    usual = None if chosen_by_user else embedded.get(state.DEFAULT_NAME)
    management = usual or kubeconfig_path("")
    if words and words[0] in embedded:
        chosen = embedded[words.pop(0)]
    elif words and (hosted := await hosted_kubeconfig(management, words[0])) is not None:
        chosen = in_memory(hosted)
        words.pop(0)
    else:
        chosen = management
    binary = str((await parts.ensure(("kubectl",)))["kubectl"])
    environment = {**os.environ, "KUBECONFIG": str(chosen)}
    os.execve(binary, (binary, *words), environment)  # noqa: S606 - become kubectl


async def hosted_kubeconfig(management: Path, name: str) -> bytes | None:
    """The published kubeconfig of a hosted cluster; None when no cluster has that name.

    Two clusters of one name are told apart as NAMESPACE/NAME.
    """
    namespace, _, plain = name.rpartition("/")
    async with Client.connect(management) as client:
        if not await client.find(
            kinds.CUSTOM_RESOURCE_DEFINITION, "hostedclusters.hypershift.openshift.io"
        ):
            return None
        found = [
            each
            for each in await client.list(kinds.HOSTED_CLUSTER, namespace)
            if each["metadata"]["name"] == plain
        ]
        if not found:
            return None
        if len(found) > 1:
            several = ", ".join(str(key_of(each)) for each in found)
            raise UsageError(f"there are several hosted clusters {plain}: {several}")
        key = key_of(found[0])
        reference = found[0].get("status", {}).get("kubeconfig")
        if not reference:
            raise UsageError(f"hosted cluster {key} has not published a kubeconfig yet")
        secret = await client.get(kinds.SECRET, reference["name"], key.namespace)
    return base64.b64decode(secret["data"]["kubeconfig"])


def in_memory(content: bytes) -> Path:
    """A file that kubectl can read and that nobody finds on a disk."""
    descriptor = os.memfd_create("kubeconfig", 0)
    os.write(descriptor, content)
    return Path(f"/dev/fd/{descriptor}")


COMMAND = Command(
    "kubectl",
    "Run kubectl against an embedded or hosted cluster",
    description=(
        "CLUSTER is a cluster of `hypershift local list` or a hosted cluster, by default the\n"
        "management cluster: $KUBECONFIG's, else the embedded one. Everything behind `--` goes\n"
        "to kubectl as it is."
    ),
    examples="hypershift kubectl -- get nodes -o wide\nhypershift kubectl demo -- get nodes",
    arguments="[CLUSTER] -- ARGS",
    flags=(Flag("state-dir", "Directory that holds the clusters of this user"),),
    run=kubectl,
)
