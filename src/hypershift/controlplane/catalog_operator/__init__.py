"""catalog-operator: resolves what the guest subscribes to against its catalogs."""

from pathlib import Path

from hypershift.component import Asset, Component, View, edit, lifecycle, traits
from hypershift.kit import Manifest

NAME = "catalog-operator"


def deployment(view: View, manifest: Manifest) -> Manifest:
    values = {
        "RELEASE_VERSION": view.user_release.version,
        "OLM_OPERATOR_IMAGE": view.release.find("operator-lifecycle-manager"),
        "OPERATOR_REGISTRY_IMAGE": view.release.find("operator-registry"),
        "NO_PROXY": lifecycle.no_proxy(view),
    }
    return edit.set_env(manifest, NAME, values)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=lifecycle.metrics(
        "catalogOperator", ("subscription_sync_total", "olm_resolution_duration_seconds")
    ),
    traits=(traits.Socks5Proxy(),),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="kubeconfig", required_apis=(lifecycle.CATALOG_SOURCE,)
        ),
    ),
)
