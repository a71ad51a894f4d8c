"""A CertificateSigningRequest as far as approval looks at it."""

from base64 import b64decode
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.x509.oid import NameOID

from hypershift.api.conditions import SigningRequestCondition
from hypershift.kit import InvalidSpec, Manifest, from_rfc3339

KUBELET_SERVING = "kubernetes.io/kubelet-serving"
KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
NODE_PREFIX = "system:node:"
NODES_GROUP = "system:nodes"
AUTHENTICATED = "system:authenticated"
_BEGIN = b"-----BEGIN CERTIFICATE REQUEST-----"


@dataclass(frozen=True, slots=True)
class Names:
    """The subject alternative names of a request or certificate, by kind."""

    dns: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    ips: tuple[str, ...] = ()
    uris: tuple[str, ...] = ()

    def same(self, other: "Names") -> bool:
        """Whether both have the same entries in any order."""
        return all(
            set(getattr(self, kind)) == set(getattr(other, kind))
            for kind in ("dns", "emails", "ips", "uris")
        )


@dataclass(frozen=True, slots=True)
class Content:
    """What a request asks to be certified."""

    common_name: str
    organizations: tuple[str, ...]
    names: Names


@dataclass(frozen=True, slots=True)
class Csr:
    """A request, who sent it and when."""

    name: str
    signer: str
    user: str
    groups: tuple[str, ...]
    usages: tuple[str, ...]
    created: datetime
    request: bytes
    approved: bool

    def content(self) -> Content:
        """Read the request itself; `InvalidSpec` when it is none."""
        if not self.request.lstrip().startswith(_BEGIN):
            raise InvalidSpec("PEM block type must be CERTIFICATE REQUEST")
        try:
            read = x509.load_pem_x509_csr(self.request)
        except ValueError as error:
            raise InvalidSpec(f"the request cannot be read: {error}") from error
        return Content(*_subject(read.subject), names_of(read.extensions))


def read(manifest: Manifest) -> Csr:
    """A CSR object as a value."""
    spec, status = manifest["spec"], manifest.get("status") or {}
    conditions = status.get("conditions") or ()
    return Csr(
        name=manifest["metadata"]["name"],
        signer=spec.get("signerName", ""),
        user=spec.get("username", ""),
        groups=tuple(spec.get("groups") or ()),
        usages=tuple(spec.get("usages") or ()),
        created=from_rfc3339(manifest["metadata"]["creationTimestamp"]),
        request=b64decode(spec.get("request", "")),
        approved=any(one.get("type") == SigningRequestCondition.APPROVED for one in conditions),
    )


def _subject(subject: x509.Name) -> tuple[str, tuple[str, ...]]:
    names = subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    organizations = subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    common_name = str(names[0].value) if names else ""
    return common_name, tuple(str(one.value) for one in organizations)


def names_of(extensions: x509.Extensions) -> Names:
    """The subject alternative names among extensions."""
    try:
        found = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return Names()
    return Names(
        dns=tuple(found.get_values_for_type(x509.DNSName)),
        emails=tuple(found.get_values_for_type(x509.RFC822Name)),
        ips=tuple(str(one) for one in found.get_values_for_type(x509.IPAddress)),
        uris=tuple(found.get_values_for_type(x509.UniformResourceIdentifier)),
    )
