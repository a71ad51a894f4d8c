"""The phases that decide whether a revocation is to be carried out."""

from hypershift.api.conditions import (
    RevocationCondition,
    RevocationReason,
    false,
    holds,
    true,
)
from hypershift.kit import rfc3339
from hypershift.operators.pki.revocation.scope import RevocationScope
from hypershift.operators.pki.revocation.signer import SOON
from hypershift.runtime import Done, Outcome, Stop, condition_of


async def stop_when_done(scope: RevocationScope) -> Outcome:
    """End the pass over a revocation that is complete: it is never begun again."""
    return (
        Stop("Revoked")
        if holds(condition_of(scope.object, RevocationCondition.PREVIOUS_CERTIFICATES_REVOKED))
        else Done()
    )


async def validate(scope: RevocationScope) -> Outcome:
    """Refuse a class that does not exist; state the moment before anything is changed."""
    which = scope.asked_class
    if which is None:
        text = f"Signer class {scope.request.spec.signer_class!r} unknown."
        reason = RevocationReason.SIGNER_CLASS_UNKNOWN
        scope.conditions.set(false(RevocationCondition.SIGNER_CLASS_VALID, reason, text))
        return Stop("UnknownClass")
    scope.which = which
    scope.conditions.set(
        true(RevocationCondition.SIGNER_CLASS_VALID, f"Signer class {which.name!r} known.")
    )
    if scope.moment is None:
        scope.status["revocationTimestamp"] = rfc3339(scope.clock.now())
        # Later than that very second is what a new signer must be.
        return Stop("Committed", after=SOON)
    return Done()
