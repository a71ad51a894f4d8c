"""Gauges about NodePools, as a pure function of the objects and the time."""

from collections.abc import Callable, Iterator
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily

from hypershift.api.conditions import NodePoolConditionType
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics import expected, vcpus
from hypershift.operators.hypershift.fleet_metrics.family import (
    PLATFORMS,
    Fleet,
    counted,
    failures,
    gauge,
    identity,
    platform_of,
    since,
)
from hypershift.operators.hypershift.node_pool import names

LABELS = ("namespace", "name", "_id", "cluster_name", "platform")
#: Name, text and conditions of the histogram of first successes.
TRANSITIONS = (
    "hypershift_nodepools_transition_seconds",
    "Time from the creation of a NodePool until a condition became True.",
    (
        NodePoolConditionType.REACHED_IGNITION_ENDPOINT,
        NodePoolConditionType.ALL_MACHINES_READY,
        NodePoolConditionType.ALL_NODES_HEALTHY,
    ),
)
#: Who makes a pool's machines, by how they are renewed.
MAKERS = {"Replace": kinds.MACHINE_DEPLOYMENT, "InPlace": kinds.MACHINE_SET}
Value = Callable[[Manifest], float | None]


def families(fleet: Fleet, now: datetime) -> Iterator[GaugeMetricFamily]:
    """Every gauge about pools."""
    yield from _summaries(fleet)
    yield from vcpus.families(fleet)
    yield from _of_each(fleet, now)


def _summaries(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    yield counted(
        "hypershift_nodepools",
        "Number of NodePools for a given platform.",
        "platform",
        PLATFORMS,
        map(platform_of, fleet.pools),
    )
    yield failures(
        "hypershift_nodepools_failure_conditions",
        "Number of NodePools for a given platform and failure condition.",
        fleet.pools,
        expected.of_pool,
    )
    yield gauge(
        "hypershift_hostedcluster_nodepools",
        "Number of NodePools of a HostedCluster.",
        vcpus.LABELS,
        (
            ((*identity(one), platform_of(one)), float(len(fleet.pools_of(one))))
            for one in fleet.clusters
        ),
    )


def _of_each(fleet: Fleet, now: datetime) -> Iterator[GaugeMetricFamily]:
    labels = [_labels(fleet, pool) for pool in fleet.pools]

    def told(name: str, text: str, value: Value) -> GaugeMetricFamily:
        pairs = zip(labels, map(value, fleet.pools), strict=True)
        series = ((values, figure) for values, figure in pairs if figure is not None)
        return gauge(f"hypershift_nodepools_{name}", text, LABELS, series)

    yield told("size", "Nodes that a pool wants.", lambda pool: _size(fleet, pool))
    yield told(
        "available_replicas",
        "Nodes of a pool that are available.",
        lambda pool: float((pool.get("status") or {}).get("replicas") or 0),
    )
    yield told(
        "initial_rolling_out_duration_seconds",
        "How long the first rollout of a pool takes so far.",
        lambda pool: (
            None
            if (pool.get("status") or {}).get("version")
            else since(pool["metadata"].get("creationTimestamp"), now)
        ),
    )
    yield told(
        "deleting_duration_seconds",
        "How long the deletion of a pool takes so far.",
        lambda pool: since(pool["metadata"].get("deletionTimestamp"), now),
    )


def _labels(fleet: Fleet, pool: Manifest) -> list[str]:
    metadata, cluster = pool["metadata"], pool["spec"]["clusterName"]
    found = fleet.find(kinds.HOSTED_CLUSTER, metadata["namespace"], cluster) or {}
    number = (found.get("spec") or {}).get("clusterID", "")
    return [metadata["namespace"], metadata["name"], number, cluster, platform_of(pool)]


def _size(fleet: Fleet, pool: Manifest) -> float | None:
    """The number in the MachineDeployment: where the autoscaler decides, the pool has none."""
    maker = MAKERS.get((pool["spec"].get("management") or {}).get("upgradeType", ""))
    if maker is None:
        return None
    found = fleet.find(maker, names.cluster_of(pool), pool["metadata"]["name"])
    return float(((found or {}).get("spec") or {}).get("replicas") or 0)
