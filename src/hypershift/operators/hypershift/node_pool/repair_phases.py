"""The phases that have Cluster API replace machines whose nodes stay away."""

from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import health_check
from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.machine_phases import wanted_machines
from hypershift.operators.hypershift.node_pool.say import say
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.platforms import uses_spot
from hypershift.runtime import Done, Outcome, condition_of


async def repair_machines(scope: PoolScope) -> Outcome:
    """Watch the nodes of a pool that asks for it, once one machine has come."""
    if not (scope.spec.get("management") or {}).get("autoRepair"):
        await _delete(scope, scope.key.name)
        say(scope, "AutorepairEnabled", Verdict.fails())
        await _repair_spot(scope)
        return Done()
    if not scope.conditions.is_true("ReachedIgnitionEndpoint"):
        return Done()
    wanted = health_check.health_check(wanted_machines(scope), scope.hosted_cluster)
    live = await scope.kube.apply(wanted)
    say(scope, "AutorepairEnabled", Verdict.holds())
    allowed = condition_of(live, "RemediationAllowed")
    if allowed and allowed["status"] == "False":
        reason, message = allowed.get("reason", ""), allowed.get("message", "")
        say(scope, "Ready", Verdict.fails(reason, message))
    await _repair_spot(scope)
    return Done()


async def _repair_spot(scope: PoolScope) -> None:
    """Replace machines that the cloud took back, whatever else the pool asks for."""
    if uses_spot(scope.object):
        await scope.kube.apply(health_check.spot_health_check(wanted_machines(scope)))
    else:
        await _delete(scope, health_check.spot_name(scope.key.name))


async def _delete(scope: PoolScope, name: str) -> None:
    found = await scope.kube.find(kinds.MACHINE_HEALTH_CHECK, name, scope.namespace)
    if scope.made_for_pool(found):  # `web-spot` may be another pool, and its own check
        await scope.kube.delete(kinds.MACHINE_HEALTH_CHECK, name, scope.namespace)
