"""The phases that look before anything is made: cluster, release, endpoint, configuration."""

import asyncio

from hypershift.api import annotations
from hypershift.api.conditions import (
    ConditionReason,
    ControlPlaneReason,
    NodePoolConditionType,
    NodePoolReason,
    false,
    true,
)
from hypershift.api.publishing import hostname, is_public
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.values import ServiceType
from hypershift.ignition import authority
from hypershift.kit import HypershiftError, Secret, TransientError, annotations_of, data_of, key_of
from hypershift.kube import ApiError, kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.rules import conditions, machine_state
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.operator_image import OperatorImage, mode_of
from hypershift.operators.hypershift.settings import Mode
from hypershift.platforms import platform_named
from hypershift.release import Release
from hypershift.runtime import Done, Outcome, Stop

LOOKUP_SECONDS = 60
#: Why a pool can have no machines at all.
WITHOUT_CLUSTER = (
    NodePoolReason.HOSTED_CLUSTER_NOT_FOUND,
    NodePoolReason.CONTROL_PLANE_NAMESPACE_NOT_OWNED,
)


async def find_cluster(scope: PoolScope) -> Outcome:
    """Read the cluster that the pool belongs to, and make the pool go with it."""
    name = scope.wanted.cluster_name
    kind = NodePoolConditionType.READY
    found = await scope.kube.find(kinds.HOSTED_CLUSTER, name, scope.key.namespace)
    if found is None:
        message = f'hostedclusters.hypershift.openshift.io "{name}" not found'
        return await failed(
            scope, message, kind=kind, reason=NodePoolReason.HOSTED_CLUSTER_NOT_FOUND
        )
    scope.hosted_cluster = found
    scope.reach.belongs_to(found)
    await _own(scope)
    if why := await scope.reach.problem():
        message = f"hosted cluster {key_of(found)} has no control plane of its own: {why}"
        reason = NodePoolReason.CONTROL_PLANE_NAMESPACE_NOT_OWNED
        return await failed(scope, message, kind=kind, reason=reason)
    if (scope.conditions.get(kind) or {}).get("reason") in WITHOUT_CLUSTER:
        scope.conditions.remove(kind)
    return Done()


async def _own(scope: PoolScope) -> None:
    metadata = scope.hosted_cluster["metadata"]
    known = scope.object["metadata"].get("ownerReferences") or []
    if any(one.get("uid") == metadata["uid"] for one in known):
        return
    owner = {
        "apiVersion": kinds.HOSTED_CLUSTER.api_version,
        "kind": "HostedCluster",
        "name": metadata["name"],
        "uid": metadata["uid"],
    }
    await scope.change({"metadata": {"ownerReferences": [*known, owner]}})


async def observe_machines(scope: PoolScope) -> Outcome:
    """Count nodes by version before anything may stop the pass."""
    every = await scope.kube.list(kinds.MACHINE, scope.namespace)
    scope.machines = machine_state.of_pool(every, scope.pool)
    info = machine_state.nodes_info(scope.machines, scope.status.get("version", ""))
    if info:
        scope.status["nodesInfo"] = info
    else:
        scope.status.pop("nodesInfo", None)
    if stream := machine_state.os_image_stream(scope.machines):
        scope.status["osImageStream"] = {"name": stream}
    return Done()


async def check_spec(scope: PoolScope) -> Outcome:
    """Report what the spec asks for, and end the pass of a pool that cannot renew its machines."""
    scope.conditions.set(conditions.autoscaling(scope.pool))
    management = conditions.update_management(scope.pool)
    scope.conditions.set(management)
    return Done() if management.is_true else Stop(management.reason, management.message)


async def find_release(scope: PoolScope) -> Outcome:
    """Look the release up and check that this cluster may run it."""
    image = scope.wanted.release.image
    try:
        scope.pull_secret = await _pull_secret(scope)
        scope.release = await lookup(scope, image)
        why = await _why_no_release(scope)
    except (HypershiftError, ApiError) as error:
        why = str(error)
    if why:
        return await failed(
            scope,
            f"failed to look up release image metadata: {why}",
            kind=NodePoolConditionType.VALID_RELEASE_IMAGE,
            because=f"Failed to get release image: {why}",
        )
    scope.conditions.set(
        true(NodePoolConditionType.VALID_RELEASE_IMAGE, f"Using release image: {image}")
    )
    return Done()


async def lookup(scope: PoolScope, image: str) -> Release:
    """What a release image contains, unless the registry takes too long to answer."""
    return await _looked_up(scope, image, "failed to look up release image metadata")


async def _looked_up(scope: PoolScope, image: str, attempt: str) -> Release:
    """As `lookup`, with the caller's message."""
    try:
        async with asyncio.timeout(LOOKUP_SECONDS):
            return await scope.environment.releases.lookup(image, scope.pull_secret)
    except TimeoutError:
        why = "the registry took too long to answer"
    except (HypershiftError, ApiError) as error:
        why = str(error)
    raise TransientError(f"{attempt}: {why}")


