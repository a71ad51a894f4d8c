"""Builders of what the inside of an OpenShift cluster follows."""

from base64 import b64encode
from typing import Any

from tests.unit.component.clusters import a_hosted_control_plane

from hypershift.api import HostedControlPlane, read
from hypershift.api.defaults import zeroed
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import Guest
from hypershift.release import Version

IMAGES = (
    "apiserver-network-proxy",
    "openshift-apiserver",
    "oauth-apiserver",
    "operator-lifecycle-manager",
    "cluster-monitoring-operator",
    "azure-cloud-node-manager",
)
OIDC: dict[str, Any] = {"configuration": {"authentication": {"type": "OIDC"}}}


OBJECTS: dict[tuple[str, str], Manifest] = {
    ("Secret", name): {
        "kind": "Secret",
        "metadata": {"name": name},
        "data": {key: b64encode(b"fake").decode() for key in ("ibmcloud_api_key", "cacert")},
    }
    for name in ("clouds", "ingress", "storage", "registry")
} | {
    ("ConfigMap", name): {
        "kind": "ConfigMap",
        "metadata": {"name": name},
        "data": {"cloud.conf": "fake", "ca-bundle.crt": "fake"},
    }
    for name in ("azure-cloud-config", "openstack-cloud-config", "authorities")
}


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
        signer_ca="SIGNERS",
        pull_secret=b'{"auths":{}}',
        ingress_cert={"tls.crt": b"cert", "tls.key": b"key"},
        oauth_url="https://oauth.example.org:443",
        password=b"secret",
        password_hash="$2a$04$hash",
        registry_secret="0" * 128,
        labelled=Version(4, 22, 0),
        objects=OBJECTS,
    )
