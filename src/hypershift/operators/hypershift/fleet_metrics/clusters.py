"""Gauges about HostedClusters, as a pure function of the objects and the time."""

from collections.abc import Callable, Iterator
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily

from hypershift.api import HostedCluster, annotations
from hypershift.api.conditions import ControlPlaneCondition, HostedClusterCondition
from hypershift.api.release import UpdateHistory
from hypershift.api.values import UpdateState
from hypershift.operators.hypershift.fleet_metrics import clouds, expected, facts
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
    PLATFORMS,
    Cluster,
    Fleet,
    cloud_of,
    counted,
    failures,
    gauge,
    identity,
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
Value = Callable[[Cluster], float | None]


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
        map(cloud_of, clusters),
    )
    yield failures(
        "hypershift_hostedclusters_failure_conditions",
        "Number of HostedClusters for a given platform and failure condition.",
        HostedCluster,
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
        lambda cluster: since(cluster.known.metadata.deletion_timestamp, now),
    )
    yield lasting(
        "guest_cloud_resources_deleting",
        "How long the cloud resources that a deleted cluster made take to go so far.",
        lambda cluster: (
            None
            if is_true(cluster.manifest, ControlPlaneCondition.CLOUD_RESOURCES_DESTROYED)
            else since(cluster.known.metadata.deletion_timestamp, now)
        ),
    )
    yield gauge(
        "hypershift_cluster_upgrading_duration_seconds",
        "How long the upgrade of a cluster takes so far.",
        (*CLUSTER_LABELS, "previous_version", "new_version"),
        (found for cluster in fleet.clusters for found in _upgrading(cluster, now)),
    )


def _waiting(cluster: Cluster, now: datetime) -> float | None:
    been = annotations.HAS_BEEN_AVAILABLE in (cluster.known.metadata.annotations or {})
    available = is_true(cluster.manifest, HostedClusterCondition.AVAILABLE)
    if been or available or _has_run(cluster):
        return None
    return _age(cluster, now)


def _upgrading(cluster: Cluster, now: datetime) -> Iterator[tuple[tuple[str, ...], float]]:
    history = _history(cluster)
    if len(history) < len(("newest", "previous")):
        return
    newest, previous = history[:2]
    seconds = since(newest.started_time, now)
    if newest.state != UpdateState.COMPLETED and seconds is not None:
        yield (*identity(cluster), previous.version or "", newest.version or ""), seconds


def _age(cluster: Cluster, now: datetime) -> float | None:
    return since(cluster.known.metadata.creation_timestamp, now)


def _has_run(cluster: Cluster) -> bool:
    return any(entry.state == UpdateState.COMPLETED for entry in _history(cluster))


def _history(cluster: Cluster) -> tuple[UpdateHistory, ...]:
    version = cluster.known.status.version
    return version.history if version else ()