async def operator_image(scope: PoolScope) -> OperatorImage:
    """What the cluster's own operators can do: they read what the pool leaves for them."""
    spec, release = scope.wanted_cluster, None
    operators = scope.environment.operators
    if mode_of(scope.hosted_cluster, operators.settings) is Mode.DEDICATED:
        image = (spec.control_plane_release or spec.release).image
        found = await _looked_up(scope, image, "failed to get controlPlaneOperatorImage")
        release = found.with_registry_overrides(scope.environment.registry_overrides)
    return await operators.find(scope.hosted_cluster, release, scope.pull_secret)


async def cluster_version(scope: PoolScope) -> str:
    """The version that nodes may not exceed: rolled out already, else wanted."""
    if completed := conditions.completed_version(scope.cluster):
        return completed
    image = scope.wanted_cluster.release.image
    return (await _looked_up(scope, image, "failed to lookup release image")).version


async def _why_no_release(scope: PoolScope) -> str:
    skip = annotations.SKIP_RELEASE_IMAGE_VALIDATION
    if skip in annotations_of(scope.hosted_cluster):
        return ""
    if scope.wanted_release.openshift:
        newest = await cluster_version(scope)
    else:
        newest = conditions.completed_version(scope.cluster)
    return conditions.why_no_release(
        scope.wanted_release,
        current=scope.status.get("version", ""),
        newest=newest,
        cluster=scope.cluster,
    )


async def _pull_secret(scope: PoolScope) -> Secret[bytes]:
    name, namespace = scope.wanted_cluster.pull_secret.name, scope.key.namespace
    found = await scope.kube.find(kinds.SECRET, name, namespace)
    if found is None:
        raise TransientError(
            f'cannot get pull secret {namespace}/{name}: secrets "{name}" not found'
        )
    if DOCKER_CONFIG not in (found.get("data") or {}):
        raise TransientError(f'pull secret {namespace}/{name} missing "{DOCKER_CONFIG}" key')
    return Secret(data_of(found, DOCKER_CONFIG))


async def find_ignition_endpoint(scope: PoolScope) -> Outcome:
    """Wait until the address and the authority of the ignition server are known."""
    if not scope.cluster.status.ignition_endpoint:
        message = "Ignition endpoint not available, waiting"
        return _no_endpoint(scope, NodePoolReason.IGNITION_ENDPOINT_MISSING, message)
    if (name := _public_name(scope)) and (why := await scope.environment.resolve(name)):
        message = f'Ignition endpoint DNS hostname "{name}" is not resolvable: {why}'
        return _no_endpoint(scope, ControlPlaneReason.EXTERNAL_DNS_NOT_REACHABLE, message)
    secret = await scope.kube.find(kinds.SECRET, names.IGNITION_CA, scope.namespace)
    if secret is None:
        message = "still waiting for ignition CA cert Secret to exist"
        return _no_endpoint(scope, NodePoolReason.IGNITION_CA_MISSING, message)
    if "tls.crt" not in (secret.get("data") or {}):
        message = "CA Secret is missing tls.crt key"
        return _no_endpoint(scope, NodePoolReason.IGNITION_CA_MISSING, message)
    scope.ignition_ca = authority.trusted(secret)
    scope.conditions.remove(NodePoolConditionType.IGNITION_ENDPOINT_AVAILABLE)
    return Done()


def _public_name(scope: PoolScope) -> str:
    """The name that machines boot through, on clouds whose DNS is slow to know it."""
    spec = scope.wanted_cluster
    waits = platform_named(spec.platform.type).pools.waits_for_dns and is_public(spec)
    return hostname(spec, ServiceType.IGNITION) if waits else ""


def _no_endpoint(scope: PoolScope, reason: ConditionReason, message: str) -> Stop:
    kind = NodePoolConditionType.IGNITION_ENDPOINT_AVAILABLE
    scope.conditions.set(false(kind, reason, message))
    return Stop(reason, message, after=conditions.REQUEUE.get(reason))


async def check_architecture(scope: PoolScope) -> Outcome:
    """Report whether platform and release have machines of that processor."""
    found = conditions.architecture(scope.pool)
    why = conditions.payload_architecture(scope.pool, scope.cluster)
    if found.is_true and why:
        return await failed(
            scope,
            why,
            kind=NodePoolConditionType.VALID_ARCH_PLATFORM,
            reason=NodePoolReason.INVALID_ARCH_PLATFORM,
        )
    scope.conditions.set(found)
    return Done()


async def check_pause(scope: PoolScope) -> Outcome:
    """Report whether the pool is being reconciled at all, and fits its control plane."""
    scope.conditions.set(conditions.pause(scope.pool, scope.object, scope.clock.now()))
    scope.conditions.set(conditions.skew(scope.wanted_release, scope.cluster))
    return Done()
