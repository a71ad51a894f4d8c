"""The controller of revocations: its phases in order, and what wakes it.

Each phase looks at the world, so that a revocation continues after a crash at any moment:

SignerClassValid            the class is known, and the moment is written down
RootCertificatesRegenerated the old signer is copied, the rotation made a new one
NewCertificatesTrusted      every API server accepts certificates of the new signer
LeafCertificatesRegenerated our own certificates are of the new signer
PreviousCertificatesRevoked the bundle has no old signer, and every API server refuses it
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from hypershift.api.conditions import Owner
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.pki.revocation import checks, leaves, signer, trust
from hypershift.operators.pki.revocation.hurry import CLIENT_CA
from hypershift.operators.pki.revocation.scope import RevocationScope
from hypershift.operators.pki.rules.rotation import CONFIG_MAPS, SECRETS
from hypershift.operators.pki.verify import Check
from hypershift.runtime import Controller, Phase, Watch, mapping

NAME = Owner.REVOCATION.value
PASS = timedelta(minutes=3)

NORMAL: Sequence[Phase[RevocationScope]] = (
    checks.stop_when_done,
    checks.validate,
    signer.keep_previous,
    signer.regenerate_signer,
    trust.await_trust,
    leaves.regenerate_leaves,
    trust.await_refusal,
)


def to_revocations(manifest: Manifest) -> Iterator[Key]:
    """Every revocation of the namespace, when a signer, a leaf or a bundle changed."""
    if manifest["metadata"]["name"] in SECRETS | CONFIG_MAPS | {CLIENT_CA}:
        yield from mapping.its_namespace(manifest)


def controller(check: Check, namespace: str = "") -> Controller[RevocationScope]:
    """The revocations of one control plane namespace, or of all."""
    index = BY_NAMESPACE.name
    return Controller(
        name=NAME,
        resource=kinds.CERTIFICATE_REVOCATION_REQUEST,
        scope=lambda found, context: RevocationScope(found, context, check),
        normal=NORMAL,
        namespace=namespace,
        watches=(
            Watch(kinds.SECRET, to_revocations, through=index),
            Watch(kinds.CONFIG_MAP, to_revocations, through=index),
        ),
        honour_pause=False,
        stop_on_error=True,
        timeout=PASS,
    )
