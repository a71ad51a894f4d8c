"""The phase that has the rotation renew the client certificate."""

from hypershift.api.conditions import (
    RevocationCondition,
    RevocationReason,
    false,
    holds,
    true,
)
from hypershift.operators.pki.revocation.scope import RevocationScope
from hypershift.operators.pki.revocation.signer import SOON, force_renewal
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.signer import (
    certificate_of,
)
from hypershift.runtime import Done, Outcome, Stop, condition_of


async def regenerate_leaves(scope: RevocationScope) -> Outcome:
    """Ask the rotation for a new client certificate, and wait until the new signer issued it."""
    found = await scope.secret(scope.which.client)
    certificate, signer = certificate_of(found), certificate_of(scope.signer)
    if certificate is None or signer is None or not rotation.verifies(certificate, [signer]):
        if found is not None and certificate is not None:
            await force_renewal(scope, found)
        text = f"Client certificate {scope.which.client} needs to be regenerated."
        scope.conditions.set(
            false(
                RevocationCondition.LEAF_CERTIFICATES_REGENERATED,
                RevocationReason.LEAF_CERTIFICATES_STALE,
                text,
            )
        )
        return Stop("AwaitingLeaves", text, after=SOON)
    scope.conditions.set(
        true(
            RevocationCondition.LEAF_CERTIFICATES_REGENERATED,
            "All leaf certificates are re-generated.",
        )
    )
    if not holds(condition_of(scope.object, RevocationCondition.LEAF_CERTIFICATES_REGENERATED)):
        return Stop("AwaitingBundle", after=SOON)  # the rotation prunes, now it may
    return Done()
