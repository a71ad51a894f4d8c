"""Gauges about NodePools, as a pure function of the objects and the time."""

from collections.abc import Callable, Iterator
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily

from hypershift.api import HostedCluster, NodePool, read
from hypershift.api.conditions import NodePoolConditionType
from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics import expected, vcpus
from hypershift.operators.hypershift.fleet_metrics.family import (
    PLATFORMS,
    Fleet,
    Pool,
    cloud_of,
    counted,
    failures,
    gauge,
    identity,
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
Value = Callable[[Pool], float | None]


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
        map(cloud_of, fleet.pools),
    )
    yield failures(
        "hypershift_nodepools_failure_conditions",
        "Number of NodePools for a given platform and failure condition.",
        NodePool,
        fleet.pools,
        expected.of_pool,
    )
    yield gauge(
        "hypershift_hostedcluster_nodepools",
        "Number of NodePools of a HostedCluster.",
        vcpus.LABELS,
        (
            ((*identity(one), cloud_of(one)), float(len(fleet.pools_of(one))))
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
        lambda pool: float(pool.known.status.replicas or 0),
    )
    yield told(
        "initial_rolling_out_duration_seconds",
        "How long the first rollout of a pool takes so far.",
        lambda pool: (
            None
            if pool.known.status.version
            else since(pool.known.metadata.creation_timestamp, now)
        ),
    )
    yield told(
        "deleting_duration_seconds",
        "How long the deletion of a pool takes so far.",
        lambda pool: since(pool.known.metadata.deletion_timestamp, now),
    )


def _labels(fleet: Fleet, pool: Pool) -> list[str]:
    metadata, cluster = pool.known.metadata, pool.known.spec.cluster_name
    found = fleet.find(kinds.HOSTED_CLUSTER, metadata.namespace, cluster)
    number = (read(HostedCluster, found).spec.cluster_id or "") if found else ""
    return [metadata.namespace, metadata.name, number, cluster, cloud_of(pool)]


def _size(fleet: Fleet, pool: Pool) -> float | None:
    """The number in the MachineDeployment: where the autoscaler decides, the pool has none."""
    maker = MAKERS.get(pool.known.spec.management.upgrade_type)
    if maker is None:
        return None
    found = fleet.find(maker, names.cluster_of(pool.manifest), pool.known.metadata.name)
    return float(((found or {}).get("spec") or {}).get("replicas") or 0)
