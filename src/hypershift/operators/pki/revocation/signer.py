"""The phases that keep the old signer, and have the rotation make a new one."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from hypershift.api.conditions import (
    RevocationCondition,
    RevocationReason,
    false,
    true,
)
from hypershift.kit import Manifest
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.pki.revocation.scope import RevocationScope, copy_name, same
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.signer import (
    FORCE,
    NOT_AFTER,
    authority_of,
    certificate_of,
    is_forced,
)
from hypershift.runtime import Done, Outcome, Stop

SOON = timedelta(seconds=1)


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
    with suppress(AlreadyExists):  # by a pass that ended before it wrote the status
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
    """Ask the rotation for a new signer, once, and wait until it exists."""
    current, old = certificate_of(scope.signer), certificate_of(scope.previous)
    if current is None or scope.moment is None or scope.signer is None:
        return _stale_roots(scope, f"Signer {scope.which.signer} does not exist yet.")
    if same(current, old) or rotation.issued_at(current) <= scope.moment:
        if scope.clock.now().replace(microsecond=0) <= scope.moment:
            return _stale_roots(scope, "The moment of the revocation is not over yet.")
        await force_renewal(scope, scope.signer)
        text = f"Signer certificate {scope.which.signer} needs to be regenerated."
        return _stale_roots(scope, text)
    scope.conditions.set(
        true(
            RevocationCondition.ROOT_CERTIFICATES_REGENERATED,
            f"Signer certificate {scope.which.signer} regenerated.",
        )
    )
    return Done()


async def force_renewal(scope: RevocationScope, secret: Manifest) -> None:
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
