"""Whether the user's serving certificates are certificates, and leave our own names alone."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from datetime import datetime

from cryptography import x509
from cryptography.x509.oid import ExtensionOID

from hypershift.kit import Manifest
from hypershift.pki import certificate_from_pem, key_from_pem

BUNDLE_KEY = "ca-bundle.crt"
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
    "kube-apiserver",
)


def certificate_problems(
    spec: Manifest, secrets: Mapping[str, Manifest | None], internal: tuple[str, ...]
) -> Iterator[str]:
    """Yield what is wrong with named certificates, given the Secrets that hold them."""
    for name, wanted in _named(spec):
        secret = secrets.get(name)
        if secret is None:
            yield f"named certificate secret {name!r} is not there"
            continue
        problem, own = _read(name, secret)
        if problem:
            yield problem
            continue
        for host in wanted or own:
            for ours in (*INTERNAL_NAMES, *internal):
                if covers(host, ours):
                    yield f"named certificate {name!r} claims {host!r}, which is our own {ours!r}"


def bundle_problem(name: str, bundle: Manifest | None, now: datetime) -> str:
    """Say what is wrong with a ConfigMap of certificates to trust; empty when nothing is."""
    if bundle is None:
        return f"ConfigMap {name!r} is not there"
    text = (bundle.get("data") or {}).get(BUNDLE_KEY) or ""
    if not text:
        return f"ConfigMap {name!r} has no key {BUNDLE_KEY!r}"
    try:
        certificates = x509.load_pem_x509_certificates(text.encode())
    except ValueError:
        return f"ConfigMap {name!r} holds no certificate that can be read"
    for one in certificates:
        if not one.not_valid_before_utc <= now <= one.not_valid_after_utc:
            return f"certificate {one.subject.rfc4514_string()} is not valid now"
    return ""


def named_secrets(spec: Manifest) -> tuple[str, ...]:
    """The Secrets that hold named certificates."""
    return tuple(name for name, _ in _named(spec))


def covers(pattern: str, name: str) -> bool:
    """Whether a certificate name stands for a host; a wildcard stands for one label."""
    pattern, name = pattern.lower(), name.lower()
    if pattern.startswith("*."):
        head, dot, rest = name.partition(".")
        return bool(head and dot) and rest == pattern[2:]
    return pattern == name


def _named(spec: Manifest) -> Iterator[tuple[str, tuple[str, ...]]]:
    serving = ((spec.get("configuration") or {}).get("apiServer") or {}).get("servingCerts") or {}
    for entry in serving.get("namedCertificates") or ():
        if name := (entry.get("servingCertificate") or {}).get("name"):
            yield name, tuple(entry.get("names") or ())


def _read(name: str, secret: Manifest) -> tuple[str, tuple[str, ...]]:
    data = {key: b64decode(value) for key, value in (secret.get("data") or {}).items()}
    certificate = certificate_from_pem(data.get("tls.crt", b""))
    key = key_from_pem(data.get("tls.key", b""))
    if certificate is None or key is None:
        part = "certificate in tls.crt" if certificate is None else "private key in tls.key"
        return f"secret {name!r} has no {part} that can be read", ()
    if certificate.public_key() != key.public_key():
        return f"secret {name!r}: the private key does not belong to the certificate", ()
    return "", _hosts(certificate)


def _hosts(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        found = certificate.extensions.get_extension_for_oid(ExtensionOID.SUBJECT_ALTERNATIVE_NAME)
    except x509.ExtensionNotFound:
        return ()
    names = found.value
    assert isinstance(names, x509.SubjectAlternativeName)  # noqa: S101 - what that OID holds
    return tuple(names.get_values_for_type(x509.DNSName))
