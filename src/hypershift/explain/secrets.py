"""Facts about Secrets that an explanation needs; their content never leaves this module."""

import base64
import binascii
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hypershift import pki
from hypershift.api import HostedCluster
from hypershift.api import read as typed
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.explain.picture import Certificate, UserData
from hypershift.ignition import token
from hypershift.kit import Manifest, annotations_of, from_rfc3339
from hypershift.kube import Client, kinds

Ask = Callable[[str, Awaitable[list[Manifest]], list[Manifest]], Awaitable[list[Manifest]]]
_USER_DATA = "user-data-"


class Named(NamedTuple):
    """An object that a spec names: the field, its kind, the key that it must have, its name."""

    field: str
    kind: str
    key: str
    name: str


def named(spec: HostedClusterSpec) -> Iterator[Named]:
    """The objects that a cluster's spec names, with the key that each must have."""
    yield Named("pullSecret", "Secret", DOCKER_CONFIG, spec.pull_secret.name)
    if spec.ssh_key:
        yield Named("sshKey", "Secret", "id_rsa.pub", spec.ssh_key.name)
    if spec.additional_trust_bundle:
        bundle = spec.additional_trust_bundle.name
        yield Named("additionalTrustBundle", "ConfigMap", "ca-bundle.crt", bundle)


@dataclass(frozen=True, slots=True)
class Facts:
    """What was learnt."""

    references: Mapping[tuple[str, str], tuple[str, ...] | None] = field(default_factory=dict)
    certificates: tuple[Certificate, ...] = ()
    user_data: tuple[UserData, ...] = ()


async def read(client: Client, ask: Ask, cluster: Manifest, namespace: str) -> Facts:
    """Read the Secrets around a cluster and keep what a report may show of them."""
    own = cluster["metadata"]["namespace"]
    mine = await ask(f"secrets in {own}", client.list(kinds.SECRET, own), [])
    maps = await ask(f"configmaps in {own}", client.list(kinds.CONFIG_MAP, own), [])
    inner = await ask(f"secrets in {namespace}", client.list(kinds.SECRET, namespace), [])
    return Facts(
        references=dict(_references(cluster, [*mine, *maps])),
        certificates=tuple(certificates(inner)),
        user_data=tuple(user_data(inner, datetime.now(UTC))),
    )


def _references(
    cluster: Manifest, found: list[Manifest]
) -> Iterator[tuple[tuple[str, str], tuple[str, ...] | None]]:
    if not found:  # no permission to read it: no finding
        return
    keys = {(one["kind"], one["metadata"]["name"]): tuple(one.get("data") or ()) for one in found}
    for each in named(typed(HostedCluster, cluster).spec):
        if each.name:
            yield (each.kind, each.name), keys.get((each.kind, each.name))


def certificates(secrets: list[Manifest]) -> Iterator[Certificate]:
    """Every certificate of the control plane's own, and what is wrong with it."""
    leaves = {leaf.secret for leaf in pki.LEAVES}
    authorities = [each for secret in secrets for each in _authorities(secret)]
    for secret in secrets:
        name, data = secret["metadata"]["name"], secret.get("data") or {}
        for key in sorted(each for each in data if each.endswith(".crt") and each != "ca.crt"):
            content = _decoded(data[key])
            if b"BEGIN CERTIFICATE" in content or name in leaves:
                partner = _decoded(data.get(key.removesuffix("crt") + "key", ""))
                signers = authorities if name in leaves else []
                yield _certificate(name, key, content, partner, signers)


def _certificate(
    name: str, key: str, content: bytes, private: bytes, authorities: list[x509.Certificate]
) -> Certificate:
    never = datetime.min.replace(tzinfo=UTC)
    try:
        found = x509.load_pem_x509_certificate(content)
    except ValueError:
        return Certificate(name, key, "", never, never, "it cannot be read")
    problem = ""
    if private and not _fits(found, private):
        problem = "it does not belong to the private key beside it"
    elif authorities and not any(_signed(found, each) for each in authorities):
        problem = "it is signed by no authority of this control plane"
    subject = found.subject.rfc4514_string()
    start, end = found.not_valid_before_utc, found.not_valid_after_utc
    return Certificate(name, key, subject, start, end, problem)


def _fits(certificate: x509.Certificate, private: bytes) -> bool:
    key = pki.key_from_pem(private)
    if key is None:
        return False
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return key.public_key().public_bytes(*form) == certificate.public_key().public_bytes(*form)


def _signed(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _authorities(secret: Manifest) -> Iterator[x509.Certificate]:
    for content in (secret.get("data") or {}).values():
        text = _decoded(content)
        if b"BEGIN CERTIFICATE" not in text:
            continue
        try:
            found = x509.load_pem_x509_certificates(text)
        except ValueError:
            continue
        yield from (each for each in found if _is_authority(each))


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        return certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    except x509.ExtensionNotFound:
        return False


def user_data(secrets: list[Manifest], now: datetime) -> Iterator[UserData]:
    """Whether what machines boot with still opens the ignition server."""
    named = {each["metadata"]["name"]: each for each in secrets}
    for name, secret in named.items():
        if name.startswith(_USER_DATA):
            wanted = f"token-{name.removeprefix(_USER_DATA)}"
            found = named.get(wanted)
            why = _refused(_bearer(secret), found, now)
            made = str((found or secret)["metadata"].get("creationTimestamp", ""))
            yield UserData(name, wanted, not why, why, made)


def _refused(bearer: str, secret: Manifest | None, now: datetime) -> str:
    if secret is None:
        return "the token Secret is gone"
    expires = annotations_of(secret).get(token.EXPIRES_AT)
    if expires and from_rfc3339(expires) <= now:
        return f"the token expired at {expires}"
    data = secret.get("data") or {}
    good = {_decoded(data.get(key, "")).decode() for key in (token.TOKEN, token.OLD_TOKEN)}
    if bearer and bearer not in good:
        return "the token in it is no longer one that the ignition server knows"
    return ""


def _bearer(secret: Manifest) -> str:
    """The token that a machine would show; empty where it cannot be found."""
    try:
        document = json.loads(_decoded((secret.get("data") or {}).get("value", "")))
        headers = document["ignition"]["config"]["merge"][0]["httpHeaders"]
        line = next(each["value"] for each in headers if each["name"] == "Authorization")
        return base64.b64decode(line.removeprefix("Bearer ")).decode()
    except (ValueError, KeyError, IndexError, TypeError, StopIteration):
        return ""


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text or "")
    except (binascii.Error, ValueError):
        return b""
