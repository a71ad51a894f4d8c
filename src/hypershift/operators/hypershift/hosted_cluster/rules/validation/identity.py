"""Whether a cluster's identities are well formed and its own."""

import re
from base64 import b64decode
from collections.abc import Iterator

from cryptography.hazmat.primitives.asymmetric import rsa

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import not_found
from hypershift.pki import key_from_pem

LONGEST_LABEL = 63
SIGNING_KEY = "key"
_HYPHENED = re.compile(r"(?i)[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}")
_RAW = re.compile(r"(?i)[0-9a-f]{32}")
_URN = "urn:uuid:"
_UUID, _BRACED, _PLAIN = 36, 38, 32


def identity_problems(spec: HostedClusterSpec) -> Iterator[str]:
    """Yield what is wrong with the cluster's id."""
    cluster_id = spec.cluster_id or ""
    if cluster_id and (why := why_no_uuid(cluster_id)):
        yield f'cannot parse cluster ID "{cluster_id}": {why}'


def why_no_uuid(text: str) -> str:
    """Return why a text is no UUID; empty when it is one, in braces, as a URN or bare hex too."""
    size = len(text.encode())
    if size == _PLAIN:
        return "" if _RAW.fullmatch(text) else "invalid UUID format"
    if size == _UUID + len(_URN):
        if text[: len(_URN)].lower() != _URN:
            return f'invalid urn prefix: "{text[: len(_URN)]}"'
        text = text[len(_URN) :]
    elif size == _BRACED:
        text = text[1:-1]
    elif size != _UUID:
        return f"invalid UUID length: {size}"
    return "" if _HYPHENED.fullmatch(text) else "invalid UUID format"


def namespace_problems(namespace: str) -> Iterator[str]:
    """Yield what is wrong with the name of the control plane namespace."""
    if len(namespace) > LONGEST_LABEL:
        yield (
            f"the control plane namespace {namespace!r} would be {len(namespace)} characters long; "
            f"at most {LONGEST_LABEL} are allowed: choose a shorter name"
        )


def signing_key(spec: HostedClusterSpec) -> str:
    """The Secret with the user's own key for service account tokens; empty without one."""
    return spec.service_account_signing_key.name if spec.service_account_signing_key else ""


def signing_key_problems(spec: HostedClusterSpec, secret: Manifest | None) -> Iterator[str]:
    """Yield why a key of the user's cannot sign service account tokens."""
    name = signing_key(spec)
    if not name:
        return
    if why := _signing_key(spec, name, secret):
        yield f"invalid service account signing key: {why}"


def _signing_key(spec: HostedClusterSpec, name: str, secret: Manifest | None) -> str:
    if not spec.issuer_url:
        return "the IssuerURL must be set when specifying a service account signing key"
    if secret is None:
        missing = not_found("secrets", name)
        return f"failed to get hostedcluster ServiceAccountSigningKey secret {name}: {missing}"
    data = secret.get("data") or {}
    if SIGNING_KEY not in data:
        return f'cannot find service account key "{SIGNING_KEY}" in secret {name}'
    pem = b64decode(data[SIGNING_KEY] or "")
    # Tokens are checked by cloud identity services too, and those ask for RS256.
    if isinstance(key_from_pem(pem), rsa.RSAPrivateKey) and b"BEGIN RSA PRIVATE KEY" in pem:
        return ""
    return f"cannot decode private key in secret {name}: {_why_no_key(pem)}"


def _why_no_key(pem: bytes) -> str:
    if b"-----BEGIN" not in pem:
        return "could not find a PEM block in the private key"
    for title, reader in ((b"EC PRIVATE KEY", "EC"), (b" PRIVATE KEY", "PKCS8")):
        if b"BEGIN" + title in pem or b"BEGIN " + title in pem:
            advice = f"(use Parse{reader}PrivateKey instead for this key format)"
            return f"x509: failed to parse private key {advice}"
    return "x509: the key cannot be read"
