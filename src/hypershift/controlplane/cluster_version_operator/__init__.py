"""cluster-version-operator: brings the guest to its release, as far as the guest runs it."""

import json
from collections.abc import Iterator
from pathlib import Path

from hypershift.api.capabilities import enabled_capabilities
from hypershift.api.labels import NEED_METRICS_SERVER_ACCESS
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


#: Where metrics of the management cluster are.
RHOBS_URL = (
    "http://hypershift-monitoring-stack-prometheus.openshift-observability-operator.svc:9090"
)
THANOS_URL = "https://thanos-querier.openshift-monitoring.svc:9092?namespace="
SERVICE_CA = "/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt"


def reads_metrics(view: View) -> bool:
    """Whether the operator asks the management cluster's metrics before an upgrade."""
    return view.management.metrics_access or monitoring.by_service(view)


def metrics_flags(view: View) -> Iterator[str]:
    """Yield the flags that say where metrics are."""
    usual = RHOBS_URL if monitoring.by_service(view) else f"{THANOS_URL}{view.namespace}"
    yield "--use-dns-for-services=true"
    yield f"--metrics-ca-bundle-file={SERVICE_CA}"
    yield f"--metrics-url={view.management.prometheus_url or usual}"


def with_metrics(pod: Manifest) -> Manifest:
    """Let a pod reach the server of metrics, with an account of its own."""
    mark = {NEED_METRICS_SERVER_ACCESS: "true"}
    pod = edit.at(pod, ("metadata", "labels"), lambda found: {**found, **mark})
    pod = edit.annotate(pod, mark)
    return edit.put(pod, ("spec", "serviceAccountName"), NAME)


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield from view.tls.flags
    if view.spec.update_service:
        yield from ("--update-service", view.spec.update_service)
    if reads_metrics(view):
        yield from metrics_flags(view)


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
    if reads_metrics(view):
        manifest = edit.change_pod(manifest, with_metrics)
    return edit.add_args(manifest, NAME, flags(view))


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("role.yaml", when=reads_metrics),
        Asset("rolebinding.yaml", when=reads_metrics),
        Asset("service.yaml", when=monitoring.wanted),
        Asset("serviceaccount.yaml", when=reads_metrics),
        Asset("servicemonitor.yaml", adapt=monitoring.scraping(SCRAPED), when=monitoring.wanted),
    ),
    depends_on=("openshift-apiserver",),
    after_hash=(traits.AwaitApiServer(kubeconfig_volume="kubeconfig"),),
)
