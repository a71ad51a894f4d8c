"""The phases that look before anything is made: cluster, release, endpoint, configuration."""

import asyncio
from datetime import timedelta

from hypershift.kit import HypershiftError, Manifest, Secret, TransientError, annotations_of
from hypershift.kube import ApiError, kinds
from hypershift.operators.hypershift.node_pool import checks, gather, names, observe
from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.scope import DOCKER_CONFIG, PoolScope, secret_value
from hypershift.platforms import platform_of
from hypershift.runtime import Done, Outcome, Stop
from hypershift.runtime.pause import FOREVER, pause_left

LOOKUP_SECONDS = 60
RETRY = timedelta(seconds=10)


def say(scope: PoolScope, kind: str, verdict: Verdict) -> None:
    """Set a condition."""
    scope.conditions.set(kind, verdict.status, verdict.reason, verdict.message)


async def failed(
    scope: PoolScope, kind: str, message: str, reason: str = "ValidationFailed"
) -> Stop:
    """End the pass with a condition and an event that say why; a later pass tries again."""
    say(scope, kind, Verdict.fails(reason, message))
    await scope.events.warning("ReconcileError", message)
    return Stop(reason, message, after=RETRY)


async def find_cluster(scope: PoolScope) -> Outcome:
    """Read the cluster that the pool belongs to, and make the pool go with it."""
    name = scope.spec["clusterName"]
    found = await scope.kube.find(kinds.HOSTED_CLUSTER, name, scope.key.namespace)
    if found is None:
        message = f'hostedclusters.hypershift.openshift.io "{name}" not found'
        return await failed(scope, "Ready", message, "HostedClusterNotFound")
    scope.hosted_cluster = found
    await _own(scope)
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
    await scope.patch_metadata({"ownerReferences": [*known, owner]})


async def observe_machines(scope: PoolScope) -> Outcome:
    """Count nodes by version before anything may stop the pass."""
    every = await scope.kube.list(kinds.MACHINE, scope.namespace)
    scope.machines = observe.of_pool(every, scope.object)
    info = observe.nodes_info(scope.machines, scope.status.get("version", ""))
    if info:
        scope.status["nodesInfo"] = info
    else:
        scope.status.pop("nodesInfo", None)
    return Done()


async def check_spec(scope: PoolScope) -> Outcome:
    """Say what the spec asks for; a pool that cannot renew its machines goes no further."""
    say(
        scope,
        "AutoscalingEnabled",
        checks.autoscaling(scope.object, scope.environment.scale_from_zero),
    )
    management = checks.update_management(scope.object)
    say(scope, "UpdateManagementEnabled", management)
    return Done() if management.status is True else Stop("ValidationFailed", management.message)


async def find_release(scope: PoolScope) -> Outcome:
    """Look the release up and check that this cluster may run it."""
    image = scope.spec["release"]["image"]
    try:
        scope.pull_secret = await _pull_secret(scope)
        async with asyncio.timeout(LOOKUP_SECONDS):
            release = await scope.environment.releases.lookup(image, scope.pull_secret)
    except TimeoutError:
        return await failed(scope, "ValidReleaseImage", "Failed to get release image: timed out")
    except (HypershiftError, ApiError) as error:
        return await failed(scope, "ValidReleaseImage", f"Failed to get release image: {error}")
    scope.release = release
    skip = f"{names.PREFIX}/skip-release-image-validation"
    platform = scope.spec["platform"]["type"]
    newest = checks.completed_version(scope.hosted_cluster)
    if skip not in annotations_of(scope.hosted_cluster) and (
        why := checks.why_no_release(release, newest, platform)
    ):
        return await failed(scope, "ValidReleaseImage", f"Failed to get release image: {why}")
    say(scope, "ValidReleaseImage", Verdict.holds(f"Using release image: {image}"))
    return Done()


