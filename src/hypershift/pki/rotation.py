"""Decides when a certificate is renewed, and how a cluster's annotations change that."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509

from hypershift.api import annotations
from hypershift.kit import InvalidSpec, go_duration
from hypershift.pki.authority import SKEW, TEN_YEARS, Authority, KeyPair, certificate_from_pem
from hypershift.pki.keys import key_from_pem, same_key
from hypershift.pki.leaf import YEAR, Leaf, described

#: A shorter lifetime would renew the certificate in every pass, and pods roll for each.
SHORTEST = timedelta(hours=1)
LARGEST_SHARE = 0.9
VALIDITY_ANNOTATION = annotations.CERTIFICATE_VALIDITY
RENEWAL_ANNOTATION = annotations.CERTIFICATE_RENEWAL
DISABLE_ANNOTATION = annotations.DISABLE_PKI_RECONCILIATION

THIRTY_DAYS = timedelta(days=30)
TOLERANCE = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Policy:
    """How long leaf certificates live and when they are renewed."""

    validity: timedelta = YEAR
    #: Share of the validity that must be left; None means thirty days.
    renewal: float | None = None
    enabled: bool = True

    @classmethod
    def from_annotations(cls, annotations: Mapping[str, str]) -> "Policy":
        """Read the policy that a cluster's annotations ask for."""
        return cls(
            validity=_validity(annotations.get(VALIDITY_ANNOTATION, "")),
            renewal=_share(annotations.get(RENEWAL_ANNOTATION, "")),
            enabled=DISABLE_ANNOTATION not in annotations,
        )

    def remaining(self, validity: timedelta) -> timedelta:
        """How much of `validity` must be left for a certificate to stay."""
        if self.renewal is not None:
            return validity * self.renewal
        # A certificate valid for less than thirty days would be renewed in every pass.
        return min(THIRTY_DAYS, validity / 3)


#: An authority is renewed in the last fifth of its life, long before it could outlive a leaf.
AUTHORITY_POLICY = Policy(TEN_YEARS, 0.2)


def expires_soon(certificate: x509.Certificate, now: datetime, policy: Policy) -> bool:
    """Whether too little of a certificate's life is left."""
    end = certificate.not_valid_after_utc
    return end - now < policy.remaining(end - certificate.not_valid_before_utc)


def why_reissue(
    pair: KeyPair, leaf: Leaf, authority: Authority, now: datetime, policy: Policy
) -> str:
    """Return why a leaf certificate must be renewed; empty when it may stay."""
    read, private = certificate_from_pem(pair.certificate), key_from_pem(pair.key.reveal())
    if read is None or private is None:
        return "missing or unreadable"
    if not same_key(private, read.public_key()):
        return "certificate and key do not belong together"
    if not authority.issued(read):
        return "signed by another authority"
    if difference := _difference(described(read), leaf):
        return f"{difference} changed"
    if read.not_valid_before_utc > now + SKEW or expires_soon(read, now, policy):
        return "expires soon"
    return ""


def _difference(found: Leaf, wanted: Leaf) -> str:
    if abs(found.validity - wanted.validity) > TOLERANCE:
        return "validity"
    fields = ("common_name", "usage", "dns_names", "ip_addresses")
    for name in fields:
        if getattr(found, name) != getattr(wanted, name):
            return name
    return "" if sorted(found.organizations) == sorted(wanted.organizations) else "organizations"


def _validity(text: str) -> timedelta:
    """How long leaves live. Each new one rolls pods, and none may outlive its authority."""
    if not text:
        return YEAR
    try:
        found = go_duration(text)
    except InvalidSpec as error:
        raise InvalidSpec(f"annotation {VALIDITY_ANNOTATION}: {error}") from error
    if not SHORTEST <= found <= TEN_YEARS:
        raise InvalidSpec(
            f"annotation {VALIDITY_ANNOTATION}: {text!r} is not between 1h and 87600h",
            field=VALIDITY_ANNOTATION,
        )
    return found


def _share(text: str) -> float | None:
    if not text:
        return None
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share <= LARGEST_SHARE:
        raise InvalidSpec(
            f"annotation {RENEWAL_ANNOTATION}: {text[:64]!r} is not a share between 0 and "
            f"{LARGEST_SHARE}",
            field=RENEWAL_ANNOTATION,
        )
    return share
