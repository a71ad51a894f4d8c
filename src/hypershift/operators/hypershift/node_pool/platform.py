"""The phases that ask the pool's cloud: whether it can make the machines, and from what image."""

from collections.abc import Mapping

from hypershift.api.conditions import ALL_IS_WELL, NodePoolConditionType, false, true
from hypershift.kit import HypershiftError, Manifest
from hypershift.operators.hypershift.node_pool import image_cache
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.look import cluster_version
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.release import Version
from hypershift.runtime import Done, Outcome, Stop


async def check_platform_config(scope: PoolScope) -> Outcome:
    """Report whether the cluster is new enough for what the pool asks of its cloud."""
    kind = NodePoolConditionType.VALID_PLATFORM_CONFIG
    if demand := scope.pools.demand(scope.wanted.platform):
        try:
            version = Version.parse(await cluster_version(scope))
        except HypershiftError as error:
            message = f"failed to get controlPlane version: {error}"
            scope.conditions.set(false(kind, demand.reason, message))
            return Done()
        if version.line in demand.unknown_to:
            scope.conditions.set(false(kind, demand.reason, demand.message))
            return Done()
    scope.conditions.set(true(kind, ALL_IS_WELL))
    return Done()


async def require_identity(scope: PoolScope) -> Outcome:
    """Stop while the cluster has no identity that its machines could be tied to."""
    if not scope.infra_id:
        return Stop("InfraIDMissing", "infraID can't be empty")
    return Done()


async def check_platform(scope: PoolScope) -> Outcome:
    """Ask the cloud for an image and for other objects that machines need."""
    machines = scope.pools.machines
    if machines is None:
        return Done()
    report = machines.check(scope.facts(await _infra_cluster(scope)))
    for condition in report.conditions:
        scope.conditions.set(condition)
    for kind in report.removed:
        scope.conditions.remove(kind)
    _merge_status(scope, report.status)
    if report.error:
        return await failed(scope, report.error)
    for manifest in report.objects:
        await scope.kube.apply(manifest)
    if scope.pools.image_cache:
        await image_cache.keep(scope, scope.pools.image_cache)
    await scope.annotate(report.annotations)
    return Done()


def _merge_status(scope: PoolScope, found: Mapping[str, Manifest]) -> None:
    for cloud, values in found.items():
        platform = scope.status.setdefault("platform", {})
        platform[cloud] = {**(platform.get(cloud) or {}), **values}


async def _infra_cluster(scope: PoolScope) -> Manifest | None:
    """The infrastructure CR of the cluster, on clouds where it owns the boot images."""
    resource = scope.pools.infra_cluster
    if resource is None:
        return None
    return await scope.kube.find(resource, scope.cluster_name, scope.namespace)
