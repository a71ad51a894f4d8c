"""cluster-node-tuning-operator: tunes the kernels of the guest's nodes."""

from pathlib import Path

from hypershift.api.values import Capability
from hypershift.component import Asset, Component, View, edit, monitoring
from hypershift.kit import Manifest

NAME = "cluster-node-tuning-operator"
SERVICE = "node-tuning-operator"
_SCRAPED = monitoring.Scraped("nodeTuningOperator", monitoring.kept("nto_profile_calculated_total"))


def deployment(view: View, manifest: Manifest) -> Manifest:
    values = {
        "RELEASE_VERSION": view.user_release.version,
        "CLUSTER_NODE_TUNED_IMAGE": view.user_release.find(NAME),
    }
    return edit.set_env(manifest, NAME, values)


def service_monitor(view: View, manifest: Manifest) -> Manifest:
    """Expect the name that the serving certificate carries in this namespace."""
    manifest = monitoring.scraping(_SCRAPED)(view, manifest)
    (endpoint,) = manifest["spec"]["endpoints"]
    server = f"{SERVICE}.{view.namespace}.svc"
    endpoint = edit.put(endpoint, ("tlsConfig", "serverName"), server)
    return edit.put(manifest, ("spec", "endpoints"), [endpoint])


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("service.yaml"),
        Asset("serviceaccount.yaml"),
        Asset("servicemonitor.yaml", adapt=service_monitor),
    ),
    when=lambda view: view.has_capability(Capability.NODE_TUNING),
    depends_on=("openshift-apiserver",),
    management_access=True,
)
