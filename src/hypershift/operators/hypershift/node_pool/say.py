"""How a pass speaks: conditions, and the one way in which it ends early."""

from datetime import timedelta

from hypershift.operators.hypershift.node_pool.checks import Verdict
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.runtime import Stop

#: A pass that failed is tried again after this, whatever wakes it before.
RETRY = timedelta(seconds=10)


def say(scope: PoolScope, kind: str, verdict: Verdict) -> None:
    """Set a condition."""
    scope.conditions.set(kind, verdict.status, verdict.reason, verdict.message)


async def failed(
    scope: PoolScope,
    message: str,
    *,
    kind: str = "",
    reason: str = "ValidationFailed",
    because: str = "",
) -> Stop:
    """End the pass with an event that says why; a later pass tries again.

    `kind` is the condition that tells it as well, in the words of `because` where they differ.
    """
    if kind:
        say(scope, kind, Verdict.fails(reason, because or message))
    await scope.events.warning("ReconcileError", message)
    return Stop(reason, message, after=RETRY)
