"""How many virtual CPUs the nodes of a cluster have; -1 and a reason where nobody can say."""

from collections.abc import Iterator
from decimal import Decimal
from math import ceil

from prometheus_client.core import GaugeMetricFamily

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.fleet_metrics.family import (
    CLUSTER_LABELS,
    Fleet,
    gauge,
    identity,
    platform_of,
)

#: Where an administrator of AWS says how many CPUs a type of instance has.
TABLE = ("hypershift", "rosa-cpus-instance-types-config")
LABELS = (*CLUSTER_LABELS, "platform")
#: What a pool of local machines that says nothing gives each of them.
LOCAL_CPUS = "2"


class Unknown(Exception):
    """Nobody can say how many; one of a few reasons."""


def families(fleet: Fleet) -> Iterator[GaugeMetricFamily]:
    """The number for each cluster, and why where there is none."""
    found = [(one, *_of_cluster(fleet, one)) for one in fleet.clusters]
    yield gauge(
        "hypershift_cluster_vcpus",
        "Virtual CPUs of a cluster's nodes; -1 when nobody can say.",
        LABELS,
        (((*identity(one), platform_of(one)), count) for one, count, _ in found),
    )
    yield gauge(
        "hypershift_cluster_vcpus_computation_error",
        "1 for clusters whose virtual CPUs nobody can count, with one of a few reasons.",
        (*LABELS, "reason"),
        (((*identity(one), platform_of(one), why), 1.0) for one, _, why in found if why),
    )


def _of_cluster(fleet: Fleet, cluster: Manifest) -> tuple[float, str]:
    """The CPUs of nodes that a provisioner makes, and of every pool that has nodes."""
    made = ((cluster.get("status") or {}).get("autoNode") or {}).get("vcpus") or 0
    try:
        return float(made + sum(_of_pool(fleet, pool) for pool in fleet.pools_of(cluster))), ""
    except Unknown as error:
        return -1.0, str(error)


def _of_pool(fleet: Fleet, pool: Manifest) -> int:
    replicas: int = (pool.get("status") or {}).get("replicas") or 0
    return replicas * _of_node(fleet, pool) if replicas else 0


def _of_node(fleet: Fleet, pool: Manifest) -> int:
    platform = pool["spec"]["platform"]
    match platform["type"]:
        case "Local":
            return _whole(str((platform.get("local") or {}).get("cpu") or LOCAL_CPUS))
        case "AWS" if platform.get("aws") is None:
            raise Unknown("spec.platform.aws missing in node pool")
        case "AWS":
            return _in_table(fleet, platform["aws"].get("instanceType", ""))
        case _:
            raise Unknown("unsupported platform")


def _whole(quantity: str) -> int:
    """CPUs as a machine shows them: a part of one is one."""
    share = Decimal(quantity.removesuffix("m")) / (1000 if quantity.endswith("m") else 1)
    return ceil(share)


def _in_table(fleet: Fleet, instance: str) -> int:
    table = (fleet.find(kinds.CONFIG_MAP, *TABLE) or {}).get("data")
    if table is None:
        raise Unknown("ROSA CPUs instance types ConfigMap not found")
    if instance not in table:
        raise Unknown("unknown instance type")
    try:
        return int(table[instance])
    except ValueError as error:
        raise Unknown("unable to parse ConfigMap data") from error
