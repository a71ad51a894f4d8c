"""What a hosted cluster made in a cloud goes before the cluster does, where the user asks for it.

block new ones ──> delete LoadBalancer Services, claims, pods that hold them ──> wait for volumes
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Unpack

from hypershift.api import annotations
from hypershift.api.conditions import (
    ConditionReason,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    holds,
    true,
)
from hypershift.kit import Manifest, annotations_of, from_rfc3339
from hypershift.kube import ApiError, Client, Resource, Unavailable, kinds
from hypershift.kube.client import DeleteOptions
from hypershift.kube.shape import IDENTITY
from hypershift.operators.guest_config import look
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.platforms import platform_named
from hypershift.runtime import Done, Outcome, Phase, Stop

ANNOTATION = annotations.CLEANUP_CLOUD_RESOURCES
CONDITION = ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED
BLOCKER = "block-resources"
FINAL_REASONS = frozenset(
    {ControlPlaneReason.CLEANUP_SKIPPED, ControlPlaneReason.CLEANUP_TIMED_OUT}
)
AGAIN = timedelta(seconds=2)
PATIENCE = timedelta(minutes=5)
#: All that is read of each kind: a hosted cluster may hold a lot more.
_BALANCED = (("spec", "type"),)
_MOUNTED = (("spec", "volumes"), ("spec", "nodeName"))
_CLAIMED = (("spec", "claimRef"), ("spec", "persistentVolumeReclaimPolicy"))
_NAMES = (IDENTITY,)
FAILURES = 5


def destroyer() -> Phase[GuestScope]:
    """The phase; it counts how often a cluster could not be reached."""
    failures: Counter[str] = Counter()

    async def destroy_cloud_resources(scope: GuestScope) -> Outcome:
        """Delete what the cluster has in its cloud; a cluster that is out of reach is passed by."""
        if not wanted(scope):
            return Done()
        try:
            left = await _destroy(scope)
        except Unavailable as error:
            failures[scope.namespace] += 1
            return _unreachable(scope, str(error), failures[scope.namespace])
        except ApiError as error:
            return _report(scope, ControlPlaneReason.CLEANUP_ERROR, f"Error: {error}")
        failures.pop(scope.namespace, None)
        if left is None:
            return _skip(scope, "the API server of the cluster is gone")
        if left:
            return _report(
                scope, ControlPlaneReason.REMAINING_CLOUD_RESOURCES, f"Remaining resources: {left}"
            )
        text = "All guest resources destroyed"
        scope.conditions.set(true(CONDITION, text, ControlPlaneReason.CLOUD_RESOURCES_DESTROYED))
        return Done()

    return destroy_cloud_resources


def wanted(scope: GuestScope) -> bool:
    """Whether the user asks for it, and neither an end nor giving up is on record."""
    found = scope.conditions.get(CONDITION) or {}
    return (
        annotations_of(scope.object).get(ANNOTATION) == "true"
        and platform_named(scope.wanted.platform.type).rules.uses_cloud_resources
        and not holds(found)
        and found.get("reason") not in FINAL_REASONS
    )


async def _destroy(scope: GuestScope) -> str | None:
    """One round; what is left, in words, or None if no API server answers."""
    if await scope.kube.find(kinds.DEPLOYMENT, "kube-apiserver", scope.namespace) is None:
        return None
    if scope.guest is None:
        reached = await look.connect(scope)
        if isinstance(reached, Stop):
            raise Unavailable(0, "Unavailable", reached.message or reached.reason)
    guest = scope.inside
    await guest.apply(blocker())
    services = await _delete_services(guest)
    volumes = await _delete_volumes(guest)
    return ", ".join(text for text in (services, volumes) if text)


async def _delete_services(guest: Client) -> str:
    found = [
        service
        for service in await guest.list(kinds.SERVICE, only=_BALANCED)
        if service["spec"].get("type") == "LoadBalancer"
    ]
    for service in found:
        await _delete(guest, kinds.SERVICE, service)
    return f"loadbalancers: {len(found)}" if found else ""


async def _delete_volumes(guest: Client) -> str:
    claims = await guest.list(kinds.PERSISTENT_VOLUME_CLAIM, only=_NAMES)
    for claim in claims:
        await _delete(guest, kinds.PERSISTENT_VOLUME_CLAIM, claim)
    found = await guest.list(kinds.NODE, only=_NAMES)
    nodes = {node["metadata"]["name"] for node in found}
    names = {(one["metadata"]["namespace"], one["metadata"]["name"]) for one in claims}
    for pod in await guest.list(kinds.POD, only=_MOUNTED) if claims else ():
        if names & set(claims_of(pod)):
            # Nobody ends a pod whose machine is gone.
            gone = pod["spec"].get("nodeName") not in nodes
            await _delete(guest, kinds.POD, pod, grace_period=0 if gone else None)
    stored = await guest.list(kinds.PERSISTENT_VOLUME, only=_CLAIMED)
    volumes = [one for one in stored if deletable(one)]
    return f"persistent volumes: {len(volumes) or len(claims)}" if volumes or claims else ""


def claims_of(pod: Manifest) -> Iterator[tuple[str, str]]:
    """The claims that a pod mounts."""
    for volume in pod["spec"].get("volumes") or ():
        if name := (volume.get("persistentVolumeClaim") or {}).get("claimName"):
            yield pod["metadata"]["namespace"], name


def deletable(volume: Manifest) -> bool:
    """Whether a volume goes with its claim."""
    spec = volume["spec"]
    return bool(spec.get("claimRef") and spec.get("persistentVolumeReclaimPolicy") == "Delete")


async def _delete(
    guest: Client, kind: Resource, found: Manifest, **options: Unpack[DeleteOptions]
) -> None:
    metadata = found["metadata"]
    if not metadata.get("deletionTimestamp") or options.get("grace_period") == 0:
        await guest.delete(kind, metadata["name"], metadata["namespace"], **options)


def blocker() -> Manifest:
    """Nobody answers this webhook, and without an answer nothing of these kinds is created."""
    created = ["pods", "persistentvolumeclaims", "persistentvolumes", "services"]
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": BLOCKER},
        "webhooks": [
            {
                "name": "block-resources.hypershift.openshift.io",
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "failurePolicy": "Fail",
                "matchPolicy": "Equivalent",
                "timeoutSeconds": 30,
                "clientConfig": {
                    "service": {"namespace": "default", "name": "xxx-invalid-service-xxx"}
                },
                "rules": [
                    {
                        "operations": ["CREATE"],
                        "apiGroups": [""],
                        "apiVersions": ["*"],
                        "resources": created,
                        "scope": "*",
                    }
                ],
            }
        ],
    }


def _unreachable(scope: GuestScope, why: str, failures: int) -> Outcome:
    found = scope.conditions.get(CONDITION) or {}
    since = scope.object["metadata"]["deletionTimestamp"]
    if found.get("reason") == ControlPlaneReason.CLEANUP_ERROR:
        since = found["lastTransitionTime"]
    if failures >= FAILURES or scope.clock.now() - from_rfc3339(since) > PATIENCE:
        return _skip(scope, why)
    return _report(scope, ControlPlaneReason.CLEANUP_ERROR, f"Error: {why}")


def _skip(scope: GuestScope, why: str) -> Outcome:
    text = f"The cluster cannot be reached, its cloud resources were left alone: {why}"
    scope.conditions.set(false(CONDITION, ControlPlaneReason.CLEANUP_SKIPPED, text[:1000]))
    return Done()


def _report(scope: GuestScope, reason: ConditionReason, text: str) -> Stop:
    scope.conditions.set(false(CONDITION, reason, text[:1000]))
    return Stop(reason, text, AGAIN)
