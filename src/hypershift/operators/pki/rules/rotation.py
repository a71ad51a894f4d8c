"""Decide which signers, trust bundles and client certificates to write: pure, from what is there.

    signer (new key every two days) ─► its bundle (all generations that are valid) ─► total bundle
          └─► client certificate (new every six hours)

The controller of HostedControlPlanes alone writes these objects. A revocation marks a signer or a
client certificate, and states from when on a bundle has to do without old generations.
"""

import secrets as randomness
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from string import ascii_letters, digits
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from hypershift.kit import Manifest, rfc3339
from hypershift.operators.pki.rules.signer import (
    BUNDLE_KEY,
    CLASSES,
    ISSUER,
    NOT_AFTER,
    NOT_BEFORE,
    TOTAL_BUNDLE,
    Lifetimes,
    SignerClass,
    authority_of,
    certificate_of,
    is_forced,
    is_fresh,
)
from hypershift.pki import Authority, KeySource, Leaf, Usage, new_key, self_signed
from hypershift.pki.authority import SKEW
from hypershift.pki.keys import Algorithm

UNIT = "openshift"
MASTERS = "system:masters"
#: As many characters as 32 random bytes need, so that the name cannot be guessed.
RANDOM_LENGTH = 43


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A revocation that got to where old generations must not be trusted any more."""

    signer_class: str
    moment: datetime
    previous: bytes = b""  # the certificate that was replaced, as DER

    def allows(self, certificate: x509.Certificate) -> bool:
        """Whether a generation is newer than the revocation."""
        der = certificate.public_bytes(Encoding.DER)
        return issued_at(certificate) > self.moment and der != self.previous


@dataclass(frozen=True, slots=True)
class Site:
    """The control plane that signers belong to, and the time there."""

    namespace: str
    owner: Mapping[str, Any]
    now: datetime
    lifetimes: Lifetimes = field(default_factory=Lifetimes)


def issued_at(certificate: x509.Certificate) -> datetime:
    """When a signer was made: its certificate is dated back a little, for clocks that lag."""
    return certificate.not_valid_before_utc + SKEW


def signer(
    site: Site, which: SignerClass, found: Manifest | None, keys: KeySource = new_key
) -> Manifest | None:
    """The Secret of a new generation; None while the one that is there may stay."""
    known, now = authority_of(found), site.now
    refresh = site.lifetimes.signer_refresh
    if known is not None and not is_forced(found) and is_fresh(known.certificate, now, refresh):
        return None
    name = f"{site.namespace}_{which.signer}@{int(now.timestamp())}"
    made = self_signed(name, UNIT, keys(Algorithm.ECDSA_P256), now, site.lifetimes.signer)
    return _secret(site, which.signer, found, made.pem, made.pair.key.reveal())


def bundle(
    site: Site,
    which: SignerClass,
    found: Manifest | None,
    current: x509.Certificate,
    cutoffs: Iterable[Cutoff],
) -> Manifest | None:
    """The ConfigMap with the generations to trust; None while it is right."""
    limits = [one for one in cutoffs if one.signer_class == which.name]
    kept = [
        one
        for one in certificates(found)
        if one != current
        and site.now < one.not_valid_after_utc
        and all(x.allows(one) for x in limits)
    ]
    return _config_map(site, which.bundle, found, [*kept, current])


def total(site: Site, found: Manifest | None, parts: Sequence[Manifest | None]) -> Manifest | None:
    """The ConfigMap that the API server's client bundle takes in; None while it is right."""
    return _config_map(
        site, TOTAL_BUNDLE, found, [one for part in parts for one in certificates(part)]
    )


def client(
    site: Site,
    which: SignerClass,
    found: Manifest | None,
    authority: Authority,
    trusted: Sequence[x509.Certificate],
) -> Manifest | None:
    """The Secret of a new client certificate; None while the one that is there may stay."""
    known, refresh = certificate_of(found), site.lifetimes.client_refresh
    fresh = known is not None and is_fresh(known, site.now, refresh) and verifies(known, trusted)
    if fresh and not is_forced(found):
        return None
    leaf = Leaf(random_name(which), (MASTERS,), Usage.CLIENT, validity=site.lifetimes.client)
    pair = authority.issue(leaf, site.now)
    return _secret(site, which.client, found, pair.certificate, pair.key.reveal())


def random_name(which: SignerClass) -> str:
    """A common name of a class that cannot be guessed."""
    characters = ascii_letters + digits
    random = "".join(randomness.choice(characters) for _ in range(RANDOM_LENGTH))
    return which.common_name_prefix + random


def verifies(certificate: x509.Certificate, trusted: Iterable[x509.Certificate]) -> bool:
    """Whether one of the trusted authorities issued a certificate."""
    for authority in trusted:
        try:
            certificate.verify_directly_issued_by(authority)
        except Exception:  # noqa: BLE001, S112 - each of several errors says: not by this one
            continue
        return True
    return False


def certificates(found: Manifest | None) -> list[x509.Certificate]:
    """The certificates of a bundle; a text that is none counts as an empty bundle."""
    text = ((found or {}).get("data") or {}).get(BUNDLE_KEY, "")
    try:
        return x509.load_pem_x509_certificates(text.encode())
    except ValueError:
        return []


def next_look(found: Iterable[tuple[Manifest | None, timedelta]], now: datetime) -> timedelta:
    """How long all of the certificates stay fresh."""
    moments = [
        certificate.not_valid_before_utc + refresh
        for secret, refresh in found
        if (certificate := certificate_of(secret)) is not None
    ]
    return max(timedelta(seconds=1), min(moments, default=now) - now)


def _secret(site: Site, name: str, found: Manifest | None, crt: bytes, key: bytes) -> Manifest:
    certificate = x509.load_pem_x509_certificate(crt)
    data = {"tls.crt": crt, "tls.key": key}
    made = _object(site, "Secret", name, found) | {
        "type": "kubernetes.io/tls",
        "data": {each: b64encode(value).decode() for each, value in data.items()},
    }
    made["metadata"]["annotations"] = {
        NOT_BEFORE: rfc3339(certificate.not_valid_before_utc),
        NOT_AFTER: rfc3339(certificate.not_valid_after_utc),
        ISSUER: _common_name(certificate),
    }
    return made


def _common_name(certificate: x509.Certificate) -> str:
    names = certificate.issuer.get_attributes_for_oid(x509.oid.NameOID.COMMON_NAME)
    return str(names[0].value) if names else ""


def _config_map(
    site: Site, name: str, found: Manifest | None, content: Sequence[x509.Certificate]
) -> Manifest | None:
    text = "".join(one.public_bytes(Encoding.PEM).decode() for one in content)
    if found is not None and (found.get("data") or {}).get(BUNDLE_KEY) == text:
        return None
    return _object(site, "ConfigMap", name, found) | {"data": {BUNDLE_KEY: text}}


def _object(site: Site, kind: str, name: str, found: Manifest | None) -> Manifest:
    """An object that only overwrites the version that was looked at."""
    metadata: dict[str, Any] = {
        "name": name,
        "namespace": site.namespace,
        "ownerReferences": [dict(site.owner)],
    }
    if found is not None:
        metadata["resourceVersion"] = found["metadata"]["resourceVersion"]
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata}


#: Every object that rotation keeps.
SECRETS = frozenset(name for one in CLASSES for name in (one.signer, one.client))
CONFIG_MAPS = frozenset({TOTAL_BUNDLE, *(one.bundle for one in CLASSES)})
