"""Waits until an installation works, and prints what it waits for."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable

from hypershift.api.conditions import (
    ConditionStatus,
    ConditionType,
    DefinitionCondition,
    DeploymentCondition,
)
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest, UsageError
from hypershift.kube import Client, Resource, kinds
from hypershift.local.addons import is_available

LIMIT = 300.0
INTERVAL = 0.5
#: Why something does not hold yet; empty when it does.
Reason = Callable[[], Awaitable[str]]


async def await_definitions(client: Client, definitions: list[Manifest]) -> None:
    """Return when the cluster serves every kind."""
    names = {each["metadata"]["name"] for each in definitions}

    async def reason() -> str:
        found = await client.list(kinds.CUSTOM_RESOURCE_DEFINITION)
        done = {
            each["metadata"]["name"]
            for each in found
            if _holds(each, DefinitionCondition.ESTABLISHED)
        }
        return ", ".join(sorted(names - done)[:3])

    await _wait(reason, "the definitions to be established")


async def await_capi_operator(client: Client, resource: Resource, applied: Manifest) -> None:
    """Return when the operator of Cluster API has followed a generation of its configuration."""
    metadata = applied["metadata"]

    async def reason() -> str:
        status = (await client.get(resource, metadata["name"])).get("status") or {}
        if status.get("observedRevisionGeneration", 0) < metadata.get("generation", 0):
            return "its configuration was not read yet"
        current, wanted = (status.get(f"{which}Revision") for which in ("current", "desired"))
        return "" if current and current == wanted else "its revision is not the desired one yet"

    await _wait(reason, "the Cluster CAPI Operator to sync")


async def await_operator(client: Client, options: InstallOptions) -> None:
    """Return when the operator runs as configured, or raise with the reason."""
    namespace = options.namespace

    async def reason() -> str:
        found = await client.find(kinds.DEPLOYMENT, "operator", namespace)
        if found is None:
            return "there is no Deployment operator"
        if _holds(found, DeploymentCondition.PROGRESSING, ConditionStatus.FALSE):
            raise UsageError(f"the operator does not start: {await _trouble(client, namespace)}")
        return "" if is_available(found) else await _trouble(client, namespace)

    await _wait(reason, "the operator to be available")


async def _trouble(client: Client, namespace: str) -> str:
    """The states of the operator's pods."""
    said = []
    for pod in await client.list(kinds.POD, namespace, labels="name=operator"):
        name = pod["metadata"]["name"]
        containers = (pod.get("status") or {}).get("containerStatuses") or ()
        waits = [(each.get("state") or {}).get("waiting") or {} for each in containers]
        why = next((f"{w['reason']} {w.get('message', '')}".strip() for w in waits if w), "")
        said.append(f"{name}: {why or 'not ready yet'}")
    return "; ".join(said) or "its pods are not made yet"


def _holds(
    manifest: Manifest, name: ConditionType, status: ConditionStatus = ConditionStatus.TRUE
) -> bool:
    conditions = (manifest.get("status") or {}).get("conditions") or ()
    return any(each["type"] == name and each["status"] == status for each in conditions)


async def _wait(reason: Reason, what: str) -> None:
    """Check until there is no reason to wait any more; each new reason is printed once."""
    deadline, told = time.monotonic() + LIMIT, ""
    while left := await reason():
        if left != told:
            sys.stderr.write(f"waiting for {what}: {left}\n")
            told = left
        if time.monotonic() > deadline:
            raise UsageError(f"waited {LIMIT:.0f}s for {what}: {left}")
        await asyncio.sleep(INTERVAL)
