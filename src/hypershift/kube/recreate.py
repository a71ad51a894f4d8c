"""Recreates workloads whose selector has to change, because the API cannot change a selector."""

from hypershift.kit import Manifest, key_of
from hypershift.kube.client import Client
from hypershift.kube.errors import Invalid

WORKLOADS = frozenset({"DaemonSet", "Deployment", "StatefulSet"})


async def apply_or_recreate(client: Client, manifest: Manifest, *, manager: str) -> bool:
    """Apply; a workload that selects other pods than the wanted one is deleted first.

    Returns whether it was deleted. Its pods go with it: the new selector would not find them, and
    no controller would ever remove them. A pass that is interrupted in between applies again.
    """
    try:
        await client.apply(manifest, manager=manager)
    except Invalid:
        if not await _selects_others(client, manifest):
            raise
    else:
        return False
    key = key_of(manifest)
    resource = await client.resource_of(manifest)
    await client.delete(resource, key.name, key.namespace)
    await client.apply(manifest, manager=manager)
    return True


async def _selects_others(client: Client, manifest: Manifest) -> bool:
    if manifest["kind"] not in WORKLOADS:
        return False
    key = key_of(manifest)
    found = await client.find(await client.resource_of(manifest), key.name, key.namespace)
    return found is not None and found["spec"]["selector"] != manifest["spec"]["selector"]
