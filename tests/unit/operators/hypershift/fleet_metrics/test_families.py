"""What monitoring is told of clusters and pools."""

from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from tests.unit.operators.hypershift.fleet_metrics.fleets import (
    NOW,
    Samples,
    a_cluster,
    a_pool,
    finding,
    samples,
)

from hypershift.api import annotations, labels
from hypershift.operators.hypershift.fleet_metrics import clusters, pools
from hypershift.operators.hypershift.fleet_metrics.family import Fleet

DEMO = ("clusters", "demo", "id-1")


def of_clusters(*found: Any) -> Samples:
    return samples(clusters.families(Fleet.of(found), NOW))


def test_clusters_are_counted_by_platform_and_a_platform_without_any_counts_zero() -> None:
    found = of_clusters(a_cluster(), a_cluster())
    assert found["hypershift_hostedclusters", "Local"] == 2
    assert found["hypershift_hostedclusters", "AWS"] == 0


def test_a_condition_that_is_not_as_it_should_be_is_a_failure_of_its_platform() -> None:
    one = a_cluster(
        ("Available", "False"),
        ("Degraded", "True"),
        ("EtcdAvailable", "Unknown"),
        ("ExternalDNSReachable", "Unknown"),
        ("ClusterVersionUpgradeable", "False"),
    )
    found = of_clusters(one)
    name = "hypershift_hostedclusters_failure_conditions"
    assert found[name, "Local", "not_Available"] == 1
    assert found[name, "Local", "Degraded"] == 1
    assert found[name, "Local", "not_EtcdAvailable"] == 1
    # Nobody looks for a name that the cluster does not have, and nobody expects an upgrade.
    assert found[name, "Local", "ExternalDNSReachable"] == 0
    assert (name, "Local", "not_ClusterVersionUpgradeable") not in found
    assert found[name, "AWS", "not_Available"] == 0


def test_a_new_cluster_waits_until_it_is_available_once() -> None:
    key = ("hypershift_cluster_waiting_initial_availability_duration_seconds", *DEMO)
    assert of_clusters(a_cluster())[key] == 600
    assert key not in of_clusters(a_cluster(("Available", "True")))
    been = a_cluster(("Available", "False"))
    been["metadata"]["annotations"] = {annotations.HAS_BEEN_AVAILABLE: "true"}
    assert key not in of_clusters(been)


def test_an_upgrade_is_timed_while_it_lasts_and_tells_from_where_to_where() -> None:
    history = [
        {"state": "Partial", "startedTime": "2026-01-01T11:59:00Z", "version": "1.36.0"},
        {"state": "Completed", "startedTime": "2025-12-01T00:00:00Z", "version": "1.35.8"},
    ]
    key = ("hypershift_cluster_upgrading_duration_seconds", *DEMO, "1.35.8", "1.36.0")
    assert of_clusters(a_cluster(version={"history": history}))[key] == 60
    done = [{**history[0], "state": "Completed"}, history[1]]
    assert key not in of_clusters(a_cluster(version={"history": done}))


def test_a_deletion_is_timed_and_so_are_its_cloud_resources_until_they_are_gone() -> None:
    one = a_cluster()
    one["metadata"]["deletionTimestamp"] = "2026-01-01T11:58:00Z"
    gone = a_cluster(("CloudResourcesDestroyed", "True"))
    gone["metadata"]["deletionTimestamp"] = "2026-01-01T11:58:00Z"
    resources = "hypershift_cluster_guest_cloud_resources_deleting_duration_seconds"
    for cluster, destroyed in ((one, False), (gone, True)):
        found = of_clusters(cluster)
        assert found["hypershift_cluster_deleting_duration_seconds", *DEMO] == 120
        assert (found.get((resources, *DEMO)) is None) is destroyed
    assert ("hypershift_cluster_deleting_duration_seconds", *DEMO) not in of_clusters(a_cluster())


def test_identity_providers_are_counted_by_their_kind() -> None:
    providers = [{"name": "a", "type": "GitHub"}, {"name": "b", "type": "GitHub"}]
    one = a_cluster(spec={"configuration": {"oauth": {"identityProviders": providers}}})
    found = of_clusters(one, a_cluster())
    assert found["hypershift_cluster_identity_providers", "GitHub"] == 2
    assert found["hypershift_cluster_identity_providers", "LDAP"] == 0


@pytest.mark.parametrize(
    ("label", "value", "name"),
    [
        (labels.LIMITED_SUPPORT, "true", "limited_support_enabled"),
        (labels.SILENCE_CLUSTER_ALERTS, "", "silence_alerts"),
    ],
)
def test_labels_of_a_cluster_become_facts(label: str, value: str, name: str) -> None:
    one = a_cluster()
    assert of_clusters(one)[f"hypershift_cluster_{name}", *DEMO] == 0
    one["metadata"]["labels"] = {label: value}
    assert of_clusters(one)[f"hypershift_cluster_{name}", *DEMO] == 1


def test_a_pool_tells_what_its_machines_maker_wants_and_what_is_there() -> None:
    pool = a_pool({"replicas": None, "autoScaling": {"min": 1, "max": 9}}, replicas=1)
    place = {"name": "workers", "namespace": "clusters-demo"}
    maker = {"kind": "MachineDeployment", "metadata": place, "spec": {"replicas": 4}}
    cluster = a_cluster() | {"kind": "HostedCluster"}
    fleet = Fleet.of([cluster], [pool], finding(maker, cluster))
    found = samples(pools.families(fleet, NOW))
    named = ("clusters", "workers", "id-1", "demo", "Local")
    assert found["hypershift_nodepools_size", *named] == 4
    assert found["hypershift_nodepools_available_replicas", *named] == 1
    assert found["hypershift_nodepools_initial_rolling_out_duration_seconds", *named] == 60
    assert found["hypershift_hostedcluster_nodepools", *DEMO, "Local"] == 1
    assert found["hypershift_nodepools", "Local"] == 1


def test_a_pool_is_expected_to_be_what_its_spec_asks_for() -> None:
    states = [("AutoscalingEnabled", "False"), ("AutorepairEnabled", "True"), ("Ready", "True")]
    conditions = [{"type": kind, "status": status} for kind, status in states]
    plain = a_pool(conditions=conditions)
    scaled = a_pool({"autoScaling": {"min": 1, "max": 2}}, conditions=conditions)
    name = "hypershift_nodepools_failure_conditions"
    found = samples(pools.families(Fleet.of((), [plain, scaled]), NOW))
    assert found[name, "Local", "AutorepairEnabled"] == 2
    assert found[name, "Local", "not_AutoscalingEnabled"] == 1
    assert found[name, "Local", "not_Ready"] == 0


def test_everything_can_be_served() -> None:
    class Both:
        def collect(self) -> Any:
            fleet = Fleet.of([a_cluster()], [a_pool()])
            yield from clusters.families(fleet, NOW)
            yield from pools.families(fleet, NOW)

    registry = CollectorRegistry()
    registry.register(Both())
    assert b"hypershift_nodepools_size" in generate_latest(registry)
