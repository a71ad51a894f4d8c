"""Whether a serving request only renews what the kubelet serves with already."""

import ipaddress
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.x509.oid import NameOID

from hypershift.pki.kubelet_request import (
    NODE_PREFIX,
    Content,
    Names,
    names_of,
)


@dataclass(frozen=True, slots=True)
class Presented:
    """The certificate that a kubelet shows, and those that may have signed it."""

    certificate: x509.Certificate
    authorities: tuple[x509.Certificate, ...]
    now: datetime

    @property
    def common_name(self) -> str:
        found = self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        return str(found[0].value) if found else ""


def why_no_renewal(
    user: str,
    content: Content | None,
    presented: Presented | None,
    egress: frozenset[str] | None = None,
) -> str:
    """Return why a request is no renewal; empty when it is one.

    With `egress`, addresses may be among those as well as in the certificate.
    """
    if content is None or presented is None or not presented.authorities:
        return "CSR, serving cert, or CA not provided"
    if why := _unverified(presented) or _other_node(user, content, presented):
        return why
    names = names_of(presented.certificate.extensions)
    if egress is not None:
        return _outside(content.names, names, egress)
    if not content.names.same(names):
        return "CSR Subject Alternate Name values do not match current certificate"
    return ""


def _other_node(user: str, content: Content, presented: Presented) -> str:
    if presented.common_name != user or not user.startswith(NODE_PREFIX):
        return "current serving cert has bad common name"
    if presented.common_name != content.common_name:
        return "current serving cert and CSR common name mismatch"
    return ""


def _unverified(presented: Presented) -> str:
    certificate = presented.certificate
    if not certificate.not_valid_before_utc <= presented.now <= certificate.not_valid_after_utc:
        return "x509: certificate has expired or is not yet valid"
    for authority in presented.authorities:
        try:
            certificate.verify_directly_issued_by(authority)
        except (ValueError, TypeError, InvalidSignature):
            continue
        return ""
    return "x509: certificate signed by unknown authority"


def _outside(asked: Names, served: Names, egress: frozenset[str]) -> str:
    fixed = (set(asked.dns), set(asked.emails), set(asked.uris))
    if fixed != (set(served.dns), set(served.emails), set(served.uris)):
        return "CSR Subject Alternate Name values do not match current certificate"
    for address in asked.ips:
        if address not in served.ips and not any(_within(address, one) for one in egress):
            return "CSR Subject Alternate Names includes unknown IP addresses"
    return ""


def _within(address: str, network: str) -> bool:
    return ipaddress.ip_address(address) in ipaddress.ip_network(network, strict=False)
