"""OpenShift's own operator of Cluster API: it is told which definitions are ours, before we write.

Without that it puts its own version of a definition in the place of ours at its next pass.
"""

import json
import sys

from hypershift.cli.install.installed import MANAGER
from hypershift.cli.install.waiting import await_capi_operator
from hypershift.kit import Manifest
from hypershift.kube import Client, NotFound, Resource

CONFIG = Resource(
    "operator.openshift.io", "v1alpha1", "clusterapis", "ClusterAPI", namespaced=False
)
NAME = "cluster"
SUFFIX = ".cluster.x-k8s.io"


async def claim(client: Client, definitions: list[Manifest]) -> None:
    """Name the definitions that are about to be written, and wait until the operator knows."""
    names = sorted(
        name for each in definitions if (name := each["metadata"]["name"]).endswith(SUFFIX)
    )
    if not names or not await _is_served(client):
        return
    sys.stdout.write("ClusterAPI API detected, coordinating with Cluster CAPI Operator\n")
    spec = {"unmanagedCustomResourceDefinitions": names}
    applied = await client.apply(_config() | {"spec": spec}, manager=MANAGER)
    sys.stdout.write(f"Applied ClusterAPI config with {len(names)} unmanaged CRDs\n")
    sys.stdout.write("Waiting for Cluster CAPI Operator to sync...\n")
    await await_capi_operator(client, CONFIG, applied)
    sys.stdout.write("Cluster CAPI Operator synced successfully\n")


async def release(client: Client) -> None:
    """Take the names back; the names of other installations stay."""
    if await _is_served(client) and await client.find(CONFIG, NAME):
        await client.apply(_config(), manager=MANAGER)


async def _is_served(client: Client) -> bool:
    try:
        answer = await client.raw("GET", CONFIG.base)
    except NotFound:
        return False
    return any(each["kind"] == CONFIG.kind for each in json.loads(answer).get("resources") or ())


def _config() -> Manifest:
    return {"apiVersion": CONFIG.api_version, "kind": CONFIG.kind, "metadata": {"name": NAME}}
