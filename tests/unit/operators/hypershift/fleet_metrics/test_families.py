"""What monitoring is told of clusters and pools."""

from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric

from hypershift.operators.hypershift.fleet_metrics import clusters, pools

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def a_cluster(*conditions: tuple[str, str], **status: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "name": "demo",
            "namespace": "clusters",
            "creationTimestamp": "2026-01-01T11:50:00Z",
        },
        "spec": {"platform": {"type": "Local"}, "clusterID": "id-1"},
        "status": {
            "conditions": [{"type": kind, "status": state} for kind, state in conditions],
            **status,
        },
    }


def a_pool(**status: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "name": "demo",
            "namespace": "clusters",
            "creationTimestamp": "2026-01-01T11:59:00Z",
        },
        "spec": {"platform": {"type": "Local"}, "clusterName": "demo", "replicas": 3},
        "status": status,
    }


def samples(families: Any) -> dict[str, float]:
    found: list[Metric] = list(families)
    return {
        f"{sample.name}{sorted(sample.labels.values())}": sample.value
        for family in found
        for sample in family.samples
    }


def test_clusters_are_counted_by_platform() -> None:
    found = samples(clusters.families([a_cluster(), a_cluster()], NOW))
    assert found["hypershift_hostedclusters['Local']"] == 2


def test_a_condition_that_is_not_as_it_should_be_is_a_failure() -> None:
    one = a_cluster(("Available", "False"), ("Degraded", "True"), ("EtcdAvailable", "Unknown"))
    found = samples(clusters.families([one], NOW))
    name = "hypershift_hostedclusters_failure_conditions"
    assert found[f"{name}['not_Available']"] == 1
    assert found[f"{name}['Degraded']"] == 1
    assert found[f"{name}['not_EtcdAvailable']"] == 0


def test_a_new_cluster_waits_until_it_is_available() -> None:
    name = "hypershift_cluster_waiting_initial_availability_duration_seconds"
    key = f"{name}['clusters', 'demo', 'id-1']"
    assert samples(clusters.families([a_cluster()], NOW))[key] == 600
    assert key not in samples(clusters.families([a_cluster(("Available", "True"))], NOW))


def test_an_upgrade_is_timed_while_it_lasts() -> None:
    history = [
        {"state": "Partial", "startedTime": "2026-01-01T11:59:00Z"},
        {"state": "Completed", "startedTime": "2025-12-01T00:00:00Z"},
    ]
    name = "hypershift_cluster_upgrading_duration_seconds['clusters', 'demo', 'id-1']"
    found = samples(clusters.families([a_cluster(version={"history": history})], NOW))
    assert found[name] == 60
    done = [{**history[0], "state": "Completed"}, history[1]]
    assert name not in samples(clusters.families([a_cluster(version={"history": done})], NOW))


def test_a_pool_tells_what_it_wants_and_has() -> None:
    found = samples(pools.families([a_pool(replicas=1)], NOW))
    labels = "['Local', 'clusters', 'demo', 'demo']"
    assert found[f"hypershift_nodepools_size{labels}"] == 3
    assert found[f"hypershift_nodepools_available_replicas{labels}"] == 1
    assert found[f"hypershift_nodepools_initial_rolling_out_duration_seconds{labels}"] == 60


def test_everything_can_be_served() -> None:
    class Both:
        def collect(self) -> Any:
            yield from clusters.families([a_cluster()], NOW)
            yield from pools.families([a_pool()], NOW)

    registry = CollectorRegistry()
    registry.register(Both())
    assert b"hypershift_nodepools_size" in generate_latest(registry)
