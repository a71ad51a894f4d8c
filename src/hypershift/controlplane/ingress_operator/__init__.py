"""ingress-operator: runs the guest's routers, from outside the guest."""

from pathlib import Path

from hypershift.api.values import Capability
from hypershift.component import Asset, Component, View, edit, monitoring, traits, vault
from hypershift.kit import Manifest

NAME = "ingress-operator"
NAMESPACE = "openshift-ingress-operator"
ADMIN = "admin-kubeconfig"
ACCOUNT = traits.ServiceAccountKubeconfig(NAME, "/etc/kubernetes", containers=(NAME,))
IDENTITY = vault.volume("ingress-cert", "managed-azure-ingress")
SCRAPED = monitoring.Scraped("registryOperator", monitoring.dropped("(.*)"))

#: Variables that name images of the guest's own release.
IMAGES = {
    "IMAGE": "haproxy-router",
    "HAPROXY_28_IMAGE": "haproxy-router-haproxy28",
    "HAPROXY_32_IMAGE": "haproxy-router-haproxy32",
    "CANARY_IMAGE": "cluster-ingress-operator",
}


def deployment(view: View, manifest: Manifest) -> Manifest:
    release = view.user_release
    values = {name: release.find(image) or "" for name, image in IMAGES.items()}
    values["RELEASE_VERSION"] = release.version
    if view.spec.fips:
        values["FIPS_ENABLED"] = "true"
    manifest = edit.set_env(manifest, NAME, values)
    return vault.with_credentials(view, manifest, NAME, IDENTITY, lambda all_of: all_of.ingress)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        vault.asset("managed-azure-ingress", lambda all_of: all_of.ingress),
        Asset("podmonitor.yaml", adapt=monitoring.scraping(SCRAPED)),
        ACCOUNT.asset(),
    ),
    when=lambda view: view.has_capability(Capability.INGRESS),
    depends_on=("openshift-apiserver",),
    traits=(
        ACCOUNT,
        traits.HttpsProxy(direct_to_cloud=True, kubeconfig_volume=ADMIN),
        traits.TokenMinter(NAME, NAMESPACE, kubeconfig_volume=ADMIN),
    ),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="service-account-kubeconfig",
            required_apis=(("route.openshift.io", "v1", "Route"),),
        ),
    ),
)
