"""Gauges about HostedClusters, as a pure function of the objects and the time."""

from collections.abc import Callable, Iterator
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily

from hypershift.api import annotations
from hypershift.api.conditions import ControlPlaneCondition, HostedClusterCondition
from hypershift.kit import Manifest, annotations_of
from hypershift.operators.hypershift.fleet_metrics import clouds, expected, facts
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
    PLATFORMS,
    Fleet,
    counted,
    failures,
    gauge,
    identity,
    platform_of,
    since,
)
from hypershift.runtime import is_true

IDENTITY_PROVIDERS = (
    "BasicAuth",
    "GitHub",
    "GitLab",
    "Google",
    "HTPasswd",
    "Keystone",
    "LDAP",
    "OpenID",
    "RequestHeader",
)
#: Name, text and conditions of the histogram of first successes.
TRANSITIONS = (
    "hypershift_hosted_cluster_transition_seconds",
    "Time from the creation of a HostedCluster until a condition became True.",
    (
        ControlPlaneCondition.ETCD_AVAILABLE,
        ControlPlaneCondition.INFRASTRUCTURE_READY,
        ControlPlaneCondition.EXTERNAL_DNS_REACHABLE,
        HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE,
        HostedClusterCondition.AWS_ENDPOINT_AVAILABLE,
        HostedClusterCondition.GCP_ENDPOINT_AVAILABLE,
        HostedClusterCondition.GCP_SERVICE_ATTACHMENT_AVAILABLE,
        HostedClusterCondition.AVAILABLE,
    ),
)
Value = Callable[[Manifest], float | None]


def families(fleet: Fleet, now: datetime) -> Iterator[GaugeMetricFamily]:
    """Every gauge about clusters."""
    yield from _summaries(fleet)
    yield from _durations(fleet, now)
    yield from facts.families(fleet)
    yield from clouds.families(fleet)


def _summaries(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    clusters = fleet.clusters
    yield counted(
        "hypershift_hostedclusters",
        "Number of HostedClusters for a given platform.",
        "platform",
        PLATFORMS,
        map(platform_of, clusters),
    )
    yield failures(
        "hypershift_hostedclusters_failure_conditions",
        "Number of HostedClusters for a given platform and failure condition.",
        clusters,
        expected.of_cluster,
    )
    yield counted(
        "hypershift_cluster_identity_providers",
        "Number of HostedClusters for a given identity provider.",
        "identity_provider",
        IDENTITY_PROVIDERS,
        (kind for cluster in clusters for kind in facts.identity_providers(cluster)),
    )


def _durations(fleet: Fleet, now: datetime) -> Iterator[GaugeMetricFamily]:
    def lasting(name: str, text: str, value: Value) -> GaugeMetricFamily:
        pairs = ((identity(cluster), value(cluster)) for cluster in fleet.clusters)
        series = ((names, seconds) for names, seconds in pairs if seconds is not None)
        return gauge(f"hypershift_cluster_{name}_duration_seconds", text, CLUSTER_LABELS, series)

    yield lasting(
        "waiting_initial_availability",
        "How long a cluster waits to be available for the first time.",
        lambda cluster: _waiting(cluster, now),
    )
    yield lasting(
        "initial_rolling_out",
        "How long the first rollout of a cluster takes so far.",
        lambda cluster: None if _has_run(cluster) else _age(cluster, now),
    )
    yield lasting(
        "deleting",
        "How long the deletion of a cluster takes so far.",
        lambda cluster: since(cluster["metadata"].get("deletionTimestamp"), now),
    )
    yield lasting(
        "guest_cloud_resources_deleting",
        "How long the cloud resources that a deleted cluster made take to go so far.",
        lambda cluster: (
            None
            if is_true(cluster, ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED)
            else since(cluster["metadata"].get("deletionTimestamp"), now)
        ),
    )
    yield gauge(
        "hypershift_cluster_upgrading_duration_seconds",
        "How long the upgrade of a cluster takes so far.",
        (*CLUSTER_LABELS, "previous_version", "new_version"),
        (found for cluster in fleet.clusters for found in _upgrading(cluster, now)),
    )


def _waiting(cluster: Manifest, now: datetime) -> float | None:
    been = annotations.HAS_BEEN_AVAILABLE in annotations_of(cluster)
    if been or is_true(cluster, HostedClusterCondition.AVAILABLE) or _has_run(cluster):
        return None
    return _age(cluster, now)


def _upgrading(cluster: Manifest, now: datetime) -> Iterator[tuple[tuple[str, ...], float]]:
    newest, *older = _history(cluster) or [{}]
    seconds = since(newest.get("startedTime"), now)
    if older and newest.get("state") != "Completed" and seconds is not None:
        versions = older[0].get("version", ""), newest.get("version", "")
        yield (*identity(cluster), *versions), seconds


def _age(cluster: Manifest, now: datetime) -> float | None:
    return since(cluster["metadata"].get("creationTimestamp"), now)


def _has_run(cluster: Manifest) -> bool:
    return any(entry.get("state") == "Completed" for entry in _history(cluster))


def _history(cluster: Manifest) -> list[Manifest]:
    version = (cluster.get("status") or {}).get("version") or {}
    return list(version.get("history") or ())