async def _pull_secret(scope: PoolScope) -> Secret[bytes]:
    name, namespace = scope.cluster_spec["pullSecret"]["name"], scope.key.namespace
    found = await scope.kube.find(kinds.SECRET, name, namespace)
    if found is None:
        raise TransientError(
            f'cannot get pull secret {namespace}/{name}: secrets "{name}" not found'
        )
    if DOCKER_CONFIG not in (found.get("data") or {}):
        raise TransientError(f"pull secret {namespace}/{name} has no key {DOCKER_CONFIG}")
    return Secret(secret_value(found, DOCKER_CONFIG))


async def find_ignition_endpoint(scope: PoolScope) -> Outcome:
    """Wait until machines can be told where their configuration is, and whom to trust for it."""
    kind, status = "IgnitionEndpointAvailable", scope.hosted_cluster.get("status") or {}
    if not status.get("ignitionEndpoint"):
        message = "Ignition endpoint not available, waiting"
        say(scope, kind, Verdict.fails("IgnitionEndpointMissing", message))
        return Stop("IgnitionEndpointMissing", message)
    secret = await scope.kube.find(kinds.SECRET, names.IGNITION_CA, scope.namespace)
    scope.ignition_ca = secret_value(secret or {}, "tls.crt")
    if not scope.ignition_ca:
        message = "still waiting for ignition CA cert Secret to exist"
        say(scope, kind, Verdict.fails("IgnitionCACertMissing", message))
        return Stop("IgnitionCACertMissing", message, after=RETRY)
    scope.conditions.remove(kind)
    return Done()


async def check_architecture(scope: PoolScope) -> Outcome:
    """Say whether platform and release have machines of that processor."""
    say(scope, "ValidArchPlatform", checks.architecture(scope.object))
    if why := checks.payload_architecture(scope.object, scope.hosted_cluster):
        return await failed(scope, "ValidArchPlatform", why, "InvalidArchPlatform")
    return Done()


async def check_pause(scope: PoolScope) -> Outcome:
    """Say whether the pool is being reconciled at all."""
    say(scope, "ReconciliationActive", pause_verdict(scope.object, scope))
    version = checks.control_plane_version(scope.hosted_cluster)
    say(scope, "SupportedVersionSkew", checks.version_skew(scope.wanted_release, version))
    return Done()


def pause_verdict(pool: Manifest, scope: PoolScope) -> Verdict:
    """What `spec.pausedUntil` comes to."""
    value = pool["spec"].get("pausedUntil")
    left = pause_left(pool, scope.clock.now())
    if left is not None:
        until = "field removed" if left == FOREVER else str(value)
        message = f"Reconciliation paused until {until}"
        return Verdict.fails("ReconciliationPaused", message)
    if value and not _is_moment(str(value)):
        message = "Invalid value provided for PausedUntil field"
        return Verdict.holds(message, "InvalidPausedUntilValue")
    return Verdict.holds("Reconciliation active on resource", "ReconciliationActive")


def _is_moment(value: str) -> bool:
    try:
        return gather.moment(value) is not None
    except ValueError:
        return value.lower() == "false"


async def generate_config(scope: PoolScope) -> Outcome:
    """Gather the documents of the pool into the text that its hash is made of."""
    if not gather.kubeconfig_reference(scope.hosted_cluster):
        return Stop("WaitingForKubeconfig", "the hosted cluster has no kubeconfig yet")
    try:
        scope.config = await gather.pool_config(scope)
    except HypershiftError as error:
        return await failed(scope, "ValidMachineConfig", str(error))
    say(scope, "ValidMachineConfig", Verdict.holds())
    return Done()


async def find_platform(scope: PoolScope) -> Outcome:
    """Choose the platform; stop while the cluster has no identity for its machines."""
    scope.platform = platform_of(scope.spec["platform"]["type"])
    say(scope, "ValidPlatformConfig", Verdict.holds("All is well"))
    if not scope.infra_id:
        return Stop("InfraIDMissing", "the hosted cluster has no infraID yet")
    return Done()
