"""Whether the user's serving certificates are certificates, and leave our own names alone."""

from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from cryptography import x509
from cryptography.x509.oid import ExtensionOID

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import invalid, not_found
from hypershift.pki import certificate_from_pem

#: Names under which the API server is called inside; a user's certificate must not claim them.
INTERNAL_NAMES = (
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
    "openshift",
    "openshift.default",
    "openshift.default.svc",
    "openshift.default.svc.cluster.local",
)
INTERNAL_ADDRESSES = ("127.0.0.1", "0:0:0:0:0:0:0:1")
#: The API server's own certificates, in the control plane namespace.
OWN_SECRETS = ("kas-server-private-crt", "kas-server-crt")
Secrets = Mapping[str, Manifest | None]
Entry = tuple[tuple[str, ...], str]  # the names that a certificate is for, and its Secret


@dataclass(frozen=True)
class Claims:
    """What certificates are for, in the order in which it was found."""

    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    def __add__(self, other: "Claims") -> "Claims":
        """Both, each claim once."""
        return Claims(
            tuple(dict.fromkeys((*self.names, *other.names))),
            tuple(dict.fromkeys((*self.addresses, *other.addresses))),
        )


def certificate_problems(
    spec: HostedClusterSpec, secrets: Secrets, ours: Secrets, name: str, *, compared: bool
) -> Iterator[str]:
    """Yield what is wrong with named certificates.

    `secrets` hold them, `ours` are the API server's own as far as there are any, and `name` is the
    cluster's. Where they are not `compared`, they need not leave our names alone.
    """
    users, own = Claims(), Claims()
    if entries := _named(spec):
        users, problem = _claimed(entries, secrets)
        if problem or not compared:
            yield from [problem] if problem else []
            return
        yield from _uncovered(spec.kube_api_server_dns_name or "", entries, secrets)
        # The original takes the name that the world has for the API server as not known yet.
        names = (*INTERNAL_NAMES, "", f"api.{name}.hypershift.local")
        own = Claims(names, (*INTERNAL_ADDRESSES, ""))
        if problem := _conflict("conflicting entries with KAS SANs", users, own):
            yield problem
            return
    yield from _own_problems(ours, users, own)


def _uncovered(host: str, entries: Iterable[Entry], secrets: Secrets) -> Iterator[str]:
    """Yield which certificates would be served under a name that they are not for.

    The API server chooses a certificate by the entry's names, so clients would refuse it.
    """
    for names, secret in entries:
        if not secret or not any(covers(name, host) for name in names):
            continue
        found, _ = _read(secrets.get(secret) or {})
        if not any(covers(name, host) for name in found.names):
            detail = f"certificate in Secret {secret} does not cover kubeAPIServerDNSName {host}"
            yield invalid("custom serving cert", list(found.names), detail)


def _own_problems(ours: Secrets, users: Claims, own: Claims) -> Iterator[str]:
    for secret in OWN_SECRETS:
        if ours.get(secret) is None:
            return  # the API server is not there yet
        found, trouble = _read(ours[secret] or {})
        if trouble:
            yield invalid("KAS TLS cert decrypt", secret, trouble)
            own = Claims()
        own += found
    if problem := _conflict("custom serving cert", users, own):
        yield problem


def named_secrets(spec: HostedClusterSpec) -> tuple[str, ...]:
    """The Secrets that hold named certificates."""
    return tuple(name for _, name in _named(spec) if name)


def _named(spec: HostedClusterSpec) -> list[Entry]:
    server = spec.configuration.api_server if spec.configuration else None
    entries = server.serving_certs.named_certificates if server and server.serving_certs else ()
    return [
        (entry.names, entry.serving_certificate.name if entry.serving_certificate else "")
        for entry in entries
    ]


def _claimed(entries: Iterable[Entry], secrets: Secrets) -> tuple[Claims, str]:
    users = Claims()
    for names, name in entries:
        users = Claims((*users.names, *names), users.addresses)
        if not name:
            continue
        secret = secrets.get(name)
        if secret is None:
            missing = not_found("secrets", name)
            return users, invalid("NamedCertificates get secret", name, missing)
        found, trouble = _read(secret)
        if trouble:
            return users, invalid("KAS TLS private cert decrypt", name, trouble)
        new = tuple(name for name in dict.fromkeys(found.names) if name not in users.names)
        users = Claims((*users.names, *new), (users + found).addresses)
    return users, ""


def _read(secret: Manifest) -> tuple[Claims, str]:
    text = (secret.get("data") or {}).get("tls.crt")
    if not text:
        return Claims(), "TLS secret or certificate entries are empty"
    pem = b64decode(text)
    certificate = certificate_from_pem(pem)
    if certificate is not None and (found := _claims(certificate)) is not None:
        return found, ""
    if b"-----BEGIN" not in pem:
        return Claims(), "failed to decode PEM block from certificate"
    why = "failed to parse certificate: x509: malformed certificate"
    return Claims(), f"error decrypting TLS certificate: {why}"


def _claims(certificate: x509.Certificate) -> Claims | None:
    """What a certificate is for; None if its extensions cannot be read."""
    try:
        found = certificate.extensions.get_extension_for_oid(ExtensionOID.SUBJECT_ALTERNATIVE_NAME)
    except x509.ExtensionNotFound:
        return Claims()
    except (ValueError, x509.DuplicateExtension, x509.UnsupportedGeneralNameType):
        return None
    names = found.value
    assert isinstance(names, x509.SubjectAlternativeName)  # noqa: S101 - what that OID holds
    addresses = names.get_values_for_type(x509.IPAddress)
    return Claims(tuple(names.get_values_for_type(x509.DNSName)), tuple(map(str, addresses)))


def _conflict(field: str, users: Claims, own: Claims) -> str:
    for kind, theirs, taken in (
        ("DNS names", users.names, own.names),
        ("IP addresses", users.addresses, own.addresses),
    ):
        if detail := _overlap(kind, theirs, taken):
            return invalid(field, list(theirs), detail)
    return ""


def _overlap(kind: str, theirs: Iterable[str], taken: tuple[str, ...]) -> str:
    end = f"The configuration is invalid because the custom {kind} is conflicting with the KAS SANs"
    start = f"conflicting {kind} found in KAS SANs."
    for entry in theirs:
        if entry in taken:
            return f"{start} kasEntries: [{' '.join(taken)}], customEntry: {entry}. {end}"
        for own in taken:
            if covers(own, entry) or covers(entry, own):
                return f"{start} kasEntry: {own}, customEntry: {entry}. {end}"
    return ""


def covers(pattern: str, name: str) -> bool:
    """Whether a certificate name matches a host; a wildcard matches one label."""
    if pattern.startswith("*."):
        _, dot, rest = name.partition(".")
        return name == pattern or (bool(dot) and rest == pattern[2:])
    return pattern == name
