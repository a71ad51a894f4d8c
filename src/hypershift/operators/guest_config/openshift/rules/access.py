"""Who users and programs inside trust, and how users log in."""

from base64 import b64encode
from collections.abc import Iterator, Mapping

from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.values import Capability
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import (
    CONFIG,
    CONFIG_MANAGED,
    Guest,
    config_map,
)

BUNDLE = "ca-bundle.crt"
TRUST = "system:openshift:oauth-servercert-trust"
RBAC = "rbac.authorization.k8s.io"
SERVING_CERT = "oauth-serving-cert"


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Bundles of authorities, credentials, and clients of the OAuth server."""
    yield from pull_secrets(guest)
    yield from bundles(guest)
    if guest.ingress_cert and guest.has_capability(Capability.INGRESS):
        yield _secret("default-ingress-cert", "openshift-ingress", guest.ingress_cert)
    if guest.oauth_enabled:
        yield from oauth_clients(guest)


def pull_secrets(guest: Guest) -> Iterator[Manifest]:
    """The pull secret, for operators and for everybody's image imports."""
    if guest.pull_secret:
        for namespace in (CONFIG, "openshift"):
            data = {DOCKER_CONFIG: guest.pull_secret}
            found = _secret(PULL_SECRET, namespace, data)
            yield {**found, "type": "kubernetes.io/dockerconfigjson"}


def bundles(guest: Guest) -> Iterator[Manifest]:
    """Yield the authorities that programs inside check others by."""
    if guest.user_ca:
        yield config_map("user-ca-bundle", CONFIG, {BUNDLE: guest.user_ca})
        yield config_map(
            "openshift-user-ca", "openshift-controller-manager", {"ca.crt": guest.user_ca}
        )
    if guest.kubelet_serving_ca:
        yield config_map("kubelet-serving-ca", CONFIG_MANAGED, {BUNDLE: guest.kubelet_serving_ca})
    if guest.kubelet_client_ca:
        signer = {"tls.crt": guest.kubelet_client_ca.encode()}
        yield _secret("kube-control-plane-signer", "openshift-kube-apiserver-operator", signer)
    if guest.oauth_ca and guest.oauth_enabled:
        yield config_map(SERVING_CERT, CONFIG_MANAGED, {BUNDLE: guest.oauth_ca})
        yield from _readable_by_all()


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


def _secret(name: str, namespace: str, data: Mapping[str, bytes]) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "data": {key: b64encode(value).decode() for key, value in data.items()},
    }
