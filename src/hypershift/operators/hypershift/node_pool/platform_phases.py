"""The phases that ask the pool's cloud: whether it can make the machines, and from what image."""

from collections.abc import Mapping

from hypershift.api.conditions import ALL_IS_WELL, NodePoolConditionType, Reason, false, true
from hypershift.kit import HypershiftError, Manifest
from hypershift.operators.hypershift.node_pool import image_cache
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.node_pool.validate import cluster_version
from hypershift.platforms.openstack.machine_template import CLUSTER
from hypershift.release import Version
from hypershift.runtime import Done, Outcome, Stop

#: The minors whose control plane does not know reserved capacity.
_WITHOUT_RESERVATIONS = frozenset(f"4.{minor}" for minor in range(19))


async def check_platform_config(scope: PoolScope) -> Outcome:
    """Say whether the cluster is new enough for what the pool asks of its cloud."""
    kind = NodePoolConditionType.VALID_PLATFORM_CONFIG
    placement = (scope.spec["platform"].get("aws") or {}).get("placement") or {}
    if scope.platform == "AWS" and placement.get("capacityReservation") is not None:
        try:
            version = Version.parse(await cluster_version(scope))
        except HypershiftError as error:
            message = f"failed to get controlPlane version: {error}"
            scope.conditions.set(false(kind, Reason.AWS_ERROR, message))
            return Done()
        # A pre-release of that minor knows them already.
        if version.line in _WITHOUT_RESERVATIONS:
            message = "capacityReservation is only supported on 4.19+ clusters"
            scope.conditions.set(false(kind, Reason.AWS_ERROR, message))
            return Done()
    scope.conditions.set(true(kind, ALL_IS_WELL))
    return Done()


async def require_identity(scope: PoolScope) -> Outcome:
    """Stop while the cluster has no identity that its machines could be tied to."""
    if not scope.infra_id:
        return Stop("InfraIDMissing", "infraID can't be empty")
    return Done()


async def check_platform(scope: PoolScope) -> Outcome:
    """Ask the cloud for an image and whatever else machines need beside their template."""
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
    if scope.platform == "KubeVirt":
        await image_cache.keep(scope)
    await scope.annotate(report.annotations)
    return Done()


def _merge_status(scope: PoolScope, found: Mapping[str, Manifest]) -> None:
    for cloud, values in found.items():
        platform = scope.status.setdefault("platform", {})
        platform[cloud] = {**(platform.get(cloud) or {}), **values}


async def _infra_cluster(scope: PoolScope) -> Manifest | None:
    """The infrastructure CR of the cluster, for the one cloud whose images it owns."""
    if scope.platform != "OpenStack":
        return None
    return await scope.kube.find(CLUSTER, scope.cluster_name, scope.namespace)
