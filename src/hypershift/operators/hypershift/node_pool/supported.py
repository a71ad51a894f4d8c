"""Refuse the settings of a pool that its release cannot honour, before anything is made of them."""

from hypershift.api.conditions import NodePoolConditionType
from hypershift.operators.hypershift import support
from hypershift.operators.hypershift.node_pool.failure import failed
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.support import Status
from hypershift.runtime import Done, Outcome

TUNING = NodePoolConditionType.VALID_TUNING_CONFIG
#: The condition that reports a refused field, by its path; the others are machine configuration.
CONDITIONS = {"tuningConfig": TUNING}


async def check_support(scope: PoolScope) -> Outcome:
    """End the pass of a pool with a setting that the table of support refuses."""
    product = scope.wanted_release.product
    said = support.fields(support.POOL, scope.object, product, scope.platform, Status.REFUSED)
    paths = {one.row.path for one in said}
    if not scope.wanted_release.openshift and "tuningConfig" not in paths:
        scope.conditions.remove(TUNING)  # of a tuning that was refused and is gone
    for one in said:
        kind = CONDITIONS.get(one.row.path, NodePoolConditionType.VALID_MACHINE_CONFIG)
        return await failed(scope, one.text, kind=kind)
    return Done()
