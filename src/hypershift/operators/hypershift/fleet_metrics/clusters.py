"""Gauges about HostedClusters, as a pure function of the objects and the time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily

from hypershift.kit import Manifest, annotations_of, from_rfc3339, labels_of
from hypershift.runtime import condition_of, is_true

#: Conditions and the status that is no failure.
EXPECTED = {
    "Available": "True",
    "ClusterVersionSucceeding": "True",
    "ClusterVersionUpgradeable": "True",
    "Degraded": "False",
    "EtcdAvailable": "True",
    "ExternalDNSReachable": "True",
    "IgnitionEndpointAvailable": "True",
    "InfrastructureReady": "True",
    "KubeAPIServerAvailable": "True",
    "ReconciliationSucceeded": "True",
    "SupportedHostedCluster": "True",
    "ValidConfiguration": "True",
    "ValidHostedControlPlaneConfiguration": "True",
    "ValidReleaseImage": "True",
    "ValidReleaseInfo": "True",
}
LABELS = ("namespace", "name", "_id")
PREFIX = "hypershift.openshift.io"
LIMITED = f"api.{PREFIX}/limited-support"
SILENCE = f"{PREFIX}/silence-cluster-alerts"
#: Name, text and conditions of the histogram of first successes.
TRANSITIONS = (
    "hypershift_hosted_cluster_transition_seconds",
    "Time from the creation of a HostedCluster until a condition became True.",
    ("EtcdAvailable", "InfrastructureReady", "ExternalDNSReachable", "Available"),
)
Value = Callable[[Manifest], float | None]


def families(clusters: Sequence[Manifest], now: datetime) -> Iterator[GaugeMetricFamily]:
    """Every gauge about clusters."""
    yield _count(clusters)
    yield _failures(clusters)
    yield _of_each(
        "hypershift_cluster_waiting_initial_availability_duration_seconds",
        "How long a cluster waits to be available for the first time.",
        clusters,
        lambda cluster: _waiting(cluster, now),
    )
    yield _of_each(
        "hypershift_cluster_initial_rolling_out_duration_seconds",
        "How long the first rollout of a cluster takes so far.",
        clusters,
        lambda cluster: _rolling_out(cluster, now),
    )
    yield _of_each(
        "hypershift_cluster_upgrading_duration_seconds",
        "How long the upgrade of a cluster takes so far.",
        clusters,
        lambda cluster: _upgrading(cluster, now),
    )
    yield _of_each(
        "hypershift_cluster_deleting_duration_seconds",
        "How long the deletion of a cluster takes so far.",
        clusters,
        lambda cluster: _since(cluster["metadata"].get("deletionTimestamp"), now),
    )
    yield _of_each(
        "hypershift_cluster_guest_cloud_resources_deleting_duration_seconds",
        "How long the cloud resources that a deleted cluster made take to go so far.",
        clusters,
        lambda cluster: (
            None
            if is_true(cluster, "CloudResourcesDestroyed")
            else _since(cluster["metadata"].get("deletionTimestamp"), now)
        ),
    )
    yield _of_each(
        "hypershift_cluster_limited_support_enabled",
        "1 for clusters whose support is limited.",
        clusters,
        lambda cluster: float(labels_of(cluster).get(LIMITED) == "true"),
    )
    yield _of_each(
        "hypershift_cluster_silence_alerts",
        "1 for clusters whose alerts are silenced.",
        clusters,
        lambda cluster: float(SILENCE in labels_of(cluster)),
    )
    yield _of_each(
        "hypershift_cluster_proxy",
        "1 for clusters that reach the world through a proxy.",
        clusters,
        lambda cluster: float(bool(_configuration(cluster).get("proxy"))),
    )
    yield _of_each(
        "hypershift_cluster_identity_providers",
        "How many identity providers a cluster has.",
        clusters,
        lambda cluster: float(
            len((_configuration(cluster).get("oauth") or {}).get("identityProviders") or ())
        ),
    )


def _count(clusters: Sequence[Manifest]) -> GaugeMetricFamily:
    text = "Number of HostedClusters for a given platform."
    family = GaugeMetricFamily("hypershift_hostedclusters", text, labels=["platform"])
    for platform, count in sorted(Counter(map(_platform, clusters)).items()):
        family.add_metric([platform], count)
    return family


def _failures(clusters: Sequence[Manifest]) -> GaugeMetricFamily:
    """A condition that should be True counts as `not_` that condition when it is not."""
    family = GaugeMetricFamily(
        "hypershift_hostedclusters_failure_conditions",
        "Number of HostedClusters with a condition that is a failure.",
        labels=["condition"],
    )
    for kind, wanted in EXPECTED.items():
        found = [condition_of(cluster, kind) for cluster in clusters]
        bad = [one for one in found if one and one["status"] not in (wanted, "Unknown")]
        family.add_metric([f"not_{kind}" if wanted == "True" else kind], len(bad))
    return family


def _of_each(name: str, text: str, clusters: Sequence[Manifest], value: Value) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=LABELS)
    for cluster in clusters:
        figure = value(cluster)
        if figure is not None:
            metadata = cluster["metadata"]
            identity = cluster["spec"].get("clusterID", "")
            family.add_metric([metadata["namespace"], metadata["name"], identity], figure)
    return family


def _waiting(cluster: Manifest, now: datetime) -> float | None:
    if is_true(cluster, "Available") or _has_run(cluster):
        return None
    if f"{PREFIX}/HasBeenAvailable" in annotations_of(cluster):
        return None
    return _since(cluster["metadata"].get("creationTimestamp"), now)


def _rolling_out(cluster: Manifest, now: datetime) -> float | None:
    if _has_run(cluster):
        return None
    return _since(cluster["metadata"].get("creationTimestamp"), now)


def _upgrading(cluster: Manifest, now: datetime) -> float | None:
    newest, *older = _history(cluster) or [{}]
    if older and newest.get("state") != "Completed":
        return _since(newest.get("startedTime"), now)
    return None


def _has_run(cluster: Manifest) -> bool:
    return any(entry.get("state") == "Completed" for entry in _history(cluster))


def _history(cluster: Manifest) -> list[Manifest]:
    version = (cluster.get("status") or {}).get("version") or {}
    return list(version.get("history") or ())


def _since(moment: str | None, now: datetime) -> float | None:
    return (now - from_rfc3339(moment)).total_seconds() if moment else None


def _platform(cluster: Manifest) -> str:
    return str(cluster["spec"]["platform"]["type"])


def _configuration(cluster: Manifest) -> Manifest:
    found: Manifest = cluster["spec"].get("configuration") or {}
    return found
