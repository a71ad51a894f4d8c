"""What a leaf certificate should say, and what one that exists does say."""

import ipaddress
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import Flag, auto

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

YEAR = timedelta(days=365)

_WARNINGS = threading.Lock()


@contextmanager
def long_names() -> Iterator[None]:
    """Let a common name be longer than X.520's 64 characters.

    The wire names of some service accounts are, and every consumer takes them; the library
    only warns. Warning filters belong to the whole process, hence the lock.
    """
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Usage(Flag):
    """What a certificate proves: who serves, who calls, or both."""

    SERVER = auto()
    CLIENT = auto()
    PEER = SERVER | CLIENT


@dataclass(frozen=True, slots=True)
class Leaf:
    """The wanted content of a certificate; two leaves that say the same are equal."""

    common_name: str
    organizations: tuple[str, ...] = ()
    usage: Usage = Usage.SERVER
    dns_names: frozenset[str] = frozenset()
    ip_addresses: frozenset[str] = frozenset()
    validity: timedelta = YEAR

    def __post_init__(self) -> None:
        """Write addresses in one form, so that `::1` and `0:0:0:0:0:0:0:1` are the same."""
        addresses = frozenset(str(ipaddress.ip_address(text)) for text in self.ip_addresses)
        object.__setattr__(self, "ip_addresses", addresses)
        object.__setattr__(self, "dns_names", frozenset(self.dns_names))

    def subject(self) -> x509.Name:
        """The X.509 subject: organizations first, in the order given, then the common name."""
        pairs = [(NameOID.ORGANIZATION_NAME, name) for name in self.organizations]
        pairs.append((NameOID.COMMON_NAME, self.common_name))
        with long_names():
            return x509.Name(
                [x509.NameAttribute(oid, name, _validate=False) for oid, name in pairs]
            )

    def alternative_names(self) -> list[x509.GeneralName]:
        """The subject alternative names, in a stable order."""
        addresses = sorted(self.ip_addresses)
        return [
            *(x509.DNSName(name) for name in sorted(self.dns_names)),
            *(x509.IPAddress(ipaddress.ip_address(address)) for address in addresses),
        ]

    def extended_usages(self) -> list[x509.ObjectIdentifier]:
        """The extended key usages that stand for `usage`."""
        pairs = (
            (Usage.SERVER, ExtendedKeyUsageOID.SERVER_AUTH),
            (Usage.CLIENT, ExtendedKeyUsageOID.CLIENT_AUTH),
        )
        return [oid for usage, oid in pairs if usage in self.usage]


def described(certificate: x509.Certificate) -> Leaf:
    """Read a certificate back as the leaf that would ask for it."""
    with long_names():
        subject = certificate.subject
    names = subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    organizations = subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    dns_names, addresses = _alternative_names(certificate)
    return Leaf(
        common_name=str(names[0].value) if names else "",
        organizations=tuple(str(attribute.value) for attribute in organizations),
        usage=_usage(certificate),
        dns_names=dns_names,
        ip_addresses=addresses,
        validity=certificate.not_valid_after_utc - certificate.not_valid_before_utc,
    )


def _alternative_names(certificate: x509.Certificate) -> tuple[frozenset[str], frozenset[str]]:
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return frozenset(), frozenset()
    addresses = (str(a) for a in extension.value.get_values_for_type(x509.IPAddress))
    return frozenset(extension.value.get_values_for_type(x509.DNSName)), frozenset(addresses)


def _usage(certificate: x509.Certificate) -> Usage:
    try:
        extension = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    except x509.ExtensionNotFound:
        return Usage(0)
    usage = Usage(0)
    if ExtendedKeyUsageOID.SERVER_AUTH in extension.value:
        usage |= Usage.SERVER
    if ExtendedKeyUsageOID.CLIENT_AUTH in extension.value:
        usage |= Usage.CLIENT
    return usage
