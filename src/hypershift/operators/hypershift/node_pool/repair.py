"""The phases that have Cluster API replace machines whose nodes stay away."""

from hypershift.api.conditions import (
    MachineCondition,
    NodePoolConditionType,
    Reason,
    copied,
    fails,
    false,
    true,
)
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool.machines import wanted_machines
from hypershift.operators.hypershift.node_pool.rules import health_check
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.platforms import uses_spot
from hypershift.runtime import Done, Outcome, condition_of


async def repair_machines(scope: PoolScope) -> Outcome:
    """Watch the nodes of a pool that asks for it, once one machine has come."""
    if not scope.wanted.management.auto_repair:
        await _delete(scope, scope.key.name)
        scope.conditions.set(false(NodePoolConditionType.AUTOREPAIR_ENABLED, Reason.AS_EXPECTED))
        await _repair_spot(scope)
        return Done()
    if not scope.conditions.is_true(NodePoolConditionType.REACHED_IGNITION_ENDPOINT):
        return Done()
    wanted = health_check.health_check(wanted_machines(scope), scope.cluster)
    live = await scope.kube.apply(wanted)
    scope.conditions.set(true(NodePoolConditionType.AUTOREPAIR_ENABLED))
    allowed = condition_of(live, MachineCondition.REMEDIATION_ALLOWED)
    if allowed and fails(allowed):
        scope.conditions.set(copied(allowed, NodePoolConditionType.READY))
    await _repair_spot(scope)
    return Done()


async def _repair_spot(scope: PoolScope) -> None:
    """Replace machines that the cloud took back, in every pool."""
    if uses_spot(scope.pool):
        await scope.kube.apply(health_check.spot_health_check(wanted_machines(scope)))
    else:
        await _delete(scope, health_check.spot_name(scope.key.name))


async def _delete(scope: PoolScope, name: str) -> None:
    found = await scope.kube.find(kinds.MACHINE_HEALTH_CHECK, name, scope.namespace)
    if scope.made_for_pool(found):  # `web-spot` may be another pool, and its own check
        await scope.kube.delete(kinds.MACHINE_HEALTH_CHECK, name, scope.namespace)
