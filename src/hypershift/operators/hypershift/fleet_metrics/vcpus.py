"""How many virtual CPUs the nodes of a cluster have; -1 and a reason where that is unknown."""

from collections.abc import Iterator, Mapping

from prometheus_client.core import GaugeMetricFamily

from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
    Cluster,
    Fleet,
    Pool,
    cloud_of,
    gauge,
    identity,
)
from hypershift.platforms import platform_of
from hypershift.platforms.pools import UnknownCpus

LABELS = (*CLUSTER_LABELS, "platform")


def families(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    """The number for each cluster, and why where there is none."""
    found = [(one, *_of_cluster(fleet, one)) for one in fleet.clusters]
    yield gauge(
        "hypershift_cluster_vcpus",
        "Virtual CPUs of a cluster's nodes; -1 when nobody can say.",
        LABELS,
        (((*identity(one), cloud_of(one)), count) for one, count, _ in found),
    )
    yield gauge(
        "hypershift_cluster_vcpus_computation_error",
        "1 for clusters whose virtual CPUs nobody can count, with one of a few reasons.",
        (*LABELS, "reason"),
        (((*identity(one), cloud_of(one), why), 1.0) for one, _, why in found if why),
    )


def _of_cluster(fleet: Fleet, cluster: Cluster) -> tuple[float, str]:
    """The CPUs of nodes that a provisioner makes, and of every pool that has nodes."""
    status = cluster.known.status
    made = (status.auto_node.vcpus if status.auto_node else None) or 0
    try:
        return float(made + sum(_of_pool(fleet, pool) for pool in fleet.pools_of(cluster))), ""
    except UnknownCpus as error:
        return -1.0, str(error)


def _of_pool(fleet: Fleet, pool: Pool) -> int:
    replicas = pool.known.status.replicas or 0
    return replicas * _of_node(fleet, pool) if replicas else 0


def _of_node(fleet: Fleet, pool: Pool) -> int:
    def data(namespace: str, name: str) -> Mapping[str, str] | None:
        return (fleet.find(kinds.CONFIG_MAP, namespace, name) or {}).get("data")

    return platform_of(pool.known.spec).pools.cpus(pool.known.spec.platform, data)
