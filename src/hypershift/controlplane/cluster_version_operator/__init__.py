"""cluster-version-operator: brings the guest to its release, as far as the guest runs it."""

import json
from collections.abc import Iterator
from pathlib import Path

from hypershift.api.capabilities import enabled_capabilities
from hypershift.component import Asset, Component, View, edit, monitoring, traits
from hypershift.controlplane.cluster_version_operator.payload import prepare_script
from hypershift.kit import Manifest

NAME = "cluster-version-operator"
SCRAPED = monitoring.Scraped(
    "cvo",
    monitoring.kept(
        "cluster_version",
        "cluster_version_available_updates",
        "cluster_operator_up",
        "cluster_operator_conditions",
        "cluster_version_payload",
        "cluster_installer",
    ),
)


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield from view.tls.flags
    if view.spec.update_service:
        yield from ("--update-service", view.spec.update_service)


def cluster_version(view: View) -> Manifest:
    """The ClusterVersion that a new guest starts with."""
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterVersion",
        "metadata": {"name": "version"},
        "spec": {
            "clusterID": view.spec.cluster_id or "",
            "capabilities": {
                "baselineCapabilitySet": "None",
                "additionalEnabledCapabilities": enabled_capabilities(view.spec.capabilities),
            },
            "signatureStores": None,
        },
        # The API server asks for a status that has been filled in once.
        "status": {
            "desired": {"version": "", "image": ""},
            "observedGeneration": 0,
            "versionHash": "",
            "capabilities": {},
            "availableUpdates": None,
        },
    }


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.set_image(manifest, "prepare-payload", view.release.image)
    # A payload that does not name the operator's image is that image itself.
    manifest = edit.set_image(manifest, NAME, view.release.find(NAME) or view.release.image)
    manifest = edit.add_args(manifest, "prepare-payload", (prepare_script(view),))
    first = json.dumps(cluster_version(view), separators=(",", ":"))
    manifest = edit.set_env(manifest, "bootstrap", {"CLUSTER_VERSION_JSON": first})
    manifest = edit.set_env(manifest, NAME, {"RELEASE_IMAGE": view.user_release.image})
    return edit.add_args(manifest, NAME, flags(view))


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("service.yaml", when=monitoring.wanted),
        Asset("servicemonitor.yaml", adapt=monitoring.scraping(SCRAPED), when=monitoring.wanted),
    ),
    depends_on=("openshift-apiserver",),
    after_hash=(traits.AwaitApiServer(kubeconfig_volume="kubeconfig"),),
)
