"""Builders of what the inside of an OpenShift cluster follows."""

from typing import Any

from tests.unit.component.clusters import a_hosted_control_plane

from hypershift.api import HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.operators.guest_config.openshift.rules.guest import Guest

IMAGES = (
    "apiserver-network-proxy",
    "openshift-apiserver",
    "oauth-apiserver",
    "operator-lifecycle-manager",
)
OIDC: dict[str, Any] = {"configuration": {"authentication": {"type": "OIDC"}}}


def a_guest(images: tuple[str, ...] = IMAGES, **spec: Any) -> Guest:
    """The ordinary cluster with `spec` merged into its HostedControlPlane's."""
    plane = a_hosted_control_plane(**spec)
    plane["status"] = {"controlPlaneEndpoint": {"host": "api.example.org", "port": 6443}}
    return Guest(
        plane=read(HostedControlPlane, zeroed(HostedControlPlane, plane)),
        release_version="4.22.0",
        components={"kubernetes": "1.35.1"},
        images={name: f"registry.example/{name}:1" for name in images},
        addresses={
            "openshift-apiserver": "10.96.0.11",
            "openshift-oauth-apiserver": "10.96.0.12",
            "packageserver": "10.96.0.13",
        },
        root_ca="ROOT",
        oauth_ca="OAUTH",
        user_ca="USER",
        kubelet_client_ca="CLIENTS",
        kubelet_serving_ca="SERVING",
        pull_secret=b'{"auths":{}}',
        ingress_cert={"tls.crt": b"cert", "tls.key": b"key"},
        oauth_url="https://oauth.example.org:443",
    )
