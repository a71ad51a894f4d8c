"""Gauges about NodePools, as a pure function of the objects and the time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily

from hypershift.kit import Manifest, from_rfc3339
from hypershift.runtime import condition_of

EXPECTED = {
    "AllMachinesReady": "True",
    "AllNodesHealthy": "True",
    "Ready": "True",
    "ReachedIgnitionEndpoint": "True",
    "SupportedVersionSkew": "True",
    "UpdateManagementEnabled": "True",
    "ValidArchPlatform": "True",
    "ValidGeneratedPayload": "True",
    "ValidMachineConfig": "True",
    "ValidReleaseImage": "True",
}
LABELS = ("namespace", "name", "cluster_name", "platform")
#: Name, text and conditions of the histogram of first successes.
TRANSITIONS = (
    "hypershift_nodepools_transition_seconds",
    "Time from the creation of a NodePool until a condition became True.",
    ("ReachedIgnitionEndpoint", "AllMachinesReady", "AllNodesHealthy"),
)
Value = Callable[[Manifest], float | None]


def families(pools: Sequence[Manifest], now: datetime) -> Iterator[GaugeMetricFamily]:
    """Every gauge about pools."""
    yield _counted("hypershift_nodepools", "Number of NodePools.", "platform", pools, _platform)
    yield _counted(
        "hypershift_hostedcluster_nodepools",
        "Number of NodePools of a HostedCluster.",
        "cluster_name",
        pools,
        lambda pool: f"{pool['metadata']['namespace']}/{pool['spec']['clusterName']}",
    )
    yield _failures(pools)
    yield _of_each("hypershift_nodepools_size", "Nodes that a pool wants.", pools, _size)
    yield _of_each(
        "hypershift_nodepools_available_replicas",
        "Nodes of a pool that are available.",
        pools,
        lambda pool: float((pool.get("status") or {}).get("replicas", 0)),
    )
    yield _of_each(
        "hypershift_nodepools_initial_rolling_out_duration_seconds",
        "How long the first rollout of a pool takes so far.",
        pools,
        lambda pool: (
            None
            if (pool.get("status") or {}).get("version")
            else _since(pool["metadata"].get("creationTimestamp"), now)
        ),
    )
    yield _of_each(
        "hypershift_nodepools_deleting_duration_seconds",
        "How long the deletion of a pool takes so far.",
        pools,
        lambda pool: _since(pool["metadata"].get("deletionTimestamp"), now),
    )


def _counted(
    name: str, text: str, label: str, pools: Sequence[Manifest], value: Callable[[Manifest], str]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for each, count in sorted(Counter(map(value, pools)).items()):
        family.add_metric([each], count)
    return family


def _failures(pools: Sequence[Manifest]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        "hypershift_nodepools_failure_conditions",
        "Number of NodePools with a condition that is a failure.",
        labels=["condition"],
    )
    for kind in EXPECTED:
        found = [condition_of(pool, kind) for pool in pools]
        bad = [one for one in found if one and one["status"] == "False"]
        family.add_metric([f"not_{kind}"], len(bad))
    return family


def _of_each(name: str, text: str, pools: Sequence[Manifest], value: Value) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=LABELS)
    for pool in pools:
        figure = value(pool)
        if figure is not None:
            metadata, spec = pool["metadata"], pool["spec"]
            labels = [metadata["namespace"], metadata["name"], spec["clusterName"], _platform(pool)]
            family.add_metric(labels, figure)
    return family


def _size(pool: Manifest) -> float:
    bounds = pool["spec"].get("autoScaling") or {}
    return float(pool["spec"].get("replicas") or bounds.get("min") or 0)


def _since(moment: str | None, now: datetime) -> float | None:
    return (now - from_rfc3339(moment)).total_seconds() if moment else None


def _platform(pool: Manifest) -> str:
    return str(pool["spec"]["platform"]["type"])
