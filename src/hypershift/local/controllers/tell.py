"""Reports to the user of a Service or claim: by an Event and a condition."""

from datetime import UTC, datetime
from typing import Any, Final

from hypershift.api.conditions import LocalServiceCondition, LocalServiceReason, fails, false
from hypershift.kit import Manifest, key_of, rfc3339
from hypershift.kube import Client, kinds

#: The condition of a Service with the reason why it is not balanced.
BALANCED: Final = LocalServiceCondition.BALANCED
COMPONENT: Final = "local.hypershift.io/balancer"
#: The API's limit for the message of an Event.
LONGEST: Final = 1024


async def event(
    client: Client, about: Manifest, *, component: str, kind: str, reason: str, message: str
) -> None:
    """Write an Event about an object, one for each object and reason."""
    metadata = about["metadata"]
    name = f"{metadata['name']}.{str(metadata.get('uid', ''))[:8]}.{reason.lower()}"
    written: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": name, "namespace": metadata["namespace"]},
        "type": kind,
        "reason": reason,
        "message": message[:LONGEST],
        "source": {"component": component},
        "involvedObject": {
            "apiVersion": about.get("apiVersion", "v1"),
            "kind": about["kind"],
            "namespace": metadata["namespace"],
            "name": metadata["name"],
            "uid": metadata.get("uid", ""),
        },
    }
    await client.apply(written)


def trouble_of(service: Manifest) -> str:
    """Why a Service is not balanced, from its condition; empty when it is."""
    for condition in (service.get("status") or {}).get("conditions") or ():
        if condition.get("type") == BALANCED and fails(condition):
            return str(condition.get("message", ""))
    return ""


async def report(client: Client, service: Manifest, problem: str) -> None:
    """Set or clear the condition of a Service, with an Event when there is a new problem."""
    if trouble_of(service) == problem:
        return
    key, conditions = key_of(service), (service.get("status") or {}).get("conditions") or []
    others = [one for one in conditions if one.get("type") != BALANCED]
    decided = false(BALANCED, LocalServiceReason.NOT_BALANCED, problem)
    own = decided.manifest() | {"lastTransitionTime": rfc3339(datetime.now(UTC))}
    patch = {"status": {"conditions": [*others, own] if problem else others}}
    await client.patch(kinds.SERVICE, key.name, patch, key.namespace, subresource="status")
    if problem:
        about = {**service, "kind": kinds.SERVICE.kind}
        await event(
            client,
            about,
            component=COMPONENT,
            kind="Warning",
            reason="SyncLoadBalancerFailed",
            message=problem,
        )
