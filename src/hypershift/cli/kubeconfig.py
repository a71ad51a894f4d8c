"""`create kubeconfig`: the admin's way into hosted clusters."""

import asyncio
import sys
from dataclasses import dataclass
from typing import Any

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.management import existing, management
from hypershift.cli.output import to_yaml
from hypershift.cli.typed import Typed
from hypershift.kit import Manifest, UsageError, data_of, documents, key_of
from hypershift.kit.lines import visible
from hypershift.kube import Client, inline, kinds


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """What `create kubeconfig` is given."""

    name: str
    namespace: str


def run(options: Kubeconfig) -> int:
    """Print one cluster's kubeconfig, or all of them merged."""
    return asyncio.run(_print(options))


async def _print(options: Kubeconfig) -> int:
    async with management() as client:
        if options.name:
            cluster = await existing(client, kinds.HOSTED_CLUSTER, options.name, options.namespace)
            sys.stdout.write(shown(await _published(client, cluster)))
            return 0
        clusters = await client.list(kinds.HOSTED_CLUSTER)
        published = [each for each in clusters if each.get("status", {}).get("kubeconfig")]
        texts = [(each, await _published(client, each)) for each in published]
    if not texts:
        raise UsageError("no hosted cluster has published a kubeconfig yet")
    sys.stdout.write(to_yaml(merged([(each, documents.read(text)) for each, text in texts])))
    return 0


def shown(content: bytes) -> str:
    """The text as it is; rewritten where it has characters that control a terminal."""
    text = content.decode(errors="replace")
    return text if visible(text, keep="\n") == text else to_yaml(documents.read(content))


async def _published(client: Client, cluster: Manifest) -> bytes:
    """The published kubeconfig; refused if it would run programs or read files of its user."""
    key = key_of(cluster)
    reference = cluster.get("status", {}).get("kubeconfig")
    if not reference:
        raise UsageError(f"hostedcluster {key} has not published a kubeconfig yet")
    secret = await client.get(kinds.SECRET, reference["name"], key.namespace)
    content = data_of(secret, "kubeconfig")
    inline.checked(content, source=f"kubeconfig of hostedcluster {key}")
    return content


def merged(configs: list[tuple[Manifest, dict[str, Any]]]) -> dict[str, Any]:
    """One kubeconfig with a context `NAMESPACE-NAME` for each cluster; the first is current."""
    result: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [],
        "contexts": [],
        "users": [],
    }
    for cluster, config in configs:
        key = key_of(cluster)
        name = f"{key.namespace}-{key.name}"
        user = f"{name}-admin"
        result["clusters"].append({"name": name, "cluster": config["clusters"][0]["cluster"]})
        result["users"].append({"name": user, "user": config["users"][0]["user"]})
        context = {"cluster": name, "user": user, "namespace": "default"}
        result["contexts"].append({"name": name, "context": context})
    result["current-context"] = result["contexts"][0]["name"]
    return result


COMMAND = Command(
    "kubeconfig",
    "Print the kubeconfig of hosted clusters",
    examples="""\
  # the kubeconfig of one cluster
  hypershift create kubeconfig --name demo > demo.kubeconfig""",
    flags=(
        Flag("name", "Name of the cluster; without it, all clusters in one kubeconfig"),
        Flag("namespace", "Namespace of the cluster", default="clusters"),
        Flag("port-forward", "For private clusters: expect a port-forward on this host", BOOL),
    ),
    run=Typed(Kubeconfig, run),
)
