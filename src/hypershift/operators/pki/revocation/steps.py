"""The steps of a revocation; each looks at the world, so that it goes on after any crash.

SignerClassValid            the class is known, and the moment is written down
RootCertificatesRegenerated the old signer is copied, the rotation made a new one
NewCertificatesTrusted      every API server accepts certificates of the new signer
LeafCertificatesRegenerated our own certificates are of the new signer
PreviousCertificatesRevoked the bundle has no old signer, and every API server refuses it
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from hypershift.api.conditions import (
    Reason,
    RevocationCondition,
    RevocationReason,
    false,
    holds,
    true,
)
from hypershift.kit import Manifest, data_of, from_rfc3339, rfc3339
from hypershift.kube import AlreadyExists, ApiError, kinds
from hypershift.operators.pki import rotation, verify
from hypershift.operators.pki.revocation.scope import RevocationScope, copy_name, same
from hypershift.operators.pki.signer import (
    FORCE,
    NOT_AFTER,
    TOTAL_BUNDLE,
    authority_of,
    certificate_of,
    is_forced,
)
from hypershift.pki import Authority
from hypershift.runtime import Done, Outcome, Stop, condition_of

SOON, AGAIN = timedelta(seconds=1), timedelta(seconds=10)
PATIENCE = timedelta(minutes=10)
ROOT_CA = "root-ca"


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


async def keep_previous(scope: RevocationScope) -> Outcome:
    """Copy the signer that is replaced: with it API servers are asked whether they refuse it."""
    scope.signer = await scope.secret(scope.which.signer)
    known = scope.request.status.previous_signer
    if known is not None:
        scope.previous = await scope.secret(known.name)
        if scope.previous is not None:
            return Done()
    if authority_of(scope.signer) is None:
        return _stale_roots(scope, f"Signer {scope.which.signer} does not exist yet.")
    name = copy_name(scope.key.name)
    with suppress(AlreadyExists):  # by a pass that ended before it could say so
        await scope.kube.create(_copy(scope, name))
    scope.status["previousSigner"] = {"name": name}
    return _stale_roots(scope, f"Signer certificate {scope.which.signer} needs to be regenerated.")


def _copy(scope: RevocationScope, name: str) -> Manifest:
    metadata: dict[str, Any] = scope.object["metadata"]
    owner = {
        "apiVersion": scope.object["apiVersion"],
        "kind": scope.object["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
    }
    found = scope.signer or {}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": scope.namespace, "ownerReferences": [owner]},
        "type": found.get("type"),
        "data": found.get("data"),
    }


def _stale_roots(scope: RevocationScope, text: str) -> Outcome:
    scope.conditions.set(
        false(
            RevocationCondition.ROOT_CERTIFICATES_REGENERATED,
            RevocationReason.ROOT_CERTIFICATES_STALE,
            text,
        )
    )
    return Stop("AwaitingSigner", text, after=SOON)


async def regenerate_signer(scope: RevocationScope) -> Outcome:
    """Ask the rotation for a new signer, once; go on when it made one."""
    current, old = certificate_of(scope.signer), certificate_of(scope.previous)
    if current is None or scope.moment is None or scope.signer is None:
        return _stale_roots(scope, f"Signer {scope.which.signer} does not exist yet.")
    if same(current, old) or rotation.issued_at(current) <= scope.moment:
        if scope.clock.now().replace(microsecond=0) <= scope.moment:
            return _stale_roots(scope, "The moment of the revocation is not over yet.")
        await _force(scope, scope.signer)
        text = f"Signer certificate {scope.which.signer} needs to be regenerated."
        return _stale_roots(scope, text)
    scope.conditions.set(
        true(
            RevocationCondition.ROOT_CERTIFICATES_REGENERATED,
            f"Signer certificate {scope.which.signer} regenerated.",
        )
    )
    return Done()


async def _force(scope: RevocationScope, secret: Manifest) -> None:
    """Mark a Secret's certificate as one to be replaced, unless it changed since we looked."""
    if is_forced(secret):
        return
    metadata = secret["metadata"]
    patch = {
        "metadata": {
            "resourceVersion": metadata["resourceVersion"],
            "annotations": {NOT_AFTER: FORCE},
        }
    }
    await scope.kube.patch(kinds.SECRET, metadata["name"], patch, scope.namespace)


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


async def regenerate_leaves(scope: RevocationScope) -> Outcome:
    """Ask the rotation for a new client certificate; go on when the new signer issued it."""
    found = await scope.secret(scope.which.client)
    certificate, signer = certificate_of(found), certificate_of(scope.signer)
    if certificate is None or signer is None or not rotation.verifies(certificate, [signer]):
        if found is not None and certificate is not None:
            await _force(scope, found)
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
    """Say which API server does not treat a signer's certificates as wanted; empty if none."""
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
    pair: Any,
    *,
    accepted: bool,
) -> str:
    for replica in replicas:
        try:
            if await scope.check(replica, root, pair) != accepted:
                word = "does not accept the new" if accepted else "still accepts the previous"
                return f"Pod {replica.pod} {word} signer's certificates."
        except ApiError as error:
            return f"Pod {replica.pod} does not answer: {error}"
    return ""


def _waited(scope: RevocationScope) -> timedelta:
    since = (
        condition_of(scope.object, RevocationCondition.LEAF_CERTIFICATES_REGENERATED) or {}
    ).get("lastTransitionTime")
    return scope.clock.now() - from_rfc3339(since) if since else timedelta()
