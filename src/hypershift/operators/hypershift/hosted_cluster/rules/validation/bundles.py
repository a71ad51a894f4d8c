"""Whether the certificates that a user wants trusted are there, and certificates."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from cryptography import x509
from cryptography.x509.oid import NameOID

from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import not_found

KEY = "ca-bundle.crt"


def bundles(spec: HostedClusterSpec) -> tuple[str, ...]:
    """The ConfigMaps of certificates that a cluster names, in the order of their checks."""
    trusted = spec.additional_trust_bundle
    proxied = proxy_bundle(spec)
    return (*([trusted.name] if trusted is not None else []), *([proxied] if proxied else []))


def proxy_bundle(spec: HostedClusterSpec) -> str:
    """The ConfigMap with the certificates of the cluster's proxy; empty without one."""
    proxy = spec.configuration.proxy if spec.configuration else None
    return proxy.trusted_ca.name if proxy and proxy.trusted_ca else ""


def bundle_problems(spec: HostedClusterSpec, found: Mapping[str, Manifest | None]) -> Iterator[str]:
    """Yield which of them are missing, or lack their key."""
    for name in bundles(spec):
        config_map = found.get(name)
        if config_map is None:
            yield f"failed to get configMap {name}: {not_found('configmaps', name)}"
        elif KEY not in (config_map.get("data") or {}):
            yield f"configMap {name} must have a {KEY} key"


def proxy_problem(name: str, bundle: Manifest | None, now: datetime) -> str:
    """Return what is wrong with the certificates of a proxy; empty when nothing is."""
    if bundle is None:
        return not_found("configmaps", name)
    data = bundle.get("data") or {}
    if KEY not in data:
        return f'ConfigMap "{name}" is missing "{KEY}"'
    if not data[KEY]:
        return f'data key "{KEY}" is empty from ConfigMap "{name}"'
    try:
        certificates = x509.load_pem_x509_certificates(data[KEY].encode())
    except ValueError:
        why = "Could not read any certificates"
        return f'failed parsing certificate data from ConfigMap "{name}": {why}'
    try:
        return next((why for one in certificates if (why := _out_of_date(one, now))), "")
    except ValueError:  # a date or a name in it that cannot be read
        return f'failed parsing certificate data from ConfigMap "{name}": malformed certificate'


def _out_of_date(certificate: x509.Certificate, now: datetime) -> str:
    start = "a configured certificate in the ca bundle"
    if certificate.not_valid_before_utc > now:
        return f"{start} is not yet valid: {_name(certificate)}"
    if certificate.not_valid_after_utc < now:
        return f"{start} was no longer valid: {_name(certificate)}"
    return ""


def _name(certificate: x509.Certificate) -> str:
    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(names[0].value) if names else ""
