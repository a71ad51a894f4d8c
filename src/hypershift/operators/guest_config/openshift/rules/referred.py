"""What the user's configuration refers to: copies for programs inside."""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.api.configuration.authentication import Authentication
from hypershift.api.configuration.oidc import OIDCProvider
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.publishing import is_aro
from hypershift.api.values import AuthenticationType
from hypershift.kit import InvalidSpec, Manifest, annotations_of, data_of
from hypershift.operators.guest_config.openshift.rules.guest import (
    CONFIG,
    Guest,
    config_map,
    secret,
)

BUNDLE, CLIENT_SECRET = "ca-bundle.crt", "clientSecret"
USER_CA = ("openshift-user-ca", "openshift-controller-manager")


def reads(spec: HostedControlPlaneSpec) -> Iterator[tuple[str, str]]:
    """Kinds and names of what is copied, in the control plane namespace."""
    for name in (_registry_ca(spec), _proxy_ca(spec), _issuer_ca(spec)):
        if name:
            yield "ConfigMap", name
    for name in _clients(spec):
        yield "Secret", name


def registry_trust(guest: Guest) -> Iterator[Manifest]:
    """Authorities of registries that the cluster pulls from."""
    if name := _registry_ca(guest.spec):
        found = _found(guest, "ConfigMap", name, "image registry additional trusted CA configmap")
        yield config_map(name, CONFIG, found.get("data") or {})


def proxy_trust(guest: Guest) -> Iterator[Manifest]:
    """Authorities of the proxy, for the cluster and for builds."""
    if name := _proxy_ca(guest.spec):
        data = _found(guest, "ConfigMap", name, "proxy CA bundle ConfigMap").get("data") or {}
        yield config_map(name, CONFIG, data)
        yield config_map(*USER_CA, data)


def login(guest: Guest) -> Iterator[Manifest]:
    """What clients of the user's own login service are given."""
    if name := _issuer_ca(guest.spec):
        found = _found(guest, "ConfigMap", name, "issuer CA configmap")
        yield config_map(name, CONFIG, {BUNDLE: (found.get("data") or {}).get(BUNDLE, "")})
    for name in _clients(guest.spec):
        found = _found(guest, "Secret", name, "OIDCClient secret")
        if not (is_aro(guest.spec) and _brought_by_user(found)):
            yield secret(name, CONFIG, {CLIENT_SECRET: data_of(found, CLIENT_SECRET)})


def unwanted(guest: Guest) -> Iterator[Manifest]:
    """Bundles whose original the HostedCluster no longer has."""
    if guest.spec.additional_trust_bundle is None:
        yield config_map("user-ca-bundle", CONFIG, {})
    if not _proxy_ca(guest.spec):
        yield config_map(*USER_CA, {})


def _brought_by_user(found: Manifest) -> bool:
    """Whether the managed service leaves it to the cluster's users to bring the Secret."""
    return annotations_of(found).get(annotations.HOSTED_CLUSTER_SOURCED) == "true"


def _found(guest: Guest, kind: str, name: str, described: str) -> Manifest:
    found = guest.objects.get((kind, name))
    if found is None:
        raise InvalidSpec(f"failed to get {described} {name}")
    return found


def _registry_ca(spec: HostedControlPlaneSpec) -> str:
    image = spec.configuration.image if spec.configuration else None
    return image.additional_trusted_ca.name if image and image.additional_trusted_ca else ""


def _proxy_ca(spec: HostedControlPlaneSpec) -> str:
    proxy = spec.configuration.proxy if spec.configuration else None
    return proxy.trusted_ca.name if proxy and proxy.trusted_ca else ""


def _provider(spec: HostedControlPlaneSpec) -> OIDCProvider | None:
    """The login service of the user's own: the first is the only one that programs know."""
    said = (spec.configuration.authentication if spec.configuration else None) or Authentication()
    if said.type != AuthenticationType.OIDC:
        return None
    return next(iter(said.oidc_providers), None)


def _issuer_ca(spec: HostedControlPlaneSpec) -> str:
    provider = _provider(spec)
    authority = provider.issuer.issuer_certificate_authority if provider else None
    return authority.name if authority else ""


def _clients(spec: HostedControlPlaneSpec) -> Iterator[str]:
    provider = _provider(spec)
    for client in provider.oidc_clients if provider else ():
        if client.client_secret and client.client_secret.name:
            yield client.client_secret.name
