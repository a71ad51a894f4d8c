"""The one way in which a pass over a pool ends early."""

from datetime import timedelta

from hypershift.api.conditions import (
    AnyReason,
    ConditionType,
    ControlPlaneReason,
    NodePoolReason,
    false,
)
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.runtime import Stop

#: A pass that failed is tried again after this, whatever wakes it before.
RETRY = timedelta(seconds=10)


async def failed(
    scope: PoolScope,
    message: str,
    *,
    kind: ConditionType | None = None,
    reason: AnyReason = NodePoolReason.VALIDATION_FAILED,
    because: str = "",
) -> Stop:
    """End the pass with an event that says why; a later pass tries again.

    `kind` is the condition that reports it as well, with the message `because` if it has one.
    """
    if kind is not None:
        scope.conditions.set(false(kind, reason, because or message))
    await scope.events.warning(ControlPlaneReason.RECONCILE_ERROR, message)
    return Stop(reason, message, after=RETRY)
