"""A kubelet's CertificateSigningRequest as far as approval looks at it, and who may send one."""

from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from cryptography.x509.oid import NameOID

from hypershift.api.conditions import ConditionStatus, SigningRequestCondition
from hypershift.kit import InvalidSpec, Manifest, from_rfc3339, rfc3339

KUBELET_SERVING = "kubernetes.io/kubelet-serving"
KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
NODE_PREFIX = "system:node:"
NODES_GROUP = "system:nodes"
AUTHENTICATED = "system:authenticated"
#: All that is read of a request; conditions are all that an approval changes.
FIELDS = (
    ("metadata", "annotations"),
    *(("spec", name) for name in ("request", "signerName", "username", "groups", "usages", "uid")),
    ("status", "conditions"),
)
_CLIENT_USAGES = (
    {"digital signature", "client auth"},
    {"digital signature", "client auth", "key encipherment"},
)
_SERVING_USAGES = {"digital signature", "server auth"}
_BEGIN = b"-----BEGIN CERTIFICATE REQUEST-----"


@dataclass(frozen=True, slots=True)
class Bootstrapper:
    """Whom machines are while they ask for their first certificate."""

    user: str
    groups: frozenset[str]


OPENSHIFT = Bootstrapper(
    "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper",
    frozenset(
        {
            "system:serviceaccounts:openshift-machine-config-operator",
            "system:serviceaccounts",
            AUTHENTICATED,
        }
    ),
)
KUBERNETES = Bootstrapper(
    "system:node-bootstrapper", frozenset({"system:bootstrappers", AUTHENTICATED})
)


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


def readable(found: Iterable[Manifest]) -> dict[str, tuple[Csr, Manifest]]:
    """Requests by name, read and as they are; a malformed one is skipped and delays no other."""
    requests: dict[str, tuple[Csr, Manifest]] = {}
    for manifest in found:
        try:
            requests[manifest["metadata"]["name"]] = (read(manifest), manifest)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return requests


def approved(manifest: Manifest, reason: str, message: str, now: datetime) -> Manifest:
    """The request with the condition that lets the signer sign."""
    status = manifest.get("status") or {}
    condition = {
        "type": SigningRequestCondition.APPROVED.value,
        "status": ConditionStatus.TRUE.value,
        "reason": reason,
        "message": message,
        "lastUpdateTime": rfc3339(now),
        "lastTransitionTime": rfc3339(now),
    }
    conditions = [*(status.get("conditions") or ()), condition]
    return manifest | {"status": status | {"conditions": conditions}}


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


def bootstrapper_of(certificate: bytes) -> Bootstrapper:
    """Whom new machines are to the hosted API, by the certificate that they are given."""
    subject = x509.load_pem_x509_certificate(certificate).subject
    name = subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    groups = subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    return Bootstrapper(str(name), frozenset({str(one.value) for one in groups} | {AUTHENTICATED}))


def concerns_us(csr: Csr, bootstrapper: Bootstrapper) -> bool:
    """Whether a request is one that kubelets send."""
    if csr.signer == KUBELET_SERVING:
        return NODES_GROUP in csr.groups
    return csr.signer == KUBELET_CLIENT and csr.user == bootstrapper.user


def is_client(csr: Csr, content: Content) -> bool:
    """Whether a request is for a node's own identity, and for nothing else."""
    names = content.names
    return (
        content.organizations == (NODES_GROUP,)
        and not (names.dns or names.emails or names.ips)
        and any(
            len(csr.usages) == len(usages) and set(csr.usages) <= usages
            for usages in _CLIENT_USAGES
        )
        and content.common_name.startswith(NODE_PREFIX)
    )


def why_no_serving(csr: Csr, content: Content) -> str:
    """Return why a request is not for a certificate by which its sender serves; empty if it is."""
    if not csr.user.startswith(NODE_PREFIX) or csr.user == NODE_PREFIX:
        return "not from a node"
    if not {NODES_GROUP, AUTHENTICATED} <= set(csr.groups):
        return "not in the nodes' groups"
    if len(csr.usages) not in (2, 3) or not set(csr.usages) >= _SERVING_USAGES:
        return "not for serving"
    if content.common_name != csr.user:
        return "for somebody else than who asks"
    return "" if NODES_GROUP in content.organizations else "not for a node"
