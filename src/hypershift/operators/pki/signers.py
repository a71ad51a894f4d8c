"""Phases that keep signers, trust bundles and client certificates of a control plane."""

from collections.abc import Callable, Iterable
from datetime import timedelta

from cryptography.hazmat.primitives.serialization import Encoding

from hypershift.api import annotations
from hypershift.api.certificates import CertificateRevocationRequest
from hypershift.api.conditions import ControlPlaneCondition, RevocationCondition, false, holds
from hypershift.api.conditions.common import ALL_IS_WELL, Reason
from hypershift.api.view import read
from hypershift.kit import Manifest, annotations_of, from_rfc3339
from hypershift.kube import Client, Resource, kinds
from hypershift.operators.pki.rules import rotation
from hypershift.operators.pki.rules.signer import (
    CLASSES,
    TOTAL_BUNDLE,
    SignerClass,
    certificate_of,
)
from hypershift.operators.pki.scope import SignerScope
from hypershift.runtime import Done, Outcome, Stop, Wait, condition_of

#: The longest time between two passes.
LONGEST = timedelta(hours=1)
#: What an object should become, by what the pass knows; None while it is right.
Decide = Callable[[], Manifest | None]


async def leave_foreign_pki(scope: SignerScope) -> Outcome:
    """End the pass for a control plane whose certificates another program makes."""
    if annotations.DISABLE_PKI_RECONCILIATION in annotations_of(scope.object):
        return Stop("PKIDisabled")
    return Done()


async def observe(scope: SignerScope) -> Outcome:
    """Read signers, bundles and client certificates from the cache."""
    await _read(scope, scope.kube)
    scope.confirmed = not scope.secrets and not scope.maps  # what is new is created, not replaced
    return Done()


async def confirm(scope: SignerScope) -> None:
    """Read them again past the cache, once in a pass, before anything follows from them.

    A signer that was revoked a moment ago must neither sign nor get back into a bundle.
    """
    if not scope.confirmed:
        scope.secrets.clear()
        scope.maps.clear()
        await _read(scope, scope.context.live)
        scope.confirmed = True


async def _read(scope: SignerScope, kube: Client) -> None:
    for resource, wanted, found in (
        (kinds.SECRET, rotation.SECRETS, scope.secrets),
        (kinds.CONFIG_MAP, rotation.CONFIG_MAPS, scope.maps),
    ):
        for name in sorted(wanted):
            manifest = await kube.find(resource, name, scope.namespace)
            if manifest is not None:
                found[name] = manifest


async def keep_signers(scope: SignerScope) -> Outcome:
    """Write a new generation of each signer that is old or marked by a revocation."""
    keys = scope.environment.keys
    for one in CLASSES:

        def decide(one: SignerClass = one) -> Manifest | None:
            return rotation.signer(scope.site, one, scope.secrets.get(one.signer), keys)

        if await _written(scope, scope.secrets, decide):
            scope.log.info("signer generated", secret=one.signer)
    return Done()


async def publish_trust(scope: SignerScope) -> Outcome:
    """Write the bundles: all generations that are valid and that no revocation ended."""
    cutoffs = await _cutoffs(scope)
    for one in CLASSES:

        def decide(one: SignerClass = one) -> Manifest | None:
            current = scope.authority(one.signer)
            if current is None:
                return None
            found = scope.maps.get(one.bundle)
            return rotation.bundle(scope.site, one, found, current.certificate, cutoffs)

        await _written(scope, scope.maps, decide)

    def decide_total() -> Manifest | None:
        parts = [scope.maps.get(one.bundle) for one in CLASSES]
        return rotation.total(scope.site, scope.maps.get(TOTAL_BUNDLE), parts)

    await _written(scope, scope.maps, decide_total)
    scope.conditions.set(
        false(ControlPlaneCondition.TARGET_CONFIG_DEGRADED, Reason.AS_EXPECTED, ALL_IS_WELL)
    )
    return Done()


async def keep_clients(scope: SignerScope) -> Outcome:
    """Write a new client certificate of each class where the old one is old, or not trusted."""
    lifetimes, now = scope.environment.lifetimes, scope.clock.now()
    for one in CLASSES:

        def decide(one: SignerClass = one) -> Manifest | None:
            authority = scope.authority(one.signer)
            if authority is None:
                return None
            found, trusted = scope.secrets.get(one.client), scope.trusted(one.bundle)
            return rotation.client(scope.site, one, found, authority, trusted)

        await _written(scope, scope.secrets, decide)
    ages = [
        (scope.secrets.get(name), refresh)
        for one in CLASSES
        for name, refresh in (
            (one.signer, lifetimes.signer_refresh),
            (one.client, lifetimes.client_refresh),
        )
    ]
    return Wait("NextRotation", after=min(LONGEST, rotation.next_look(ages, now)))


async def _written(scope: SignerScope, known: dict[str, Manifest], decide: Decide) -> bool:
    """Write what is decided; by the cache alone nothing but an object of a new cluster."""
    made = decide()
    if made is not None and not scope.confirmed:
        await confirm(scope)
        made = decide()
    if made is None:
        return False
    name = made["metadata"]["name"]
    write = scope.kube.apply if name in known else scope.kube.create
    known[name] = await write(made)
    return True


async def _cutoffs(scope: SignerScope) -> list[rotation.Cutoff]:
    """The revocations whose old generations must go: new ones are in use everywhere."""
    resource = kinds.CERTIFICATE_REVOCATION_REQUEST
    found = await scope.kube.list(resource, scope.namespace)
    return [one for each in found if (one := await _cutoff(scope, each)) is not None]


async def _cutoff(scope: SignerScope, found: Manifest) -> rotation.Cutoff | None:
    request = read(CertificateRevocationRequest, found)
    if not holds(condition_of(found, RevocationCondition.LEAF_CERTIFICATES_REGENERATED)):
        return None
    moment, previous = request.status.revocation_timestamp, request.status.previous_signer
    if not moment or previous is None:
        return None
    copy = await scope.context.live.find(kinds.SECRET, previous.name, scope.namespace)
    certificate = certificate_of(copy)
    der = certificate.public_bytes(Encoding.DER) if certificate else b""
    return rotation.Cutoff(request.spec.signer_class, from_rfc3339(moment), der)


def names_of(resource: Resource) -> Iterable[str]:
    """The objects of a kind whose changes concern rotation."""
    return rotation.SECRETS if resource is kinds.SECRET else rotation.CONFIG_MAPS
