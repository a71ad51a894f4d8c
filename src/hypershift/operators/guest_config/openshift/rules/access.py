"""Who users and programs inside trust, and how users log in."""

from collections.abc import Iterator

from hypershift.api import annotations
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.values import Capability
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import (
    CONFIG,
    CONFIG_MANAGED,
    Guest,
    config_map,
    secret,
)

BUNDLE = "ca-bundle.crt"
TRUST = "system:openshift:oauth-servercert-trust"
RBAC = "rbac.authorization.k8s.io"
SERVING_CERT = "oauth-serving-cert"
ADMINISTRATOR, SYSTEM = "kubeadmin", "kube-system"


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Bundles of authorities, credentials, and clients of the OAuth server."""
    if not _owns_pull_secrets(guest):
        yield from pull_secrets(guest)
    yield from bundles(guest)
    if guest.ingress_cert and guest.has_capability(Capability.INGRESS):
        yield secret("default-ingress-cert", "openshift-ingress", guest.ingress_cert)
    if guest.oauth_enabled:
        yield from oauth_clients(guest)
    yield from first_administrator(guest)


def at_first(guest: Guest) -> Iterator[Manifest]:
    """Yield the pull secrets, where users inside decide about what they hold."""
    if _owns_pull_secrets(guest):
        yield from pull_secrets(guest)


def _owns_pull_secrets(guest: Guest) -> bool:
    return annotations.ENSURE_EXISTS_PULL_SECRET in guest.annotations


def pull_secrets(guest: Guest) -> Iterator[Manifest]:
    """The pull secret, for operators and for everybody's image imports."""
    if guest.pull_secret:
        for namespace in (CONFIG, "openshift"):
            data = {DOCKER_CONFIG: guest.pull_secret}
            yield secret(PULL_SECRET, namespace, data, "kubernetes.io/dockerconfigjson")


def bundles(guest: Guest) -> Iterator[Manifest]:
    """Yield the authorities that programs inside check others by."""
    if guest.user_ca:
        yield config_map("user-ca-bundle", CONFIG, {BUNDLE: guest.user_ca})
    if guest.signer_ca:
        yield _of_component(
            "kube-controller-manager",
            config_map("kubelet-serving-ca", CONFIG_MANAGED, {BUNDLE: guest.signer_ca}),
        )
        signer = {"tls.crt": guest.signer_ca.encode()}
        yield _of_component(
            "kube-apiserver",
            secret("kube-control-plane-signer", "openshift-kube-apiserver-operator", signer),
        )
    if guest.oauth_ca and guest.oauth_enabled:
        yield config_map(SERVING_CERT, CONFIG_MANAGED, {BUNDLE: guest.oauth_ca})
        yield from _readable_by_all()


def _of_component(component: str, manifest: Manifest) -> Manifest:
    """Say which component of a standalone cluster would own a certificate."""
    marked = {"annotations": {"openshift.io/owning-component": component}}
    return {**manifest, "metadata": {**manifest["metadata"], **marked}}


def first_administrator(guest: Guest) -> Iterator[Manifest]:
    """Yield the hash of kubeadmin's password, by which the OAuth server checks it."""
    if guest.oauth_enabled and guest.password and guest.password_hash:
        yield secret(ADMINISTRATOR, SYSTEM, {ADMINISTRATOR: guest.password_hash.encode()})


def unwanted(guest: Guest) -> Iterator[Manifest]:
    """Yield kubeadmin where users log in otherwise."""
    if not guest.password:
        yield secret(ADMINISTRATOR, SYSTEM, {})


def _readable_by_all() -> Iterator[Manifest]:
    """Anybody who logs in checks the OAuth server's certificate."""
    metadata = {"name": TRUST, "namespace": CONFIG_MANAGED}
    rule = {
        "apiGroups": [""],
        "resources": ["configmaps"],
        "resourceNames": [SERVING_CERT],
        "verbs": ["get", "list", "watch"],
    }
    yield {"apiVersion": f"{RBAC}/v1", "kind": "Role", "metadata": metadata, "rules": [rule]}
    yield {
        "apiVersion": f"{RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": metadata,
        "roleRef": {"apiGroup": RBAC, "kind": "Role", "name": TRUST},
        "subjects": [{"apiGroup": RBAC, "kind": "Group", "name": "system:authenticated"}],
    }


def oauth_clients(guest: Guest) -> Iterator[Manifest]:
    """Programs that may ask the OAuth server for tokens."""
    if guest.oauth_url:
        yield _client("openshift-browser-client", f"{guest.oauth_url}/oauth/token/display")
        implicit = _client(
            "openshift-challenging-client", f"{guest.oauth_url}/oauth/token/implicit"
        )
        yield {**implicit, "respondWithChallenges": True}
    yield _client("openshift-cli-client", "http://127.0.0.1/callback", "http://[::1]/callback")


def _client(name: str, *redirects: str) -> Manifest:
    return {
        "apiVersion": "oauth.openshift.io/v1",
        "kind": "OAuthClient",
        "metadata": {"name": name},
        "grantMethod": "auto",
        "redirectURIs": list(redirects),
    }
