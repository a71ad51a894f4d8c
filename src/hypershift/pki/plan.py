"""Decide what to write so that a control plane's Secrets and bundles follow the table."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hypershift.kit import Manifest, Secret
from hypershift.pki.authority import (
    Authority,
    KeyPair,
    certificate_from_pem,
    new_authority,
    read_authority,
    self_signed,
)
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET, Existing, Wanted, secret_data
from hypershift.pki.keys import (
    Algorithm,
    KeySource,
    key_from_pem,
    key_to_pem,
    new_key,
    public_pem,
)
from hypershift.pki.known_good import is_known_good, remember_good
from hypershift.pki.leaf import Leaf
from hypershift.pki.rotation import AUTHORITY_POLICY, expires_soon, why_reissue
from hypershift.pki.site import Site
from hypershift.pki.spec import AuthoritySpec, BundleSpec, LeafSpec
from hypershift.pki.succession import Succession, first_pem
from hypershift.pki.table import AUTHORITIES, BUNDLES, LEAVES, shard_leaves
from hypershift.pki.token_keys import KEY, PUBLIC


def wanted(site: Site, succession: Succession | None = None) -> Wanted:
    """Choose what a cluster needs; nothing when another program provides its PKI."""
    if not site.policy.enabled:
        return Wanted(site, (), (), ())
    return Wanted(
        site,
        tuple(spec for spec in AUTHORITIES if spec.when(site)),
        tuple(spec for spec in BUNDLES if spec.when(site)),
        (*(spec for spec in LEAVES if spec.when(site)), *shard_leaves(site)),
        succession,
    )


def authorities(existing: Existing, plan: Wanted) -> dict[str, Authority]:
    """The authorities that are there and can be used, by the names of their Secrets."""
    pairs = ((spec.secret, secret_data(existing, spec.secret)) for spec in plan.authorities)
    found = (
        (name, read_authority(data.get("ca.crt", b""), data.get("ca.key", b"")))
        for name, data in pairs
    )
    return {name: authority for name, authority in found if authority is not None}


def leaf_of(spec: LeafSpec, site: Site) -> Leaf:
    """The certificate that a line of the table means for this cluster."""
    return Leaf(
        spec.common_name,
        spec.organizations,
        spec.usage,
        frozenset(spec.dns(site)),
        frozenset(spec.ips(site)),
        site.policy.validity,
    )


def reconcile(
    existing: Existing, plan: Wanted, now: datetime, *, keys: KeySource = new_key
) -> list[Manifest]:
    """The Secrets and ConfigMaps to write so that everything wanted is there and right.

    Empty when nothing has to change. Makes keys, so run it off the event loop.
    """
    if not plan.site.policy.enabled or is_known_good(existing, plan, now):
        return []
    changes = [
        manifest
        for manifest in _desired(existing, plan, now, keys)
        if _differs(existing.get((manifest["kind"], manifest["metadata"]["name"])), manifest)
    ]
    if not changes:
        remember_good(existing, plan, now)
    return changes


def _desired(
    existing: Existing, plan: Wanted, now: datetime, keys: KeySource
) -> Iterator[Manifest]:
    signers: dict[str, Signer] = {}
    for spec in plan.authorities:
        authority = _successor(plan, spec) or _authority(
            secret_data(existing, spec.secret), spec, now, keys
        )
        signers[spec.secret] = _signer(plan, spec, authority)
        yield _secret(plan.site, spec.secret, _authority_data(authority))
    for bundle in plan.bundles:
        text = _bundle(existing, bundle, signers, plan.site)
        yield _config_map(plan.site, bundle.name, text)
    for leaf in plan.leaves:
        data = secret_data(existing, leaf.secret)
        signer = signers[leaf.signer]
        yield _secret(plan.site, leaf.secret, _leaf(data, leaf, signer, plan.site, now, keys), leaf)
    data = secret_data(existing, SERVICE_ACCOUNT_SECRET)
    yield _secret(plan.site, SERVICE_ACCOUNT_SECRET, _service_account_key(data, plan, keys))


@dataclass(frozen=True, slots=True)
class Signer:
    """An authority, and what goes with its certificates while it replaces another one."""

    authority: Authority
    trusted: bytes  # PEM of itself, and of the other one while both are trusted
    chain: bytes = b""  # PEM that servers show behind their certificates


def _successor(plan: Wanted, spec: AuthoritySpec) -> Authority | None:
    return plan.succession.signer(spec.secret) if plan.succession else None


def _signer(plan: Wanted, spec: AuthoritySpec, authority: Authority) -> Signer:
    if plan.succession is None:
        return Signer(authority, authority.pem)
    trusted = plan.succession.trusted(spec.secret, authority.pem)
    return Signer(authority, trusted, plan.succession.chain(spec.secret))


def _authority(
    data: Mapping[str, bytes], spec: AuthoritySpec, now: datetime, keys: KeySource
) -> Authority:
    """Keep an authority; renew its certificate with the same key while that key is there."""
    name = spec.common_name or spec.secret
    found = read_authority(data.get("ca.crt", b""), data.get("ca.key", b""))
    if found is not None and not expires_soon(found.certificate, now, AUTHORITY_POLICY):
        return found
    if (key := key_from_pem(data.get("ca.key", b""))) is not None:
        return self_signed(name, spec.unit, key, now)
    return new_authority(name, now, unit=spec.unit, keys=keys)


def _authority_data(authority: Authority) -> dict[str, bytes]:
    pair = authority.pair
    certificate, key = pair.certificate, pair.key.reveal()
    return {"ca.crt": certificate, "ca.key": key, "tls.crt": certificate, "tls.key": key}


def _bundle(
    existing: Existing, spec: BundleSpec, signers: Mapping[str, Signer], site: Site
) -> dict[str, str]:
    parts = [signers[name].trusted.decode() for name in spec.authorities if name in signers]
    for name, key in spec.also if spec.also_when(site) else ():
        text = (existing.get(("ConfigMap", name), {}).get("data") or {}).get(key, "")
        if certificate_from_pem(text.encode()) is not None:
            parts.append(text)
    return {"ca.crt": "".join(part.rstrip("\n") + "\n" for part in parts)}


def _leaf(  # noqa: PLR0917 - the six things that decide a certificate
    data: Mapping[str, bytes],
    spec: LeafSpec,
    signer: Signer,
    site: Site,
    now: datetime,
    keys: KeySource,
) -> dict[str, bytes]:
    leaf = leaf_of(spec, site)
    certificate, key = f"{spec.stem}.crt", f"{spec.stem}.key"
    pair = KeyPair(first_pem(data.get(certificate, b"")), Secret(data.get(key, b"")))
    if why_reissue(pair, leaf, signer.authority, now, site.policy):
        pair = signer.authority.issue(leaf, now, keys=keys)
    content = {certificate: pair.certificate + signer.chain, key: pair.key.reveal()}
    return content | ({"ca.crt": signer.trusted} if spec.stem == "tls" else {})


def _service_account_key(
    data: Mapping[str, bytes], plan: Wanted, keys: KeySource
) -> dict[str, bytes]:
    """Keep the key that signs service account tokens: to replace it at once ends every token."""
    pem, public = data.get(KEY, b""), data.get(PUBLIC, b"")
    replaced = plan.succession.token_keys if plan.succession else None
    if replaced and not plan.site.has_own_token_key:
        return replaced.pair(pem)
    key = key_from_pem(pem)
    if key is None:
        key = keys(Algorithm.RSA_2048 if plan.site.federated else Algorithm.ECDSA_P256)
        return {KEY: key_to_pem(key), PUBLIC: public_pem(key)}
    # Behind its own half may be that of the key before it, whose tokens are still about.
    return {KEY: pem, PUBLIC: public or public_pem(key)}


def _secret(
    site: Site, name: str, data: Mapping[str, bytes], leaf: LeafSpec | None = None
) -> Manifest:
    encoded = {key: b64encode(value).decode() for key, value in data.items()}
    kind = leaf.type if leaf else "Opaque"
    return _object(site, "Secret", name) | {"type": kind, "data": encoded}


def _config_map(site: Site, name: str, data: Mapping[str, str]) -> Manifest:
    return _object(site, "ConfigMap", name) | {"data": dict(data)}


def _object(site: Site, kind: str, name: str) -> Manifest:
    metadata: dict[str, Any] = {"name": name, "namespace": site.namespace}
    if site.owner:
        metadata["ownerReferences"] = [site.owner]
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata}


def _differs(found: Manifest | None, desired: Manifest) -> bool:
    if found is None:
        return True
    return any(
        (found.get("data") or {}).get(key) != value for key, value in desired["data"].items()
    )
