"""The phases that wait for API servers to accept the new signer and refuse the old one."""

from collections.abc import Sequence
from datetime import timedelta

from hypershift.api.conditions import (
    Reason,
    RevocationCondition,
    RevocationReason,
    false,
    holds,
    true,
)
from hypershift.kit import data_of, from_rfc3339
from hypershift.kube import ApiError
from hypershift.operators.pki import verify
from hypershift.operators.pki.revocation.hurry import hurry_kubelets
from hypershift.operators.pki.revocation.scope import RevocationScope
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.signer import (
    TOTAL_BUNDLE,
    authority_of,
    certificate_of,
)
from hypershift.pki import Authority, KeyPair
from hypershift.runtime import Done, Outcome, Stop, condition_of

AGAIN = timedelta(seconds=10)
PATIENCE = timedelta(minutes=10)
ROOT_CA = "root-ca"


async def await_trust(scope: RevocationScope) -> Outcome:
    """Wait until every API server accepts certificates of the new signer."""
    if holds(condition_of(scope.object, RevocationCondition.NEW_CERTIFICATES_TRUSTED)):
        return Done()
    current = certificate_of(scope.signer)
    bundle = rotation.certificates(await scope.config_map(TOTAL_BUNDLE))
    why = "" if current in bundle else f"The new signer is not in ConfigMap {TOTAL_BUNDLE} yet."
    why = why or await _unlike(scope, authority_of(scope.signer), accepted=True)
    if why:
        scope.conditions.set(
            false(RevocationCondition.NEW_CERTIFICATES_TRUSTED, Reason.WAITING_FOR_AVAILABLE, why)
        )
        return Stop("NewCertificatesNotTrusted", why, after=AGAIN)
    scope.conditions.set(
        true(
            RevocationCondition.NEW_CERTIFICATES_TRUSTED,
            "Every API server accepts the new signer's certificates.",
        )
    )
    return Done()


async def await_refusal(scope: RevocationScope) -> Outcome:
    """Wait until no API server accepts the old signer, while each still accepts the new one."""
    if why := await _not_refused(scope):
        late = _waited(scope) > PATIENCE
        reason = RevocationReason.VERIFICATION_TIMEOUT if late else Reason.WAITING_FOR_AVAILABLE
        scope.conditions.set(false(RevocationCondition.PREVIOUS_CERTIFICATES_REVOKED, reason, why))
        return Stop("PreviousCertificatesNotRevoked", why, after=AGAIN)
    scope.conditions.set(
        true(
            RevocationCondition.PREVIOUS_CERTIFICATES_REVOKED,
            "Previous signer certificate revoked.",
        )
    )
    return Done()


async def _not_refused(scope: RevocationScope) -> str:
    old = certificate_of(scope.previous)
    for name in (scope.which.bundle, TOTAL_BUNDLE):
        if old in rotation.certificates(await scope.config_map(name)):
            return f"The previous signer is in ConfigMap {name} still."
    why = await _unlike(scope, authority_of(scope.previous), accepted=False)
    # An API server that is just reading its files may refuse everybody: ask about both.
    return why or await _unlike(scope, authority_of(scope.signer), accepted=True)


async def _unlike(scope: RevocationScope, signer: Authority | None, *, accepted: bool) -> str:
    """Return which API server does not treat a signer's certificates as wanted; empty if none."""
    found = await verify.servers(scope.context.live, scope.namespace)
    root = data_of(await scope.secret(ROOT_CA), "ca.crt")
    if isinstance(found, str) or signer is None or not root:
        return found if isinstance(found, str) else "The signer or the root authority is missing."
    pair = verify.probe(signer, scope.which, scope.clock.now())
    return await _first_unlike(scope, found, root, pair, accepted=accepted)


async def _first_unlike(
    scope: RevocationScope,
    replicas: Sequence[verify.Replica],
    root: bytes,
    pair: KeyPair,
    *,
    accepted: bool,
) -> str:
    late = []
    why = ""
    for replica in replicas:
        if problem := await _unlike_at(scope, replica, root, pair, accepted=accepted):
            late.append(replica)
            why = why or problem
    await hurry_kubelets(scope, late)
    return why


async def _unlike_at(
    scope: RevocationScope, replica: verify.Replica, root: bytes, pair: KeyPair, *, accepted: bool
) -> str:
    try:
        if await scope.check(replica, root, pair) == accepted:
            return ""
    except ApiError as error:
        return f"Pod {replica.pod} does not answer: {error}"
    word = "does not accept the new" if accepted else "still accepts the previous"
    return f"Pod {replica.pod} {word} signer's certificates."


def _waited(scope: RevocationScope) -> timedelta:
    since = (
        condition_of(scope.object, RevocationCondition.LEAF_CERTIFICATES_REGENERATED) or {}
    ).get("lastTransitionTime")
    return scope.clock.now() - from_rfc3339(since) if since else timedelta()
