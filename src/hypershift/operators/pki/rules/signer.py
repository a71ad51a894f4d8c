"""The two classes of break-glass signers: their names, their objects and how long things live."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography import x509

from hypershift.kit import InvalidSpec, Manifest, annotations_of, data_of
from hypershift.pki import Authority, certificate_from_pem, read_authority

DOMAIN = "hypershift.openshift.io"
#: What the original's rotation writes on Secrets; a value that is no time asks for a new one.
NOT_AFTER = "auth.openshift.io/certificate-not-after"
NOT_BEFORE = "auth.openshift.io/certificate-not-before"
ISSUER = "auth.openshift.io/certificate-issuer"
FORCE = "force-regeneration"
DAY = timedelta(hours=24)

TOTAL_BUNDLE = "total-client-ca"
BUNDLE_KEY = "ca-bundle.crt"


@dataclass(frozen=True, slots=True)
class SignerClass:
    """One signer: the class that requests name, and the prefix of its objects."""

    name: str
    prefix: str

    @property
    def signer(self) -> str:
        """The Secret with the authority."""
        return f"{self.prefix}-system-admin-signer"

    @property
    def bundle(self) -> str:
        """The ConfigMap with every generation of the authority that is still trusted."""
        return f"{self.prefix}-system-admin-signer-ca"

    @property
    def client(self) -> str:
        """The Secret with an administrator's certificate, ready to be used."""
        return f"{self.prefix}-system-admin-client-cert-key"

    @property
    def common_name_prefix(self) -> str:
        """How the common name of each of its certificates begins."""
        return f"system:{self.name}:"

    def signer_name(self, namespace: str) -> str:
        """The signer's name in requests; it contains the namespace, so each cluster has its own."""
        return f"{DOMAIN}/{namespace}.{self.name}"


CUSTOMER = SignerClass("customer-break-glass", "customer")
SRE = SignerClass("sre-break-glass", "sre")
CLASSES = (CUSTOMER, SRE)


def class_named(name: str) -> SignerClass | None:
    """The class that a revocation names."""
    return next((one for one in CLASSES if one.name == name), None)


def namespace_of(signer_name: str) -> str:
    """The control plane namespace that a signer's name is about; empty if it is none of ours."""
    domain, _, path = signer_name.partition("/")
    namespace, _, class_name = path.partition(".")
    return namespace if domain == DOMAIN and class_named(class_name) else ""


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long certificates live: the original's days, or shorter ones in tests."""

    day: timedelta = DAY

    def __post_init__(self) -> None:
        if not timedelta() < self.day <= DAY:
            raise InvalidSpec(f"the scale of certificate rotation must be within 24h: {self.day}")

    @property
    def signer(self) -> timedelta:
        return 7 * self.day

    @property
    def signer_refresh(self) -> timedelta:
        return 2 * self.day

    @property
    def client(self) -> timedelta:
        return 1.5 * self.day

    @property
    def client_refresh(self) -> timedelta:
        return self.day / 4


def authority_of(secret: Manifest | None) -> Authority | None:
    """The authority that a signer's Secret holds; None if it holds none that can be used."""
    return read_authority(data_of(secret, "tls.crt"), data_of(secret, "tls.key"))


def certificate_of(secret: Manifest | None) -> x509.Certificate | None:
    """The certificate of a Secret."""
    return certificate_from_pem(data_of(secret, "tls.crt"))


def is_forced(secret: Manifest | None) -> bool:
    """Whether a revocation asked for a new certificate in the place of this one."""
    return annotations_of(secret or {"metadata": {}}).get(NOT_AFTER) == FORCE


def is_fresh(certificate: x509.Certificate, now: datetime, refresh: timedelta) -> bool:
    """Whether a certificate is valid and younger than the age at which it is replaced."""
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return begins - DAY <= now < min(ends, begins + refresh)
