"""Read what the objects inside an OpenShift cluster follow, from its control plane namespace."""

from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.api.well_known import (
    OPENSHIFT_APISERVER,
    OPENSHIFT_OAUTH_APISERVER,
    PACKAGESERVER,
    PULL_SECRET,
)
from hypershift.kit import data_of
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config.openshift.rules.guest import Guest
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.release import Release

NO_ADDRESS = frozenset({"", "None"})
OAUTH_PATH = "/oauth2callback/"


async def read_guest(scope: GuestScope, release: Release) -> Guest:
    """One picture of what the inside follows."""
    kube, namespace = scope.kube, scope.namespace
    status = scope.hosted.status
    template = (status.oauth_callback_url_template if status else None) or ""
    ingress = await kube.find(kinds.SECRET, "ingress-crt", namespace)
    return Guest(
        plane=scope.hosted,
        release_version=release.version,
        components=release.components,
        images=release.images,
        addresses=await _addresses(kube, namespace),
        root_ca=await _text(kube, namespace, "root-ca", "ca.crt"),
        oauth_ca=await _text(kube, namespace, "oauth-master-ca-bundle", "ca.crt"),
        user_ca=await _text(kube, namespace, "user-ca-bundle", "ca-bundle.crt"),
        proxy_ca=await _text(kube, namespace, "trusted-ca-bundle-managed", "ca-bundle.crt"),
        kubelet_client_ca=await _text(kube, namespace, "kubelet-client-ca", "ca.crt"),
        kubelet_serving_ca=data_of(
            await kube.find(kinds.SECRET, "cluster-signer-ca", namespace), "ca.crt"
        ).decode(),
        pull_secret=data_of(await kube.find(kinds.SECRET, PULL_SECRET, namespace), DOCKER_CONFIG),
        ingress_cert={
            key: value for key in ("tls.crt", "tls.key") if (value := data_of(ingress, key))
        },
        oauth_url=template.partition(OAUTH_PATH)[0],
    )


async def _addresses(kube: Client, namespace: str) -> dict[str, str]:
    found = {}
    for name in (OPENSHIFT_APISERVER, OPENSHIFT_OAUTH_APISERVER, PACKAGESERVER):
        service = await kube.find(kinds.SERVICE, name, namespace)
        address = str(((service or {}).get("spec") or {}).get("clusterIP") or "")
        if address not in NO_ADDRESS:
            found[name] = address
    return found


async def _text(kube: Client, namespace: str, name: str, key: str) -> str:
    found = await kube.find(kinds.CONFIG_MAP, name, namespace)
    return str(((found or {}).get("data") or {}).get(key, ""))
