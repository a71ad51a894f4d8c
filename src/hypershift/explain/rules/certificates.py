"""Certificates of the control plane that no one will accept, and replacements that are refused."""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, fails
from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Certificate, Picture, condition, message_of
from hypershift.kit import annotations_of, rfc3339

DISABLED = annotations.DISABLE_PKI_RECONCILIATION


def unusable(picture: Picture) -> Iterator[Finding]:
    """Expired, not yet valid, not matching its key, or signed by another authority."""
    by_hand = DISABLED in annotations_of(picture.cluster)
    for certificate in picture.certificates:
        problem = _problem(picture, certificate)
        if problem:
            secret = Ref("Secret", certificate.secret, picture.namespace)
            yield Finding(
                secret,
                f"its certificate {certificate.key} is of no use: {problem}",
                f"give it a good one; annotation {DISABLED} says that you do this by hand"
                if by_hand
                else f"delete it, and the operator makes a new one: kubectl delete {secret.words}",
                (certificate.subject,) if certificate.subject else (),
            )


def replacement(picture: Picture) -> Iterator[Finding]:
    """A replacement of authorities that is refused; one under way is on the cluster's way."""
    found = condition(picture.cluster, ControlPlaneCondition.AUTHORITIES_ROTATED)
    if fails(found) and found.get("reason") == ControlPlaneReason.AUTHORITY_ROTATION_REFUSED:
        yield Finding(
            ref(picture.cluster),
            f"the replacement that was asked for is refused: {message_of(found)}",
            "change what it names, or ask for something else: hypershift rotate ca --help",
            (f"condition {found['type']}: {found['reason']}",),
        )


def _problem(picture: Picture, certificate: Certificate) -> str:
    if certificate.problem:
        return certificate.problem
    if certificate.not_after <= picture.now:
        return f"it expired at {rfc3339(certificate.not_after)}"
    if certificate.not_before > picture.now:
        return f"it is valid from {rfc3339(certificate.not_before)} only"
    return ""
