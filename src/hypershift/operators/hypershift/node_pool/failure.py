"""The error of a pass over a pool: reported by an event and a condition, then raised."""

from typing import NoReturn

from hypershift.api.conditions import (
    AnyReason,
    ConditionType,
    ControlPlaneReason,
    NodePoolReason,
    false,
)
from hypershift.kit import TransientError
from hypershift.operators.hypershift.node_pool.scope import PoolScope


class PoolNotReconciled(TransientError):
    """A pass that could not do its work; it is made again with backoff, or after a change."""


async def failed(
    scope: PoolScope,
    message: str,
    *,
    kind: ConditionType | None = None,
    reason: AnyReason = NodePoolReason.VALIDATION_FAILED,
    because: str = "",
) -> NoReturn:
    """Report why the pass fails, and raise it.

    `kind` is the condition that reports it, with the message `because` if it has one.
    """
    if kind is not None:
        scope.conditions.set(false(kind, reason, because or message))
    await scope.events.warning(ControlPlaneReason.RECONCILE_ERROR, message)
    raise PoolNotReconciled(message)
