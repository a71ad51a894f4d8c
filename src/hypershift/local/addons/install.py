"""Applies manifests to the management cluster and waits until their pods run."""

import asyncio
import contextlib
from collections.abc import Iterable

from hypershift.kit import Manifest, TransientError
from hypershift.kube import AlreadyExists, ApiError, Client
from hypershift.kube.recreate import apply_or_recreate

MANAGER = "hypershift-local"
INTERVAL = 0.25
#: Errors of an API server that does not know a new namespace, role or kind yet.
PASSING = frozenset({0, 404, 409, 429, 500, 503})
RETRIES = 20


async def apply_all(client: Client, manifests: Iterable[Manifest]) -> None:
    """Server-side apply, one after the other; what fails for the moment is tried again."""
    for manifest in manifests:
        await _apply(client, manifest)


async def apply_together(client: Client, manifests: Iterable[Manifest]) -> None:
    """The same for objects that do not need each other."""
    await asyncio.gather(*(_apply(client, manifest) for manifest in manifests))


async def _apply(client: Client, manifest: Manifest) -> None:
    for attempt in range(RETRIES):
        try:
            if manifest["kind"] == "PriorityClass":  # immutable: what is there stays
                await _create_once(client, manifest)
            else:
                await apply_or_recreate(client, manifest, manager=MANAGER)
        except ApiError as error:
            if error.status not in PASSING or attempt == RETRIES - 1:
                raise
            await asyncio.sleep(INTERVAL)
        else:
            return


async def _create_once(client: Client, manifest: Manifest) -> None:
    with contextlib.suppress(AlreadyExists):
        await client.create(manifest)


def is_available(workload: Manifest) -> bool:
    """Whether every pod that a Deployment or DaemonSet wants is ready, and of its present form."""
    status, spec = workload.get("status") or {}, workload["spec"]
    if status.get("observedGeneration", 0) < workload["metadata"].get("generation", 0):
        return False
    if workload["kind"] == "DaemonSet":
        wanted = status.get("desiredNumberScheduled", 0)
        updated = status.get("updatedNumberScheduled", 0)
        return bool(0 < wanted <= status.get("numberReady", 0) and updated >= wanted)
    wanted = spec.get("replicas", 1)
    return bool(
        status.get("readyReplicas", 0) >= wanted and status.get("updatedReplicas", 0) >= wanted
    )


async def await_workloads(client: Client, manifests: Iterable[Manifest], seconds: float) -> None:
    """Return when all are available, or raise with those that are not."""
    waiting = list(manifests)
    try:
        async with asyncio.timeout(seconds):
            while waiting:
                waiting = [each for each in waiting if not await _is_up(client, each)]
                await asyncio.sleep(INTERVAL if waiting else 0)
    except TimeoutError as error:
        names = ", ".join(each["metadata"]["name"] for each in waiting)
        raise TransientError(f"not available after {seconds:.0f} s: {names}") from error


async def _is_up(client: Client, manifest: Manifest) -> bool:
    metadata = manifest["metadata"]
    resource = await client.resource_of(manifest)
    found = await client.find(resource, metadata["name"], metadata.get("namespace", ""))
    return found is not None and is_available(found)
